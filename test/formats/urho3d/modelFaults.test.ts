// Faults of models that no fixture has, one for each code.

import { describe, expect, test } from 'vitest';
import type { Model } from '../../../src/formats/urho3d/model/layout.ts';
import { readModel, validateModel } from '../../../src/formats/urho3d/model/read.ts';
import { packVertices } from '../../../src/formats/urho3d/model/vertices.ts';
import { writeModel } from '../../../src/formats/urho3d/model/write.ts';
import { minimal } from './models.ts';

/** A triangle with what the case changes. */
function built(change: (model: Model) => Partial<Model>): Uint8Array {
  const model = readModel(minimal(), 'hand.mdl');
  return writeModel({ ...model, ...change(model) });
}

/** The file by hand with one place overwritten. */
function edited(change: (model: Model, view: DataView) => void): Uint8Array {
  const bytes = minimal();
  const model = readModel(bytes, 'hand.mdl');
  change(model, new DataView(bytes.buffer));
  return bytes;
}

const STRIDE = 36;
const FIRST_VERTEX = 4 + 4 + 4 + 20 + 8;

describe('faults that no fixture has', () => {
  test.each<[string, string, Uint8Array]>([
    ['UC3914', 'a blend index beyond the mapping', edited((_, v) => v.setUint8(FIRST_VERTEX + 33, 2))],
    ['UC3982', 'weights that add up to 1.5', edited((_, v) => v.setFloat32(FIRST_VERTEX + 16 + STRIDE, 1, true))],
    ['UC3928', 'an infinite weight', edited((_, v) => v.setFloat32(FIRST_VERTEX + 16, Infinity, true))],
    ['UC3902', 'a name without an end', minimal().slice(0, FIRST_VERTEX + 3 * STRIDE + 14 + 4 + 12 + 4 + 24 + 4 + 2)],
    ['UC3904', 'a name of Latin letters', edited((_, v) => v.setUint8(minimal().indexOf(0x75, 40), 0xfc))],
    ['UC3980', 'a byte behind the end', Uint8Array.from([...minimal(), 0])],
    ['UC3982', 'no centres', built(() => ({ centres: null }))],
    ['UC3982', 'a first distance of 5', built(({ geometries: [g] }) => ({ geometries: [withDistance(g, 5)] }))],
    [
      'UC3982',
      'a buffer twice',
      built(({ morphs: [m] }) => ({ morphs: [{ ...m, buffers: [...m.buffers, ...m.buffers] }] })),
    ],
    ['UC3985', 'bones of one name', built(({ bones: [a, b] }) => ({ bones: [a, { ...b, name: 'hip' }] }))],
    ['UC3986', 'two roots', built(({ bones: [a, b] }) => ({ bones: [a, { ...b, parent: 1 }] }))],
    ['UC3981', 'a line', built(({ geometries: [g] }) => ({ geometries: [lines(g)] }))],
    ['UC3982', 'a normal of length 2', built(() => shaded([0, 0, 2], [1, 0, 0, 1]))],
    ['UC3982', 'a tangent without a sign', built(() => shaded([0, 0, 1], [1, 0, 0, 0]))],
  ])('%s for %s', (code, _, bytes) => {
    expect(validateModel(bytes, 'x.mdl').map((d) => d.code)).toEqual([code]);
  });

  test('UC3928 and UC3928 for boxes and centres that are none', () => {
    const bytes = minimal();
    const view = new DataView(bytes.buffer);
    view.setFloat32(bytes.length - 36, Number.NaN, true);
    view.setFloat32(bytes.length - 4, Number.NaN, true);
    expect(validateModel(bytes, 'x').map((d) => d.code)).toEqual(['UC3928', 'UC3928']);
    view.setFloat32(bytes.length - 36, 3, true);
    view.setFloat32(bytes.length - 4, 0, true);
    expect(validateModel(bytes, 'x').map((d) => d.code)).toEqual(['UC3928']);
  });

  test('UC3037 for levels that draw the same indices far too often', () => {
    const level = { distance: 0, primitive: 2, vertexBuffer: 0, indexBuffer: 0, indexStart: 0, indexCount: 30000 };
    const levels = Array.from({ length: 2000 }, (_, distance) => ({ ...level, distance }));
    const model = readModel(minimal(), '');
    const bytes = () =>
      writeModel({
        ...model,
        indexBuffers: [new Uint16Array(30000)],
        geometries: [{ ...model.geometries[0], levels }],
      });
    expect(bytes).toThrow('UC3037');
  });
});

const withDistance = ({ boneMapping, levels: [level] }: Model['geometries'][number], distance: number) => ({
  boneMapping,
  levels: [{ ...level, distance }],
});

const lines = ({ boneMapping, levels: [level] }: Model['geometries'][number]) => ({
  boneMapping,
  levels: [{ ...level, primitive: 1, indexCount: 2 }],
});

function shaded(normal: number[], tangent: number[]): Partial<Model> {
  const column = (semantic: 'position' | 'normal', value: number[]) =>
    ({ semantic, type: 'vector3', index: 0, values: new Float32Array([...value, ...value, ...value]) }) as const;
  const tangents = new Float32Array([...tangent, ...tangent, ...tangent]);
  return {
    morphs: [],
    vertexBuffers: [
      packVertices([
        column('position', [0, 0, 0]),
        column('normal', normal),
        { semantic: 'tangent', type: 'vector4', index: 0, values: tangents },
      ]),
    ],
  };
}
