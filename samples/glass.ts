// A room behind a pane of glass, with a green bottle before it and a frosted screen beside them: what is behind glass must be
// seen in every picture of it. As glTF with KHR_materials_transmission, or as USD with a MaterialX surface of each kind:
//
//   npx tsx samples/glass.ts OUT.glb
//   npx tsx samples/glass.ts OUT.usda

import { writeFileSync } from 'node:fs';
import type { SampleMaterial, SampleMesh, SampleScene } from './courtyard.ts';
import { writeGlb } from './gltf.ts';
import { box, type Corner, lathe, type Solid, textured } from './shapes.ts';
import { usdaText } from './usda.ts';

const solid = (name: string, r: number, g: number, b: number): SampleMaterial => ({
  name,
  baseColor: [r, g, b, 1],
  metallic: 0,
  roughness: 0.8,
});

const glass = (
  name: string,
  color: readonly [number, number, number],
  roughness: number,
  materialX: NonNullable<SampleMaterial['materialX']>,
): SampleMaterial => ({ name, baseColor: [...color, 1], metallic: 0, roughness, transmission: 1, materialX });

const materials: SampleMaterial[] = [
  solid('Wall', 0.75, 0.7, 0.6),
  solid('Floor', 0.35, 0.3, 0.25),
  solid('Ball', 0.8, 0.06, 0.05),
  solid('Shelf', 0.05, 0.15, 0.5),
  glass('Pane', [0.95, 0.97, 0.96], 0, {
    id: 'ND_open_pbr_surface_surfaceshader',
    inputs: [
      'color3f inputs:base_color = (0.95, 0.97, 0.96)',
      'float inputs:transmission_weight = 1',
      'float inputs:specular_roughness = 0',
    ],
  }),
  glass('Bottle', [0.2, 0.75, 0.3], 0.05, {
    id: 'ND_standard_surface_surfaceshader',
    inputs: [
      'float inputs:base = 0',
      'color3f inputs:base_color = (1, 1, 1)',
      'float inputs:transmission = 1',
      'color3f inputs:transmission_color = (0.2, 0.75, 0.3)',
      'float inputs:specular_roughness = 0.05',
    ],
  }),
  glass('Frosted', [0.9, 0.9, 0.95], 0.3, {
    id: 'ND_gltf_pbr_surfaceshader',
    inputs: [
      'color3f inputs:base_color = (0.9, 0.9, 0.95)',
      'float inputs:transmission = 1',
      'float inputs:metallic = 0',
      'float inputs:roughness = 0.3',
    ],
  }),
];

const mesh = (name: string, material: string, solids: readonly Solid[]): SampleMesh => ({
  name,
  parts: [{ material, faces: solids.flatMap((one) => textured(one, 1)) }],
});

const turned = (name: string, material: string, faces: Corner[][]): SampleMesh => ({
  name,
  parts: [{ material, faces }],
});

/** Rings from a pole at the bottom to one at the top. */
const ball = Array.from({ length: 13 }, (_, i): [number, number] => {
  const angle = (i / 12) * Math.PI;
  return [i % 12 === 0 ? 0 : 0.35 * Math.sin(angle), 0.35 - 0.35 * Math.cos(angle)];
});

const bottle: [number, number][] = [
  [0, 0],
  [0.16, 0],
  [0.18, 0.04],
  [0.18, 0.6],
  [0.07, 0.8],
  [0.06, 1],
  [0, 1],
];

const at = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

export const glassRoom: SampleScene = {
  name: 'glass',
  textures: {},
  materials,
  meshes: [
    mesh('Walls', 'Wall', [
      box([-2, 0, -2.1], [2, 2, -2]),
      box([-2.1, 0, -2.1], [-2, 2, 0]),
      box([2, 0, -2.1], [2.1, 2, 0]),
    ]),
    mesh('Floor', 'Floor', [box([-2.5, -0.1, -2.5], [2.5, 0, 1.5])]),
    mesh('Shelf', 'Shelf', [box([0.2, 0, -1.6], [1.6, 0.1, -1.2]), box([0.2, 0.6, -1.6], [1.6, 0.7, -1.2])]),
    turned('Ball', 'Ball', lathe(ball, 24)),
    mesh('Pane', 'Pane', [box([-1, 0, 0], [1, 1.8, 0.02])]),
    mesh('Frosted', 'Frosted', [box([1, 0, 0], [2, 1.8, 0.02])]),
    turned('Bottle', 'Bottle', lathe(bottle, 32)),
  ],
  nodes: [
    {
      name: 'Room',
      children: [
        { name: 'Walls', mesh: 'Walls' },
        { name: 'Floor', mesh: 'Floor' },
        { name: 'Shelf', mesh: 'Shelf' },
        { name: 'Ball', mesh: 'Ball', matrix: at(-0.6, 0, -1) },
        { name: 'Ball_on_shelf', mesh: 'Ball', matrix: at(1.2, 0.7, -1.4) },
        { name: 'Pane', mesh: 'Pane' },
        { name: 'Frosted', mesh: 'Frosted' },
        { name: 'Bottle', mesh: 'Bottle', matrix: at(0.35, 0, 0.6) },
      ],
    },
  ],
};

if (import.meta.filename === process.argv[1]) {
  const [out = ''] = process.argv.slice(2);
  if (out.endsWith('.glb')) writeFileSync(out, writeGlb(glassRoom));
  else if (out.endsWith('.usda')) writeFileSync(out, usdaText(glassRoom, ''));
  else {
    process.stderr.write('usage: npx tsx samples/glass.ts OUT.glb|OUT.usda\n');
    process.exitCode = 2;
  }
}
