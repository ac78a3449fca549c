// Puts what another reading of the same source draws beside a scene: nodes and meshes are added, and materials and images that
// both have are one.

import { withImages } from './materialImages.ts';
import type { Scene, SceneImage, SceneMaterial } from './types.ts';
import { withMaterials } from './variants.ts';

/** Adds values of a list to another, each once by its key, and gives their indices there. */
function addedTo<T>(list: T[], added: readonly T[], keyOf: (value: T) => string): number[] {
  const known = new Map(list.map((value, i) => [keyOf(value), i]));
  return added.map((value) => {
    const key = keyOf(value);
    const index = known.get(key) ?? list.push(value) - 1;
    known.set(key, index);
    return index;
  });
}

/** The scene with the nodes of `level` after its own. Lights, cameras and skeletons are those of the scene. */
export function withLevels(scene: Scene, level: Scene): Scene {
  const images: SceneImage[] = [...scene.images];
  const imageAt = addedTo(images, level.images, ({ path, uri, file }) => JSON.stringify([path, uri, file]));
  const materials: SceneMaterial[] = [...scene.materials];
  const moved = level.materials.map((material) => withImages(material, (image) => imageAt[image]));
  const materialAt = addedTo(materials, moved, (material) => JSON.stringify(material));
  const [firstNode, firstMesh] = [scene.nodes.length, scene.meshes.length];
  const nodes = level.nodes.map((node) => ({
    ...node,
    parent: node.parent < 0 ? -1 : node.parent + firstNode,
    mesh: node.mesh < 0 ? -1 : node.mesh + firstMesh,
    ...(node.below === undefined ? {} : { below: node.below + firstNode }),
  }));
  const meshes = level.meshes.map((mesh) => ({
    ...mesh,
    primitives: mesh.primitives.map((primitive) => withMaterials(primitive, (index) => materialAt[index])),
  }));
  return {
    ...scene,
    nodes: [...scene.nodes, ...nodes],
    meshes: [...scene.meshes, ...meshes],
    materials,
    images,
  };
}
