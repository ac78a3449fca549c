// The bytes of a town's geometry with each way to compress it, and with the program `lz4` at its highest level where it is installed:
// that one has a search of its own, with more time.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Findings } from '../../src/formats/findings.ts';
import { geometryChunk } from '../../src/formats/untold/container/assemble.ts';
import { readContainer } from '../../src/formats/untold/container/container.ts';
import { CHUNK } from '../../src/formats/untold/container/records.ts';
import { cook, type Figure, isInstalled, megabytes, type Row, times } from '../measure.ts';
import { writeTown } from '../town.ts';

const PEER = 'lz4';
/** What a frame of the peer has around its one block: magic, descriptor, size of the block, end, checksum. */
const FRAME_BYTES = 4 + 3 + 4 + 4 + 4;

/** Vertices and indices of the tiles of a town, full detail. */
async function geometry(triangles: number, folder: string): Promise<{ type: number; bytes: Uint8Array }[]> {
  const source = join(folder, 'blocks.glb');
  const out = join(folder, 'blocks');
  writeTown(triangles, source);
  cook(source, `${out}/`, '--compress', 'none', '--lod', 'none', '--hlod', 'none');
  const files = (readdirSync(out, { recursive: true }) as string[]).filter((name) => name.endsWith('.untold')).sort();
  const chunks: { type: number; bytes: Uint8Array }[] = [];
  for (const name of files) {
    const container = await readContainer(new Uint8Array(readFileSync(join(out, name))), new Findings(name), {
      engine: false,
    });
    for (const type of [CHUNK.vertexData, CHUNK.indexData]) {
      const bytes = container?.payloads.get(type);
      if (bytes) chunks.push({ type, bytes });
    }
  }
  return chunks;
}

/** Bytes of the blocks that the peer makes of chunks; one that would be larger is stored. */
function peerBytes(chunks: readonly Uint8Array[], folder: string): number {
  mkdirSync(folder);
  const paths = chunks.map((_, i) => join(folder, String(i)));
  for (const [i, path] of paths.entries()) writeFileSync(path, chunks[i]);
  const packed = spawnSync(PEER, ['-12', '-q', '-m', ...paths], { encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(packed.stderr);
  return chunks.reduce((sum, { length }, i) => {
    return sum + Math.min(length, statSync(`${paths[i]}.lz4`).size - FRAME_BYTES);
  }, 0);
}

const TRIANGLES = 1_000_000;
/** Bytes of the smallest blocks as a share of the fast ones. */
const SHARE = 0.8;

async function measure(folder: string): Promise<Figure[]> {
  const chunks = await geometry(TRIANGLES, folder);
  const sizes = new Map<string, number>();
  for (const how of ['lz4', 'lz4-fast', 'zstd'] as const) {
    let sum = 0;
    for (const { type, bytes } of chunks) sum += (await geometryChunk(type, [bytes], how)).size;
    sizes.set(how, sum);
  }
  if (isInstalled(PEER)) {
    const all = chunks.map(({ bytes }) => bytes);
    sizes.set(`the program ${PEER} -12`, peerBytes(all, join(folder, 'peer')));
  }
  const raw = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return [
    megabytes('not compressed', raw),
    ...[...sizes].map(([name, bytes]) => megabytes(name, bytes)),
    times('lz4 over lz4-fast', (sizes.get('lz4') ?? 0) / (sizes.get('lz4-fast') ?? 1), SHARE),
  ];
}

export const blocks: Row = {
  name: 'blocks',
  about: 'vertices and indices of the tiles of a town of a million triangles',
  measure,
};
