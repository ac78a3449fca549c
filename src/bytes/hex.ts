// Bytes as text. Plain code, which runs in a browser too.

/** Two lower-case digits a byte. */
export function hexOf(bytes: ArrayLike<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
