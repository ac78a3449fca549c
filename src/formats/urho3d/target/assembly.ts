// What an output for Urho3D consists of. A model: NAME.mdl with NAME.txt, `Materials`, `Textures` and NAME_CLIP.ani beside it;
// its folder is the resource folder. A set: a model for each tile, and the scene that places them.

import { sha256Hex } from '../../../bytes/sha256.ts';
import { sanitizeStem, textureName } from '../../../textures/name.ts';
import type { AssembledTile, Assembly, AssemblyInput, OutputFile } from '../../format.ts';
import { lostHeights } from '../../losses.ts';
import { writeAnimation } from '../animation/write.ts';
import { writeModel } from '../model/write.ts';
import { writeMaterialList } from '../xml/materialList.ts';
import { type SceneNode, writeScene } from '../xml/scene.ts';
import { joinModel, NO_BONES } from './join.ts';
import { MaterialWriter } from './materials.ts';
import { clipName, clipPath, listPath, scenePath } from './names.ts';
import { readPiece } from './piece.ts';
import { cameraNode, lightNode, tileNode } from './sceneNodes.ts';
import { animationOf, bonesOf } from './skeleton.ts';
import { treeSkeleton } from './treeBones.ts';

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const levelsOf = ({ levels }: AssembledTile, { read }: AssemblyInput) =>
  levels.map(({ path, distance }) => ({ distance, piece: readPiece(read(path), path) }));

async function namesOf(materials: MaterialWriter, all: Parameters<MaterialWriter['add']>[0][]): Promise<string[]> {
  const names: string[] = [];
  for (const material of all) names.push(await materials.add(material));
  return names;
}

/** Reports UC2300, UC2311 and UC2312: what neither model nor scene has a place for. */
function reportLights({ authored, source, diagnostics }: AssemblyInput): void {
  const { lights = [] } = authored;
  const areas = lights.filter(({ kind }) => kind === 'area');
  if (areas.length > 0) {
    const count = areas.length === 1 ? '1 area light becomes a spot' : `${areas.length} area lights become spots`;
    diagnostics.report('UC2300', source, areas[0].path, `${count}: Urho3D has no lights with an area`);
  }
  const fading = lights.filter(({ kind }) => kind !== 'directional');
  if (fading.length > 0) {
    diagnostics.report('UC2312', source, fading[0].path, `${plural(fading.length, 'light')}`);
  }
}

/** What the materials that were written could not keep. */
function reportMaterials(materials: MaterialWriter, { source, diagnostics }: AssemblyInput): void {
  const { withoutOcclusion, withoutHeight, glass } = materials;
  if (withoutOcclusion > 0) diagnostics.report('UC2311', source, '', plural(withoutOcclusion, 'material'));
  for (const lost of lostHeights(withoutHeight, source)) diagnostics.add(lost);
  if (glass > 0) diagnostics.report('UC2313', source, '', plural(glass, 'material'));
}

async function* modelFiles(input: AssemblyInput): AsyncGenerator<OutputFile> {
  const { name, tiles, authored, tree, texture, source, diagnostics } = input;
  const { lights = [], cameras = [], skeletons = [], clips = [] } = authored;
  if (lights.length + cameras.length > 0) {
    const left = [
      ...(lights.length > 0 ? [plural(lights.length, 'light')] : []),
      ...(cameras.length > 0 ? [plural(cameras.length, 'camera')] : []),
    ];
    diagnostics.report('UC2310', source, (lights[0] ?? cameras[0]).path, left.join(' and '));
  }
  const bones = bonesOf(tree ? [...skeletons, treeSkeleton(tree)] : skeletons);
  const materials = new MaterialWriter('Materials/', 'Textures/', texture);
  const { model, materials: drawn } = joinModel(levelsOf(tiles[0], input), bones, source);
  const list = await namesOf(materials, [...drawn]);
  yield* materials.take();
  yield { path: listPath(name), bytes: writeMaterialList(list) };
  yield { path: `${name}.mdl`, bytes: writeModel(model) };
  reportMaterials(materials, input);
  const taken = new Set<string>();
  for (const clip of clips) {
    const wanted = sanitizeStem(clip.name || 'clip');
    let own = wanted;
    for (let n = 2; taken.has(own.toLowerCase()); n++) own = `${wanted}_${n}`;
    const animation = animationOf(clip, bones, clipName(name, clip.name || 'clip'));
    if (animation === null) continue;
    taken.add(own.toLowerCase());
    yield { path: clipPath(name, own), bytes: writeAnimation(animation) };
  }
}

async function* setFiles(input: AssemblyInput): AsyncGenerator<OutputFile> {
  const { name, tiles, authored, texture, source } = input;
  const materials = new MaterialWriter(`Materials/${name}/`, `Textures/${name}/`, texture);
  const taken = new Set<string>();
  const nodes: SceneNode[] = [];
  for (const tile of tiles) {
    const { model, materials: drawn, radius } = joinModel(levelsOf(tile, input), NO_BONES, source);
    if (model.geometries.length === 0) continue;
    const list = await namesOf(materials, [...drawn]);
    yield* materials.take();
    const bytes = writeModel(model);
    const own = textureName(tile.id, sha256Hex(bytes), 'mdl', taken);
    taken.add(own.toLowerCase());
    const path = `Models/${name}/${own}`;
    yield { path: listPath(path.slice(0, -'.mdl'.length)), bytes: writeMaterialList(list) };
    yield { path, bytes };
    // The engine measures to the centre of the box.
    nodes.push(tileNode(tile.id, path, list, tile.drawDistance > 0 ? tile.drawDistance + radius : 0));
  }
  reportMaterials(materials, input);
  reportLights(input);
  const { lights = [], cameras = [] } = authored;
  nodes.push(...lights.map(lightNode), ...cameras.map(cameraNode));
  yield { path: scenePath(name), bytes: writeScene(name, nodes) };
}

export const ASSEMBLY: Assembly = {
  files: (input) => (input.isSet ? setFiles(input) : modelFiles(input)),
  isChecked: (path) => /\.(mdl|ani)$/.test(path) || /(^|\/)(Materials|Scenes)\/[^.]*\.xml$/.test(path),
};
