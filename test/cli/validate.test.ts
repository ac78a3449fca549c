import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { put, RED_PNG, squareGltf, temporaryFolder, untold } from './run.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'red.png', RED_PNG);
  expect(untold(folder, ['cook', 'town.gltf', '--scene', 'Night', '--out', 'tiles']).code).toBe(0);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Row {
  path: string;
  ok: boolean;
  diagnostics: { code: string; severity: string; file: string }[];
}

function validate(...args: string[]): { code: number | null; files: Row[]; stderr: string } {
  const { code, stdout, stderr } = untold(folder, ['validate', '--json', ...args]);
  return { code, stderr, ...(JSON.parse(stdout) as { files: Row[] }) };
}

const payloads = () =>
  readdirSync(join(folder, 'tiles/town'))
    .filter((name) => name.endsWith('.untold'))
    .sort()
    .map((name) => `tiles/town/${name}`);

test('a manifest is checked with its payloads, a folder and a pattern with all they hold, each file once', () => {
  expect(payloads()).toHaveLength(2);
  const whole = ['tiles/town.json', ...payloads()];
  for (const words of [['tiles/town.json'], ['tiles'], ['tiles/**'], ['tiles/town.json', 'tiles', 'tiles/*.json']]) {
    const { code, files, stderr } = validate(...words);
    expect([words, code, [...files].map(({ path }) => path).sort()]).toEqual([words, 0, [...whole].sort()]);
    expect(files.every(({ ok, diagnostics }) => ok && diagnostics.length === 0)).toBe(true);
    expect(stderr).toBe('3 files: valid\n');
  }
  expect(validate('tiles/town.json').files[0].path).toBe('tiles/town.json');
  expect(validate('tiles/town/*.untold').files.map(({ path }) => path)).toEqual(payloads());
});

test('without --json nothing goes to stdout', () => {
  expect(untold(folder, ['validate', 'tiles'])).toEqual({ code: 0, stdout: '', stderr: '3 files: valid\n' });
  expect(untold(folder, ['validate', 'tiles', '--quiet']).stderr).toBe('');
  expect(untold(folder, ['validate', 'tiles', '--verbose']).stderr).toContain('tiles/town.json: ok\n');
});

test('damage is an error of the file that has it', () => {
  const [first] = payloads();
  const bytes = readFileSync(join(folder, first));
  bytes[bytes.length - 1] ^= 0xff;
  writeFileSync(join(folder, first), bytes);
  const { code, files, stderr } = validate('tiles/town.json');
  expect(code).toBe(1);
  const row = files.find(({ path }) => path === first)!;
  expect(row.ok).toBe(false);
  expect(row.diagnostics.map((d) => d.code)).toContain('UC3015');
  expect(row.diagnostics.every((d) => d.file === first)).toBe(true);
  expect(files.find(({ path }) => path === 'tiles/town.json')?.ok).toBe(false);
  expect(stderr).toContain(`error UC3015 ${first}`);
});

test('a payload that is gone is an error of the manifest, a texture that is gone a warning', () => {
  const textures = join(folder, 'tiles/town/Textures');
  const [texture] = readdirSync(textures);
  cpSync(join(folder, 'tiles/town'), join(folder, 'alone'), { recursive: true });
  rmSync(join(folder, 'alone/Textures'), { recursive: true });
  const alone = validate('alone');
  expect([alone.code, ...alone.files.map((row) => row.diagnostics.map((d) => d.code).join())]).toEqual([
    0,
    'UC3108',
    'UC3108',
  ]);
  expect(validate('alone', '--strict').code).toBe(1);
  expect(validate('alone', '--deny', 'UC3108').code).toBe(1);
  expect(validate('alone', '--strict', '--allow', 'UC3108').code).toBe(0);
  rmSync(join(textures, texture));
  rmSync(join(folder, payloads()[0]));
  const gone = validate('tiles/town.json');
  expect([gone.code, gone.files[0].ok, gone.files.length]).toEqual([1, false, 2]);
});

test('other JSON in a folder is passed over, broken JSON and JSON that is named is not', () => {
  put(folder, 'tiles/package.json', '{"name": "x"}');
  expect(validate('tiles').files).toHaveLength(3);
  put(folder, 'tiles/cut.json', '{"tiles": [');
  const { code, files } = validate('tiles');
  expect([code, files.filter(({ ok }) => !ok).map(({ path }) => path)]).toEqual([1, ['tiles/cut.json']]);
  expect(validate('tiles/package.json').code).toBe(1);
});

test('what cannot be read or is something else is said so', () => {
  expect(validate('missing.untold')).toMatchObject({
    code: 3,
    files: [{ ok: false, diagnostics: [{ code: 'UC1200' }] }],
  });
  expect(validate('red.png')).toMatchObject({
    code: 1,
    files: [{ diagnostics: [{ code: 'UC3000', file: 'red.png' }] }],
  });
  put(folder, 'empty.untold', '');
  expect(validate('empty.untold').code).toBe(1);
  expect(untold(folder, ['validate', '.git']).code).toBe(3);
  put(folder, 'void/x.txt', '');
  expect(untold(folder, ['validate', 'void'])).toMatchObject({ code: 2, stdout: '' });
});
