// A GLB of many small things: triangles of half a metre, one a square metre, each a mesh and a node of its own, with the
// materials in turn. What a cook of it takes is what one thing costs, whatever it holds.

import { Glb } from './glb.ts';
import { Shape } from './shape.ts';

/** Writes `meshes` meshes of one triangle in `materials` materials. */
export function writeThings(meshes: number, materials: number, path: string): void {
  const colors = Array.from({ length: materials }, (_, i) => ({
    name: `Material_${i}`,
    pbrMetallicRoughness: { baseColorFactor: [(i % 256) / 255, (Math.floor(i / 256) % 256) / 255, 0.5, 1] },
  }));
  const glb = new Glb(path, colors);
  const shape = new Shape();
  const up = [0, 1, 0] as const;
  shape.indices.push(
    shape.vertex([0, 0, 0], up, 0, 0),
    shape.vertex([0.5, 0, 0], up, 1, 0),
    shape.vertex([0, 0, -0.5], up, 0, 1),
  );
  const side = Math.ceil(Math.sqrt(meshes));
  for (let i = 0; i < meshes; i++) {
    const mesh = glb.addMesh(`Mesh_${i}`, [{ shape, material: i % materials }]);
    glb.addNode({ name: `Node_${i}`, mesh, translation: [i % side, 0, Math.floor(i / side)] });
  }
  glb.write();
}
