// Quaternions as Urho3D's files hold them: w x y z, of length 1.

/** Real files are off by rounding; beyond this a rotation would scale what it turns. */
const MAX_DEVIATION = 0.1;

export function isRotation(quaternion: ArrayLike<number>, at = 0): boolean {
  let squares = 0;
  for (let i = 0; i < 4; i++) squares += quaternion[at + i] ** 2;
  return Math.abs(Math.sqrt(squares) - 1) <= MAX_DEVIATION;
}
