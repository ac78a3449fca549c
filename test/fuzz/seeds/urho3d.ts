// Sound files of Urho3D: the fixtures, and materials and scenes as the product writes them.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeMaterial } from '../../../src/formats/urho3d/xml/material.ts';
import { pbrMaterial } from '../../../src/formats/urho3d/xml/pbr.ts';
import { writeScene } from '../../../src/formats/urho3d/xml/scene.ts';
import type { Seed } from '../reader.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/urho3d');

export const urho3dSeeds = (): Seed[] =>
  readdirSync(FIXTURES)
    .filter((name) => name.startsWith('good_'))
    .sort()
    .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(FIXTURES, name))) }));

export function urho3dXmlSeeds(): Seed[] {
  const material = pbrMaterial({
    baseColor: [1, 0.5, 0.25, 1],
    emissive: [0, 0, 0],
    roughness: 0.5,
    metallic: 0,
    alphaMode: 'mask',
    doubleSided: true,
    vertexColors: true,
    textures: { baseColor: 'Textures/a&b.png', normal: 'Textures/n.png' },
  });
  const models = [{ model: 'a.mdl', materials: ['a.xml'], drawDistance: 9, castShadows: true, animated: false }];
  const node = { scale: [1, 1, 1], lights: [], cameras: [], children: [] } as const;
  const tile = { ...node, name: 'tile', position: [1, 2, 3], rotation: [1, 0, 0, 0], models } as const;
  return [
    { name: 'material.xml', bytes: writeMaterial(material) },
    { name: 'scene.xml', bytes: writeScene('town', [tile]) },
  ];
}
