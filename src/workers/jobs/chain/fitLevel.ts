// Whether the meshes that an artist has made for a level fit a model. The engine gives a level the materials of its model, mesh by
// mesh, and culls it by the bounds of the model: so each mesh needs one that is drawn with the same material and lies within its
// bounds.

import { isDeepStrictEqual } from 'node:util';
import type { MeshMaterial } from '../../../formats/format.ts';
import type { Model } from '../../../formats/untold/levelFile.ts';
import { type PackedMesh, packMesh, unpackMesh } from '../../../formats/untold/mesh/packMesh.ts';
import type { Bounds } from '../../../scene/types.ts';
import type { AuthoredChainLevel, DrawnIndex, DrawnObject, MeshMaterials } from '../../jobs.ts';
import { clamped, ROUNDING } from './chainModel.ts';

/** A level whose meshes stand for those of a model. */
export interface FittedLevel extends Pick<AuthoredChainLevel, 'number' | 'coverageFrom'> {
  /** One for each part of the model. */
  readonly packed: readonly PackedMesh[];
}

export interface FittedModel {
  /** The model with parts apart that levels have different meshes for. */
  readonly model: Model;
  readonly levels: readonly FittedLevel[];
  /** In words why other levels are not used. */
  readonly misfits: readonly string[];
}

/** A level with one mesh for each mesh record of a model. */
interface RecordLevel extends Pick<FittedLevel, 'number' | 'coverageFrom'> {
  readonly packed: readonly PackedMesh[];
}

/** `drawn`: what each mesh record of the model is drawn with. */
export function fitLevels(
  model: Model,
  drawn: readonly DrawnIndex[],
  levels: readonly AuthoredChainLevel[],
  surfaces: MeshMaterials,
): FittedModel {
  const fitted: RecordLevel[] = [];
  const misfits: string[] = [];
  for (const level of levels) {
    const meshes = fitLevel(model, drawn, level, surfaces);
    if (typeof meshes === 'string') misfits.push(`level ${level.number}: ${meshes}`);
    else fitted.push({ number: level.number, coverageFrom: level.coverageFrom, packed: meshes });
  }
  return { ...withPartsApart(model, fitted), misfits };
}

const keyOf = ({ node, isPlaced }: DrawnObject): string => `${node} ${isPlaced}`;
const nameOf = ({ naming }: DrawnIndex): string => ('entity' in naming ? naming.entity : naming.tile);

/** One mesh for each mesh record of the model; or in words what does not fit. */
function fitLevel(
  { parts }: Model,
  drawn: readonly DrawnIndex[],
  level: AuthoredChainLevel,
  surfaces: MeshMaterials,
): readonly PackedMesh[] | string {
  const of = ofObjects(level.drawn);
  const boundsOf = new Map(parts.flatMap(({ records, packed }) => records.map((record) => [record, packed.bounds])));
  const meshes: PackedMesh[] = [];
  const used = new Set<number>();
  for (const [record, one] of drawn.entries()) {
    const own = one.of === undefined ? [] : (of.get(keyOf(one.of)) ?? []);
    if (own.length === 0) return `nothing stands for "${nameOf(one)}": meshes do not pair one to one`;
    const surface = surfaces.surface(one.surface);
    const looks = (i: number): MeshMaterial => surfaces.surface(level.drawn[i].surface);
    const index = own.find((i) => !used.has(i) && isDrawnAlike(looks(i), surface));
    if (index === undefined) {
      return `the materials of "${nameOf(one)}" are not the model's: ${differenceOf(own.map(looks), surface)}`;
    }
    used.add(index);
    const packed = level.stored[index].stored as PackedMesh;
    const bounds = boundsOf.get(record) as Bounds;
    const beyond = reachBeyond(packed.bounds, bounds);
    if (beyond > 0) {
      return `"${nameOf(one)}" reaches ${Number(beyond.toPrecision(2))} m beyond the bounds of the model's mesh`;
    }
    meshes.push(inside(packed, bounds));
  }
  // Of an object that is cooked for two spaces, each has meshes that the other needs.
  const spaces = new Map(
    drawn.flatMap(({ of: object }) => (object ? [[object.node, new Set<boolean>()] as const] : [])),
  );
  for (const { of: object } of drawn) if (object) spaces.get(object.node)?.add(object.isPlaced);
  const left = level.drawn.findIndex(
    ({ of: object }, i) => !used.has(i) && (object === undefined || spaces.get(object.node)?.size === 1),
  );
  if (left >= 0) {
    const { material } = surfaces.surface(level.drawn[left].surface);
    return `the materials of "${nameOf(level.drawn[left])}" are not the model's: it has "${material.name}" besides`;
  }
  return meshes;
}

