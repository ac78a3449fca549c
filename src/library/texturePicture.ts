// A mip of a cooked texture as a PNG file, for `untold inspect --png`.

import { fail } from '../diagnostics/diagnostic.ts';
import { decodeMip } from '../formats/utex/decode.ts';
import { readUtex } from '../formats/utex/read.ts';
import { encodePng } from '../textures/encode/png.ts';

/** Throws the errors of the texture, and UC1003 for a mip that it does not have. `file`: for messages. */
export async function texturePicture(bytes: Uint8Array, file: string, mip: number): Promise<Uint8Array> {
  const texture = readUtex(bytes, file);
  const { length } = texture.mips;
  if (mip >= length) {
    fail('UC1003', file, '--mip', `${mip} was given, the texture has ${length} mips, of which 0 is the largest`);
  }
  const { width, height, data } = decodeMip(texture, mip);
  let hasAlpha = false;
  for (let at = 3; at < data.length && !hasAlpha; at += 4) hasAlpha = data[at] !== 255;
  return encodePng(hasAlpha ? data : withoutAlpha(data), width, height, hasAlpha);
}

function withoutAlpha(rgba: Uint8Array): Uint8Array {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    rgb[to] = rgba[from];
    rgb[to + 1] = rgba[from + 1];
    rgb[to + 2] = rgba[from + 2];
  }
  return rgb;
}
