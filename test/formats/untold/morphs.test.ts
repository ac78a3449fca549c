// Chunks 23, 24 and 26: bytes worked out by hand from the record layouts of the engine's reader, and a round trip.

import { describe, expect, it } from 'vitest';
import { validateUntold } from '../../../src/formats/untold/check/validate.ts';
import { readDrawnFile } from '../../../src/formats/untold/drawnFile.ts';
import { describeUntold, readUntold } from '../../../src/formats/untold/read.ts';
import { deltasOf, morphsByMesh, storedMorphs } from '../../../src/formats/untold/storedMorphs.ts';
import type { UntoldMorph, UntoldScene } from '../../../src/formats/untold/types.ts';
import { writeUntold } from '../../../src/formats/untold/write.ts';
import { identity } from '../../../src/scene/matrix.ts';
import type { RigMorph } from '../../../src/scene/rig.ts';
import { concat, f32, fixture, NONE, takeApart, u16, u32 } from './edit.ts';

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');

/** The fixture's quad (mesh 0, four vertices, entity 1) with a skin, and what is added. */
async function skinned(more: Partial<UntoldScene>): Promise<UntoldScene> {
  const scene = await readUntold(fixture('valid-v1-none.untold'), 'f');
  return {
    ...scene,
    skeletons: [
      { entity: 0, name: 'Neck', joints: [{ parent: NONE, path: '/Neck', bind: identity(), rest: identity() }] },
    ],
    skins: [
      {
        entity: 1,
        mesh: 0,
        skeletonEntity: 0,
        joints: Uint32Array.of(0),
        indices: new Uint16Array(16),
        weights: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),
      },
    ],
    ...more,
  };
}

/** Points 7, 0, 9, 7 of the source: none moves vertex 1, and vertices 0 and 3 are copies of one point. */
const POINTS = Uint32Array.of(7, 0, 9, 7);
const SMILE: RigMorph = {
  name: 'smile',
  weight: 0.25,
  vertices: Uint32Array.of(7, 9),
  positions: Float32Array.of(0.5, 0, -3, 0, 1.5, 0),
  normals: Float32Array.of(0, 0, 0, 0, -1, 0.5),
  drivers: [{ joint: '/Neck', kernel: 0, pose: [0, 0, 0, 1], radius: 0.5 }],
};
const BLINK: RigMorph = {
  name: 'blink',
  weight: 0,
  vertices: Uint32Array.of(9),
  positions: Float32Array.of(0, -0.25, 0),
  normals: null,
};

describe('bytes', () => {
  it('of targets (24), entries (16) and a driver (36), with two vertices of one point', async () => {
    const scene = await skinned({ morphs: storedMorphs(POINTS, [SMILE, BLINK], 0) });
    const { chunks } = takeApart(await writeUntold(scene, { compression: 'lz4' }));
    const strings = Buffer.from(chunks[0].bytes).toString();
    const at = (text: string) => `\0${strings}`.indexOf(`\0${text}\0`);
    const chunk = (type: number) => chunks.find((one) => one.type === type);

    // Mesh, name, flags, first entry, entries, scale: the least power of two that no delta exceeds.
    const smile = concat(u32(0, at('smile'), 1, 0, 3), f32(4));
    const blink = concat(u32(0, at('blink'), 0, 3, 1), f32(0.25));
    expect(smile.length).toBe(24);
    expect(hex(chunk(23)?.bytes)).toBe(hex(concat(smile, blink)));
    expect(chunk(23)?.elementCount).toBe(2);

    // Vertex, position / scale, normal, as halves: 0.5 / 4 = 2^-3 is 0x3000, -3 / 4 is 0xba00, 1.5 / 4 is 0x3600.
    const entries = concat(
      concat(u32(0), u16(0x3000, 0, 0xba00, 0, 0, 0)),
      concat(u32(2), u16(0, 0x3600, 0, 0, 0xbc00, 0x3800)),
      concat(u32(3), u16(0x3000, 0, 0xba00, 0, 0, 0)),
      concat(u32(2), u16(0, 0xbc00, 0, 0, 0, 0)),
    );
    expect(entries.length).toBe(4 * 16);
    expect(hex(chunk(24)?.bytes)).toBe(hex(entries));
    expect(chunk(24)?.elementCount).toBe(4);

    // Target, path of the joint, kernel, x y z w, radius, 0.
    const driver = concat(u32(0, at('/Neck'), 0), f32(0, 0, 0, 1, 0.5), u32(0));
    expect(driver.length).toBe(36);
    expect(hex(chunk(26)?.bytes)).toBe(hex(driver));
    expect(chunks.slice(-3).map(({ type }) => type)).toEqual([23, 24, 26]);
  });

  it('are those of before where there are no targets', async () => {
    const bytes = async (more: Partial<UntoldScene>) =>
      hex(await writeUntold(await skinned(more), { compression: 'none' }));
    expect(await bytes({ morphs: [] })).toBe(await bytes({}));
  });
});

