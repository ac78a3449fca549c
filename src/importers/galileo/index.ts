// Galileo meshes as sources: a node for each vertex group, with all channels that it has. Of materials and skeletons the format has
// nothing; extensions of ours have their names.

import { basename, extname } from 'node:path';
import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { MATERIALS_NAME, materialNames } from '../../formats/galileo/materials.ts';
import { readGalileo } from '../../formats/galileo/read.ts';
import { SKELETONS_NAME } from '../../formats/galileo/skeletons.ts';
import type { GalileoMesh } from '../../formats/galileo/types.ts';
import { counted } from '../../formats/losses.ts';
import { identity } from '../../scene/matrix.ts';
import type { Scene, SceneMaterial, SceneMesh, SceneNode } from '../../scene/types.ts';
import { wholeOf } from '../content.ts';
import type { Importer } from '../importer.ts';
import { whiteMaterial } from '../whiteMaterial.ts';
import { groupPrimitive } from './groups.ts';
import { hasJoints, rigOf } from './rig.ts';

/** Throws SourceError with the errors of the file; UC1209 for more groups, vertices or joints than the limits; reports UC2341 to UC2345. */
export const importGalileo: Importer = async (path, content, { files, diagnostics, options }) => {
  const mesh = await readGalileo(wholeOf(content, path), path);
  const { groups } = mesh;
  files.limits.need('prims', groups.length, 'UC1209', path, '', `the mesh has ${groups.length} groups`);
  for (const [i, { positions }] of groups.entries()) {
    const vertices = positions.length / 3;
    files.limits.need('vertices', vertices, 'UC1209', path, `groups/${i}`, `the group has ${vertices} vertices`);
  }
  const { keepsRigs = false } = options;
  const materials = materialsOf(mesh);
  const isRigged = keepsRigs && groups.some(hasJoints);
  const rig = isRigged ? rigOf(mesh, path, basename(path, extname(path)), files.limits) : null;
  report(mesh, keepsRigs, path, diagnostics);
  const world = identity();
  const names = groups.map((_, i) => materials.list[materials.ofGroup[i]]?.name || `group_${i}`);
  const meshes = groups.map((group, i): SceneMesh => {
    const primitive = groupPrimitive(group, i, materials.ofGroup[i], rig?.skinOf[i] ?? null, (message) =>
      diagnostics.report('UC2341', path, `groups/${i}`, message),
    );
    return { name: names[i], path: `groups/${i}`, primitives: [primitive] };
  });
  const nodes = groups.map(
    (_, i): SceneNode => ({ name: names[i], path: `groups/${i}`, parent: -1, local: world, world, mesh: i }),
  );
  return {
    source: path,
    kind: 'gali',
    upAxis: 'Z',
    metersPerUnit: 1,
    nodes,
    meshes,
    materials: materials.list,
    images: [],
    ...(rig ? { skeletons: rig.skeletons, skins: rig.skins } : {}),
  } satisfies Scene;
};

interface Materials {
  readonly list: readonly SceneMaterial[];
  /** By group an index into `list`, -1 for none. */
  readonly ofGroup: readonly number[];
}

/** A white material for each name that the file states. It draws the colours of vertices, which nothing else would show. */
function materialsOf(mesh: GalileoMesh): Materials {
  const list: SceneMaterial[] = [];
  const known = new Map<string, number>();
  const ofGroup = (materialNames(mesh) ?? mesh.groups.map(() => null)).map((name) => {
    if (name === null) return -1;
    const index = known.get(name) ?? list.length;
    if (index === list.length) list.push({ ...whiteMaterial(name, `materials/${index}`), usesVertexColors: true });
    known.set(name, index);
    return index;
  });
  return { list, ofGroup };
}

/** What of a file has no place in a Scene, or is not asked for: once a kind. */
function report(mesh: GalileoMesh, keepsRigs: boolean, path: string, diagnostics: Diagnostics): void {
  const { groups, extensions } = mesh;
  const stated = materialNames(mesh) === null ? 'it states no names of materials' : 'it states their names alone';
  diagnostics.report('UC2345', path, '', stated);
  const moved = groups.filter(hasJoints).length;
  if (moved > 0) {
    const message = counted(moved, 'group');
    if (keepsRigs) diagnostics.report('UC2342', path, '', `joints of ${message} stand at the origin`);
    else diagnostics.report('UC2344', path, '', `joints and weights of ${message} left out`);
  }
  const foreign = extensions.filter(({ name }) => name !== MATERIALS_NAME && name !== SKELETONS_NAME);
  const channels = groups.reduce((sum, { extensionChannels }) => sum + extensionChannels, 0);
  if (foreign.length === 0 && channels === 0) return;
  const called = foreign.length > 0 ? [...new Set(foreign.map(({ name }) => name))].join(', ') : 'none';
  diagnostics.report('UC2343', path, 'extensions', `${called}; ${counted(channels, 'channel')} of attributes`);
}
