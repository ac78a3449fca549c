// Models of Urho3D as sources: the first level of a .mdl file, its bones, and the materials that the list beside it names.

import { basename, extname } from 'node:path';
import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { type Model, PRIMITIVES, TRIANGLE_LIST } from '../../formats/urho3d/model/layout.ts';
import { readModel } from '../../formats/urho3d/model/read.ts';
import { identity } from '../../scene/matrix.ts';
import type { Scene, SceneSkeleton, SceneSkin } from '../../scene/types.ts';
import { type Content, wholeOf } from '../content.ts';
import type { ImportContext, Importer } from '../importer.ts';
import { readClips } from './clips.ts';
import { Geometries } from './geometries.ts';
import { modelMaterials } from './modelMaterials.ts';
import { skeletonOf } from './skeleton.ts';

/** Throws SourceError with the errors of the model and of what it names; reports UC2450 to UC2459. */
export const importUrho3dModel: Importer = (path, content, context) =>
  importWithMaterials(path, content, context, null);

/** As importUrho3dModel. `stated`: the names of the materials by geometry, as a scene has them; null: the list beside the model. */
export async function importWithMaterials(
  path: string,
  content: Content,
  { files, diagnostics, options }: ImportContext,
  stated: readonly (string | null)[] | null,
): Promise<Scene> {
  const model = readModel(wholeOf(content, path), path);
  const name = basename(path, extname(path));
  const { keepsRigs = false } = options;
  const animations = files.search?.animations ?? [];
  const isMoved = model.bones.length > 0 && hasWeights(model);
  const rig = keepsRigs && isMoved ? skeletonOf(model.bones, name, path) : null;
  const materials = modelMaterials(path, model.geometries.length, files, diagnostics, stated);
  const geometries = new Geometries(model, rig?.numberOf ?? null);
  const primitives = model.geometries.flatMap(({ levels: [{ primitive }] }, i) =>
    primitive === TRIANGLE_LIST ? [geometries.primitive(i, materials.ofGeometry[i])] : [],
  );
  report(model, geometries, keepsRigs, path, diagnostics);
  if (isMoved && rig === null) {
    diagnostics.report('UC2453', path, 'bones', `${count(model.bones.length, 'bone')} left out`);
  }
  if (animations.length > 0 && rig === null) {
    const why = isMoved ? 'no effect on tiles, which stand still' : 'no vertex of the model has weights of bones';
    diagnostics.report('UC1015', path, '--animation', why);
  }
  const world = identity();
  const clips = rig ? readClips(animations, name, rig, files, diagnostics) : [];
  const skeletons: readonly SceneSkeleton[] = rig ? [rig.skeleton] : [];
  const skins: readonly SceneSkin[] = rig ? [rig.skin] : [];
  return {
    source: path,
    kind: 'mdl',
    upAxis: 'Y',
    metersPerUnit: 1,
    nodes: [{ name, path: 'model', parent: -1, local: world, world, mesh: primitives.length === 0 ? -1 : 0 }],
    meshes: primitives.length === 0 ? [] : [{ name, path: 'model', primitives }],
    materials: materials.list,
    images: materials.images,
    ...(rig ? { skeletons, skins } : {}),
    ...(clips.length > 0 ? { clips } : {}),
  };
}

const count = (number: number, one: string): string => (number === 1 ? `1 ${one}` : `${number} ${one}s`);

/** Whether bones can move anything: those without weights only carry other things. */
const hasWeights = ({ geometries, vertexBuffers }: Model): boolean =>
  geometries.some(({ levels: [{ vertexBuffer }] }) =>
    ['blendWeights', 'blendIndices'].every((wanted) =>
      vertexBuffers[vertexBuffer].elements.some(({ semantic }) => semantic === wanted),
    ),
  );

/** What of a model has no place in a Scene, or is not asked for: once a kind. */
function report(
  { geometries, morphs }: Model,
  { remade }: Geometries,
  keepsRigs: boolean,
  path: string,
  diagnostics: Diagnostics,
): void {
  const levels = geometries.reduce((sum, { levels }) => sum + levels.length - 1, 0);
  if (levels > 0) diagnostics.report('UC2450', path, 'geometries', `${count(levels, 'level')} left out`);
  const others = geometries.map(({ levels: [{ primitive }] }) => primitive).filter((kind) => kind !== TRIANGLE_LIST);
  if (others.length > 0) {
    const kinds = [...new Set(others)].map((kind) => PRIMITIVES[kind] ?? `primitive ${kind}`).join(', ');
    diagnostics.report('UC2451', path, 'geometries', `${others.length} of ${geometries.length}: ${kinds}`);
  }
  if (morphs.length > 0 && !keepsRigs)
    diagnostics.report('UC2452', path, 'morphs', `${count(morphs.length, 'morph')} left out`);
  if (remade > 0)
    diagnostics.report('UC2454', path, 'geometries', `those of ${count(remade, 'geometry')} are made anew`);
}