describe('a target', () => {
  it('is read as it was written, with its deltas to half precision', async () => {
    const file = await writeUntold(await skinned({ morphs: storedMorphs(POINTS, [SMILE, BLINK], 0) }), {
      compression: 'lz4',
    });
    expect(await validateUntold(file, 'f', { engine: true })).toEqual([]);
    const { morphs = [] } = await readUntold(file, 'f');
    expect(morphs.map(({ name, mesh, drivers }) => [name, mesh, drivers])).toEqual([
      ['smile', 0, SMILE.drivers],
      ['blink', 0, []],
    ]);
    expect(deltasOf(morphs[0])).toEqual({
      vertices: Uint32Array.of(0, 2, 3),
      positions: Float32Array.of(0.5, 0, -3, 0, 1.5, 0, 0.5, 0, -3),
      normals: Float32Array.of(0, 0, 0, 0, -1, 0.5, 0, 0, 0),
    });
    expect(deltasOf(morphs[1])).toMatchObject({ vertices: Uint32Array.of(2), normals: null });
    const { description } = await describeUntold(file, 'f');
    expect(description.totals.morphs).toBe(2);
    expect(description.morphs).toEqual([
      { name: 'smile', mesh: 0, entries: 3, hasNormals: true },
      { name: 'blink', mesh: 0, entries: 1, hasNormals: false },
    ]);
  });

  it('that moves no vertex of the mesh is left out', () => {
    expect(storedMorphs(Uint32Array.of(1, 2, 0, 0), [SMILE, BLINK], 0)).toEqual([]);
  });

  it('is found by its mesh, in the order of the file', () => {
    const of = (mesh: number, name: string) => ({ ...storedMorphs(POINTS, [BLINK], mesh)[0], name });
    const byMesh = morphsByMesh([of(3, 'a'), of(0, 'b'), of(3, 'c')]);
    expect([...byMesh].map(([mesh, own]) => [mesh, own.map(({ name }) => name)])).toEqual([
      [3, ['a', 'c']],
      [0, ['b']],
    ]);
    expect(morphsByMesh(undefined).size).toBe(0);
  });

  it('keeps its bytes when it is stored again, whatever its deltas are', () => {
    const points = Uint32Array.from({ length: 4 }, (_, v) => v + 1);
    for (const size of [1e-30, 3e-5, 0.7, 1, 1.0000001, 1023, 1e30]) {
      const positions = Float32Array.from({ length: 12 }, (_, i) => (size * (i + 1) * (i % 2 ? -1 : 1)) / 12);
      const [once] = storedMorphs(points, [{ ...BLINK, vertices: points, positions }], 0);
      const [again] = storedMorphs(points, [{ ...BLINK, ...deltasOf(once), vertices: points }], 0);
      expect(again).toEqual(once);
      const step = 2 ** -11 * once.positionScale;
      const off = deltasOf(once).positions.map((value, i) => Math.abs(value - positions[i]) / step);
      expect(Math.max(...off)).toBeLessThanOrEqual(1);
      const largest = Math.max(...positions.map(Math.abs));
      expect(once.positionScale * 1.0005).toBeGreaterThanOrEqual(largest);
      expect(once.positionScale).toBeLessThan(largest * 2.0001);
    }
  });

  it('is drawn at the weight that is asked for, and not without one', async () => {
    const file = await writeUntold(await skinned({ morphs: storedMorphs(POINTS, [SMILE, BLINK], 0) }), {
      compression: 'none',
    });
    const still = await readDrawnFile(file, 'f');
    expect(still.morphs).toEqual(['smile', 'blink']);
    const moved = await readDrawnFile(
      file,
      'f',
      new Map([
        ['smile', 0.5],
        ['blink', -2],
      ]),
    );
    const by = moved.meshes[0].positions.map((value, i) => value - still.meshes[0].positions[i]);
    // Half of each delta; of vertex 2 also -2 x -0.25.
    expect([...by]).toEqual([0.25, 0, -1.5, 0, 0, 0, 0, 0.75 + 0.5, 0, 0.25, 0, -1.5]);
    const turned = moved.meshes[0].normals.map((value, i) => value - still.meshes[0].normals[i]);
    expect([...turned.slice(6, 9)].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([0, -0.5, 0.25]);
  });

  it.each([
    ['beyond the mesh', { vertices: Uint32Array.of(4), deltas: new Uint16Array(6) }, 'beyond the mesh'],
    ['twice', { vertices: Uint32Array.of(1, 1), deltas: new Uint16Array(12) }, 'do not ascend'],
    ['without its halves', { vertices: Uint32Array.of(1), deltas: new Uint16Array(5) }, 'six halves'],
    ['of no mesh', { mesh: 1 }, 'no mesh 1'],
  ])('that lists a vertex %s is a mistake of the caller', async (_, change, words) => {
    const [morph] = storedMorphs(POINTS, [BLINK], 0);
    const scene = await skinned({ morphs: [{ ...morph, ...(change as Partial<UntoldMorph>) }] });
    await expect(writeUntold(scene, { compression: 'none' })).rejects.toThrow(words);
  });
});
