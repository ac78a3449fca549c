// The table of vertex attributes: each row complete, each name once, and what follows from the rows.

import { describe, expect, test } from 'vitest';
import { STORED_ATTRIBUTES as FLOATS } from '../../src/formats/floatMesh.ts';
import { STORED_ATTRIBUTES as GALILEO } from '../../src/formats/galileo/storedMesh.ts';
import { GLB } from '../../src/formats/glb/format.ts';
import { STORED_ATTRIBUTES as UNTOLD } from '../../src/formats/untold/mesh/vertexWords.ts';
import {
  ATTRIBUTES,
  COLOR_SETS,
  kindOf,
  polygonFields,
  SEMANTICS,
  UV_SETS,
} from '../../src/geometry/mesh/attributes.ts';
import { MAX_SETS } from '../../src/scene/types.ts';

const isUnique = (names: readonly string[]): boolean => new Set(names).size === names.length;

describe('each row', () => {
  test('says the same things', () => {
    const rows = Object.values(ATTRIBUTES).map((row) => Object.keys(row).sort().join());
    expect(new Set(rows).size).toBe(1);
    expect(Object.values(ATTRIBUTES).flatMap((row) => Object.values(row))).not.toContain(undefined);
  });

  test('has a fallback of as many numbers, and is whole words a vertex', () => {
    for (const semantic of SEMANTICS) {
      const { fallback, components, array, source } = kindOf(semantic);
      if (fallback !== 'acrossNormal') expect(fallback.length).toBe(components);
      expect((components * array.BYTES_PER_ELEMENT) % 4).toBe(0);
      // Packed colours are one word.
      if (source.from === 'colors') expect(components * array.BYTES_PER_ELEMENT).toBe(4);
    }
  });
});

test('each name of glTF and each field of polygons is that of one row', () => {
  expect(SEMANTICS.map((semantic) => kindOf(semantic).gltf)).toEqual([
    'NORMAL',
    'TANGENT',
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((set) => `TEXCOORD_${set}`),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((set) => `COLOR_${set}`),
    'JOINTS_0',
    'WEIGHTS_0',
    null,
  ]);
  const fields = SEMANTICS.flatMap(polygonFields);
  expect(fields).toEqual([
    'normals',
    'tangents',
    'colors',
    'opacities',
    ...[1, 2, 3, 4, 5, 6, 7].map((set) => `colors${set}`),
  ]);
  expect(isUnique(fields)).toBe(true);
});

test('materials draw one set of colours, the first', () => {
  expect([COLOR_SETS.length, UV_SETS.length]).toEqual([MAX_SETS, MAX_SETS]);
  expect(COLOR_SETS.filter((semantic) => ATTRIBUTES[semantic].source.isDrawn)).toEqual([COLOR_SETS[0]]);
});

test('new shading gives vertices other normals and tangents, and looks at texture coordinates and colours', () => {
  const looked = SEMANTICS.map((semantic) => [semantic, kindOf(semantic).shading]);
  const others = [...UV_SETS.slice(1), ...COLOR_SETS.slice(1)].map((semantic) => [semantic, null]);
  expect(Object.fromEntries(looked)).toEqual({
    ...Object.fromEntries(others),
    normal: 'turned',
    tangent: 'turned',
    uv0: 'seenTextured',
    uv1: null,
    uv2: null,
    uv3: null,
    color0: 'seen',
    joints: null,
    weights: null,
    point: null,
  });
});

test.each([
  ['Urho3D', FLOATS],
  ['GLB', GLB.attributes],
  ['Galileo', GALILEO],
  ['untold', UNTOLD],
])('%s stores attributes in the order of the table', (_, stored) => {
  expect(SEMANTICS.filter((semantic) => (stored as readonly string[]).includes(semantic))).toEqual([...stored]);
});
