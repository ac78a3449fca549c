export function encodeAstcAt(..._: unknown[]): Uint8Array {
  throw new Error('later');
}
