// Joins scenes to one: the nodes of each stand below a root of their own, and indices are those of the whole.

import { withImages } from './materialImages.ts';
import { identity } from './matrix.ts';
import type {
  LodGroup,
  Scene,
  SceneChannel,
  SceneClip,
  SceneMaterial,
  SceneMesh,
  SceneNode,
  ScenePrimitive,
  SceneSkeleton,
  SceneSkin,
} from './types.ts';
import { joinedVariants, renumbered, withMaterials } from './variants.ts';

/** A scene of several, and the name of its root: unique among them, and without a colon. */
export interface NamedScene {
  readonly name: string;
  readonly scene: Scene;
}

/** The path in the whole of what has `path` in the scene whose root has this name. */
const joinedPath = (name: string, path: string): string => `${name}:${path}`;

/** The name of the root and the path below it that a path of the whole consists of; null: it is no such path. */
export function splitJoinedPath(path: string): { readonly name: string; readonly path: string } | null {
  const colon = path.indexOf(':');
  return colon < 0 ? null : { name: path.slice(0, colon), path: path.slice(colon + 1) };
}

/** A texture with the index of its image moved. */
/**
 * One scene of several. `source`: what it is called. Paths of nodes, meshes, primitives and materials begin with the name of
 * their root and a colon; images keep theirs, and name the file that they are from.
 */
export function joinedScene(source: string, scenes: readonly NamedScene[]): Scene {
  const nodes: SceneNode[] = [];
  const meshes: SceneMesh[] = [];
  const materials: SceneMaterial[] = [];
  const images: Scene['images'][number][] = [];
  const lights: NonNullable<Scene['lights']>[number][] = [];
  const cameras: NonNullable<Scene['cameras']>[number][] = [];
  const parallelCameras: NonNullable<Scene['parallelCameras']>[number][] = [];
  const skeletons: SceneSkeleton[] = [];
  const skins: SceneSkin[] = [];
  const clips: SceneClip[] = [];
  const lodGroups: LodGroup[] = [];
  const joined = joinedVariants(scenes.map(({ scene }) => scene));
  for (const [i, { name, scene }] of scenes.entries()) {
    const root = nodes.length;
    const first = { node: root + 1, mesh: meshes.length, material: materials.length, image: images.length };
    const firstSkeleton = skeletons.length;
    const firstSkin = skins.length;
    const pathOf = (path: string) => joinedPath(name, path);
    const primitiveOf = (own: ScenePrimitive): ScenePrimitive => {
      const primitive = withMaterials(own, (index) => index + first.material);
      const variants = renumbered(primitive.variants, joined.numbers[i]);
      return {
        ...primitive,
        path: pathOf(primitive.path),
        subsets: primitive.subsets.map((subset) => ({ ...subset, path: pathOf(subset.path) })),
        ...(primitive.bound ? { bound: { ...primitive.bound, skin: primitive.bound.skin + firstSkin } } : {}),
        ...(variants && { variants }),
      };
    };
    nodes.push({ name, path: pathOf(''), parent: -1, local: identity(), world: identity(), mesh: -1 });
    for (const node of scene.nodes) {
      nodes.push({
        ...node,
        path: pathOf(node.path),
        parent: node.parent < 0 ? root : node.parent + first.node,
        mesh: node.mesh < 0 ? node.mesh : node.mesh + first.mesh,
        ...(node.below === undefined ? {} : { below: node.below + first.node }),
      });
    }
    for (const mesh of scene.meshes) {
      meshes.push({ ...mesh, path: pathOf(mesh.path), primitives: mesh.primitives.map(primitiveOf) });
    }
    for (const material of scene.materials) {
      materials.push({ ...withImages(material, (image) => image + first.image), path: pathOf(material.path) });
    }
    for (const image of scene.images) images.push({ ...image, file: image.file || scene.source });
    for (const light of scene.lights ?? []) lights.push({ ...light, path: pathOf(light.path) });
    for (const camera of scene.cameras ?? []) cameras.push({ ...camera, path: pathOf(camera.path) });
    for (const camera of scene.parallelCameras ?? []) parallelCameras.push({ ...camera, path: pathOf(camera.path) });
    for (const skeleton of scene.skeletons ?? []) {
      const { below } = skeleton;
      const hangs = below === undefined ? {} : { below: below + first.node };
      const joints = skeleton.joints.map((joint) =>
        joint.node === undefined ? joint : { ...joint, node: joint.node + first.node },
      );
      skeletons.push({ ...skeleton, path: pathOf(skeleton.path), joints, ...hangs });
    }
    for (const skin of scene.skins ?? []) {
      skins.push({ ...skin, path: pathOf(skin.path), skeleton: skin.skeleton + firstSkeleton });
    }
    for (const clip of scene.clips ?? []) {
      const channels = clip.channels.map(({ target, ...curves }): SceneChannel => {
        if (target.kind === 'node') return { ...curves, target: { kind: 'node', node: target.node + first.node } };
        return { ...curves, target: { ...target, skeleton: target.skeleton + firstSkeleton } };
      });
      const weights = clip.weights?.map((one) => ({ ...one, nodes: one.nodes.map((node) => node + first.node) }));
      clips.push({ ...clip, path: pathOf(clip.path), channels, ...(weights ? { weights } : {}) });
    }
    for (const group of scene.lodGroups ?? []) {
      const levels = group.levels.map((nodes) => nodes.map((node) => node + first.node));
      lodGroups.push({ ...group, path: pathOf(group.path), levels });
    }
  }
  const { kind } = scenes[0].scene;
  const rigs = skins.length + clips.length > 0 ? { skeletons, skins, clips } : {};
  const levels = lodGroups.length > 0 ? { lodGroups } : {};
  const variants = joined.names.length > 0 ? { materialVariants: joined.names } : {};
  const whole = {
    source,
    kind,
    upAxis: 'Y',
    metersPerUnit: 1,
    nodes,
    meshes,
    materials,
    images,
    lights,
    cameras,
    ...(parallelCameras.length > 0 ? { parallelCameras } : {}),
  } as const;
  const rights = [...new Set(scenes.flatMap(({ scene }) => scene.asset?.copyright ?? []))];
  // What several sources note of themselves has no place in one.
  const lost = scenes.flatMap(({ scene: { asset = {} } }) => [
    ...(asset.extras === undefined ? [] : ['asset']),
    ...(asset.lost ?? []),
  ]);
  const asset = {
    ...(rights.length > 0 ? { copyright: rights.join('; ') } : {}),
    ...(lost.length > 0 ? { lost } : {}),
  };
  return { ...whole, ...rigs, ...levels, ...variants, ...(Object.keys(asset).length > 0 ? { asset } : {}) };
}
