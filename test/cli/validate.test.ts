import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
  expect(
    (await untold(folder, ['cook', 'town.gltf', '--scene', 'Night', '--textures', 'keep', '--out', 'tiles'])).code,
  ).toBe(0);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Row {
  path: string;
  ok: boolean;
  diagnostics: { code: string; severity: string; file: string }[];
}

async function validate(...args: string[]): Promise<{ code: number | null; files: Row[]; stderr: string }> {
  const { code, stdout, stderr } = await untold(folder, ['validate', '--json', ...args]);
  return { code, stderr, ...(JSON.parse(stdout) as { files: Row[] }) };
}

const payloads = () =>
  readdirSync(join(folder, 'tiles/town'))
    .filter((name) => name.endsWith('.untold'))
    .sort()
    .map((name) => `tiles/town/${name}`);

test('a manifest is checked with its payloads, a folder and a pattern with all they hold, each file once', async () => {
  expect(payloads()).toHaveLength(2);
  const whole = ['tiles/town.json', ...payloads()];
  for (const words of [['tiles/town.json'], ['tiles'], ['tiles/**'], ['tiles/town.json', 'tiles', 'tiles/*.json']]) {
    const { code, files, stderr } = await validate(...words);
    expect([words, code, [...files].map(({ path }) => path).sort()]).toEqual([words, 0, [...whole].sort()]);
    expect(files.every(({ ok, diagnostics }) => ok && diagnostics.length === 0)).toBe(true);
    expect(stderr).toBe('3 files: valid\n');
  }
  expect((await validate('tiles/town.json')).files[0].path).toBe('tiles/town.json');
  expect((await validate('tiles/town/*.untold')).files.map(({ path }) => path)).toEqual(payloads());
});

test('without --json nothing goes to stdout', async () => {
  expect(await untold(folder, ['validate', 'tiles'])).toEqual({ code: 0, stdout: '', stderr: '3 files: valid\n' });
  expect((await untold(folder, ['validate', 'tiles', '--quiet'])).stderr).toBe('');
  expect((await untold(folder, ['validate', 'tiles', '--verbose'])).stderr).toContain('tiles/town.json: ok\n');
});

test('damage is an error of the file that has it', async () => {
  const [first] = payloads();
  const bytes = readFileSync(join(folder, first));
  bytes[bytes.length - 1] ^= 0xff;
  writeFileSync(join(folder, first), bytes);
  const { code, files, stderr } = await validate('tiles/town.json');
  expect(code).toBe(1);
  const row = files.find(({ path }) => path === first)!;
  expect(row.ok).toBe(false);
  expect(row.diagnostics.map((d) => d.code)).toContain('UC3015');
  expect(row.diagnostics.every((d) => d.file === first)).toBe(true);
  expect(files.find(({ path }) => path === 'tiles/town.json')?.ok).toBe(false);
  expect(stderr).toContain(`error UC3015 ${first}`);
});

test('a payload that is gone is an error of the manifest, a texture that is gone a warning', async () => {
  const textures = join(folder, 'tiles/town/Textures');
  const [texture] = readdirSync(textures);
  cpSync(join(folder, 'tiles/town'), join(folder, 'alone'), { recursive: true });
  rmSync(join(folder, 'alone/Textures'), { recursive: true });
  const alone = await validate('alone');
  expect([alone.code, ...alone.files.map((row) => row.diagnostics.map((d) => d.code).join())]).toEqual([
    0,
    'UC3108,UC3239',
    'UC3108',
  ]);
  expect((await validate('alone', '--strict')).code).toBe(1);
  expect((await validate('alone', '--deny', 'UC3108')).code).toBe(1);
  expect((await validate('alone', '--strict', '--allow', 'UC3108', '--allow', 'UC3239')).code).toBe(0);
  rmSync(join(textures, texture));
  rmSync(join(folder, payloads()[0]));
  const gone = await validate('tiles/town.json');
  expect([gone.code, gone.files[0].ok, gone.files.length]).toEqual([1, false, 2]);
});

test('other JSON in a folder is passed over, broken JSON and JSON that is named is not', async () => {
  put(folder, 'tiles/package.json', '{"name": "x"}');
  expect((await validate('tiles')).files).toHaveLength(3);
  put(folder, 'tiles/cut.json', '{"tiles": [');
  const { code, files } = await validate('tiles');
  expect([code, files.filter(({ ok }) => !ok).map(({ path }) => path)]).toEqual([1, ['tiles/cut.json']]);
  expect((await validate('tiles/package.json')).code).toBe(1);
});

