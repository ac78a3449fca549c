// Models: fixtures of another writer, a file by hand, and what is written.

import { describe, expect, test } from 'vitest';
import { geometryCentres, modelBox } from '../../../src/formats/urho3d/model/bounds.ts';
import { checkModel, readModel, validateModel } from '../../../src/formats/urho3d/model/read.ts';
import { packVertices, vertexColumn } from '../../../src/formats/urho3d/model/vertices.ts';
import { narrowIndices, writeModel } from '../../../src/formats/urho3d/model/write.ts';
import { bytesOf, codesOf, fixture, fixtures } from './fixtures.ts';
import { minimal } from './models.ts';

/** The code of the rule that each broken fixture breaks. */
const BROKEN: Readonly<Record<string, string>> = {
  bad_bmask: 'UC3902',
  bad_box: 'UC3928',
  bad_circle: 'UC3914',
  bad_distance: 'UC3928',
  bad_draw: 'UC3914',
  bad_first: 'UC3911',
  bad_ibref: 'UC3914',
  bad_index: 'UC3914',
  bad_isize: 'UC3910',
  bad_mapping: 'UC3914',
  bad_mask: 'UC3910',
  bad_morph_lacks: 'UC3911',
  bad_morph_mask: 'UC3911',
  bad_morph_out: 'UC3914',
  bad_morph_range: 'UC3914',
  bad_morph_v: 'UC3914',
  bad_morph_vb: 'UC3914',
  bad_nan: 'UC3928',
  bad_nolod: 'UC3911',
  bad_nvb: 'UC3902',
  bad_order: 'UC3928',
  bad_parent: 'UC3914',
  bad_prim: 'UC3910',
  bad_rotation: 'UC3928',
  bad_semantic: 'UC3910',
  bad_three: 'UC3911',
  bad_twice: 'UC3911',
  bad_type: 'UC3910',
  bad_umd3: 'UC3901',
  bad_vbref: 'UC3914',
  bad_vertices: 'UC3902',
};

describe('fixtures of models', () => {
  const good = fixtures(/^good.*\.mdl$/);

  test('are all in the table', () => {
    expect(fixtures(/^bad.*\.mdl$/)).toEqual(Object.keys(BROKEN).map((name) => `${name}.mdl`));
    expect(good).toHaveLength(4);
  });

  test.each(Object.entries(BROKEN))('%s is refused with %s', (name, code) => {
    expect(codesOf(() => readModel(fixture(`${name}.mdl`), name))[0]).toBe(code);
  });

  test.each(good)('%s has nothing wrong with it and is written as it was', (name) => {
    const bytes = fixture(name);
    expect(validateModel(bytes, name)).toEqual([]);
    expect(writeModel(readModel(bytes, name))).toEqual(bytes);
  });

  test.each(good)('%s cut off anywhere is refused with the byte, but for its centres', (name) => {
    const bytes = fixture(name);
    const accepted: number[] = [];
    const unnamed: number[] = [];
    for (let length = 0; length < bytes.length; length++) {
      const { diagnostics } = checkModel(bytes.slice(0, length), name);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      if (errors.length === 0) accepted.push(length);
      if (errors.some(({ message }) => !/^byte \d+: /.test(message))) unnamed.push(length);
    }
    // Old files end before the centre of their one geometry.
    expect(accepted).toEqual([bytes.length - 12]);
    expect(unnamed).toEqual([]);
  });

  test('with every byte changed never end in another exception', () => {
    for (const name of good) {
      for (const value of [0, 1, 0x7f, 0xff]) {
        const bytes = fixture(name);
        for (let at = 0; at < bytes.length; at++) {
          const changed = bytes.slice();
          changed[at] = value;
          checkModel(changed, name);
        }
      }
    }
  });

  test('hold the triangle of another writer', () => {
    const model = readModel(fixture('good_umd2.mdl'), 'good_umd2.mdl');
    const [buffer] = model.vertexBuffers;
    expect([...vertexColumn(buffer, 'position')!.values]).toEqual([0, 0, 0, 0, 1, 0, 1, 0, 0]);
    expect([...vertexColumn(buffer, 'normal')!.values]).toEqual([0, 0, -1, 0, 0, -1, 0, 0, -1]);
    expect([...vertexColumn(buffer, 'texcoord')!.values]).toEqual([0, 0, 0, 1, 1, 0]);
    expect([...vertexColumn(buffer, 'tangent')!.values].slice(0, 4)).toEqual([1, 0, 0, 1]);
    expect(vertexColumn(buffer, 'color')).toBeNull();
    expect(model.indexBuffers).toEqual([new Uint16Array([0, 1, 2])]);
    expect(model.geometries[0].levels.map(({ distance }) => distance)).toEqual([0, 10]);
    const [{ name, buffers }] = model.morphs;
    expect(name).toBe('smile');
    expect(buffers[0].deltas).toEqual({
      vertex: new Uint32Array([1]),
      position: new Float32Array([0, 0.1, 0]),
      normal: null,
      tangent: null,
    });
    expect(model.bones.map((bone) => [bone.name, bone.parent, bone.radius])).toEqual([
      ['root', 0, 1],
      ['arm', 0, 1],
    ]);
    expect(readModel(fixture('good_umdl.mdl'), '').vertexBuffers[0].elements).toEqual(buffer.elements);
  });
});

