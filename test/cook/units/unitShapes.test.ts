import { describe, expect, test } from 'vitest';
import { pack } from '../../../src/bytes/pack.ts';
import { sha256Hex } from '../../../src/bytes/sha256.ts';
import { KeptLevels } from '../../../src/cook/units/keptLevels.ts';
import { KeptPayloads } from '../../../src/cook/units/keptPayloads.ts';
import type { SceneDigests } from '../../../src/cook/units/sceneDigests.ts';
import { UnitStore } from '../../../src/cook/units/unitStore.ts';

const bytes = new Uint8Array([1, 2, 3]);
const measures = { bounds: { min: [0, 0, 0], max: [1, 1, 1] }, gpuBytes: 1, meshes: 1, vertices: 3, file: bytes };
const item = { code: 'UC1203', severity: 'warning', file: 'a', path: '', message: 'm', remedy: 'r' };
const reported = [{ item, once: null }];
const texture = { fileName: 'a.png', bytes, sha256: sha256Hex(bytes) };
const made = [{ ...texture, width: 1, height: 1, format: 0, mipCount: 1, flags: 1 }];
const level = { ...measures, name: 'lod1', fileType: 'lod', triangles: 1, error: 0.1, textures: ['known.png'], made };
const surface = { material: 'm', tint: null, palette: null };
const payload = {
  payload: { ...measures, triangles: 1 },
  borders: new Uint32Array(3),
  reported,
  drawn: [{ naming: { tile: 't' }, surface, entities: 1 }],
  meshes: [reported],
  cuts: [],
};
const levels = { kind: 'levels', levels: [level], reported };
const cluster = { kind: 'cluster', hlod: level, reported };

/** A store that has the same entry for everything. */
const storeOf = (value: unknown) => new UnitStore({ find: async () => pack(value), put: () => {} });
const digests = { index: () => ({ material: 0, tint: null, palette: -1 }) } as unknown as SceneDigests;
const unit = { kind: 'payload', key: 'k' } as const;
const findPayload = (value: unknown) => new KeptPayloads(storeOf(value), digests).find(unit, 1, 0);
const knows = (name: string) => name === 'known.png';
const findLevels = (value: unknown) => new KeptLevels(storeOf(value), digests).findLevels(unit, knows);
const findCluster = (value: unknown) => new KeptLevels(storeOf(value), digests).findCluster(unit, knows);

/** The value with each field in turn, at any depth, replaced by something of another kind. */
function* broken(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return;
  for (const [key, of] of Object.entries(value)) {
    const put = (other: unknown) =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other };
    yield put({ no: 'such thing' });
    for (const part of broken(of)) yield put(part);
  }
}

describe('a kept unit', () => {
  test('is found as it was put', async () => {
    expect((await findPayload(payload))?.result.payload?.file).toEqual(bytes);
    expect(await findLevels(levels)).toEqual(levels);
    expect(await findCluster(cluster)).toEqual(cluster);
    expect(await findCluster({ ...cluster, hlod: null })).toEqual({ ...cluster, hlod: null });
  });

  test('is a miss when anything in it is of another kind', async () => {
    let count = 0;
    for (const [value, find] of [
      [payload, findPayload],
      [levels, findLevels],
      [cluster, findCluster],
    ] as const) {
      for (const other of [7, null, [], {}, ...broken(value)]) {
        expect(await find(other), JSON.stringify(other)).toBeNull();
        count++;
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  test('is a miss when it names what the scene does not have, or a path', async () => {
    expect(await findPayload({ ...payload, meshes: [] })).toBeNull();
    expect(await findLevels({ ...levels, levels: [{ ...level, textures: ['unknown.png'] }] })).toBeNull();
    for (const fileName of ['../a.png', 'a/b.png', 'a\\b.png', '..', '']) {
      expect(await findLevels({ ...levels, levels: [{ ...level, made: [{ ...made[0], fileName }] }] })).toBeNull();
    }
    const other = [{ ...made[0], bytes: new Uint8Array([4]) }];
    expect(await findLevels({ ...levels, levels: [{ ...level, made: other }] })).toBeNull();
  });

  test('does not hold what it was read from', async () => {
    const found = await findLevels(levels);
    const [{ bytes: own }] = found?.levels[0].made ?? [];
    expect(own.buffer.byteLength).toBe(bytes.length);
    expect((await findPayload(payload))?.result.borders.buffer.byteLength).toBe(12);
  });
});
