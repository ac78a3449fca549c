// One file with all of a scene, and its clips where they lie beside it.

import type { RiggedScene } from '../../../animation/rig.ts';
import type { CookSettings, CookTarget } from '../../../config/types.ts';
import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import type { Authored } from '../../../formats/format.ts';
import { DEFAULT_FORMAT, FORMATS } from '../../../formats/registry.ts';
import type { NodeTree } from '../../../scene/nodeTree.ts';
import type { Scene } from '../../../scene/types.ts';
import { boundsOf } from '../../../tiling/partition/tile.ts';
import type { ReadScene } from '../../planned.ts';
import { reportNotes } from '../../steps/read/notes.ts';
import { assembleFile } from '../assembleFiles.ts';
import { fileTree, heldNodes, nodeTree } from '../nodeTree.ts';
import { allOf, NOTHING_KEPT, type Output } from '../output.ts';
import { setFiles } from '../setFiles.ts';
import { sharedFiles, texturesNamed } from '../sharedTextures.ts';
import { writeGrade, writeTextures } from '../textures.ts';
import { modelName } from './clipNames.ts';
import { filesBeside, isOwnFile } from './ownFiles.ts';
import { movedClip, reportStillNodes } from './stillNodes.ts';
import { writeClips } from './writeClips.ts';

export type FileTarget = Extract<CookTarget, { readonly kind: 'file' }>;

export function singleFile(target: FileTarget): Output {
  const { path, shared, fileType = 'tile', hasOthersBeside = false } = target;
  const { base, main } = setFiles(target);
  const name = modelName(main);
  return {
    base,
    main,
    // Clips lie in a folder of many models.
    sharesFiles: true,
    still: null,
    held: (scene, hidden, { format, flatten }) =>
      // Nodes keep their scales there, so that their keys hold in the file, too.
      FORMATS[format ?? DEFAULT_FORMAT].tree === 'scaled' && !flatten ? heldNodes(scene, hidden) : null,
    startsEarly: false,
    // It is one payload: what is kept of its source spares all of it, or nothing.
    keepsUnits: false,
    textures: shared,
    // It has no manifest that lists an earlier set. If a cooked file has this name, the user asked to replace it. Textures
    // need no entry: their names carry a hash of their content, so equal names mean equal content.
    earlier: () => new Map([...(isOwnFile(path) ? [[main, null] as const] : []), ...filesBeside(path)]),
    texturesBefore: (folder, format) => texturesNamed([path], folder, format),
    plan: async (read, { job: { settings }, diagnostics }) => {
      const { scene, objects } = read;
      const tree = treeOf(read, settings, diagnostics);
      const joins = settings.joins ? { joins: true as const } : {};
      const payloads = [{ fileType, path: main, objects, tile: null, ...(tree ? { tree } : {}), ...joins }];
      const shown = { mode: 'single_file' as const, bounds: boundsOf(objects), payloads };
      return { scene, objects, payloads, tiles: null, name, folder: '', shown };
    },
    select: allOf,
    authored: ({ scene, rig, payloads }, isWhole) => authoredOf(scene, rig, isWhole, payloads[0]?.tree),
    keep: async () => NOTHING_KEPT,
    finish: async (made, workshop, session) => {
      const { textures, plan } = made;
      const { set, format } = workshop;
      session.progress({ phase: 'write', done: 0, total: textures.size });
      const moved = shared ? sharedFiles([...textures.values()], shared.folder, set.held) : [];
      writeGrade(workshop, '');
      if (!shared && !format.isWhole && !format.assembly) writeTextures(made, workshop, '');
      if (format.assembly) await assembleFile(main, authoredOf(plan.scene, plan.rig, true), made, workshop, session);
      if (plan.rig) await writeClips(plan.rig.clips, { base, main, hasOthersBeside }, workshop, session);
      return { shared: moved, streamed: null };
    },
  };
}

/** Whether every node of the source is one of the scene, and nothing else is: in USD most prims are no objects. */
const isNodeTree = ({ kind }: Scene): boolean => kind === 'gltf' || kind === 'glb';

/**
 * The node that a light or camera is, or the nearest one above it: in USD neither is a node. `isKept`: of a node that the file may have.
 * Instances and skinned meshes share the path of their node, which comes first.
 */
