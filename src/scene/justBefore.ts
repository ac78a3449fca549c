// Jumps of keys: the value before a jump is held up to the last moment that float32, in which files hold times, can tell.

/** The float32 just below a positive one. */
export function justBefore(time: number): number {
  const value = new Float32Array([time]);
  const bits = new Uint32Array(value.buffer);
  bits[0]--;
  return value[0];
}
