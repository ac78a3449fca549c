// Reads a Mesh prim as a ScenePrimitive: counts, bounds and material at once, arrays when they are used.

import type { LimitWatch } from '../../../../diagnostics/limits.ts';
import type { Attribute, Bounds, Creases, MoreColors, PolygonMesh, ScenePrimitive } from '../../../../scene/types.ts';
import type { StagePrim } from '../../compose/stage/stage.ts';
import { booleanOf, integersOf, numberOf } from '../../compose/values/values.ts';
import { counted, type Notes } from '../../notes.ts';
import type { MaterialTable, MaterialUse } from '../../shade/materials.ts';
import { drawnColors, type PaintedFaces } from './drawnColors.ts';
import type { Forms } from './forms.ts';
import { moreColors, undrawnOf, withMoreUvs } from './moreSets.ts';
import { type ElementCounts, interpolationOf, type Primvar, type PrimvarLookup, readPrimvar } from './primvars.ts';
import { readSubdivision } from './subdivision.ts';
import { assignSubsets, materialSubsets } from './subsets.ts';
import {
  type CheckedTopology,
  checkedTopology,
  checkPackedTopology,
  isLeftHanded,
  isSubdivision,
  readCheckedTopology,
  readTopology,
} from './topology.ts';

/** What all drawables of a stage share. */
export interface GeomContext {
  readonly notes: Notes;
  readonly primvars: PrimvarLookup;
  readonly materials: MaterialTable;
  readonly summaries: Summaries;
  readonly forms: Forms;
  /** The cook refines subdivision surfaces. */
  readonly subdivides: boolean;
  /** Sets of texture coordinates and colours that no material uses are read, too. */
  readonly keepsSets: boolean;
}

/** A shape that can be drawn. */
export interface Drawable {
  /** Equal for shapes that can share a mesh; null if no other shape can share it. */
  readonly key: string | null;
  readonly primitive: () => ScenePrimitive;
}

/** Counts and bounds of a mesh. */
interface MeshSummary {
  readonly vertexCount: number;
  readonly triangleCount: number;
  readonly bounds: Bounds | null;
  /** The triangle count of each material subset. */
  readonly subsetTriangles: readonly number[];
  /** What a read need not check again; null: it reads and checks all of the topology. */
  readonly checked: CheckedTopology | null;
}

/** The faces of a mesh as a read gives them. */
interface Faces {
  readonly points: Float32Array;
  readonly faces: number;
  /** Null: every face is a triangle. */
  readonly faceCounts: Int32Array | null;
  readonly corners: Int32Array;
  readonly holes: Uint8Array | null;
  readonly faceSubsets: Int32Array | null;
}

/** The usual names of texture coordinates. If no material uses any, the first of these is kept for the tangents. */
const COMMON_UV_SETS = ['st', 'UVMap', 'st0', 'st_0', 'map1', 'uv', 'TEXCOORD_0'];

function isUvType(type: string | undefined): boolean {
  return type === 'Vec2f' || type === 'Vec2h' || type === 'Vec2d' || type === 'Vec3f' || type === 'Vec3d';
}

/** The names of the texture coordinates that are kept whatever else is asked for. */
function keptUvNames(prim: StagePrim, uses: readonly MaterialUse[]): Set<string> {
  const asked = new Set(uses.flatMap((use) => use.uvSets));
  if (asked.size > 0) return asked;
  const common = COMMON_UV_SETS.find((name) => isUvType(prim.attribute(`primvars:${name}`)?.peek()?.type));
  return new Set(common === undefined ? [] : [common]);
}

function readUvs(
  prim: StagePrim,
  uses: readonly MaterialUse[],
  counts: ElementCounts,
  context: GeomContext,
): Map<string, Attribute> {
  const uvs = new Map<string, Attribute>();
  for (const name of keptUvNames(prim, uses)) {
    const primvar = context.primvars.find(prim, name);
    const attribute = primvar && readPrimvar(primvar, counts, 2, 2, prim, context.notes);
    const readers = uses.filter(({ uvSets }) => uvSets.includes(name));
    if (attribute) uvs.set(name, attribute);
    else if (readers.length > 0 && readers.every(({ guessesUvs }) => guessesUvs))
      context.notes.knowMissingUvs(prim.path);
    else
      context.notes.report(
        'UC1916',
        prim.path,
        `there is no primvar "${name}", which the textures of its material use`,
      );
  }
  return uvs;
}

