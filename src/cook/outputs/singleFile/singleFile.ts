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
import { fileTree, nodeTree } from '../nodeTree.ts';
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
      const payloads = [{ fileType, path: main, objects, tile: null, ...(tree ? { tree } : {}) }];
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
  const left = (node: number) => hidden.has(node) || rig?.ofNode.has(node) === true;
  const drawn = new Set(objects.map(({ node }) => node).filter((node) => !left(node)));
  const moved = new Set(rig?.clips.flatMap(({ nodes = [] }) => nodes.map(({ node }) => node)));
  const kept = { drawn, moved, left, keepsScale: isScaled, keepsExtras: isScaled };
  const all = nodeTree(scene, kept);
  if (rig) reportStillNodes(scene, rig, all, left, diagnostics);
  const tree = fileTree(all, kept);
  if (isScaled) reportNotes(scene, new Set(tree?.map(({ node }) => node)), diagnostics);
  if (frames !== 'bones' || tree === null || tree.length <= MAX_NODE_BONES) return tree;
  const message = `it has ${tree.length} nodes, and ${MAX_NODE_BONES} become bones at most`;
  diagnostics.report('UC2469', scene.source, '', message);
  return null;
}

/** What a file carries by itself. */
function authoredOf(
  { lights = [], cameras = [], carried, asset, materialVariants }: Scene,
  rig: RiggedScene | null,
  isWhole: boolean,
  tree: NodeTree = [],
): Authored {
  const skeletons = rig && rig.skeletons.length > 0 ? { skeletons: rig.skeletons } : {};
  const clips = (isWhole ? (rig?.clips ?? []) : []).flatMap((clip) => movedClip(clip, tree) ?? []);
  const unknown = carried?.file ? { carried: carried.file } : {};
  return {
    lights,
    cameras,
    ...unknown,
    ...skeletons,
    ...(isWhole && asset ? { asset } : {}),
    ...(materialVariants ? { materialVariants } : {}),
    ...(clips.length > 0 ? { clips } : {}),
  };
}
