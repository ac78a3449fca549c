// `cook --only TILE` and `--jobs N`: one tile cooked anew among those of an earlier cook, as if everything had been cooked.

import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { payloadPath, withoutHash } from '../payloadNames.ts';
import { untold } from '../support/command.ts';
import { contents, filesBelow, put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Squares of waves, 20 m each, three side by side along x and others over the first; `lift`: the height of the second,
 * `side`: vertices along an edge.
 */
function waves(lift: number, count = 3, side = 24): string {
  const points: number[] = [];
  for (let i = 0; i < side * side; i++) {
    const x = ((i % side) / (side - 1)) * 20;
    const z = (Math.floor(i / side) / (side - 1)) * 20;
    points.push(x, Math.sin(x / 5) * Math.cos(z / 5), z);
  }
  const indices: number[] = [];
  for (let z = 0; z < side - 1; z++) {
    for (let x = 0; x < side - 1; x++) {
      const a = z * side + x;
      indices.push(a, a + side, a + 1, a + 1, a + side, a + side + 1);
    }
  }
  const data = Buffer.concat([
    Buffer.from(Float32Array.from(points).buffer),
    Buffer.from(Uint16Array.from(indices).buffer),
  ]);
  return JSON.stringify({
    asset: { version: '2.0' },
    scenes: [{ nodes: Array.from({ length: count }, (_, i) => i) }],
    nodes: Array.from({ length: count }, (_, i) => ({
      name: `Wave_${i}`,
      mesh: 0,
      translation: [(i % 3) * 20, i === 1 ? lift : i > 2 ? 5 : 0, 0],
    })),
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [{ name: 'Water' }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: side * side, type: 'VEC3', min: [0, -1, 0], max: [20, 1, 20] },
      { bufferView: 1, componentType: 5123, count: indices.length, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: points.length * 4 },
      { buffer: 0, byteOffset: points.length * 4, byteLength: indices.length * 2 },
    ],
    buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
  });
}

/** The hashes of the payloads planned under a path. */
const of = (files: Readonly<Record<string, string>>, planned: string): string[] =>
  Object.entries(files)
    .filter(([path]) => withoutHash(path) === planned)
    .map(([, content]) => content);

const LEVELS = ['--tile-size', '20', '--lod', '0.5', '--hlod', '0.1'];
const TILE = 'tile_1_0_0';

async function cook(out: string, ...args: string[]) {
  return untold(folder, ['cook', 'town.gltf', '--out', out, ...LEVELS, ...args]);
}

/** Holds the waves as they are at first, and what they are cooked to. */
let cookedOnce: string;
beforeAll(async () => {
  cookedOnce = temporaryFolder();
  put(cookedOnce, 'town.gltf', waves(0));
  expect((await untold(cookedOnce, ['cook', 'town.gltf', '--out', 'tiles', ...LEVELS])).code).toBe(0);
});
afterAll(() => rmSync(cookedOnce, { recursive: true, force: true }));

const startFromCooked = () => cpSync(cookedOnce, folder, { recursive: true });

