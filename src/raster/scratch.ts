// Arrays that one picture after another uses. A judge draws thousands of small pictures: fresh arrays for each of them cost
// a cook as much time in the collector as the drawing itself.

/** Elements beyond which an array is not kept. */
const MOST_KEPT = 2 ** 20;

type NumberArray = Float64Array | Float32Array | Int32Array | Uint8Array;

/**
 * Gives an array of the length asked for, with whatever values it has: the same memory each time. It is used until the next
 * call, within one call of the renderer.
 */
export function scratchArray<A extends NumberArray>(Kind: new (length: number) => A): (length: number) => A {
  let kept = new Kind(0);
  return (length) => {
    if (length > MOST_KEPT) return new Kind(length);
    if (kept.length < length) kept = new Kind(Math.min(MOST_KEPT, length + (length >> 1)));
    return kept.subarray(0, length) as A;
  };
}
