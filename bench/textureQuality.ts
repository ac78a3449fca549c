// `npx tsx bench/textureQuality.ts SOURCE…`: cooks each source twice, with its images and with cooked textures, and compares
// the first mip of each cooked texture with the image that it was made of, decoded by the transcoder of Basis Universal: PSNR
// of colours and data in decibels, angles of normals in degrees. Also what all textures take on the GPU before and after: an
// image becomes four bytes a texel there, with all mips. Cooked textures are checked by `validate` rules as well.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { readUntold } from '../src/formats/untold/read.ts';
import { fullMipCount, mipSide } from '../src/formats/utex/layout.ts';
import { readUtex } from '../src/formats/utex/read.ts';
import { validateUtex } from '../src/formats/utex/validate.ts';
import { cook } from '../src/index.ts';
import { decodeByBasis } from '../test/textures/astcFile.ts';

const NORMAL = 2;

interface Row {
  readonly name: string;
  readonly kind: 'color' | 'normal' | 'data';
  readonly figure: number;
}

function psnrOf(a: Uint8Array, b: Uint8Array): number {
  let squares = 0;
  for (let i = 0; i < a.length; i++) if (i % 4 !== 3) squares += (a[i] - b[i]) ** 2;
  return 10 * Math.log10((255 * 255) / Math.max(1e-9, squares / ((a.length / 4) * 3)));
}

/** The mean angle between the normals of an image and those of blocks of X and Y, in degrees. */
function angleOf(image: Uint8Array, blocks: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < image.length; i += 4) {
    const own = [image[i], image[i + 1], image[i + 2]].map((v) => v / 127.5 - 1);
    const x = blocks[i + 1] / 127.5 - 1;
    const y = blocks[i + 3] / 127.5 - 1;
    const z = Math.sqrt(Math.max(0, 1 - x * x - y * y));
    const cosine = (own[0] * x + own[1] * y + own[2] * z) / (Math.hypot(...own) * Math.hypot(x, y, z));
    sum += Math.acos(Math.max(-1, Math.min(1, cosine)));
  }
  return ((sum / (image.length / 4)) * 180) / Math.PI;
}

/** What an image takes on the GPU: four bytes a texel, with all mips. */
function imageBytes(width: number, height: number): number {
  let bytes = 0;
  for (let level = 0; level < fullMipCount(width, height); level++) {
    bytes += mipSide(width, level) * mipSide(height, level) * 4;
  }
  return bytes;
}

const rows: Row[] = [];
let before = 0;
let after = 0;
let files = 0;
let findings = 0;
let resized = 0;
for (const source of process.argv.slice(2)) {
  const folder = mkdtempSync(join(tmpdir(), 'untold-quality-'));
  try {
    for (const mode of ['keep', 'utex'] as const) {
      const { exitCode, diagnostics, results } = await cook(source, {
        out: join(folder, mode, 'a.untold'),
        textures: mode,
        missingTexture: 'drop',
      });
      const errors = [...diagnostics, ...results.flatMap((result) => result.diagnostics)];
      if (exitCode !== 0) throw new Error(`${source}: ${errors.find(({ severity }) => severity === 'error')?.message}`);
    }
    const texturesOf = async (mode: string) =>
      (await readUntold(readFileSync(join(folder, mode, 'a.untold')), source)).textures;
    const [images, cooked] = [await texturesOf('keep'), await texturesOf('utex')];
    for (const { width, height } of images) before += imageBytes(width, height);
    for (const name of readdirSync(join(folder, 'utex', 'Textures'))) {
      const bytes = readFileSync(join(folder, 'utex', 'Textures', name));
      files++;
      findings += validateUtex(bytes, name).length;
      const { mips, header } = readUtex(bytes, name);
      for (const mip of mips) after += mip.bytes.length;
      // Cooked textures keep the stem of their image; several of one stem are told apart by their flags and size.
      const record = cooked.find(({ uri }) => basename(uri) === name);
      const stem = name.replace(/\.[0-9a-f]+\.utex$/, '');
      const image = images.find(
        (one) =>
          basename(one.uri).replace(/_[0-9a-f]+\.[a-z]+$/, '') === stem &&
          (one.flags & (record?.flags ?? 0)) === record?.flags,
      );
      if (!record || !image) continue;
      if (image.width !== header.width || image.height !== header.height) {
        resized++;
        continue;
      }
      const path = join(folder, 'keep', image.uri);
      const pixels = await sharp(path, { ignoreIcc: true }).toColourspace('srgb').ensureAlpha().raw().toBuffer();
      const decoded = await decodeByBasis(mips[0].bytes, header.width, header.height, header.blockWidth);
      const kind = (record.flags & NORMAL) !== 0 ? 'normal' : header.blockWidth === 6 ? 'data' : 'color';
      rows.push({ name, kind, figure: kind === 'normal' ? angleOf(pixels, decoded) : psnrOf(pixels, decoded) });
    }
  } catch (error) {
    process.stdout.write(`left out: ${(error as Error).message}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
for (const kind of ['color', 'data', 'normal'] as const) {
  const own = rows.filter((row) => row.kind === kind).sort((a, b) => a.figure - b.figure);
  if (own.length === 0) continue;
  const unit = kind === 'normal' ? 'degrees' : 'dB';
  const worst = kind === 'normal' ? own.at(-1) : own[0];
  const median = own[own.length >> 1].figure;
  process.stdout.write(
    `${kind}: ${own.length} textures, median ${median.toFixed(2)} ${unit}, worst ${worst?.figure.toFixed(2)} (${worst?.name})\n`,
  );
}
process.stdout.write(`${files} files, ${findings} findings, ${resized} of another size than their image\n`);
process.stdout.write(
  `on the GPU: ${(before / 1e6).toFixed(1)} MB as images, ${(after / 1e6).toFixed(1)} MB cooked, ${(after / before).toFixed(3)}\n`,
);
