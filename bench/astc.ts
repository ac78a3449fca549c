// Speed and quality of the ASTC encoder beside others: npx tsx bench/astc.ts [IMAGE…]
//
// The others are the encoder of Basis Universal in ktx2-encoder at efforts 0 and 1, and astcenc where ASTCENC_BIN or PATH has
// one. An image is encoded as what its name says (normal, nor, _n: normals; arm, orm, ao, rough, metal: data), else as colours.
// Without images some are generated. Seconds are of the CPU (user and system) in one thread, images of astcenc read included.
// Quality is PSNR over RGB in 8 bits, or mean and greatest angle, of what the kernel decodes. The last column begins the SHA-256
// of the blocks: equal in every run where an encoder is deterministic.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { NodeBasisEncoder } from 'ktx2-encoder';
import sharp from 'sharp';
import { kernel } from '../src/kernel/kernel.ts';
import { type AstcKind, astcBlockSide, encodeAstc } from '../src/textures/encode/astc.ts';
import { angles, type Image, imageOf, normalsOf, psnr, randomNumbers } from '../test/textures/astcFile.ts';

const SIZE = 2048;
/** The encoder of Basis Universal takes no more texels in one call. */
const BASIS_TEXELS = 2048 * 2048;

interface BasisEncoder {
  setFormatModeAndQualityEffort(mode: number, quality: number, effort: number, setDefaults: boolean): void;
  setSRGBOptions(isSrgb: boolean): void;
  setMipGen(on: boolean): void;
  setCreateKTX2File(on: boolean): void;
  setKTX2UASTCSupercompression(on: boolean): void;
  setLDRChannelWeights(r: number, g: number, b: number, a: number): void;
  setSwizzle(r: number, g: number, b: number, a: number): void;
  setSliceSourceImage(slice: number, rgba: Uint8Array, width: number, height: number, type: number): void;
  encode(to: Uint8Array): number;
  delete(): void;
}

interface Basis {
  readonly BasisEncoder: new () => BasisEncoder;
  readonly basis_tex_format: Readonly<Record<string, { readonly value: number }>>;
}

function print(...cells: readonly string[]): void {
  const widths = [28, 8, 22, 9, 22];
  process.stdout.write(`${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' ')}\n`);
}

function generated(): [string, AstcKind, Image][] {
  const random = randomNumbers(1);
  const cloth = imageOf(SIZE, SIZE, (x, y) => {
    const weave = 12 * Math.sin(x / 1.7) * Math.cos(y / 2.1) + 30 * Math.sin((x + y) / 31) + (random() - 0.5) * 6;
    return [150 + weave, 110 + weave * 0.9 + 20 * Math.sin(y / 40), 80 + weave * 0.7, 255];
  });
  const occlusion = imageOf(SIZE, SIZE, (x, y) => {
    const crease = 120 * Math.exp(-(((x % 64) - 32) ** 2) / 60);
    const value = 200 + 40 * Math.sin(x / 19) * Math.cos(y / 23) - crease + (random() - 0.5) * 4;
    return [value, value, value, 255];
  });
  const ripples = normalsOf(
    SIZE,
    SIZE,
    (x, y) => 3 * Math.sin(x / 17) * Math.cos(y / 23) + 0.2 * Math.sin(x / 2.1 + y / 3.3),
  );
  const gradient = imageOf(SIZE, SIZE, (x, y) => [x / 8, y / 8, (x + y) / 16, 255]);
  return [
    ['(cloth)', 'color', cloth],
    ['(gradient)', 'color', gradient],
    ['(occlusion)', 'data', occlusion],
    ['(ripples)', 'normal', ripples],
  ];
}

function kindOf(name: string): AstcKind {
  if (/normal|_nor_|_n\.|_nrm/i.test(name)) return 'normal';
  if (/_arm|_orm|_ao|rough|metal/i.test(name)) return 'data';
  return 'color';
}

