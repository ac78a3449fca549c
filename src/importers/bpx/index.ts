// BPX models as sources: a package with the models in it, or a model alone. Each model is a node at the root. What the numbers of
// a vertex mean is our reading (formats/bpx/columns.ts).

import { basename, extname } from 'node:path';
import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import { columnsOf } from '../../formats/bpx/columns.ts';
import { HEADER_OFFSETS, isBpx, KINDS, MAX_UNPACKED_BYTES } from '../../formats/bpx/container/layout.ts';
import { readBpx } from '../../formats/bpx/read.ts';
import type { BpxAsset, BpxModel } from '../../formats/bpx/types.ts';
import { filesOf } from '../../formats/bpx/validateFiles.ts';
import { identity } from '../../scene/matrix.ts';
import type { Scene, SceneMesh, SceneNode } from '../../scene/types.ts';
import { wholeOf } from '../content.ts';
import type { Importer } from '../importer.ts';
import { lostDirections, primitiveOf } from './geometry.ts';
import { Materials } from './materials.ts';
import { type BoneRig, skeletonOf } from './skeleton.ts';

interface NamedModel {
  /** In the package; that of the file for a model alone. */
  readonly path: string;
  /** What messages name: with the package before the path. */
  readonly file: string;
  readonly model: BpxModel;
}

interface Held {
  readonly models: readonly NamedModel[];
  /** The files of a package. */
  readonly assets: readonly BpxAsset[];
}

/** The model. Throws UC2496 where no component of its vertices can be a position. */
function withPositions(model: BpxModel, file: string): BpxModel {
  if (columnsOf(model.components) !== null) return model;
  return fail('UC2496', file, '', 'no component of its vertices can be a position');
}

const unpackedBytes = (sections: readonly { readonly bytes: Uint8Array | null }[]): number =>
  sections.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);

/** Throws what the reader throws, and UC2496 for a file without a model. All models together unpack to as much as one file may. */
async function heldIn(file: Uint8Array, path: string): Promise<Held> {
  const { content, container } = await readBpx(file, path);
  if (content.kind === 'model') {
    return { models: [{ path, file: path, model: withPositions(content, path) }], assets: [] };
  }
  if (content.kind === 'texture' || content.kind === 'shader') {
    return fail('UC2496', path, '', `it holds ${content.kind === 'texture' ? 'a texture' : 'shaders'}`);
  }
  const models: NamedModel[] = [];
  const assets = filesOf(content);
  let left = MAX_UNPACKED_BYTES - unpackedBytes(container.sections);
  for (const { path: asset, bytes } of assets) {
    const kind = isBpx(bytes) ? KINDS.get(bytes[HEADER_OFFSETS.kind]) : undefined;
    if (kind !== 'model') continue;
    const file = `${path}/${asset}`;
    const read = await readBpx(bytes, file, left);
    left -= unpackedBytes(read.container.sections);
    if (read.content.kind !== 'model') continue;
    models.push({ path: asset, file, model: withPositions(read.content, file) });
  }
  if (models.length > 0) return { models, assets };
  const remedy =
    'name a source of another kind in it, as Data.bpx[Models/Jack.mdl], or take it apart with untold unpack';
  return fail('UC2496', path, '', 'no file of the package is a BPX model', remedy);
}

const stemOf = (path: string): string => basename(path, extname(path));

/** Throws SourceError with the errors of the file and of its models, UC2456, UC2496 and UC3624; reports UC2453, UC2497 and UC2498. */
export const importBpx: Importer = async (path, content, { diagnostics, options }) => {
  const { models, assets } = await heldIn(wholeOf(content, path), path);
  const { keepsRigs = false } = options;
  const materials = new Materials(path, assets);
  const nodes: SceneNode[] = [];
  const meshes: SceneMesh[] = [];
  const rigs: BoneRig[] = [];
  for (const { path: own, file, model } of models) {
    const name = stemOf(own);
    const place = { name, path: own, file, skeleton: rigs.length };
    const rig = keepsRigs && isMoved(model) ? skeletonOf(model.bones ?? [], place) : null;
    const primitives = model.arrays.map((array, i) =>
      primitiveOf(model, array, {
        path: `${own}/${i}`,
        file,
        index: i,
        material: materials.index(array.material),
        skin: rig ? rigs.length : null,
      }),
    );
    if (rig) rigs.push(rig);
    const world = identity();
    nodes.push({ name, path: own, parent: -1, local: world, world, mesh: meshes.length });
    meshes.push({ name, path: own, primitives });
  }
  report(models, materials, keepsRigs, path, diagnostics);
  const scene: Scene = {
    source: path,
    kind: 'bpx',
    upAxis: 'Z',
    metersPerUnit: 1,
    nodes,
    meshes,
    materials: materials.list,
    images: materials.images,
  };
  if (rigs.length === 0) return scene;
  return { ...scene, skeletons: rigs.map(({ skeleton }) => skeleton), skins: rigs.map(({ skin }) => skin) };
};

/** Whether bones can move anything: the vertices have weights. */
const isMoved = ({ bones, components }: BpxModel): boolean => bones !== null && !!columnsOf(components)?.bones;

const count = (number: number, one: string): string => (number === 1 ? `1 ${one}` : `${number} ${one}s`);

/** What of a file has no place in a Scene, or is not asked for: once a kind. */
function report(
  models: readonly NamedModel[],
  { list, bare, heights, several }: Materials,
  keepsRigs: boolean,
  path: string,
  diagnostics: Diagnostics,
): void {
  if (list.length > 0) {
    const white = bare > 0 ? `, ${bare} of them without a texture` : '';
    diagnostics.report('UC2497', path, '', `${count(list.length, 'material')}${white}`);
  }
  const sum = (of: (model: BpxModel) => number) => models.reduce((all, { model }) => all + of(model), 0);
  const lost = models.flatMap(({ model }) => model.arrays.map((array) => lostDirections(model, array)));
  const left = [
    ...counted(
      sum(({ components }) => columnsOf(components)?.unknown ?? 0),
      'component of vertices',
      'components of vertices',
    ),
    ...counted(
      sum((model) => (model.bones && !isMoved(model) ? model.bones.length : 0)),
      'bone that moves nothing',
      'bones that move nothing',
    ),
    ...counted(
      sum(({ animations }) => animations?.length ?? 0),
      'animation',
    ),
  ];
  left.push(
    ...counted(heights, 'height map'),
    ...counted(several, 'texture of several images', 'textures of several images'),
  );
  for (const kind of ['normals', 'tangents'] as const) {
    const number = lost.filter(({ [kind]: isLost }) => isLost).length;
    if (number > 0) left.push(`${kind} of ${count(number, 'vertex array')} that point nowhere`);
  }
  if (left.length > 0) diagnostics.report('UC2498', path, '', left.join(', '));
  const still = sum((model) => (isMoved(model) ? (model.bones?.length ?? 0) : 0));
  if (still > 0 && !keepsRigs) diagnostics.report('UC2453', path, 'bones', `${count(still, 'bone')} left out`);
}

const counted = (number: number, one: string, more = `${one}s`): string[] =>
  number === 0 ? [] : [`${number} ${number === 1 ? one : more}`];
