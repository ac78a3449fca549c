// A stage with forty square textures of 2048 texels a side (forties.ts), cooked as a whole command in each way, and beside astcenc where
// ASTCENC_BIN or the PATH has one.

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeForties } from '../forties.ts';
import {
  type CookCost,
  cook,
  cookFigures,
  costOf,
  type Figure,
  median,
  megabytes,
  type Row,
  seconds,
  times,
} from '../measure.ts';

const KEEP_SECONDS = 4;
const WARM_SECONDS = 1;
/** Bytes with chosen blocks, as a share of those with the sizes of the engine's exporter. */
const BYTES_SHARE = 0.55;

function hasAstcenc(): boolean {
  try {
    costOf([process.env.ASTCENC_BIN ?? 'astcenc', '-version']);
    return true;
  } catch {
    return false;
  }
}

/** Bytes of the textures of a set, as they are and as gzip leaves them. */
function textureBytes(out: string): { readonly bytes: number; readonly packed: number } {
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.parentPath.endsWith('Textures'))
    .map((file) => join(file.parentPath, file.name));
  const sum = (of: (path: string) => number) => files.reduce((all, path) => all + of(path), 0);
  return { bytes: sum((path) => statSync(path).size), packed: sum((path) => gzipSync(readFileSync(path)).length) };
}

async function measure(folder: string, runs: number): Promise<Figure[]> {
  const source = await writeForties(folder);
  const out = join(folder, 'out');
  const cache = ['--cache-dir', join(folder, 'cache')];
  const several = (options: readonly string[]): CookCost[] =>
    Array.from({ length: runs }, () => {
      rmSync(out, { recursive: true, force: true });
      return cook(source, out, ...options);
    });
  const wallOf = (costs: readonly CookCost[]) => median(costs.map(({ wall }) => wall));

  const engine = several(['--texture-blocks', 'engine']);
  const before = textureBytes(out);
  const chosen = several([]);
  const after = textureBytes(out);
  const keep = several(['--textures', 'keep']);
  const [, ...warm] = [...several(cache).slice(0, 1), ...several(cache)];
  const figures = [
    ...cookFigures('chosen blocks', chosen),
    ...cookFigures("the exporter's blocks", engine),
    megabytes('chosen blocks', after.bytes),
    megabytes('chosen blocks, packed by gzip', after.packed),
    megabytes("the exporter's blocks", before.bytes),
    megabytes("the exporter's blocks, packed by gzip", before.packed),
    times('bytes of chosen blocks over those', after.bytes / before.bytes, BYTES_SHARE),
    seconds('images kept, wall', wallOf(keep), KEEP_SECONDS),
    seconds('from the cache, wall', wallOf(warm), WARM_SECONDS),
  ];
  if (!hasAstcenc()) return figures;
  return [
    ...figures,
    ...cookFigures(
      "the exporter's blocks by astcenc",
      several(['--astc-encoder', 'astcenc', '--texture-blocks', 'engine']),
    ).slice(0, 2),
  ];
}

export const textures: Row = { name: 'textures', about: 'forty textures of 2048 texels a side', measure };