/**
 * Reads normals. `primvars:normals` is stronger than `normals`, whose interpolation defaults to vertex (UsdGeomMesh).
 */
function readNormals(prim: StagePrim, counts: ElementCounts, notes: Notes): Attribute | null {
  const attribute = prim.attribute('primvars:normals');
  const indices = prim.attribute('primvars:normals:indices');
  if (attribute?.peek()) {
    const interpolation = interpolationOf(attribute, 'constant');
    return readPrimvar({ name: 'normals', attribute, indices, interpolation }, counts, 3, 3, prim, notes);
  }
  const plain = prim.attribute('normals');
  if (!plain?.peek() || plain.peek()?.count === 0) return null;
  const interpolation = interpolationOf(plain, 'vertex');
  return readPrimvar({ name: 'normals', attribute: plain, indices: null, interpolation }, counts, 3, 3, prim, notes);
}

function readCreases(prim: StagePrim, vertexCount: number, notes: Notes): Creases | null {
  const vertices = integersOf(prim.attribute('creaseIndices')?.get()?.value);
  if (!vertices || vertices.length === 0) return null;
  const lengths = integersOf(prim.attribute('creaseLengths')?.get()?.value) ?? new Int32Array(0);
  const value = prim.attribute('creaseSharpnesses')?.get()?.value;
  const sharpnesses = value?.array && value.type === 'Float' ? (value.value as Float32Array) : new Float32Array(0);
  let sum = 0;
  const valid = lengths.every((n) => {
    sum += n;
    return n >= 2;
  });
  const perEdge = sum - lengths.length;
  const inRange = vertices.every((v) => v >= 0 && v < vertexCount);
  const fits = sharpnesses.length === lengths.length || sharpnesses.length === perEdge;
  if (!valid || sum !== vertices.length || !inRange || !fits || sharpnesses.some((s) => Number.isNaN(s))) {
    notes.report('UC1813', prim.path, 'the creases do not fit each other or the points and are dropped');
    return null;
  }
  return { vertices: Uint32Array.from(vertices), lengths: Uint32Array.from(lengths), sharpnesses };
}

function isTransparent(opacity: Primvar | null): boolean {
  if (opacity === null) return false;
  const value = opacity.attribute.get()?.value;
  const values = value?.array ? (value.value as ArrayLike<number>) : [numberOf(value) ?? 1];
  return Array.from(values).some((v) => v < 1);
}

/** Marks a material as double-sided if the shape that uses it is. */
function withSides(use: MaterialUse, shape: StagePrim, { materials }: GeomContext): MaterialUse {
  const fallback = shape.typeName === 'Plane';
  if (booleanOf(shape.attribute('doubleSided')?.get()?.value) ?? fallback) materials.markDoubleSided(use);
  return use;
}

/** The material that is bound to a shape or to a subset of it; null if there is none. */
function boundMaterial(bound: StagePrim, shape: StagePrim, context: GeomContext): MaterialUse | null {
  const use = context.materials.bound(bound);
  return use && withSides(use, shape, context);
}

/**
 * The material of a shape or of a subset of it: the bound one, else one that all unbound shapes share. The latter
 * depends on whether the shape has or inherits displayColor, and displayOpacity below 1.
 */
export function materialOf(bound: StagePrim, shape: StagePrim, context: GeomContext): MaterialUse {
  const own = boundMaterial(bound, shape, context);
  if (own !== null) return own;
  const { materials, primvars } = context;
  const hasColor = primvars.find(shape, 'displayColor') !== null;
  const use = materials.unbound(hasColor, isTransparent(primvars.find(shape, 'displayOpacity')));
  return withSides(use, shape, context);
}

