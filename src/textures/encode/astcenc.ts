// An encoder of ASTC blocks outside of this program: Arm's astcenc, where the user has it. A process encodes one picture, by
// one thread, from and to files in a folder of its own. It takes longer to start than to encode a small mip, so that small mips
// share a picture.

import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { diagnostic, fail, SourceError } from '../../diagnostics/diagnostic.ts';
import type { TextureQuality, TextureRole } from '../types.ts';
import { cutSheet, type Picture, sheetOf } from './astcSheet.ts';

/** What starts programs: every command would load it, and few need it. */
const processes = () => createRequire(import.meta.url)('node:child_process') as typeof import('node:child_process');

/** A program, and the version that it names. */
export interface Astcenc {
  readonly path: string;
  readonly version: string;
}

/** What the program is called; builds for one instruction set have names of their own. */
const NAMES = ['astcenc', 'astcenc-native', 'astcenc-avx2', 'astcenc-sse4.1', 'astcenc-sse2', 'astcenc-neon'];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

function candidates(): string[] {
  const named = process.env.ASTCENC_BIN;
  if (named) return [named];
  const endings = process.platform === 'win32' ? ['.exe'] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => NAMES.flatMap((name) => endings.map((ending) => join(folder, name + ending))));
}

let found: Astcenc | null = null;

/** The astcenc of ASTCENC_BIN, else the first one in PATH. Throws UC1107. */
export function findAstcenc(): Astcenc {
  if (found !== null) return found;
  const path = candidates().find(isProgram);
  if (path === undefined) {
    const where = process.env.ASTCENC_BIN ? `ASTCENC_BIN names ${process.env.ASTCENC_BIN}` : 'none is in PATH';
    return fail('UC1107', '', '--astc-encoder', `astcenc was asked for, but ${where}`);
  }
  const { stdout } = processes().spawnSync(path, ['-version'], { encoding: 'utf8', timeout: 10_000 });
  const version = /^astcenc v?(\d+(?:\.\d+)+)/m.exec(stdout ?? '')?.[1];
  if (version === undefined) return fail('UC1107', '', '--astc-encoder', `${path} does not name a version of astcenc`);
  found = { path, version };
  return found;
}

/** An uncompressed 32-bit TGA, rows from the top: a header of 18 bytes and BGRA. */
function tgaOf({ width, height, data }: Picture): Uint8Array {
  const file = new Uint8Array(18 + width * height * 4);
  file[2] = 2;
  file[12] = width & 255;
  file[13] = width >> 8;
  file[14] = height & 255;
  file[15] = height >> 8;
  file[16] = 32;
  // Eight bits of alpha; the first row is the top one.
  file[17] = 0x28;
  for (let i = 0, to = 18; i < width * height * 4; i += 4, to += 4) {
    file[to] = data[i + 2];
    file[to + 1] = data[i + 1];
    file[to + 2] = data[i];
    file[to + 3] = data[i + 3];
  }
  return file;
}

const HEADER = 16;
const MAGIC = [0x13, 0xab, 0xa1, 0x5c];

/** The blocks of an .astc file of this size; null: it is none. */
function blocksOf(file: Uint8Array, side: number, { width, height }: Picture): Uint8Array | null {
  const word = (at: number) => file[at] | (file[at + 1] << 8) | (file[at + 2] << 16);
  const bytes = Math.ceil(width / side) * Math.ceil(height / side) * 16;
  const isAsked =
    file.length === HEADER + bytes &&
    MAGIC.every((byte, i) => file[i] === byte) &&
    file[4] === side &&
    file[5] === side &&
    word(7) === width &&
    word(10) === height;
  return isAsked ? file.subarray(HEADER) : null;
}

/** A mip of more pixels is a picture of its own: together with others it would take more memory than they are worth. */
const SHARED_PIXELS = 2 ** 20;

/** The blocks of each mip, from the largest, `side` pixels along an edge of a block. Throws UC1108. */
export async function encodeWithAstcenc(
  mips: readonly Picture[],
  role: TextureRole,
  side: number,
  quality: TextureQuality,
): Promise<Uint8Array[]> {
  const [{ width, height }] = mips;
  const groups = width * height > SHARED_PIXELS ? [mips.slice(0, 1), mips.slice(1)] : [mips];
  const folder = mkdtempSync(join(tmpdir(), 'untold-astc-'));
  try {
    const blocks: Uint8Array[] = [];
    for (const group of groups) {
      if (group.length === 0) continue;
      const sheet = sheetOf(group, side);
      blocks.push(...cutSheet(sheet, await encodePicture(sheet.picture, folder, role, side, quality), side));
    }
    return blocks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The blocks of a picture. `folder`: for files on the way. */
async function encodePicture(
  picture: Picture,
  folder: string,
  role: TextureRole,
  side: number,
  quality: TextureQuality,
): Promise<Uint8Array> {
  const { path } = findAstcenc();
  const from = join(folder, 'picture.tga');
  const to = join(folder, 'picture.astc');
  writeFileSync(from, tgaOf(picture));
  const flags = ['-j', '1', '-silent', ...(role === 'normal' ? ['-normal', '-perceptual'] : [])];
  try {
    const run = promisify(processes().execFile);
    await run(path, [role === 'color' ? '-cs' : '-cl', from, to, `${side}x${side}`, `-${quality}`, ...flags]);
  } catch (error) {
    const { stderr = '', message } = error as Error & { readonly stderr?: string };
    throw failure(path, stderr.trim().split('\n')[0] || message.split('\n')[0]);
  }
  const blocks = blocksOf(readFileSync(to), side, picture);
  if (blocks === null) throw failure(path, `wrote no .astc file of ${picture.width} x ${picture.height} pixels`);
  rmSync(from);
  rmSync(to);
  return blocks;
}

const failure = (path: string, what: string) => new SourceError([diagnostic('UC1108', '', path, what)]);
