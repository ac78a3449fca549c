// Blocks of BC1 to BC5 (Khronos Data Format 1.3, chapters 18 and 19; "S3TC" and "RGTC" there): 4 x 4 texels each.

/** Five and six bits to eight, so that all ones become 255. */
const five = (v: number): number => (v << 3) | (v >> 2);
const six = (v: number): number => (v << 2) | (v >> 4);

const u16 = (bytes: Uint8Array, at: number): number => bytes[at] | (bytes[at + 1] << 8);

/** Four colours of RGBA. */
const palette = new Uint8Array(16);
/** Eight values of one channel. */
const ramp = new Uint8Array(8);

/** Whether a block of BC1 has a transparent texel. If its first colour is not larger than its second, index 3 stands for transparent. */
export function hasAlphaBc1(bytes: Uint8Array, at: number): boolean {
  if (u16(bytes, at) > u16(bytes, at + 2)) return false;
  for (let i = 4; i < 8; i++) {
    const row = bytes[at + i];
    if ((row & (row >> 1) & 0x55) !== 0) return true;
  }
  return false;
}

/** Colours of 8 bytes. `isCut`: a block may have three colours and texels without alpha, as in BC1. */
function decodeColors(bytes: Uint8Array, at: number, out: Uint8Array, isCut: boolean): void {
  const [a, b] = [u16(bytes, at), u16(bytes, at + 2)];
  const hasFour = a > b || !isCut;
  for (const [to, color] of [
    [0, a],
    [4, b],
  ]) {
    palette[to] = five(color >> 11);
    palette[to + 1] = six((color >> 5) & 63);
    palette[to + 2] = five(color & 31);
  }
  for (let c = 0; c < 3; c++) {
    const [x, y] = [palette[c], palette[4 + c]];
    palette[8 + c] = hasFour ? (2 * x + y + 1) / 3 : (x + y + 1) >> 1;
    palette[12 + c] = hasFour ? (x + 2 * y + 1) / 3 : 0;
  }
  palette[3] = palette[7] = palette[11] = 255;
  palette[15] = hasFour ? 255 : 0;
  for (let i = 0; i < 16; i++) {
    const from = ((bytes[at + 4 + (i >> 2)] >> ((i & 3) * 2)) & 3) * 4;
    for (let c = 0; c < 4; c++) out[i * 4 + c] = palette[from + c];
  }
}

/** One channel of 8 bytes. `isSigned`: of values from -1 to 1, which become 0 to 255. */
function decodeChannel(bytes: Uint8Array, at: number, out: Uint8Array, channel: number, isSigned: boolean): void {
  const value = (byte: number): number => (isSigned ? Math.max((byte << 24) >> 24, -127) : byte);
  const stored = (exact: number): number => (isSigned ? Math.round(((exact + 127) * 255) / 254) : Math.round(exact));
  const [a, b] = [value(bytes[at]), value(bytes[at + 1])];
  const steps = a > b ? 7 : 5;
  ramp[0] = stored(a);
  ramp[1] = stored(b);
  for (let i = 1; i < steps; i++) ramp[i + 1] = stored(((steps - i) * a + i * b) / steps);
  if (steps === 5) {
    ramp[6] = stored(isSigned ? -127 : 0);
    ramp[7] = stored(isSigned ? 127 : 255);
  }
  // Two times three bytes of eight indices.
  for (let half = 0; half < 2; half++) {
    const from = at + 2 + half * 3;
    const bits = bytes[from] | (bytes[from + 1] << 8) | (bytes[from + 2] << 16);
    for (let i = 0; i < 8; i++) out[(half * 8 + i) * 4 + channel] = ramp[(bits >> (i * 3)) & 7];
  }
}

// Texels of the block at `at`: 16 of RGBA, rows from the top.

export function decodeBc1(bytes: Uint8Array, at: number, out: Uint8Array): void {
  decodeColors(bytes, at, out, true);
}

export function decodeBc2(bytes: Uint8Array, at: number, out: Uint8Array): void {
  decodeColors(bytes, at + 8, out, false);
  for (let i = 0; i < 16; i++) out[i * 4 + 3] = ((bytes[at + (i >> 1)] >> ((i & 1) * 4)) & 15) * 17;
}

export function decodeBc3(bytes: Uint8Array, at: number, out: Uint8Array): void {
  decodeColors(bytes, at + 8, out, false);
  decodeChannel(bytes, at, out, 3, false);
}

/** One channel, as a grey. */
export function decodeBc4(bytes: Uint8Array, at: number, out: Uint8Array, isSigned: boolean): void {
  decodeChannel(bytes, at, out, 0, isSigned);
  for (let i = 0; i < 64; i += 4) {
    out[i + 1] = out[i + 2] = out[i];
    out[i + 3] = 255;
  }
}

/** Two channels are X and Y of normals: blue becomes the Z that makes their length 1. */
export function addNormalZ(out: Uint8Array): void {
  for (let i = 0; i < out.length; i += 4) {
    const [x, y] = [out[i] / 127.5 - 1, out[i + 1] / 127.5 - 1];
    out[i + 2] = Math.round((Math.sqrt(Math.max(0, 1 - x * x - y * y)) + 1) * 127.5);
    out[i + 3] = 255;
  }
}

/** X and Y of normals, with their Z. */
export function decodeBc5(bytes: Uint8Array, at: number, out: Uint8Array, isSigned: boolean): void {
  decodeChannel(bytes, at, out, 0, isSigned);
  decodeChannel(bytes, at + 8, out, 1, isSigned);
  addNormalZ(out);
}