async function read(path: string): Promise<[string, AstcKind, Image]> {
  const { data, info } = await sharp(path, { ignoreIcc: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [
    basename(path),
    kindOf(basename(path)),
    { data: new Uint8Array(data), width: info.width, height: info.height },
  ];
}

function quality(blocks: Uint8Array, image: Image, kind: AstcKind, side: number): string {
  const { data, width, height } = image;
  const decoded = kernel.within((kernel) => {
    const from = kernel.put(blocks);
    const to = kernel.allocate(width * height * 4);
    kernel.calls.decodeAstc(from, width, height, side, side, kind === 'color', to);
    return kernel.uint8(to, width * height * 4).slice();
  });
  if (kind !== 'normal') return `${psnr(data, decoded, [0, 1, 2]).toFixed(2)} dB`;
  const { mean, max } = angles(data, decoded);
  return `${mean.toFixed(3)}°, at most ${max.toFixed(2)}°`;
}

const digest = (blocks: Uint8Array) => createHash('sha256').update(blocks).digest('hex').slice(0, 8);

/** Runs `encode` and prints a row: seconds of the CPU, quality, digest. */
function row(
  name: string,
  kind: AstcKind,
  encoder: string,
  image: Image,
  encode: () => Uint8Array,
  side: number = astcBlockSide(kind),
): void {
  const before = process.cpuUsage();
  const blocks = encode();
  const used = process.cpuUsage(before);
  const seconds = ((used.user + used.system) / 1e6).toFixed(2);
  print(name, kind, `${encoder} ${side}x${side}`, seconds, quality(blocks, image, kind, side), digest(blocks));
}

function encodeByBasis(
  basis: Basis,
  { data, width, height }: Image,
  kind: AstcKind,
  effort: number,
  side: number,
): Uint8Array {
  const encoder = new basis.BasisEncoder();
  const format = basis.basis_tex_format[`cASTC_LDR_${side}x${side}`].value;
  encoder.setFormatModeAndQualityEffort(format, -1, effort, true);
  encoder.setSRGBOptions(kind === 'color');
  encoder.setMipGen(false);
  encoder.setCreateKTX2File(true);
  encoder.setKTX2UASTCSupercompression(false);
  if (kind === 'normal') {
    encoder.setSwizzle(0, 0, 0, 1);
    encoder.setLDRChannelWeights(1, 1, 1, 3);
  } else encoder.setLDRChannelWeights(1, 1, 1, 1);
  encoder.setSliceSourceImage(0, data, width, height, 0);
  const file = new Uint8Array(width * height * 2 + 4096);
  encoder.encode(file);
  encoder.delete();
  const view = new DataView(file.buffer);
  const start = Number(view.getBigUint64(80, true));
  return file.subarray(start, start + Number(view.getBigUint64(88, true)));
}

/** Encodes with astcenc and prints rows; nothing if there is none. */
async function rowsOfAstcenc(name: string, kind: AstcKind, image: Image): Promise<void> {
  const program = process.env.ASTCENC_BIN ?? 'astcenc';
  if (spawnSync(program, ['-version']).status !== 0) return;
  const folder = mkdtempSync(join(tmpdir(), 'untold-astc-'));
  const [from, to] = [join(folder, 'image.png'), join(folder, 'image.astc')];
  const { data, width, height } = image;
  await sharp(data, { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 1 })
    .toFile(from);
  const side = astcBlockSide(kind);
  for (const preset of ['fast', 'medium', 'thorough']) {
    const options = [kind === 'color' ? '-cs' : '-cl', from, to, `${side}x${side}`, `-${preset}`, '-j', '1', '-silent'];
    if (kind === 'normal') options.push('-normal');
    // The shell says how much CPU the program has used.
    const run = spawnSync('sh', ['-c', '"$@" >&2; times', 'sh', program, ...options], { encoding: 'utf8' });
    const used = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(run.stdout);
    const seconds = used ? Number(used[1]) * 60 + Number(used[2]) + Number(used[3]) * 60 + Number(used[4]) : Number.NaN;
    const blocks = new Uint8Array(readFileSync(to)).subarray(16);
    const figures = [seconds.toFixed(2), quality(blocks, image, kind, side), digest(blocks)];
    print(name, kind, `astcenc ${preset} ${side}x${side}`, ...figures);
  }
  rmSync(folder, { recursive: true });
}

const paths = process.argv.slice(2);
// The encoder of Basis Universal reports its settings by the console that it finds when it starts.
console.log = () => {};
const basis = (await new NodeBasisEncoder().init()) as unknown as Basis;
// The module's code is compiled in full by the time that counts.
encodeAstc(
  imageOf(512, 512, (x, y) => [x ^ y, x, y, 255]),
  'color',
  'medium',
);
print('image', 'kind', 'encoder', 'CPU s', 'quality', 'SHA-256');
for (const [name, kind, image] of paths.length > 0 ? await Promise.all(paths.map(read)) : generated()) {
  for (const side of [astcBlockSide(kind), 5, 8] as const) {
    for (const preset of ['fast', 'medium', 'thorough'] as const) {
      row(name, kind, preset, image, () => encodeAstc(image, kind, preset, side), side);
    }
  }
  if (image.width * image.height <= BASIS_TEXELS) {
    for (const side of [astcBlockSide(kind), 5, 8]) {
      for (const effort of [0, 1]) {
        row(name, kind, `Basis ${effort}`, image, () => encodeByBasis(basis, image, kind, effort, side), side);
      }
    }
  }
  await rowsOfAstcenc(name, kind, image);
}
