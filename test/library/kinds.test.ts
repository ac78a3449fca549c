// Each command with a file of each kind: it takes those that the table of kinds says, and refuses the others for their kind.

import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileCommand, KIND_IDS, type KindId, takes } from '../../src/formats/kinds.ts';
import { FORMAT_IDS, FORMATS } from '../../src/formats/registry.ts';
import { CLIPS } from '../../src/formats/untold/clipFiles.ts';
import { writeAnimation } from '../../src/formats/urho3d/animation/write.ts';
import * as untold from '../../src/index.ts';
import { bytesOf } from '../formats/urho3d/fixtures.ts';
import { double, prim, token, writeCrate } from '../importers/usd/crateWriter.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

const SAMPLES = resolve(import.meta.dirname, '../../samples');

let folder: string;
const files = new Map<KindId, string>();
const at = (name: string): string => join(folder, name);

/** The only file of a folder below the output whose name ends so. */
function below(place: string, ending: string): string {
  const [found] = readdirSync(at(place), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
  return join(place, found);
}

beforeAll(async () => {
  folder = temporaryFolder();
  put(folder, 'red.png', RED_PNG);
  put(folder, 'town.gltf', squareGltf({ image: 'red.png' }));
  put(folder, 'town.usda', '#usda 1.0\n(upAxis = "Y"\nmetersPerUnit = 1\ndefaultPrim = "A")\ndef Cube "A" {}\n');
  const stage = { upAxis: token('Y'), metersPerUnit: double(1), defaultPrim: token('A') };
  put(folder, 'town.usdc', writeCrate({ '/': stage, '/A': prim('Cube') }));
  copyFileSync(join(SAMPLES, 'courtyard.usdz'), at('town.usdz'));
  const cook = async (out: string, more: untold.CookOptions = {}) => {
    const { exitCode, diagnostics } = await untold.cook(at('town.gltf'), { out: at(out), jobs: 1, ...more });
    expect([out, exitCode, diagnostics]).toEqual([out, 0, []]);
  };
  await cook('set');
  await cook('urho3d', { target: 'urho3d' });
  await cook('shard', { shard: '0/2' });
  await cook('one/town.untoldpack');
  for (const format of FORMAT_IDS) {
    const { extension, kinds } = FORMATS[format];
    await cook(`one/town${extension}`);
    files.set(kinds[0], at(`one/town${extension}`));
  }
  await untold.pack(at('urho3d'), { out: at('town.pak') });
  const still = { times: new Float32Array(0), values: new Float32Array(0) };
  const channels = [
    { path: '/a', translations: still, rotations: { times: Float32Array.of(0), values: Float32Array.of(0, 0, 0, 1) } },
  ];
  put(folder, 'walk.untoldanim', await CLIPS!.encode({ name: 'walk', duration: 1, channels }, { compression: 'none' }));
  put(folder, 'walk.ani', writeAnimation({ name: 'walk', length: 1, tracks: [] }));
  put(folder, 'a.vs3', bytesOf('USHD', ['u16', 0, 3], ['u32', 0], ['u32', 0], ['u32', 1], ['u8', 9]));
  put(folder, 'a.asc', bytesOf('ASBC', ['u8', 1]));
  const others: Partial<Record<KindId, string>> = {
    usda: 'town.usda',
    usdc: 'town.usdc',
    usdz: 'town.usdz',
    gltf: 'town.gltf',
    manifest: 'set/town.json',
    untoldpack: 'one/town.untoldpack',
    clip: 'walk.untoldanim',
    utex: below('set', '.utex'),
    shard: below('shard', '.shard.json'),
    ani: 'walk.ani',
    pak: 'town.pak',
    shader: 'a.vs3',
    script: 'a.asc',
    material: below('urho3d/Materials', '.xml'),
    scene: 'urho3d/Scenes/town.xml',
    record: 'urho3d/town.json',
  };
  for (const [id, name] of Object.entries(others)) files.set(id as KindId, at(name));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly exitCode: number;
  readonly diagnostics: readonly untold.Diagnostic[];
}

/** How a command is called, and with which codes it refuses a file for its kind. */
const COMMANDS: Readonly<
  Record<FileCommand, readonly [refusals: readonly string[], call: (file: string, id: KindId) => Promise<Outcome>]>
> = {
  cook: [
    ['UC1201', 'UC2402', 'UC2460'],
    async (file) => {
      const { exitCode, results, diagnostics } = await untold.cook(file, { out: at('again'), dryRun: true, jobs: 1 });
      return { exitCode, diagnostics: [...diagnostics, ...results.flatMap((one) => one.diagnostics)] };
    },
  ],
  validate: [
    // Files that are no kind of output are checked as the one that they could be.
    ['UC3000', 'UC3201'],
    async (file) => {
      const { exitCode, files: checked } = await untold.validate(file);
      return { exitCode, diagnostics: checked.flatMap(({ diagnostics }) => diagnostics) };
    },
  ],
  verify: [
    [],
    async (file) => {
      const { exitCode, document } = await untold.verify(file);
      return { exitCode, diagnostics: document?.files.flatMap(({ diagnostics }) => diagnostics) ?? [] };
    },
  ],
  check: [['UC5000'], (file) => untold.check(file)],
  why: [['UC5000'], (file) => untold.why(file)],
  advise: [['UC1201', 'UC2402', 'UC2460'], (file) => untold.advise(file)],
  diff: [['UC5000'], (file) => untold.diff(file, file)],
  inspect: [['UC1201'], (file) => untold.inspect(file)],
  render: [['UC5000'], (file) => untold.render(file, { size: '16x16' })],
  view: [
    ['UC5000'],
    async (file) => {
      const result = await untold.view(file);
      await result.close();
      return result;
    },
  ],
  pack: [['UC3800'], (file, id) => untold.pack(file, { out: at(`packed-${id}.usdz`) })],
  unpack: [['UC3820'], (file, id) => untold.unpack(file, { out: at(`unpacked-${id}`) })],
};

const codes = ({ diagnostics }: Outcome) => diagnostics.map(({ code }) => code);

test('every kind has a fixture, which is of its kind', async () => {
  expect([...files.keys()].sort()).toEqual([...KIND_IDS].sort());
  const { kindOfBytes } = await import('../../src/formats/recognise.ts');
  for (const [id, file] of files) expect([file, kindOfBytes(readFileSync(file), file)]).toEqual([file, id]);
});

describe.each(Object.keys(COMMANDS) as FileCommand[])('%s', (command) => {
  const [refusals, call] = COMMANDS[command];

  test.each(KIND_IDS.filter((id) => takes(command, id)))('takes %s', async (id) => {
    const outcome = await call(files.get(id) as string, id);
    // A part of a set is told to be one.
    expect([outcome.exitCode, codes(outcome).filter((code) => refusals.includes(code))]).toEqual([
      id === 'shard' && command !== 'inspect' ? 1 : 0,
      [],
    ]);
  });

  test.each(KIND_IDS.filter((id) => !takes(command, id) && refusals.length > 0))('refuses %s', async (id) => {
    const outcome = await call(files.get(id) as string, id);
    expect(outcome.exitCode).not.toBe(0);
    expect(codes(outcome).some((code) => refusals.includes(code))).toBe(true);
  });
});

/** What fills a picture: its mean colour, and how many pixels differ from the sky of an empty one. */
async function meanColor(file: string): Promise<readonly number[]> {
  const { picture } = await untold.render(file, { size: '64x64', camera: 'orbit' });
  const sums = [0, 0, 0];
  const rgb = picture?.rgb ?? new Uint8Array(0);
  for (const [i, value] of rgb.entries()) sums[i % 3] += value / (rgb.length / 3);
  return sums;
}

test('render shows the same of every output that holds materials', async () => {
  const expected = await meanColor(files.get('untold') as string);
  for (const id of ['gltf', 'glb', 'mdl', 'untoldpack'] as const) {
    const found = await meanColor(files.get(id) as string);
    for (const k of [0, 1, 2]) expect([id, Math.abs(found[k] - expected[k]) < 1]).toEqual([id, true]);
  }
  const set = await meanColor(files.get('manifest') as string);
  for (const id of ['record', 'scene'] as const) {
    const found = await meanColor(files.get(id) as string);
    for (const k of [0, 1, 2]) expect([id, Math.abs(found[k] - set[k]) < 1]).toEqual([id, true]);
  }
});
