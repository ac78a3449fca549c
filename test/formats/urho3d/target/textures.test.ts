// The textures of an output for Urho3D: which are painted anew, and that equal ones are one file.

import { expect, test } from 'vitest';
import type { PieceMaterial } from '../../../../src/formats/urho3d/target/piece.ts';
import { TextureWriter } from '../../../../src/formats/urho3d/target/textures.ts';
import { rgb } from '../../../textures/fixture.ts';

/** A material whose occlusion is painted grey. */
function occluded(fileName: string): PieceMaterial {
  const none = { baseColor: null, normal: null, metallic: null, roughness: null, emissive: null, height: null };
  return {
    name: 'wall',
    alphaMode: 'opaque',
    alphaCutoff: 0.5,
    baseColor: [1, 1, 1, 1],
    metallic: 0,
    roughness: 1,
    emissive: [0, 0, 0],
    transmission: 0,
    normalScale: 1,
    occlusionStrength: 1,
    metallicChannel: 0,
    roughnessChannel: 0,
    doubleSided: false,
    vertexColors: false,
    textures: { ...none, occlusion: fileName },
  };
}

// Red is all that occlusion reads: the images differ in what is left out.
const IMAGES: Readonly<Record<string, Uint8Array>> = {
  'wall_00000001.png': rgb([[10, 0, 0, 200, 0, 0]]),
  'wall_00000002.png': rgb([[10, 1, 0, 200, 0, 0]]),
  'wall_00000003.png': rgb([[10, 2, 0, 200, 0, 0]]),
  'floor_00000004.png': rgb([[10, 3, 0, 200, 0, 0]]),
};

test('painted textures with the same texels are one file, whatever their sources are called', async () => {
  const writer = new TextureWriter('Textures/', (name) => IMAGES[name]);
  const paths: (string | undefined)[] = [];
  for (const name of Object.keys(IMAGES)) paths.push(await writer.occlusion(occluded(name)));
  expect(paths[0]).toMatch(/^Textures\/wall_occlusion_[0-9a-f]{8}\.png$/);
  expect(new Set(paths).size).toBe(1);
  const path = paths[0] as string;
  expect(writer.take().map((file) => file.path)).toEqual([path, path.replace('.png', '.xml')]);
  // Asked again, it is known.
  expect(await writer.occlusion(occluded('floor_00000004.png'))).toBe(path);
  expect(writer.take()).toEqual([]);
});