describe('one tile', () => {
  test('cooked again gives the same bytes; after a change in it, those of a whole cook', async () => {
    startFromCooked();
    expect(filesBelow(join(folder, 'tiles'))).toHaveLength(2 + 3 * 3);
    cpSync(join(folder, 'tiles'), join(folder, 'again'), { recursive: true });
    const again = await cook('again', '--only', TILE);
    expect([again.code, again.stderr.split('\n')[0]]).toEqual([
      0,
      expect.stringMatching(/^town\.gltf: 1 tile, 1,058 triangles, lod1 528 in 1 tile, hlod \d+ in 1 tile/),
    ]);
    expect(contents(join(folder, 'again'))).toEqual(contents(join(folder, 'tiles')));

    // The middle one sinks: its neighbours meet it no longer, but for the files of this tile all is as it was.
    put(folder, 'town.gltf', waves(-0.5));
    expect((await cook('again', '--only', TILE)).code).toBe(0);
    expect((await cook('whole')).code).toBe(0);
    const [one, whole, before] = [
      contents(join(folder, 'again')),
      contents(join(folder, 'whole')),
      contents(join(folder, 'tiles')),
    ];
    for (const name of [`town/${TILE}.untold`, `town/${TILE}_lod1.untold`, `town/${TILE}_hlod.untold`]) {
      expect(of(one, name)).toEqual(of(whole, name));
      expect(of(one, name)).not.toEqual(of(before, name));
    }
    expect(of(one, 'town/tile_0_0_0_lod1.untold')).toEqual(of(before, 'town/tile_0_0_0_lod1.untold'));
    expect((await untold(folder, ['validate', '--strict', 'again'])).code).toBe(0);
  });

  test('replaces the files of the old names', async () => {
    startFromCooked();
    const before = filesBelow(join(folder, 'tiles'));
    put(folder, 'town.gltf', waves(-0.5));
    expect((await cook('tiles', '--only', TILE)).code).toBe(0);
    const after = filesBelow(join(folder, 'tiles'));
    expect(after).toHaveLength(before.length);
    const gone = before.filter((name) => !after.includes(name));
    expect(gone.map(withoutHash)).toEqual(
      [`town/${TILE}_hlod.untold`, `town/${TILE}_lod1.untold`, `town/${TILE}.untold`].sort(),
    );
  });

  test('that the plan lacks is refused with the nearest name', async () => {
    put(folder, 'town.gltf', waves(0));
    const ran = await cook('tiles', '--only', 'tile_1_0_1');
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringMatching(/UC2206.*tile_1_0_1[\s\S]*did you mean tile_\d_0_0/),
    ]);
    expect(readdirSync(folder)).toEqual(['town.gltf']);
  });

  test.each([
    ['without an earlier cook', () => rmSync(join(folder, 'tiles'), { recursive: true }), 'UC2207'],
    ['with a manifest of somebody else', () => put(folder, 'tiles/town.json', '{"tiles":[]}'), 'UC2207'],
    ['when the others hold other objects now', () => put(folder, 'town.gltf', waves(0, 4)), 'UC2207'],
    [
      'when a file of another tile was changed',
      () => appendFileSync(payloadPath(folder, 'tiles/town/tile_0_0_0_lod1.untold'), 'x'),
      'UC4003',
    ],
    [
      'when a file of another tile is gone',
      () => rmSync(payloadPath(folder, 'tiles/town/tile_0_0_0.untold')),
      'UC4003',
    ],
  ])('%s is refused, and nothing changes', async (_, spoil, code) => {
    startFromCooked();
    spoil();
    const has = readdirSync(folder).includes('tiles');
    const before = has ? contents(join(folder, 'tiles')) : null;
    const ran = await cook('tiles', '--only', TILE);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(code)]);
    expect(readdirSync(folder).includes('tiles')).toBe(has);
    if (before) expect(contents(join(folder, 'tiles'))).toEqual(before);
  });

  test.each([[['--lod', '0.4']], [['--remote']], [['--compress', 'none']]])(
    'with other settings, %j, is refused, and nothing changes',
    async (more) => {
      startFromCooked();
      const before = contents(join(folder, 'tiles'));
      const ran = await cook('tiles', '--only', TILE, ...more);
      expect([ran.code, ran.stderr]).toEqual([
        1,
        expect.stringMatching(/UC2207.*other settings: .* hash [0-9a-f]{8}, those of this call [0-9a-f]{8}/),
      ]);
      expect(contents(join(folder, 'tiles'))).toEqual(before);
    },
  );

  test('is refused where what stood in one file is cut now, and nothing changes', async () => {
    // One square that spans seven cells of 3 m each way: in the bucket whole, in tiles when it is cut.
    put(folder, 'town.gltf', waves(0, 1));
    const settings = ['--tile-size', '3', '--lod', 'none', '--hlod', 'none'];
    const one = (...args: string[]) => untold(folder, ['cook', 'town.gltf', '--out', 'tiles', ...settings, ...args]);
    expect((await one('--split', 'never')).code).toBe(0);
    const before = contents(join(folder, 'tiles'));
    const ran = await one('--split', 'always', '--only', 'tile_1_0_1');
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('UC2207')]);
    expect(contents(join(folder, 'tiles'))).toEqual(before);
    // A tile that the manifest has lost, though its file is listed.
    expect((await one('--split', 'always')).code).toBe(0);
    const manifest = JSON.parse(readFileSync(join(folder, 'tiles/town.json'), 'utf8')) as { tiles: unknown[] };
    manifest.tiles.pop();
    put(folder, 'tiles/town.json', JSON.stringify(manifest));
    const lost = await one('--split', 'always', '--only', 'tile_1_0_1');
    expect([lost.code, lost.stderr]).toEqual([1, expect.stringMatching(/UC2207.*is new/)]);
  });

  test('needs one source and a folder', async () => {
    put(folder, 'a.gltf', squareGltf());
    put(folder, 'b.gltf', squareGltf());
    const two = await untold(folder, ['cook', 'a.gltf', 'b.gltf', '--out', 'tiles', '--only', 'tile_0_0_0']);
    expect([two.code, two.stderr]).toEqual([2, expect.stringMatching(/UC1003.*--only.*2 sources/)]);
    const file = await untold(folder, ['cook', 'a.gltf', '--out', 'a.untold', '--only', 'tile_0_0_0']);
    expect([file.code, file.stderr]).toEqual([2, expect.stringMatching(/UC1003.*--only.*no tiles/)]);
  });
});

test('any number of threads gives the same bytes and words', async () => {
  // Enough triangles that there is work for three threads.
  put(folder, 'town.gltf', waves(0, 3, 64));
  const runs: unknown[][] = [];
  for (const jobs of ['1', '2', '3']) {
    const ran = await cook(`out${jobs}`, '--jobs', jobs, '--lod', '0.5,0.2');
    runs.push([ran.code, ran.stderr.split('\n')[0], contents(join(folder, `out${jobs}`))]);
  }
  expect(runs[0][0]).toBe(0);
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[2]).toEqual(runs[0]);
  const none = await cook('none', '--jobs', '0');
  expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/UC1003.*--jobs.*from 1 to 256/)]);
});
