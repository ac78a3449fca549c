// The bytes of a town's geometry with each way to compress it, and with the program `lz4` at its highest level where it is installed:
// that one has a search of its own, with more time.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Findings } from '../src/formats/findings.ts';
import { geometryChunk } from '../src/formats/untold/container/assemble.ts';
import { readContainer } from '../src/formats/untold/container/container.ts';
import { CHUNK } from '../src/formats/untold/container/records.ts';
import { isInstalled } from './peer.ts';
import { writeTown } from './town.ts';

const cli = resolve(import.meta.dirname, '../bin/untold.js');

const PEER = 'lz4';
/** What a frame of the peer has around its one block: magic, descriptor, size of the block, end, checksum. */
const FRAME_BYTES = 4 + 3 + 4 + 4 + 4;

/** Vertices and indices of the tiles of a town, full detail. */
async function geometry(triangles: number, folder: string): Promise<{ type: number; bytes: Uint8Array }[]> {
  const source = join(folder, 'blocks.glb');
  const out = join(folder, 'blocks');
  writeTown(triangles, source);
  const options = ['--compress', 'none', '--lod', 'none', '--hlod', 'none', '--no-cache', '--quiet'];
  const cooked = spawnSync(process.execPath, [cli, 'cook', source, '--out', `${out}/`, ...options], {
    encoding: 'utf8',
  });
  if (cooked.status !== 0) throw new Error(cooked.stderr);
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

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** A line to print. */
export async function blockBytes(triangles: number, folder: string): Promise<string> {
  const chunks = await geometry(triangles, folder);
  const raw = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const cells: string[] = [];
  for (const how of ['lz4', 'lz4-fast', 'zstd'] as const) {
    let sum = 0;
    for (const { type, bytes } of chunks) sum += (await geometryChunk(type, [bytes], how)).size;
    cells.push(`${how} ${megabytes(sum)}`);
  }
  const peer = isInstalled(PEER)
    ? megabytes(
        peerBytes(
          chunks.map(({ bytes }) => bytes),
          join(folder, 'peer'),
        ),
      )
    : 'not installed';
  return `geometry of the tiles of a town, ${megabytes(raw)}: ${cells.join(', ')}; the program ${PEER} -12: ${peer}`;
}