/** Texture coordinates, colours and opacities of a mesh: those that its materials use, or all. */
function readSets(
  prim: StagePrim,
  faces: PaintedFaces,
  context: GeomContext,
): Pick<PolygonMesh, 'uvs' | 'colors' | 'opacities'> & MoreColors {
  const { uses, counts } = faces;
  const uvs = readUvs(prim, uses, counts, context);
  const drawn = drawnColors(prim, faces, context);
  if (!context.keepsSets) return { uvs, ...drawn };
  return { uvs: withMoreUvs(uvs, prim, counts, context), ...drawn, ...moreColors(faces, prim, context) };
}

function asUnsigned(data: Int32Array): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, data.length);
}

function readMesh(
  prim: StagePrim,
  { points, faces, faceCounts, corners, holes, faceSubsets }: Faces,
  uses: readonly MaterialUse[],
  subsetCount: number,
  context: GeomContext,
): PolygonMesh {
  const counts = { faces, vertices: points.length / 3, corners: corners.length };
  const firstSubset = uses.length - subsetCount;
  const useOfFace = faceSubsets?.map((subset) => Math.max(0, firstSubset + subset)) ?? null;
  const unsigned = { faceCounts: faceCounts && asUnsigned(faceCounts), corners: asUnsigned(corners) };
  const subdivision = isSubdivision(prim);
  const empty = corners.length === 0;
  return {
    points,
    ...unsigned,
    holes,
    faceSubsets,
    leftHanded: isLeftHanded(prim),
    normals: empty ? null : readNormals(prim, counts, context.notes),
    missingNormals: subdivision ? 'smooth' : 'flat',
    tangents: null,
    ...(empty
      ? { uvs: new Map(), colors: null, opacities: null }
      : readSets(prim, { ...unsigned, counts, uses, useOfFace }, context)),
    creases: subdivision && !empty ? readCreases(prim, counts.vertices, context.notes) : null,
    subdivision: empty ? null : readSubdivision(prim, counts.vertices, context.notes),
  };
}

const SURFACES = ['subdivision surface', 'subdivision surfaces'] as const;

function noteNormals(prim: StagePrim, notes: Notes): void {
  if (!isSubdivision(prim)) return;
  const count = prim.attribute('primvars:normals')?.peek()?.count ?? prim.attribute('normals')?.peek()?.count ?? 0;
  if (count !== 0) {
    notes.count('UC1814', '', prim.path, (n) => `normals are used on ${counted(n, ...SURFACES)}`);
  } else {
    notes.count('UC1815', '', prim.path, (n) => `the control cage is cooked instead of ${counted(n, ...SURFACES)}`);
  }
}

const TOPOLOGY = ['points', 'faceVertexCounts', 'faceVertexIndices', 'holeIndices'] as const;

/** Summaries of meshes, kept for meshes that a stage repeats by instances or references. */
export class Summaries {
  readonly #byForm = new Map<string, MeshSummary | null>();
  /** By the opinions that give the topology. */
  readonly #byOrigins = new Map<string, MeshSummary | null>();
  readonly #numbers = new Map<object, number>();
  readonly #limits: LimitWatch;

  constructor(limits: LimitWatch) {
    this.#limits = limits;
  }

  /** The summary of a mesh of the form `form`. The mesh is read only if no equal one was read before. */
  of(prim: StagePrim, subsets: readonly StagePrim[], form: string | null, notes: Notes): MeshSummary | null {
    const known = form === null ? undefined : this.#byForm.get(form);
    if (known !== undefined) return known;
    const origins = subsets.length === 0 ? this.#origins(prim) : null;
    const like = origins === null ? undefined : this.#byOrigins.get(origins);
    const summary = like === undefined ? summarise(prim, subsets, notes, this.#limits) : like;
    if (form !== null) this.#byForm.set(form, summary);
    if (origins !== null) this.#byOrigins.set(origins, summary);
    return summary;
  }

  /** A key of the opinions that give the topology; null if part of it has time samples. */
  #origins(prim: StagePrim): string | null {
    const parts: number[] = [];
    for (const name of TOPOLOGY) {
      const attribute = prim.attribute(name);
      const origin = attribute?.peek() ? attribute.origin() : undefined;
      if (origin === null) return null;
      parts.push(origin === undefined ? -1 : this.#number(origin));
    }
    return parts.join();
  }

  #number(origin: object): number {
    const known = this.#numbers.get(origin) ?? this.#numbers.size;
    this.#numbers.set(origin, known);
    return known;
  }
}

