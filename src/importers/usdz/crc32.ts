// CRC-32 as zip archives use it (ISO 3309, polynomial 0xEDB88320), four bytes a step.

const TABLES = Array.from({ length: 4 }, () => new Uint32Array(256));
const [T0, T1, T2, T3] = TABLES as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
for (let i = 0; i < 256; i++) {
  let c = i;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  T0[i] = c;
}
for (let i = 0; i < 256; i++) {
  let c = T0[i] as number;
  for (let k = 1; k < 4; k++) {
    c = (c >>> 8) ^ (T0[c & 255] as number);
    (TABLES[k] as Uint32Array)[i] = c;
  }
}

/** The checksum of the bytes, unsigned. */
export function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  let i = 0;
  for (const end = bytes.length - 3; i < end; i += 4) {
    crc ^=
      (bytes[i] as number) |
      ((bytes[i + 1] as number) << 8) |
      ((bytes[i + 2] as number) << 16) |
      ((bytes[i + 3] as number) << 24);
    crc =
      (T3[crc & 255] as number) ^
      (T2[(crc >>> 8) & 255] as number) ^
      (T1[(crc >>> 16) & 255] as number) ^
      (T0[crc >>> 24] as number);
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ (T0[(crc ^ (bytes[i] as number)) & 255] as number);
  return ~crc >>> 0;
}
