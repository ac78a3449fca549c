// The pictures of plan maps: what colour they have where, as another reader of PNG sees them, and that they are of the files alone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { cookSource } from '../../../src/cook/cookSource.ts';
import { LENIENT } from '../../../src/diagnostics/policy.ts';
import { cook } from '../../../src/index.ts';
import { WorkerPool } from '../../../src/workers/workerPool.ts';
import { fresh, merged, ownFolder, parts } from '../../library/shardedTown.ts';
import { put } from '../../support/files.ts';
import { gltf, plain, type Thing } from '../things.ts';

ownFolder();

const MATERIALS = [plain('red', [0.8, 0, 0]), plain('green', [0, 0.8, 0])];

/** A flat square of 20 m with two triangles in each of `cells` x `cells` cells. */
function square(x0: number, cells: number): Thing['mesh'] {
  const side = cells + 1;
  const at = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)]);
  const positions = Float32Array.from(at.flatMap(([x, z]) => [x0 + (20 * x) / cells, 0, (20 * z) / cells]));
  const normal = Float32Array.from(at.flatMap(() => [0, 1, 0]));
  const indices = at.flatMap(([x, z], i) =>
    x < cells && z < cells ? [i, i + side, i + 1, i + 1, i + side, i + side + 1] : [],
  );
  const attributes = { normal, uv0: new Float32Array(at.length * 2) };
  return { vertexCount: at.length, positions, attributes, indices: Uint32Array.from(indices) };
}

/** A red tile in the west and a green one in the east of it, of 20,000 triangles each. */
const SOURCE = (cells = 100) => {
  const things = [0, 1].map((i): Thing => ({ mesh: square(20 * i, cells), material: i }));
  return put(fresh('art'), 'two.gltf', gltf(things, MATERIALS));
};

const OPTIONS = { tileSize: 20, sharedBucket: 'never' } as const;

const mapIn = (out: string): string => readFileSync(join(out, 'two.plan.svg'), 'utf8');

async function pictureIn(map: string) {
  const images = [...map.matchAll(/<image ([^>]*)href="data:image\/png;base64,([^"]+)"\/>/g)];
  expect(images).toHaveLength(1);
  const [[, attributes, base64]] = images;
  const { data, info } = await sharp(Buffer.from(base64, 'base64')).raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return { attributes, width: info.width, height: info.height, at };
}

test('a red and a green tile are red and green, each in its place, and muted', async () => {
  const out = fresh('whole');
  expect((await cook(SOURCE(), { ...OPTIONS, out })).exitCode).toBe(0);
  const { width, height, at, attributes } = await pictureIn(mapIn(out));
  expect([width, height]).toEqual([253, 127]);
  const [red, green] = [at(60, 60), at(190, 60)];
  expect(red).toEqual(at(124, 2));
  expect(green).toEqual(at(129, 124));
  // sRGB 226 in the light from above: half its way to the grey of its luminance, lightened, and the upper four bits twice.
  expect(red).toEqual([0xbb, 0x44, 0x44, 255]);
  expect(green).toEqual([0x88, 0xdd, 0x88, 255]);
  // A panel of 760 pixels has a margin of 12 % of the scene on each side.
  expect(attributes).toContain('width="612.9" height="');
});

test('a small scene has boxes alone', async () => {
  const out = fresh('small');
  expect((await cook(SOURCE(70), { ...OPTIONS, out })).exitCode).toBe(0);
  expect(mapIn(out)).not.toContain('<image');
});

test('threads and shards decide nothing', async () => {
  const source = SOURCE();
  const pool = new WorkerPool(2);
  const [one, two] = [fresh('one'), fresh('two')];
  try {
    for (const [out, threads] of [
      [one, new WorkerPool(1)],
      [two, pool],
    ] as const) {
      const target = { kind: 'folder', folder: out, sceneName: 'two' } as const;
      const settings = { missingTexture: 'error', tileSize: 20, compress: 'lz4' } as const;
      const job = { source, root: null, target, settings, policy: LENIENT, force: false, only: null };
      expect((await cookSource(job, { pool: threads })).status).toBe('ok');
    }
  } finally {
    await pool.close();
  }
  expect(mapIn(one)).toContain('<image ');
  expect(mapIn(two)).toBe(mapIn(one));
  const whole = fresh('whole');
  await cook(source, { ...OPTIONS, out: whole });
  const { out } = await merged(await parts(source, 2, OPTIONS));
  expect(mapIn(out)).toBe(mapIn(whole));
});
