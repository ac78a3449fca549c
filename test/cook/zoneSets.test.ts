// Texture coordinates of what is left for the eyes of a zone: what is made of seen triangles has the sets that its textures use, and
// what stays whole has all.

import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bytesOf, cook, fileOf, useFolder } from '../formats/glb/cooking.ts';
import { openGlb } from '../formats/glb/glb.ts';
import { buildGlb } from '../importers/gltf/build.ts';
import { RED_PNG } from '../support/squareGltf.ts';
import { around, type Placed, rectangles, sceneOf, zone } from './zoneScenes.ts';

useFolder();

const UVS = [0, 0, 1, 0, 1, 1, 0, 1];

/** An upright square with three sets at this place, seen from the middle, whose textures use these. */
function painted(x: number, used: readonly number[], node: object = {}): Placed {
  const square = rectangles([
    [x - 1, 0, -5],
    [x + 1, 0, -5],
    [x + 1, 2, -5],
    [x - 1, 2, -5],
  ]);
  const [base, emissive = base] = used.map((texCoord) => ({ index: 0, texCoord }));
  return {
    shape: { ...square, attributes: { TEXCOORD_1: UVS, TEXCOORD_2: UVS } },
    material: {
      pbrMetallicRoughness: { baseColorTexture: base },
      emissiveTexture: emissive,
      emissiveFactor: [1, 1, 1],
    },
    node,
  };
}

test('sets that no texture uses go with what is simplified or cut, and are counted (UC2490)', async () => {
  const objects = {
    One: painted(-3, [1]),
    Two: painted(0, [0, 2]),
    Whole: painted(3, [1], { extras: { untold_semantic_override: 'FineProps' } }),
  };
  writeFileSync(fileOf('zone.glb'), buildGlb({ ...sceneOf(objects), textures: [{ source: 0 }], images: [RED_PNG] }));
  const viewerZone = zone({ boxes: [around([0, 1.5, 0])] });
  const target = { kind: 'file', path: fileOf('left.glb') } as const;
  const { diagnostics } = await cook(fileOf('zone.glb'), target, { format: 'glb', viewerZone });
  const { json } = openGlb(bytesOf('left.glb'));
  const counts: Record<string, number> = {};
  for (const { primitives } of json.meshes) {
    for (const { attributes, material } of primitives) {
      counts[json.materials[material].name] = Object.keys(attributes).filter((key) => key.startsWith('TEX')).length;
    }
  }
  expect(counts).toEqual({ One: 1, Two: 2, Whole: 3 });
  expect(diagnostics.map(({ code, message }) => [code, message])).toContainEqual([
    'UC2490',
    'left out where no material draws them: 3 sets of texture coordinates of 2 meshes',
  ]);
});