/** Reads the counts and bounds of a mesh; null if the mesh is broken, which is reported. */
function summarise(
  prim: StagePrim,
  subsets: readonly StagePrim[],
  notes: Notes,
  limits: LimitWatch,
): MeshSummary | null {
  const points = prim.attribute('points')?.peek()?.count ?? 0;
  limits.need('vertices', points, 'UC1209', notes.file, prim.path, `the mesh has ${points} vertices`);
  const packed = subsets.length === 0 ? checkPackedTopology(prim) : null;
  if (packed !== null) return { ...packed, vertexCount: packed.checked.vertices, subsetTriangles: [] };
  const topology = readTopology(prim, notes);
  if (topology === null) return null;
  return {
    vertexCount: topology.points.length / 3,
    triangleCount: topology.triangleCount,
    bounds: topology.bounds,
    subsetTriangles: subsets.length > 0 ? assignSubsets(subsets, topology, notes).triangleCounts : [],
    // Which faces the subsets have depends on the counts of all faces.
    checked: subsets.length > 0 ? null : checkedTopology(topology),
  };
}

/** The faces of a mesh that `summarise` found valid. `checked`: what it found. */
function readFaces(
  prim: StagePrim,
  checked: CheckedTopology | null,
  subsets: readonly StagePrim[],
  notes: Notes,
): Faces {
  // The same bytes gave a valid topology before: files that change are refused when they are read.
  const changed = () => new Error(`${prim.path} changed while it was cooked`);
  if (checked !== null) {
    const arrays = readCheckedTopology(prim, checked);
    if (arrays === null) throw changed();
    return { ...arrays, faces: checked.faces, holes: null, faceSubsets: null };
  }
  const topology = readTopology(prim, notes);
  if (topology === null) throw changed();
  const { points, corners, holes, faceCounts } = topology;
  return {
    points,
    faces: faceCounts.length,
    faceCounts: faceCounts.every((n) => n === 3) ? null : faceCounts,
    corners,
    holes,
    faceSubsets: subsets.length > 0 ? assignSubsets(subsets, topology, notes).faceSubsets : null,
  };
}

/** A mesh as a drawable; null if it is broken, which is reported. */
export function meshDrawable(prim: StagePrim, context: GeomContext): Drawable | null {
  const { notes, summaries, forms } = context;
  const subsetPrims = materialSubsets(prim, notes);
  const form = forms.of(prim, subsetPrims);
  const summary = summaries.of(prim, subsetPrims, form, notes);
  if (summary === null) return null;
  const { vertexCount, triangleCount, bounds, subsetTriangles, checked } = summary;
  const unclaimed = triangleCount - subsetTriangles.reduce((sum, n) => sum + n, 0);
  // If the subsets have all faces, the mesh itself needs no shared material for unbound shapes.
  const isClaimed = subsetPrims.length > 0 && unclaimed === 0;
  const own = isClaimed ? boundMaterial(prim, prim, context) : materialOf(prim, prim, context);
  const subsetUses = subsetPrims.map((subset) => materialOf(subset, prim, context));
  const uses = own === null ? subsetUses : [own, ...subsetUses];
  const material = own === null ? -1 : own.index;
  const drawing = [
    ...(own === null || unclaimed === 0 ? [] : [own]),
    ...subsetUses.filter((_, i) => subsetTriangles[i] > 0),
  ];
  const key = forms.key(prim, form, uses, [material, ...subsetUses.map((use) => use.index)].join());
  const primitive = () => {
    if (vertexCount > 0 && triangleCount > 0 && !context.subdivides) noteNormals(prim, notes);
    return {
      path: prim.path,
      type: prim.typeName,
      vertexCount,
      triangleCount,
      bounds,
      material,
      subsets: subsetPrims.map((subset, i) => ({
        path: subset.path,
        material: subsetUses[i].index,
        triangleCount: subsetTriangles[i],
      })),
      undrawnSets: () => undrawnOf(prim, keptUvNames(prim, uses), drawing),
      read: async () => readMesh(prim, readFaces(prim, checked, subsetPrims, notes), uses, subsetPrims.length, context),
    };
  };
  return { key, primitive };
}
