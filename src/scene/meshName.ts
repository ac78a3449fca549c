// The name of the mesh of a node.

import type { Scene } from './types.ts';

/** The name of the mesh that the source places at a node. */
export function meshNameOf({ nodes, meshes }: Pick<Scene, 'nodes' | 'meshes'>, node: number): string {
  const { mesh, meshName } = nodes[node];
  return meshName ?? meshes[mesh].name;
}
