// Pictures of cooked sets, from the bytes on the disk to pixels.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cook, type RenderOptions, type RenderResult, render } from '../../src/index.ts';
import { gltf, plain, type Thing } from '../cook/things.ts';
import { sphere } from '../geometry/packed.ts';
import { put, temporaryFolder } from '../support/files.ts';

let folder: string;
let town: string;

/** Four balls, 60 m apart, in tiles of their own with levels. */
const balls = (): string => {
  const things = [
    [12, 12, 0],
    [72, 12, 1],
    [12, 72, 2],
    [72, 72, 3],
  ].map(([x, z, material]): Thing => ({ mesh: sphere(x, 2, z, 2, 24), material, name: `Ball_${material}` }));
  const colors = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
  ];
  return gltf(
    things,
    colors.map((color, i) => plain(`paint${i}`, color)),
  );
};

beforeAll(async () => {
  folder = temporaryFolder();
  const source = put(folder, 'balls.gltf', balls());
  town = join(folder, 'tiles');
  const { exitCode } = await cook(source, {
    out: town,
    tileSize: 25,
    lod: [0.5, 0.2],
    hlod: 0.1,
    lodCheck: 'geometry',
    jobs: 1,
  });
  expect(exitCode).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A picture of the town, which must be there. */
async function drawn(
  options: RenderOptions = {},
  file = town,
): Promise<RenderResult & { picture: { rgb: Uint8Array } }> {
  const result = await render(file, { size: '64x64', ...options });
  expect([result.exitCode, result.diagnostics]).toEqual([0, []]);
  return result as RenderResult & { picture: { rgb: Uint8Array } };
}

const codes = ({ diagnostics }: RenderResult) => diagnostics.map(({ code }) => code);

/** The strongest of red, green, blue and yellow in a square of pixels, or `.`. */
function colorAt({ rgb }: { rgb: Uint8Array }, width: number, x: number, y: number): string {
  const [r, g, b] = rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3);
  if (r > 2 * b && g > 2 * b) return 'y';
  if (r > 2 * g && r > 2 * b) return 'r';
  if (g > 2 * r && g > 2 * b) return 'g';
  return b > 2 * r && b > 2 * g ? 'b' : '.';
}

describe('render()', () => {
  test('shows from above what lies where, north up', async () => {
    const { picture } = await drawn({ camera: 'overview' });
    // The balls fill the corners: red north-west, green north-east, blue south-west, yellow south-east.
    const near = (x: number, y: number) => {
      for (let j = 0; j < 32; j++) {
        for (let i = 0; i < 32; i++) {
          const color = colorAt(picture, 64, x * 32 + i, y * 32 + j);
          if (color !== '.') return color;
        }
      }
      return '.';
    };
    expect([near(0, 0), near(1, 0), near(0, 1), near(1, 1)]).toEqual(['r', 'g', 'b', 'y']);
  });

  test('gives the pixels as a PNG, the same each time', async () => {
    const { picture, png } = await drawn();
    const { data, info } = await sharp(png!).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([64, 64, 3]);
    expect(Buffer.compare(data, picture.rgb)).toBe(0);
    const again = await drawn({}, join(town, 'balls.json'));
    expect(Buffer.compare(again.png!, png!)).toBe(0);
  });

  test('writes it where `out` says, over an earlier one', async () => {
    const out = join(folder, 'pictures/balls.png');
    const { png } = await drawn({ out });
    expect(Buffer.compare(readFileSync(out), png!)).toBe(0);
    const { png: other } = await drawn({ out, camera: 'overview' });
    expect(Buffer.compare(readFileSync(out), other!)).toBe(0);
    expect(readdirSync(join(folder, 'pictures'))).toEqual(['balls.png']);
  });

  test('draws one level, and of tiles without it the next finer one', async () => {
    const full = await drawn();
    const lod1 = await drawn({ level: 'lod1' });
    const hlod = await drawn({ level: 'hlod' });
    const sum = ({ drawn: tiles }: RenderResult) => tiles.reduce((all, { triangles }) => all + triangles, 0);
    expect(full.drawn.map(({ level }) => level)).toEqual(['full', 'full', 'full', 'full']);
    expect(sum(lod1)).toBeLessThan(sum(full));
    expect(sum(hlod)).toBeLessThan(sum(lod1));
    expect(hlod.drawn.some(({ level }) => level === 'hlod')).toBe(true);
  });

  test('draws what the engine streams to the camera', async () => {
    const near = await drawn({ level: 'streamed', camera: '12,2,80,12,2,72' });
    // Tiles are counted from the south.
    expect(near.drawn.find(({ tile }) => tile === 'tile_0_0_0')?.level).toBe('full');
    const far = await drawn({ level: 'streamed', camera: '12,2,480,12,2,12' });
    expect(far.drawn.length).toBeGreaterThan(0);
    expect(far.drawn.every(({ level }) => level !== 'full')).toBe(true);
    const beyond = await render(town, { level: 'streamed', camera: '12,2,2000,12,2,12' });
    expect([beyond.exitCode, beyond.drawn, codes(beyond)]).toEqual([0, [], ['UC5004']]);
  });

  test('draws a .untold file by itself', async () => {
    const tile = readdirSync(join(town, 'balls')).find((name) => /^tile_0_0_0_[0-9a-f]+\.untold$/.test(name))!;
    const { picture, drawn: tiles } = await drawn({}, join(town, 'balls', tile));
    expect(tiles).toEqual([{ tile: tile.replace('.untold', ''), level: 'full', triangles: expect.any(Number) }]);
    expect(colorAt(picture, 64, 32, 32)).toBe('b');
  });

  test('a sheet compares each level of a tile from its distance', async () => {
    const told: string[] = [];
    const result = await render(town, {
      sheet: 'tile_0_0_0',
      onTile: (tile, done, total) => told.push(`${tile} ${done}/${total}`),
    });
    expect([result.exitCode, result.diagnostics]).toEqual([0, []]);
    expect(told).toEqual(['tile_0_0_0 1/1']);
    expect(result.compared.length).toBeGreaterThanOrEqual(2);
    const distances = result.compared.map(({ distance }) => distance);
    expect([...distances].sort((a, b) => a - b)).toEqual(distances);
    for (const row of result.compared) {
      expect(row.tile).toBe('tile_0_0_0');
      expect(row.triangles).toBeLessThan(row.fullTriangles);
      // A ball that is a little rougher from some tens of metres.
      expect(row.ssim).toBeGreaterThan(0.8);
      expect(row.worstSsim).toBeGreaterThan(0.8);
      expect(row.look).toBe('drawn');
      expect(row.meanColor).toBeLessThan(10);
    }
    const { png } = await render(town, { sheet: 'tile_0_0_0' });
    expect(Buffer.compare(png!, result.png!)).toBe(0);
    const worst = await render(town, { sheet: 'worst' });
    expect(new Set(worst.compared.map(({ tile }) => tile)).size).toBe(4);
  });

  test('a sheet is a page where its name says so: every level with a sentence, three pictures, the worst first', async () => {
    const out = join(folder, 'pictures/worst.html');
    const result = await render(town, { sheet: 'worst', out });
    expect([result.exitCode, result.picture, result.png]).toEqual([0, null, null]);
    const page = readFileSync(out, 'utf8');
    expect(result.html).toBe(page);
    expect(page.match(/<article /g)).toHaveLength(result.compared.length);
    expect(page.match(/<img /g)).toHaveLength(result.compared.length * 3);
    expect(page.match(/<p>(Not visible from|From) [\d.]+ m[:,] /g)).toHaveLength(result.compared.length);
    const shown = [...page.matchAll(/SSIM (\d\.\d{3}) /g)].map(([, ssim]) => Number(ssim));
    expect(shown).toHaveLength(result.compared.length);
    expect([...shown].sort((a, b) => a - b)).toEqual(shown);
    expect(page).not.toMatch(/(src|href)="(?!data:|#)/);
    // Only a sheet can be one.
    expect(codes(await render(town, { out }))).toEqual(['UC1003']);
  });

  test('a texture that is missing is told of, and its factor drawn', async () => {
    const red = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    put(folder, 'red.png', red);
    const painted = {
      name: 'paint',
      pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 },
    };
    const text = gltf([{ mesh: sphere(0, 0, 0, 2, 12), material: 0 }], [painted]);
    const withImage = { ...JSON.parse(text), textures: [{ source: 0 }], images: [{ uri: 'red.png' }] };
    const source = put(folder, 'one.gltf', JSON.stringify(withImage));
    const out = join(folder, 'one');
    expect((await cook(source, { out })).exitCode).toBe(0);
    const { picture } = await drawn({}, out);
    expect(colorAt(picture, 64, 32, 32)).toBe('r');
    const textures = join(out, 'one/Textures');
    for (const name of readdirSync(textures)) writeFileSync(join(textures, name), 'no image');
    const broken = await render(
      join(out, 'one', readdirSync(join(out, 'one')).find((name) => name.endsWith('.untold'))!),
      {
        size: '64x64',
      },
    );
    expect([broken.exitCode, codes(broken)]).toEqual([0, ['UC5003']]);
    const [r, g] = broken.picture!.rgb.subarray((32 * 64 + 32) * 3);
    expect(Math.abs(r - g)).toBeLessThan(12);
  });
});

test('an unlit material with colours of vertices is drawn as its cooked file is: its colour alone, in no light', async () => {
  const ball = (x: number) => sphere(x, 0, 0, 2, 12);
  const colored = (x: number, color: readonly number[]): Thing => {
    const mesh = ball(x);
    return { mesh, material: 0, colors: Float32Array.from(mesh.positions, (_, i) => color[i % 3]) };
  };
  const paint = { ...plain('paint', [1, 0.5, 1]), extensions: { KHR_materials_unlit: {} } };
  // Times the base colour: (0.4, 0.2, 0) and (0, 0.1, 0.4) in linear light.
  const text = gltf([colored(0, [0.4, 0.4, 0]), colored(5, [0, 0.2, 0.4])], [paint]);
  const source = put(folder, 'unlit.gltf', text);
  /** The pixels of a colour. The cooked file has a base colour of a thousandth, whose light is up to four bytes of a dark channel. */
  const pixelsOf = (rgb: Uint8Array, color: readonly number[]) =>
    Array.from({ length: rgb.length / 3 }, (_, i) => i).filter((i) =>
      color.every((byte, k) => Math.abs(rgb[i * 3 + k] - byte) <= 4),
    );
  const out = join(folder, 'unlit');
  expect((await cook(source, { out, jobs: 1 })).exitCode).toBe(0);
  const [own, cooked] = [source, out].map((file) => render(file, { size: '64x64', camera: 'orbit' }));
  const { picture, diagnostics } = await own;
  expect(diagnostics.map(({ code }) => code)).toEqual(['UC1360']);
  for (const color of [
    [170, 124, 0],
    [0, 89, 170],
  ]) {
    const pixels = pixelsOf(picture!.rgb, color);
    expect(pixels.length).toBeGreaterThan(100);
    // But for those that an edge passes.
    const both = pixelsOf((await cooked).picture!.rgb, color).filter((pixel) => pixels.includes(pixel));
    expect(both.length).toBeGreaterThan(pixels.length * 0.9);
  }
});

describe('light, rooms and turns', () => {
  /** A Radiance picture of one row of two pixels: the west half dark, the east half red. */
  const sky = (): string => {
    const head = Buffer.from('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n');
    return put(folder, 'sky.hdr', Buffer.concat([head, Uint8Array.of(1, 1, 2, 120, 200, 20, 20, 129)]));
  };

  test('an environment lights the scene, and is seen behind it if asked', async () => {
    const day = await drawn();
    const red = await drawn({ environmentMap: sky() });
    const seen = await drawn({ environmentMap: sky(), background: 'environment' });
    expect(red.view).toBe('orbit');
    const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
    expect([same(day.picture.rgb, red.picture.rgb), same(red.picture.rgb, seen.picture.rgb)]).toEqual([false, false]);
    // The upper left corner shows what lies behind: grey paper, or the dark west.
    expect(red.picture.rgb[0]).toBeGreaterThan(150);
    expect(seen.picture.rgb[0]).toBeLessThan(60);
    const lost = await render(town, { environmentMap: join(folder, 'lost.hdr') });
    expect([lost.exitCode, codes(lost)]).toEqual([3, ['UC1200']]);
    const wrong = await render(town, { environmentMap: join(folder, 'balls.gltf') });
    expect([wrong.exitCode, codes(wrong)]).toEqual([1, ['UC2100']]);
    expect(wrong.diagnostics[0].remedy).toContain('Radiance HDR');
    const faulty = async (size: string) => {
      const environmentMap = put(folder, 'faulty.hdr', `#?RADIANCE\n\n${size}\n....`);
      return codes(await render(town, { environmentMap, size: '16x16' }));
    };
    expect([await faulty('-Y 9 +X 9'), await faulty('-Y 2 +X 99999')]).toEqual([['UC2101'], ['UC2103']]);
  });

  test('a turntable is numbered, and its pictures differ', async () => {
    const out = join(folder, 'around/ball.png');
    const result = await render(town, { size: '32x32', turntable: 3, out });
    expect([result.exitCode, result.turntable?.map((one) => one.out?.split('/').pop())]).toEqual([
      0,
      ['ball-1.png', 'ball-2.png', 'ball-3.png'],
    ]);
    const files = readdirSync(join(folder, 'around')).sort();
    expect(files).toEqual(['ball-1.png', 'ball-2.png', 'ball-3.png']);
    const [one, two] = files.map((name) => readFileSync(join(folder, 'around', name)));
    expect([one.equals(result.png!), one.equals(two)]).toEqual([true, false]);
    const told: string[] = [];
    const kept = await render(town, {
      size: '16x16',
      turntable: 10,
      onTurn: (done, all) => told.push(`${done}/${all}`),
    });
    expect([kept.turntable?.length, kept.turntable?.every(({ png }) => png !== null)]).toEqual([10, true]);
    expect(told).toEqual(['2/10', '3/10', '4/10', '5/10', '6/10', '7/10', '8/10', '9/10', '10/10']);
  });

  test('a scene around a closed room is pictured from inside of it', async () => {
    const hall = { mesh: sphere(0, 0, 0, 20, 24), material: 0 };
    // Turned over, the ball is a dome over a floor: its faces look inwards.
    const { indices, attributes } = hall.mesh;
    const normal = attributes.normal?.map((value) => -value);
    const mesh = { ...hall.mesh, indices: indices.slice().reverse(), attributes: { ...attributes, normal } };
    const turned = { ...hall, mesh: mesh as typeof hall.mesh };
    const source = put(folder, 'hall.gltf', gltf([turned], [plain('paint', [1, 0, 0])]));
    const inside = await render(source, { size: '64x64', level: 'full' });
    const solid = await render(put(folder, 'solid.gltf', gltf([hall], [plain('paint', [1, 0, 0])])), { size: '64x64' });
    expect([inside.view, solid.view]).toEqual(['inside', 'orbit']);
    expect((await render(source, { size: '64x64', camera: 'orbit' })).view).toBe('orbit');
    const none = await render(town, { size: '64x64', camera: 'inside' });
    expect([none.exitCode, codes(none)]).toEqual([2, ['UC2440']]);
  });
});

describe('HLOD clusters', () => {
  let clusters: string;
  beforeAll(async () => {
    const things = Array.from({ length: 16 }, (_, i): Thing => {
      return { mesh: sphere((i % 4) * 25 + 12, 2, (i >> 2) * 25 + 12, 2, 24), material: 0, name: `Ball_${i}` };
    });
    const source = put(folder, 'sixteen.gltf', gltf(things, [plain('paint', [1, 0, 0])]));
    clusters = join(folder, 'clusters');
    const settings = { tileSize: 25, lod: [0.5], hlod: 0.1, lodCheck: 'geometry', hlodLevels: 2, jobs: 1 } as const;
    expect((await cook(source, { out: clusters, ...settings })).exitCode).toBe(0);
  });

  test('are drawn in place of their tiles', async () => {
    const { drawn: tiles } = await drawn({ level: 'hlod' }, clusters);
    expect(tiles.map(({ tile, level }) => `${tile} ${level}`)).toEqual([
      'far2_0_0_0 hlod',
      'far2_1_0_0 hlod',
      'far2_0_0_1 hlod',
      'far2_1_0_1 hlod',
    ]);
  });

  test('a sheet of several threads has the bytes of one, and its faults', async () => {
    const one = await render(clusters, { sheet: 'worst', jobs: 1 });
    const told: string[] = [];
    const two = await render(clusters, {
      sheet: 'worst',
      jobs: 2,
      onTile: (tile, done, total) => told.push(`${tile} ${done}/${total}`),
    });
    expect(one.compared.length).toBeGreaterThan(16);
    expect(two.compared).toEqual(one.compared);
    expect(Buffer.compare(two.png!, one.png!)).toBe(0);
    expect(told[0]).toMatch(/ 1\/(\d+)$/);
    expect(told).toHaveLength(Number(told[0].split('/')[1]));
    const stop = new AbortController();
    const aborted = await render(clusters, {
      sheet: 'worst',
      jobs: 2,
      signal: stop.signal,
      onTile: () => stop.abort(),
    });
    expect([aborted.exitCode, codes(aborted)]).toEqual([130, ['UC1098']]);
    // A level that is broken ends both alike.
    const broken = join(folder, 'broken-clusters');
    cpSync(clusters, broken, { recursive: true });
    const level = readdirSync(join(broken, 'sixteen'), { recursive: true, encoding: 'utf8' }).find((name) =>
      /lod1.*\.untold$/.test(name),
    )!;
    writeFileSync(join(broken, 'sixteen', level), 'no tile');
    const faults = [1, 2].map(async (jobs) => codes(await render(broken, { sheet: 'worst', jobs })));
    expect(await faults[1]).toEqual(await faults[0]);
    expect((await faults[0]).length).toBeGreaterThan(0);
  });

  test('are compared with the full detail of their tiles', async () => {
    const full = await drawn({}, clusters);
    expect(full.drawn.map(({ tile }) => tile)).toHaveLength(16);
    const { compared } = await render(clusters, { sheet: 'far2_1_0_1' });
    expect(compared).toHaveLength(1);
    const inside = ['tile_2_0_2', 'tile_3_0_2', 'tile_2_0_3', 'tile_3_0_3'];
    const triangles = full.drawn.filter(({ tile }) => inside.includes(tile)).map((tile) => tile.triangles);
    expect(compared[0].fullTriangles).toBe(triangles.reduce((sum, count) => sum + count, 0));
    expect(compared[0].ssim).toBeGreaterThan(0.8);
  });
});

describe('what cannot be drawn', () => {
  test.each<[string, RenderOptions, number, string]>([
    ['an unknown tile', { sheet: 'tile_0_0_9' }, 2, 'UC5001'],
    ['a level that no tile has', { level: 'lod8' }, 2, 'UC5002'],
    ['a size out of limits', { size: '8x8' }, 2, 'UC1003'],
    ['too many pixels', { size: '8192x8192' }, 2, 'UC1003'],
    ['a size that is none', { size: 'large' }, 2, 'UC1003'],
    ['a camera that is none', { camera: '1,2,3' }, 2, 'UC1003'],
    ['a camera that looks nowhere', { camera: '1,2,3,1,2,3' }, 2, 'UC1003'],
    ['a sheet with a camera', { sheet: 'worst', camera: 'orbit' }, 2, 'UC1012'],
    ['a sheet of a turntable', { sheet: 'worst', turntable: 4 }, 2, 'UC1012'],
    ['a sheet in the light of a file', { sheet: 'worst', environmentMap: 'sky.hdr' }, 2, 'UC1012'],
    ['threads without a sheet', { jobs: 2 }, 2, 'UC1012'],
    ['a turntable from above', { turntable: 4, camera: 'overview' }, 2, 'UC1012'],
    ['a turntable of one picture', { turntable: 1 }, 2, 'UC1003'],
    ['a picture of another format', { out: 'balls.jpg' }, 2, 'UC1003'],
  ])('%s', async (_, options, exitCode, code) => {
    const result = await render(town, options);
    expect([result.exitCode, codes(result), result.picture, result.png]).toEqual([exitCode, [code], null, null]);
  });

  test('what holds no triangles', async () => {
    expect(codes(await render(put(folder, 'wall.utex', 'UTEX\0\0\0\0')))).toEqual(['UC5000']);
    expect(codes(await render(put(folder, 'notes.txt', 'no scene')))).toEqual(['UC5000']);
    expect(codes(await render(join(folder, 'nothing.json')))).toEqual(['UC1200']);
    expect(codes(await render(folder))).toEqual(['UC5000']);
    expect(codes(await render(''))).toEqual(['UC1003']);
  });

  test('a set whose files are gone', async () => {
    const copy = join(folder, 'gone/balls.json');
    put(folder, 'gone/balls.json', readFileSync(join(town, 'balls.json')));
    const result = await render(copy);
    expect(result.exitCode).toBe(1);
    expect(codes(result)).toContain('UC3214');
  });

  test('a place that cannot be written', async () => {
    const taken = join(folder, 'taken.png');
    put(taken, 'inside', 'x');
    const result = await render(town, { out: taken, size: '16x16' });
    expect([result.exitCode, codes(result)]).toEqual([2, ['UC4001']]);
    const below = await render(town, { out: join(folder, 'balls.gltf/x.png'), size: '16x16' });
    expect([below.exitCode, codes(below)]).toEqual([3, ['UC4000']]);
  });

  test('an aborted call leaves nothing', async () => {
    const stop = new AbortController();
    const out = join(folder, 'aborted.png');
    const result = await render(town, { sheet: 'worst', out, signal: stop.signal, onTile: () => stop.abort() });
    expect([result.exitCode, codes(result)]).toEqual([130, ['UC1098']]);
    expect(readdirSync(folder)).not.toContain('aborted.png');
  });
});
