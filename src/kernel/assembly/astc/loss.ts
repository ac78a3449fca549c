// What a block of ASTC loses of the texels that it stands for.

import { decodeBlock } from './decode/block.ts';

/** What an image is: textures/encode/astc.ts has the same numbers. */
const COLOR: u32 = 0;
const NORMAL: u32 = 1;
const OPACITY: u32 = 3;

const DECODED: usize = memory.data(64 * 4, 16);

/** The sums of measured blocks. */
@unmanaged
export class Loss {
  /** Squared errors of red, green and blue, weighed by alpha where colours have it; of normals squared chords. */
  squares: f64;
  /** The values that these are the errors of, weighed alike. */
  weight: f64;
  /** Squared errors of alpha, and how many these are. Normals have none. */
  alphaSquares: f64;
  alphaWeight: f64;
}

/** Adds what the block at `block` loses of the texels of an image from `left` and `top` on. */
export function addBlock(
  block: usize,
  pixels: usize,
  width: u32,
  height: u32,
  left: u32,
  top: u32,
  kind: u32,
  side: u32,
  loss: Loss,
): void {
  decodeBlock(block, side, side, kind === COLOR, DECODED);
  const rows = min(side, height - top);
  const columns = min(side, width - left);
  for (let y: u32 = 0; y < rows; y++) {
    const from = pixels + ((<usize>(top + y) * width + left) << 2);
    const decoded = DECODED + ((<usize>y * side) << 2);
    if (kind === NORMAL) addNormals(from, decoded, columns, loss);
    else addTexels(from, decoded, columns, kind, loss);
  }
}

function addTexels(from: usize, decoded: usize, count: u32, kind: u32, loss: Loss): void {
  let squares: u32 = 0;
  let weight: u32 = 0;
  let alphaSquares: u32 = 0;
  const end = from + (count << 2);
  for (; from < end; from += 4, decoded += 4) {
    const red = difference(from, decoded);
    const alpha: u32 = kind === COLOR ? load<u8>(from, 3) : 255;
    if (kind === OPACITY) {
      squares += <u32>(red * red) * 255;
      weight += 255;
      continue;
    }
    const green = difference(from + 1, decoded + 1);
    const blue = difference(from + 2, decoded + 2);
    const lost = difference(from + 3, decoded + 3);
    // Colour that alpha hides is not seen.
    squares += <u32>(red * red + green * green + blue * blue) * alpha;
    weight += 3 * alpha;
    alphaSquares += <u32>(lost * lost);
  }
  loss.squares += <f64>squares / 255;
  loss.weight += <f64>weight / 255;
  loss.alphaSquares += <f64>alphaSquares;
  loss.alphaWeight += <f64>count;
}

function difference(a: usize, b: usize): i32 {
  return <i32>load<u8>(a) - <i32>load<u8>(b);
}

/** Red and green of the image are X and Y; blocks have them in red and alpha. Z follows from both, as the engine has it. */
function addNormals(from: usize, decoded: usize, count: u32, loss: Loss): void {
  const end = from + (count << 2);
  for (; from < end; from += 4, decoded += 4) {
    const x = <f64>load<u8>(from) / 127.5 - 1;
    const y = <f64>load<u8>(from, 1) / 127.5 - 1;
    const u = <f64>load<u8>(decoded) / 127.5 - 1;
    const v = <f64>load<u8>(decoded, 3) / 127.5 - 1;
    const z = sqrt<f64>(max<f64>(1 - x * x - y * y, 0)) - sqrt<f64>(max<f64>(1 - u * u - v * v, 0));
    loss.squares += (x - u) * (x - u) + (y - v) * (y - v) + z * z;
  }
  loss.weight += <f64>count;
}
