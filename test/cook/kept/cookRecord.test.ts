// Records of cooks that are whole and say something else than records do: each is a miss.

import { expect, test } from 'vitest';
import { CookRecords } from '../../../src/cook/kept/cookRecord.ts';
import type { CookJob, CookOutcome } from '../../../src/cook/types.ts';
import { diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import { DEFAULT_LIMITS } from '../../../src/diagnostics/limits.ts';
import { LENIENT } from '../../../src/diagnostics/policy.ts';

const JOB: CookJob = {
  source: 'scene.gltf',
  root: null,
  target: { kind: 'folder', folder: '/absent', sceneName: 'scene' },
  settings: { missingTexture: 'drop', tileSize: 25, compress: 'lz4' },
  policy: LENIENT,
  force: false,
};
const totals = {
  objects: 1,
  tiles: 1,
  models: 0,
  trianglesIn: 2,
  trianglesOut: 2,
  streamed: null,
  vertices: 4,
  materials: 1,
  textures: 0,
  files: 1,
  bytes: 9,
};
const OUTCOME: CookOutcome = {
  source: 'scene.gltf',
  status: 'ok',
  outputs: [],
  totals: { ...totals, levels: [{ level: 'lod1', tiles: 1, triangles: 1 }] },
  diagnostics: [diagnostic('UC2001', 'scene.gltf', 'meshes/0', 'left out 1 triangle')],
  filesRead: ['/scene.gltf'],
};

// biome-ignore lint/suspicious/noExplicitAny: the tests bend the JSON in every way there is.
type Json = any;

function stored(): { record: Json; units: Json } {
  const kept = new Map<string, Json>();
  const put = (kind: string, _: string, bytes: Uint8Array) => {
    kept.set(kind, JSON.parse(new TextDecoder().decode(bytes)));
  };
  const note = { kind: 'payload', name: 'tile_0_0', keyInputs: { settings: 'ab' }, isMade: true } as const;
  const trace = { read: [], seen: [], missing: ['/absent.png'], noFile: [], lookups: [] };
  new CookRecords({ get: () => null, put }, '/').record(JOB, OUTCOME, {
    trace,
    units: [note],
    used: DEFAULT_LIMITS,
    stamps: new Map(),
  });
  return { record: kept.get('cook'), units: kept.get('cook-units') };
}

function records(value: unknown): CookRecords {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return new CookRecords({ get: () => bytes, put: () => {} }, '/');
}

test('what was recorded is found', () => {
  const { record, units } = stored();
  expect(records(record).check(JOB).outcome).toEqual(OUTCOME);
  expect(records(units).units(JOB)).toHaveLength(1);
});

const changes: [string, (record: Json) => void][] = [
  ['a code that does not exist', (r) => (r.outcome.diagnostics[0].code = 'UC2001/../')],
  ['a code of an object', (r) => (r.outcome.diagnostics[0].code = 'constructor')],
  ['a diagnostic that is none', (r) => r.outcome.diagnostics.push(null)],
  ['a severity that does not exist', (r) => (r.outcome.diagnostics[0].severity = 'fatal')],
  ['no list of diagnostics', (r) => (r.outcome.diagnostics = {})],
  ['a file that was read without a name', (r) => r.outcome.filesRead.push(3)],
  ['totals without levels', (r) => delete r.outcome.totals.levels],
  ['a level that is a number', (r) => r.outcome.totals.levels.push(3)],
  ['an output without a path', (r) => r.outputs.push({ stamp: {}, sha256: '', bytes: 1 })],
  [
    'an input with a time that is no number',
    (r) => r.inputs.push({ path: '/a', stamp: { size: 1, mtime: 'x', ctime: '1', inode: '1' }, sha256: '', time: 1 }),
  ],
  ['settings that are no texts', (r) => (r.settings.compress = 3)],
  ['a link that leads to nothing', (r) => r.seen.push({ path: '/a' })],
  ['a missing file without a name', (r) => r.missing.push(null)],
];

test.each(changes)('%s: a miss', (_, change) => {
  const { record } = stored();
  change(record);
  expect(records(record).check(JOB)).toMatchObject({
    outcome: null,
    reasons: ['no complete cook of it is recorded'],
    isRecorded: false,
  });
});

test('notes of units that are none count as no notes', () => {
  const { units: found } = stored();
  const [unit] = found.units;
  for (const change of [null, { ...unit, kind: 'other' }, { ...unit, keyInputs: [3] }, { ...unit, name: 3 }]) {
    expect(records({ ...found, units: [change] }).units(JOB)).toEqual([]);
  }
  expect(records({ ...found, code: 'of another version' }).units(JOB)).toEqual([]);
});
