// Where the meshes of a GLB stand: below the nodes of the tree, or at the root.

import type { Mesh, Skin } from '@gltf-transform/core';
import { isIdentity } from '../../scene/matrix.ts';
import { partsOf } from '../../scene/quaternion.ts';
import type { Mat4 } from '../../scene/types.ts';
import { type FileNode, nodeNames } from '../treeNodes.ts';
import type { GlbBuilder, Transform } from './builder.ts';

/** A mesh with what its nodes are called and what moves it. */
export interface NamedMesh {
  readonly mesh: Mesh;
  readonly name: string;
  readonly skin: Skin | null;
  /** What an application has noted in a node with a skin; undefined: nothing. */
  readonly extras?: unknown;
}

/** What a node of a tree has in place of a matrix: programs turn and move it, and animations do. */
function standing(local: Mat4): Transform {
  const { translation, rotation, scale } = partsOf(local);
  return {
    ...(translation.some((value) => value !== 0) ? { translation: translation.map(Math.fround) } : {}),
    ...(rotation[3] !== 1 ? { rotation: rotation.map(Math.fround) } : {}),
    ...(scale.some((value) => Math.abs(value - 1) > 1e-7) ? { scale: scale.map(Math.fround) } : {}),
  };
}

/** Adds all nodes that draw a mesh, and those above them. `meshes`: those of the payload. */
export function addNodes(nodes: readonly FileNode[], meshes: readonly NamedMesh[], builder: GlbBuilder): void {
  // What the source calls so is a node of its tree, not a part of what it draws.
  const names = nodeNames(
    nodes.map((node) => ({ ...node, isNamed: node.node >= 0 })),
    (mesh) => meshes[mesh].name,
    (name, fallback) => builder.name(name, fallback),
  );
  for (const [i, { mesh, parent, local, node, extras }] of nodes.entries()) {
    const { mesh: drawn, skin, extras: noted } = mesh < 0 ? { mesh: null, skin: null } : meshes[mesh];
    const transform = isIdentity(local) ? {} : node < 0 ? { matrix: [...local] } : standing(local);
    builder.place({ name: names[i], mesh: drawn, skin, transform, parent, extras: extras ?? noted });
  }
}
