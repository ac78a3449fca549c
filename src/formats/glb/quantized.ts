// Smaller numbers of vertices: what glTF 2.0 (3.7.2.1) and KHR_mesh_quantization allow in place of float32. Positions stay as they
// are, so that meshes that meet still do, and so do the nodes that place them.

import type { ComponentArray } from './layout.ts';

/** The greatest normalised numbers (glTF 2.0, 3.6.2.2). */
const BYTE = 127;
const UNSIGNED_BYTE = 255;
const UNSIGNED_SHORT = 65_535;

export interface Quantized {
  readonly values: ComponentArray;
  readonly isNormalized: boolean;
}

/** How far the length of a stored vector may be off, in steps: less than what readers take as a unit vector. */
const LENGTH = 0.5;

/** The bytes nearest to a unit vector of which the length is one, too. Writes three numbers to `out` at `at`. */
function direction(values: ArrayLike<number>, from: number, out: Int8Array, at: number): void {
  let nearest = Number.POSITIVE_INFINITY;
  for (let corner = 0; corner < 8; corner++) {
    let [off, squares] = [0, 0];
    for (let k = 0; k < 3; k++) {
      const wanted = values[from + k] * BYTE;
      const byte = Math.floor(wanted) + ((corner >> k) & 1);
      off += (byte - wanted) ** 2;
      squares += byte ** 2;
    }
    if (Math.abs(Math.sqrt(squares) - BYTE) > LENGTH) off += BYTE;
    if (off >= nearest) continue;
    nearest = off;
    for (let k = 0; k < 3; k++) {
      out[at + k] = Math.min(BYTE, Math.max(-BYTE, Math.floor(values[from + k] * BYTE) + ((corner >> k) & 1)));
    }
  }
}

/** Unit vectors of three numbers, or tangents of four with a sign, as signed bytes. */
function directions(values: ArrayLike<number>, size: 3 | 4): Int8Array {
  const out = new Int8Array(values.length);
  for (let at = 0; at < values.length; at += size) {
    direction(values, at, out, at);
    if (size === 4) out[at + 3] = values[at + 3] < 0 ? -BYTE : BYTE;
  }
  return out;
}

/** Weights as bytes that add up to 255: what rounding leaves over goes to the largest. */
function weights(values: ArrayLike<number>): Uint8Array {
  const bytes = Uint8Array.from(values, (value) => Math.round(value * UNSIGNED_BYTE));
  for (let at = 0; at < bytes.length; at += 4) {
    const sum = bytes[at] + bytes[at + 1] + bytes[at + 2] + bytes[at + 3];
    // Weights begin with the largest; those of a vertex that follows nothing stay 0.
    if (sum > 0) bytes[at] += UNSIGNED_BYTE - sum;
  }
  return bytes;
}

const isWithin = (values: ArrayLike<number>, least: number, most: number): boolean => {
  for (let i = 0; i < values.length; i++) if (!(values[i] >= least && values[i] <= most)) return false;
  return true;
};

/** The values of an attribute as they are stored; null: as they are. `semantic`: as glTF names it. */
export function quantized(semantic: string, values: ComponentArray): Quantized | null {
  if (semantic === 'NORMAL') return { values: directions(values, 3), isNormalized: true };
  if (semantic === 'TANGENT') return { values: directions(values, 4), isNormalized: true };
  if (semantic.startsWith('WEIGHTS_')) return { values: weights(values), isNormalized: true };
  if (semantic.startsWith('JOINTS_') && isWithin(values, 0, UNSIGNED_BYTE)) {
    return { values: Uint8Array.from(values), isNormalized: false };
  }
  // Coordinates that repeat a texture have no place there.
  if (semantic.startsWith('TEXCOORD_') && isWithin(values, 0, 1)) {
    return { values: Uint16Array.from(values, (value) => Math.round(value * UNSIGNED_SHORT)), isNormalized: true };
  }
  return null;
}