test('a file by hand gives every field, and the same bytes', () => {
  const bytes = minimal();
  const model = readModel(bytes, 'hand.mdl');
  expect(model).toMatchObject({
    format: 'UMD2',
    vertexBuffers: [
      {
        vertexCount: 3,
        elements: [
          { semantic: 'position', type: 'vector3', index: 0 },
          { semantic: 'color', type: 'ubyte4Norm', index: 0 },
          { semantic: 'blendWeights', type: 'vector4', index: 0 },
          { semantic: 'blendIndices', type: 'ubyte4', index: 0 },
        ],
        morphStart: 1,
        morphCount: 2,
      },
    ],
    indexBuffers: [new Uint16Array([0, 2, 1])],
    geometries: [
      {
        boneMapping: new Uint32Array([1, 0]),
        levels: [{ distance: 0, primitive: 0, vertexBuffer: 0, indexBuffer: 0, indexStart: 0, indexCount: 3 }],
      },
    ],
    morphs: [{ name: 'up', buffers: [{ vertexBuffer: 0, deltas: { vertex: new Uint32Array([2]) } }] }],
    bones: [
      {
        name: 'hip',
        parent: 0,
        position: [0, 1, 0],
        rotation: [1, 0, 0, 0],
        scale: [1, 1, 1],
        offset: [1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0],
        radius: 0.25,
        box: null,
      },
      { name: 'toe', rotation: [0, 1, 0, 0], scale: [1, 2, 1], radius: null, box: [-1, -2, -3, 1, 2, 3] },
    ],
    box: [0, 0, 0, 2, 4, 0],
    centres: [[1, 1.5, 0]],
  });
  expect([...vertexColumn(model.vertexBuffers[0], 'color')!.values].slice(0, 4)).toEqual([10, 20, 30, 255]);
  expect(writeModel(model)).toEqual(bytes);
});

describe('writing', () => {
  test('takes indices of 16 bits up to 65535 vertices', () => {
    expect(narrowIndices(new Uint32Array([0, 65534]), 65535)).toEqual(new Uint16Array([0, 65534]));
    expect(narrowIndices(new Uint32Array([0, 65535]), 65536)).toEqual(new Uint32Array([0, 65535]));
  });

  test('refuses what no file can hold', () => {
    const model = readModel(minimal(), '');
    expect(() => writeModel({ ...model, geometries: [{ ...model.geometries[0], levels: [] }] })).toThrow('UC3911');
    expect(() => writeModel({ ...model, centres: [] })).toThrow('centre');
    expect(() => writeModel({ ...model, bones: [{ ...model.bones[0], box: [0, 0, 0, 1, 1, 1] }] })).toThrow('fit');
    expect(() => writeModel({ ...model, morphs: [{ name: 'a\0b', buffers: [] }] })).toThrow('byte 0');
    const [buffer] = model.vertexBuffers;
    expect(() => writeModel({ ...model, vertexBuffers: [{ ...buffer, vertexCount: 2 }] })).toThrow('another size');
    // UMDL has no order of its own: colours come before weights.
    expect(writeModel({ ...model, format: 'UMDL' }).length).toBe(minimal().length - 16);
    const swapped = { ...buffer, elements: [0, 2, 1, 3].map((i) => buffer.elements[i]) };
    expect(() => writeModel({ ...model, format: 'UMDL', vertexBuffers: [swapped] })).toThrow('no mask');
  });

  test('packs colours, whole numbers and floats of a vertex without gaps', () => {
    const packed = packVertices(
      [
        { semantic: 'position', type: 'vector3', index: 0, values: new Float32Array([1, 2, 3]) },
        { semantic: 'color', type: 'ubyte4Norm', index: 0, values: new Uint8Array([1, 2, 3, 4]) },
        { semantic: 'objectIndex', type: 'int', index: 0, values: new Uint32Array([7]) },
      ],
      true,
    );
    expect(packed).toMatchObject({ vertexCount: 1, morphStart: 0, morphCount: 1 });
    expect(packed.data).toEqual(bytesOf(['f32', 1, 2, 3], ['u8', 1, 2, 3, 4], ['u32', 7]));
    expect(vertexColumn(packed, 'objectIndex')!.values).toEqual(new Uint32Array([7]));
  });

  test('states the box and the centres of the first level', () => {
    const model = readModel(minimal(), '');
    // Corners (0, 0, 0), (2, 4, 0) and (1, 1, 0).
    expect(modelBox(model)).toEqual([0, 0, 0, 2, 4, 0]);
    expect(geometryCentres(model)).toEqual([[1, 5 / 3, 0]]);
    const [{ boneMapping, levels }] = model.geometries;
    const empty = { ...model, geometries: [{ boneMapping, levels: [{ ...levels[0], indexCount: 0 }] }] };
    expect([modelBox(empty), geometryCentres(empty)]).toEqual([[0, 0, 0, 0, 0, 0], [[0, 0, 0]]]);
  });
});