test('what cannot be read or is something else is said so', async () => {
  expect(await validate('missing.untold')).toMatchObject({
    code: 3,
    files: [{ ok: false, diagnostics: [{ code: 'UC1200' }] }],
  });
  expect(await validate('red.png')).toMatchObject({
    code: 1,
    files: [{ diagnostics: [{ code: 'UC3000', file: 'red.png' }] }],
  });
  put(folder, 'empty.untold', '');
  expect((await validate('empty.untold')).code).toBe(1);
  expect((await untold(folder, ['validate', '.git'])).code).toBe(3);
  put(folder, 'void/x.txt', '');
  expect(await untold(folder, ['validate', 'void'])).toMatchObject({ code: 2, stdout: '' });
});

describe('tiles that no manifest lists', () => {
  /** The rows and diagnostics of UC3239. */
  const loose = async (...args: string[]) => {
    const { code, files, stderr } = await validate(...args);
    const found = files.flatMap(({ path, ok, diagnostics }) =>
      diagnostics.filter((d) => d.code === 'UC3239').map((d) => ({ ...d, path, ok })),
    );
    return { code, found, stderr };
  };

  test('are a warning, once a folder, with their number and an example', async () => {
    rmSync(join(folder, 'tiles/town.json'));
    const [first, second] = payloads();
    const { code, found, stderr } = await loose('tiles');
    expect([code, found.length]).toEqual([0, 1]);
    expect(found[0]).toMatchObject({ path: first, ok: true, severity: 'warning', file: 'tiles/town' });
    expect(stderr).toContain(
      `warning UC3239 tiles/town: ${first.slice('tiles/town/'.length)} and 1 more are listed by no manifest\n`,
    );
    expect(stderr).toContain('2 files: valid (1 warning)\n');
    const strict = await loose('tiles', '--strict');
    expect([strict.code, strict.found[0].ok, strict.found[0].severity]).toEqual([1, false, 'error']);
    expect(strict.stderr).toContain('2 files: 1 valid, 1 with errors (1 error)\n');
    rmSync(join(folder, second));
    expect((await loose('tiles')).stderr).toContain('is listed by no manifest\n');
    expect((await loose('tiles', '--allow', 'UC3239', '--strict')).code).toBe(0);
    // Whoever names a tile wants that tile checked.
    expect(await loose(first)).toMatchObject({ code: 0, found: [] });
  });

  test('are those beside a manifest that names others, too', async () => {
    cpSync(join(folder, payloads()[0]), join(folder, 'tiles/town/tile_99_0_99_lod1.untold'));
    const { found, stderr } = await loose('tiles');
    expect(found).toHaveLength(1);
    expect(stderr).toContain('tile_99_0_99_lod1.untold is listed by no manifest\n');
    // The manifest beside the folder counts, though it is not among the files that are checked.
    expect((await loose('tiles/town')).found).toHaveLength(1);
    rmSync(join(folder, 'tiles/town/tile_99_0_99_lod1.untold'));
    expect(await loose('tiles/town', '--strict')).toMatchObject({ code: 0, found: [] });
    expect(await loose('tiles/town/*.untold', '--strict')).toMatchObject({ code: 0, found: [] });
  });

  test('are not single files, however many lie in a folder', async () => {
    for (const name of ['chair', 'tile', 'floor_tile_2', 'chair_lod1']) {
      expect((await untold(folder, ['cook', 'town.gltf', '--out', `models/${name}.untold`])).code).toBe(0);
    }
    expect(await loose('models', '--strict')).toMatchObject({ code: 0, found: [] });
  });

  test('are known by the names that the cook gives, in a grid and in trees', async () => {
    const wide = ['--lod', '0.5', '--hlod', '0.2', '--shared-bucket', 'always'];
    const cooks = [[], ['--remote'], ['--partition', 'quadtree'], ['--partition', 'kdtree'], wide];
    for (const [i, options] of cooks.entries()) {
      expect((await untold(folder, ['cook', 'town.gltf', '--scene', 'Night', '--out', `c${i}`, ...options])).code).toBe(
        0,
      );
      const count = readdirSync(join(folder, `c${i}/town`)).filter((name) => name.endsWith('.untold')).length;
      rmSync(join(folder, `c${i}/town.json`));
      const { found } = await loose(`c${i}`);
      expect(found).toHaveLength(1);
      const more = /and (\d+) more/.exec((found[0] as unknown as { message: string }).message);
      expect([options, Number(more?.[1] ?? 0) + 1]).toEqual([options, count]);
    }
  });
});