/** By object, the indices of what is drawn of it. */
function ofObjects(drawn: readonly DrawnIndex[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [i, { of }] of drawn.entries()) {
    if (of === undefined) continue;
    const own = found.get(keyOf(of));
    if (own) own.push(i);
    else found.set(keyOf(of), [i]);
  }
  return found;
}

/** Whether two surfaces look the same on every mesh: names of materials may differ. */
function isDrawnAlike(a: MeshMaterial, b: MeshMaterial): boolean {
  const withoutName = ({ material, ...surface }: MeshMaterial) => ({ ...surface, material: { ...material, name: '' } });
  return isDeepStrictEqual(withoutName(a), withoutName(b));
}

/** In words how what a level is drawn with differs from what a mesh of the model is. */
function differenceOf(looks: readonly MeshMaterial[], { material: { name } }: MeshMaterial): string {
  const names = [...new Set(looks.map(({ material }) => material.name))];
  if (names.includes(name)) return `"${name}" has other factors, textures or vertex colours there`;
  return `it has ${names.map((other) => `"${other}"`).join(', ')} instead of "${name}"`;
}

/** How far a box reaches beyond another, in metres: 0 where rounding alone does. */
function reachBeyond(inner: Bounds, outer: Bounds): number {
  const beyond = [0, 1, 2].map((k) => {
    const room = Math.max(Math.abs(outer.min[k]), Math.abs(outer.max[k])) * ROUNDING;
    const reach = Math.max(outer.min[k] - inner.min[k], inner.max[k] - outer.max[k]);
    return reach > room ? reach : 0;
  });
  return Math.max(...beyond);
}

/** The mesh without what rounding has moved out of the bounds. */
function inside(packed: PackedMesh, bounds: Bounds): PackedMesh {
  const isInside = [0, 1, 2].every(
    (k) => packed.bounds.min[k] >= bounds.min[k] && packed.bounds.max[k] <= bounds.max[k],
  );
  if (isInside) return packed;
  const mesh = unpackMesh(packed);
  return packMesh({ ...mesh, positions: clamped(mesh.positions, bounds) });
}

/** Equal for meshes of equal bytes. */
class MeshNumbers {
  readonly #known = new Map<string, { readonly mesh: PackedMesh; readonly number: number }[]>();
  #count = 0;

  of(mesh: PackedMesh): { readonly mesh: PackedMesh; readonly number: number } {
    const size = `${mesh.vertices.length} ${mesh.indices.length}`;
    const same = this.#known.get(size) ?? [];
    this.#known.set(size, same);
    const known = same.find(({ mesh: other }) => isEqual(mesh, other));
    if (known) return known;
    const added = { mesh, number: this.#count++ };
    same.push(added);
    return added;
  }
}

const isEqual = (a: PackedMesh, b: PackedMesh): boolean =>
  Buffer.compare(a.vertices, b.vertices) === 0 && Buffer.compare(bytesOf(a.indices), bytesOf(b.indices)) === 0;

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Records of one part stay together where all levels have equal meshes for them, which are stored once. */
function withPartsApart(model: Model, levels: readonly RecordLevel[]): Pick<FittedModel, 'model' | 'levels'> {
  const numbers = new MeshNumbers();
  const meshes = levels.map(({ packed }) => packed.map((mesh) => numbers.of(mesh)));
  const parts = model.parts.flatMap((part) => {
    const groups = new Map<string, number[]>();
    for (const [i, record] of part.records.entries()) {
      const key = meshes.map((ofLevel) => ofLevel[record].number).join(' ');
      const group = groups.get(key);
      if (group) group.push(i);
      else groups.set(key, [i]);
    }
    return [...groups.values()].map((listed) => ({
      ...part,
      records: listed.map((i) => part.records[i]),
      placements: listed.map((i) => part.placements[i]),
    }));
  });
  return {
    model: { ...model, parts },
    levels: levels.map((level, i) => ({ ...level, packed: parts.map(({ records }) => meshes[i][records[0]].mesh) })),
  };
}
