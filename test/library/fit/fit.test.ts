// cook --fit: textures get smaller, then levels are shown from nearer, until the output fits a device; and what that costs is said.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CookResult, check, cook, type FitReport, validate } from '../../../src/index.ts';
import { gltf, plain, type Thing } from '../../cook/things.ts';
import { ground, sphere } from '../../geometry/packed.ts';
import { untold } from '../../support/command.ts';
import { contents, litterIn, put, temporaryFolder } from '../../support/files.ts';

let folder: string;
const at = (name: string) => join(folder, name);

/** Bytes of a colour texture of 256 texels a side with all mips: blocks of 16 bytes for 4 by 4 texels. */
const SIZE_256 = [256, 128, 64, 32, 16, 8, 4, 2, 1].reduce((sum, side) => sum + Math.ceil(side / 4) ** 2 * 16, 0);
const SIZE_128 = SIZE_256 - 64 * 64 * 16;

/** Grain in every texel, so that a smaller texture is another picture. */
async function picture(seed: number): Promise<Uint8Array> {
  const data = new Uint8Array(256 * 256 * 3);
  let state = seed;
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data[i] = state >>> 24;
  }
  return sharp(data, { raw: { width: 256, height: 256, channels: 3 } })
    .png()
    .toBuffer();
}

/** A row of squares of ground of 16 m with the picture `wide.png`, 48 m apart, each with two balls, one of them with `fine.png`. */
function scene(cells: number): string {
  const things = Array.from({ length: cells }, (_, i) => i).flatMap((i): Thing[] => {
    const [x, z] = [i * 64, 0];
    const floor = { mesh: ground(x, z, 16, 16), material: 0 };
    const balls = [1, 2].map((material) => ({ mesh: sphere(x + 5 * material, 1, z + 8, 1, 12), material }));
    return [floor, ...balls];
  });
  const json = JSON.parse(
    gltf(
      things,
      ['wide', 'fine', 'red'].map((name) => plain(name, [1, 0.9, 0.9])),
    ),
  );
  for (const [i, material] of json.materials.slice(0, 2).entries()) {
    material.pbrMetallicRoughness.baseColorTexture = { index: i };
  }
  json.textures = [{ source: 0 }, { source: 1 }];
  json.images = [{ uri: 'wide.png' }, { uri: 'fine.png' }];
  return JSON.stringify(json);
}

const devices = (more: object) =>
  put(folder, 'untold.config.json', JSON.stringify({ devices: { small: { base: 'mac', ...more } } }));

/** Cooks for the device `small` of the project file. */
const fitted = (name: string, out: string, more: object = {}): Promise<CookResult> =>
  cook(at(name), { out: at(out), root: folder, config: at('untold.config.json'), fit: 'small', ...more });

const reportOf = (result: CookResult): FitReport => {
  const report = result.verdicts?.[0].fit;
  if (report === undefined) throw new Error(JSON.stringify(result.diagnostics));
  return report;
};
const codesOf = ({ diagnostics }: CookResult) => diagnostics.map(({ code }) => code);
const sidesOf = (report: FitReport) =>
  report.textures.map(({ path, after }): [string, number] => [path.replace(/^.*\/|\..*$/g, ''), after.width]);

/** What a schema refuses in a document. */
function faults(schema: string, document: unknown): unknown {
  const ajv = new Ajv2020({ allErrors: true, validateFormats: false, allowUnionTypes: true });
  const path = resolve(import.meta.dirname, `../../../schemas/${schema}.schema.json`);
  const accepts = ajv.compile(JSON.parse(readFileSync(path, 'utf8')));
  return accepts(document) ? null : accepts.errors;
}

beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'wide.png', await picture(1));
  put(folder, 'fine.png', await picture(2));
  put(folder, 'one.gltf', scene(1));
  put(folder, 'town.gltf', scene(4));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('textures', () => {
  test('the one with most bytes for each pixel gets smaller first, and no more of them than needed', async () => {
    devices({ textures: `${SIZE_256 + SIZE_128}B`, 'pixels-per-degree': 0.01 });
    const result = await fitted('one.gltf', 'a/one.untold');
    expect(result.exitCode).toBe(0);
    const report = reportOf(result);
    expect(report.before).toBe(
      `over for small: textures ${Math.round((2 * SIZE_256) / 1000)} kB of ${Math.round((SIZE_256 + SIZE_128) / 1000)} kB`,
    );
    expect(sidesOf(report)).toEqual([['fine', 128]]);
    const [texture] = report.textures;
    expect(texture.bytes).toEqual({ before: SIZE_256, after: SIZE_128 });
    expect(texture.texelsADegree.after).toBeCloseTo((texture.texelsADegree.before as number) / 2, 1);
    // The device shows a pixel for each hundred degrees: nothing is lost.
    expect([texture.isSeen, texture.ssim, texture.psnr, report.rounds]).toEqual([false, 1, null, 2]);
    expect([result.verdicts?.[0].fits, codesOf(result)]).toEqual([true, []]);
    // Only the second output was moved in.
    const files = readdirSync(at('a/Textures')).map((name) => name.split('.')[0]);
    expect([files.sort(), litterIn(at('a'))]).toEqual([['fine', 'wide'], []]);
    expect(texture.path).toBe(`Textures/${readdirSync(at('a/Textures')).find((name) => name.startsWith('fine'))}`);
    expect((await validate([at('a/one.untold')])).exitCode).toBe(0);
  });

  test('what is seen of is said, with texels and SSIM; what fits is left alone', async () => {
    devices({ textures: `${SIZE_256}B`, 'pixels-per-degree': 34 });
    const result = await fitted('one.gltf', 'b/one.untold');
    const report = reportOf(result);
    expect(sidesOf(report)).toEqual([
      ['fine', 64],
      ['wide', 128],
    ]);
    for (const texture of report.textures) expect(texture.isSeen).toBe(true);
    expect(Math.min(...report.textures.map(({ ssim }) => ssim as number))).toBeLessThan(0.99);
    expect(codesOf(result)).toEqual(['UC2250']);
    expect(result.diagnostics[0].message).toMatch(
      /^2 textures, worst of all Textures\/\w+\.\w+\.utex: 64 × 64, [\d.]+ texels of 34 pixels a degree from [\d.]+ m, SSIM 0\.\d+$/,
    );
    devices({ textures: '1MB' });
    const left = await fitted('one.gltf', 'c/one.untold');
    expect(reportOf(left)).toMatchObject({ rounds: 1, textures: [], levelScale: 1 });
    expect(contents(at('c'))).toEqual(contents(await plainly('one.gltf', 'd/one.untold')));
  });

  /** Cooked without --fit. */
  async function plainly(name: string, out: string): Promise<string> {
    expect((await cook(at(name), { out: at(out), root: folder })).exitCode).toBe(0);
    return at(out.split('/')[0]);
  }

  test('the same bytes with and without a cache, and with any number of threads; a later cook without --fit is whole', async () => {
    devices({ textures: '60kB' });
    await fitted('one.gltf', 'e', { jobs: 1 });
    await fitted('one.gltf', 'f', { jobs: 3, cacheDir: at('cache'), incremental: true });
    await fitted('one.gltf', 'f', { jobs: 2, cacheDir: at('cache'), incremental: true });
    expect(contents(at('f'))).toEqual(contents(at('e')));
    const whole = await cook(at('one.gltf'), {
      out: at('f'),
      root: folder,
      cacheDir: at('cache'),
      incremental: true,
    });
    expect(whole.results[0].isRecorded).toBe(undefined);
    expect(contents(at('f'))).toEqual(contents(await plainly('one.gltf', 'g')));
  });

  test('in packs, with --out-each and with --share-textures, whose textures lie apart', async () => {
    devices({ textures: `${SIZE_256 + SIZE_128}B`, 'pixels-per-degree': 0.01 });
    const pack = await fitted('one.gltf', 'p/one.untoldpack');
    const each = await cook(at('one.gltf'), {
      outEach: at('q/{name}.untold'),
      root: folder,
      config: at('untold.config.json'),
      fit: 'small',
    });
    const shared = await fitted('one.gltf', 's', { shareTextures: true });
    for (const result of [pack, each, shared]) {
      expect(result.results[0].diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect([result.exitCode, codesOf(result)]).toEqual([0, []]);
      const report = reportOf(result);
      expect(report.textures.map(({ after }) => after.width)).toEqual([128]);
      expect(result.verdicts?.[0].fits).toBe(true);
      const bytes = result.results[0].outputs.filter(({ path }) => path.endsWith('.utex')).map((file) => file.bytes);
      expect(bytes).toHaveLength(2);
      expect(Math.min(...bytes)).toBeLessThan(Math.max(...bytes) / 2);
    }
  });
});

describe('a set of tiles', () => {
  const options = { tileSize: 16, lod: [0.3], hlod: null, lodCheck: 'geometry' } as const;

  test('shows levels from nearer, and says from where; its distances are what the loader takes', async () => {
    devices({});
    const usual = await cook(at('town.gltf'), { ...options, out: at('usual'), root: folder });
    expect(usual.exitCode).toBe(0);
    const before = (await check(at('usual'), { device: 'mac' })).document!;
    const most = before.measures.find(({ measure }) => measure === 'triangles')!.value;
    devices({ triangles: Math.floor(most * 0.8) });
    const result = await fitted('town.gltf', 'near', options);
    const report = reportOf(result);
    expect(report.levelScale).toBeLessThan(1);
    const after = result.verdicts![0].measures.find(({ measure }) => measure === 'triangles')!.value;
    expect(after).toBeLessThan(most);
    const fits = after <= Math.floor(most * 0.8);
    expect([result.verdicts![0].fits, codesOf(result)]).toEqual([
      fits,
      fits ? ['UC2251'] : ['UC2242', 'UC2251', 'UC2252'],
    ]);
    const share = Math.round(report.levelScale * 100);
    expect(result.diagnostics.find(({ code }) => code === 'UC2251')?.message).toBe(
      `from ${share} % of their distances; errors of up to ${Number((2 / report.levelScale).toPrecision(3))} pixels are shown`,
    );
    const distances = (name: string): number[] =>
      JSON.parse(readFileSync(at(`${name}/town.json`), 'utf8')).tiles.map(
        (tile: { lod_levels: { switch_distance: number }[] }) => tile.lod_levels[0].switch_distance,
      );
    for (const [i, distance] of distances('near').entries()) expect(distance).toBeLessThan(distances('usual')[i]);
    expect((await validate([at('near/town.json')], { strict: true })).files[0].diagnostics).toEqual([]);
  });

  test('what does not fit all the same is said, and an error with --strict', async () => {
    devices({ draws: 1, textures: '40kB' });
    const args = ['cook', 'one.gltf', '--out', 'over', '--fit', 'small'];
    const over = await untold(folder, [...args, '--json']);
    expect([over.code, over.stderr]).toEqual([
      0,
      expect.stringContaining('warning UC2252 over/one.json: small: draws 3 of 1'),
    ]);
    expect(over.stderr).toMatch(
      /^ {2}2 textures are smaller, [\d.]+ kB to [\d.]+ kB, \d of them visibly; before: over for small: /m,
    );
    expect(faults('cook', JSON.parse(over.stdout))).toBe(null);
    const lines = (await untold(folder, [...args, '--log-format', 'json'])).stderr.trim().split('\n');
    const line = lines.map((text) => JSON.parse(text)).find(({ event }) => event === 'fitted');
    expect([line?.output, faults('log', line)]).toEqual(['over/one.json', null]);
    const strict = await untold(folder, [
      ...args,
      '--strict',
      '--report',
      'over.html',
      '--report',
      'over.sarif',
      '--report',
      'over.junit.xml',
    ]);
    expect([strict.code, strict.stderr]).toEqual([1, expect.stringContaining('error UC2252')]);
    for (const name of ['over.sarif', 'over.junit.xml']) {
      for (const code of ['UC2244', 'UC2252']) expect(readFileSync(at(name), 'utf8')).toContain(code);
    }
    const page = readFileSync(at('over.html'), 'utf8');
    // A bar whose bound is passed ends at its end, behind the mark of the bound.
    expect(page).toContain('<i style="width:66.67%"></i><i class="over out" style="left:66.67%;width:33.33%"></i>');
    expect(page).toContain('aria-label="draws: 3 of 1 advised, 300 %"');
    expect(page).toMatch(
      /<td class="name">one\/Textures\/fine\.\w+\.utex<\/td><td class="number"[^>]*>256 × 256<\/td>/,
    );
  });
});

test.each([
  [['--device', 'mac'], 'iphone was given, and --device mac'],
  [['--textures', 'png'], '--textures png was given'],
  [['--out', 'refused.glb'], 'glb is written'],
  [['--only', 'tile_0_0_0'], '--only was given'],
  [['--shard', '0/2'], '--shard was given'],
])('is refused with %j', async (more, words) => {
  const { code, stderr } = await untold(folder, [
    'cook',
    'one.gltf',
    '--out',
    'refused',
    '--no-config',
    '--fit',
    'iphone',
    ...more,
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  expect(stderr).toContain('UC1012');
});