function nodeAbove({ nodes }: Scene, isKept: (node: number) => boolean): (path: string) => number {
  const byPath = new Map<string, number>();
  for (const [i, { path }] of nodes.entries()) if (!byPath.has(path) && isKept(i)) byPath.set(path, i);
  return (path) => {
    for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const node = byPath.get(at);
      if (node !== undefined || !at.includes('/')) return node ?? -1;
    }
  };
}

/** What moves, and the nodes of lights and cameras. */
function neededNodes(scene: Scene, moved: ReadonlySet<number>, left: (node: number) => boolean): ReadonlySet<number> {
  const nodeOf = nodeAbove(scene, (node) => !left(node));
  const { lights = [], cameras = [], parallelCameras = [] } = scene;
  const held = [...lights, ...cameras, ...parallelCameras].map(({ path }) => nodeOf(path));
  return new Set([...held, ...moved].filter((node) => node >= 0 && !left(node)));
}

/** More bones are drawn in more than one call (Urho3D, shaders of OpenGL 2). */
const MAX_NODE_BONES = 64;

/** The nodes that the file keeps; null: none. */
function treeOf(
  { scene, objects, rig, hidden }: ReadScene,
  { flatten, format }: CookSettings,
  diagnostics: Diagnostics,
): NodeTree | null {
  const { tree: frames } = FORMATS[format ?? DEFAULT_FORMAT];
  const isScaled = frames === 'scaled';
  if (flatten && isScaled) reportNotes(scene, new Set(), diagnostics);
  if (flatten || frames === 'none') return null;
  const left = (node: number) => hidden.has(node) || (rig?.ofNode.get(node)?.skeleton ?? -1) >= 0;
  const drawn = new Set(objects.map(({ node }) => node).filter((node) => !left(node)));
  const joints = (rig?.skeletons ?? []).flatMap((one) =>
    one.joints.flatMap(({ node }) => (node === undefined ? [] : [node])),
  );
  const moved = new Set([...(rig?.clips.flatMap(({ nodes = [] }) => nodes.map(({ node }) => node)) ?? []), ...joints]);
  const held = isScaled ? { needed: neededNodes(scene, moved, left), keepsAll: isNodeTree(scene) } : {};
  const kept = { drawn, moved, left, keepsScale: isScaled, keepsExtras: isScaled, ...held };
  const all = nodeTree(scene, kept);
  if (rig) reportStillNodes(scene, rig, all, left, diagnostics);
  const tree = fileTree(all, kept);
  const noted = [...(tree?.map(({ node }) => node) ?? []), ...(rig?.ofNode.keys() ?? [])];
  if (isScaled) reportNotes(scene, new Set(noted), diagnostics);
  if (frames !== 'bones' || tree === null || tree.length <= MAX_NODE_BONES) return tree;
  const message = `it has ${tree.length} nodes, and ${MAX_NODE_BONES} become bones at most`;
  diagnostics.report('UC2469', scene.source, '', message);
  return null;
}

/** What a file carries by itself. Lights and cameras of a file with a tree stand at its nodes. */
function authoredOf(scene: Scene, rig: RiggedScene | null, isWhole: boolean, tree: NodeTree = []): Authored {
  const { lights = [], cameras = [], parallelCameras = [], carried, asset, materialVariants } = scene;
  const skeletons = rig && rig.skeletons.length > 0 ? { skeletons: rig.skeletons } : {};
  const clips = (isWhole ? (rig?.clips ?? []) : []).flatMap((clip) => movedClip(clip, tree) ?? []);
  const unknown = carried?.file ? { carried: carried.file } : {};
  const inTree = new Set(tree.map(({ node }) => node));
  const nodeOf = nodeAbove(scene, (node) => inTree.has(node));
  const standing = <T extends { readonly path: string }>(all: readonly T[]): readonly (T & { node?: number })[] => {
    if (!isWhole) return all;
    return all.map((one) => {
      const node = nodeOf(one.path);
      return node < 0 ? one : { ...one, node };
    });
  };
  return {
    lights: standing(lights),
    cameras: standing(cameras),
    ...(parallelCameras.length > 0 ? { parallelCameras: standing(parallelCameras) } : {}),
    ...unknown,
    ...skeletons,
    ...(isWhole && asset ? { asset } : {}),
    ...(materialVariants ? { materialVariants } : {}),
    ...(clips.length > 0 ? { clips } : {}),
  };
}
