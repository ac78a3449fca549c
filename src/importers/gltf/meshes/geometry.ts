// One primitive in one pose as a ScenePrimitive: counts and bounds at once, arrays when they are needed. Bounds are computed
// from the vertices, because declared ones may be wrong; only for Draco data are usable declared bounds taken, to save the
// decoding. Arrays that need no change are views of the file's buffers, and may not be written to.

import { type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { type DracoAttribute, decodeDraco } from '../../../formats/draco/decode.ts';
import { boundsOfPoints } from '../../../scene/bounds.ts';
import {
  type Attribute,
  type Bounds,
  MAX_SETS,
  type MoreColors,
  type MorphDeltas,
  type MorphLoss,
  type PolygonMesh,
  type SceneMorph,
  type ScenePrimitive,
} from '../../../scene/types.ts';
import { type Accessor, type Accessors, normalizationScale, type Span, toFloats } from '../data/accessors.ts';
import type { Buffers } from '../data/buffers.ts';
import { allFinite, firstNonFinite, repairNormals, replaceNonFinite } from './finite.ts';
import type { PrimitiveDef } from './meshes.ts';
import { applySkin, type Influences, type SkinPose } from './skin.ts';
import { triangleCorners } from './topology.ts';

/** The faces and attributes of Draco data. */
interface DracoGeometry {
  readonly indices: Uint32Array;
  readonly attributes: ReadonlyMap<string, Float32Array>;
}

/** The pose in which a node shows a mesh at rest; it is applied to the vertices. */
export interface Pose {
  /** Morph weights; null when all are zero. */
  readonly weights: readonly number[] | null;
  readonly skin: SkinPose | null;
  /** The node of a skinned mesh mirrors. Joints alone place such a mesh, but the node still decides its winding. */
  readonly mirrored: boolean;
}

export class Geometry {
  readonly #file: string;
  readonly #accessors: Accessors;
  readonly #buffers: Buffers;
  readonly #diagnostics: Diagnostics;
  /** Whether all sets of colours are read. */
  readonly #keepsSets: boolean;
  /** How many primitives use an accessor as positions. An accessor that several use is read in parts. */
  readonly #users = new Map<number, number>();
  readonly #bounds = new Map<number, Bounds | null>();
  readonly #draco = new WeakMap<PrimitiveDef, WeakRef<DracoGeometry>>();

  constructor(file: string, accessors: Accessors, buffers: Buffers, diagnostics: Diagnostics, keepsSets: boolean) {
    this.#file = file;
    this.#accessors = accessors;
    this.#buffers = buffers;
    this.#diagnostics = diagnostics;
    this.#keepsSets = keepsSets;
  }

  /** Counts a primitive. All primitives of the file are announced before the first one is made. */
  announce(def: PrimitiveDef): void {
    const position = def.attributes.get('POSITION')!;
    this.#users.set(position, (this.#users.get(position) ?? 0) + 1);
  }

  /**
   * Reads the data that bounds need: UC1331 for positions that are not numbers, and the errors of reading data. `skin`: index
   * into Scene.skins of what binds it to a skeleton; -1: nothing does. `names`: those of its morph targets.
   */
  async primitive(
    def: PrimitiveDef,
    pose: Pose,
    material: number,
    skin: number,
    names: readonly string[],
  ): Promise<ScenePrimitive> {
    const span = this.#span(def);
    return {
      path: def.path,
      type: 'primitive',
      vertexCount: def.vertexCount,
      triangleCount: def.triangleCount,
      // Without normals every triangle is flat (glTF 2.0, 3.7.2.1), so that triangles share no vertices.
      storedVertexCount: def.attributes.has('NORMAL') ? def.vertexCount : 3 * def.triangleCount,
      bounds: await this.#boundsOf(def, pose, span),
      material,
      subsets: [],
      read: () => this.#read(def, pose, span),
      ...(skin >= 0 ? { bound: { skin, read: () => this.#readBound(def, pose, span) } } : {}),
      ...(def.targets.length > 0
        ? { morphs: { targets: sceneMorphs(def, pose, names), read: async () => this.#deltas(def, span) } }
        : {}),
    };
  }

  /** UC1332 for deltas that are not numbers. */
  #deltas(def: PrimitiveDef, span: Span): MorphDeltas[] {
    const values = (index: number | undefined, semantic: string): Float32Array | null => {
      if (index === undefined) return null;
      const data = Float32Array.from(toFloats(this.#accessors.raw(index, span), this.#accessors.list[index]));
      if (allFinite(data)) return data;
      this.#replaced(def, `${semantic} of a morph target`, 'these deltas become 0');
      return Float32Array.from(replaceNonFinite(data, 0));
    };
    // Without normals there are none to change (glTF 2.0, 3.7.2.1).
    const hasNormals = def.attributes.has('NORMAL');
    return def.targets.map((target) =>
      sparseDeltas(
        values(target.get('POSITION'), 'POSITION') ?? new Float32Array(span.count * 3),
        hasNormals ? values(target.get('NORMAL'), 'NORMAL') : null,
      ),
    );
  }

  /**
   * The vertices that are read for a primitive: all of its accessors, unless other primitives share them. Some exporters
   * put a whole scene into one vertex buffer, which would otherwise be read once for each primitive.
   */
  #span(def: PrimitiveDef): Span {
    const all = { first: 0, count: def.vertexCount };
    if (def.draco || def.indices < 0 || (this.#users.get(def.attributes.get('POSITION')!) ?? 0) < 2) return all;
    const indices = this.#indices(def);
    let first = def.vertexCount;
    let last = -1;
    for (let i = 0; i < indices.length; i++) {
      if (indices[i] < first) first = indices[i];
      if (indices[i] > last) last = indices[i];
    }
    return last < 0 ? all : { first, count: last - first + 1 };
  }

  /** Checked against the vertex count: UC1330. */
  #indices(def: PrimitiveDef): Uint32Array {
    const indices = this.#accessors.unsigned(def.indices);
    this.#checkIndices(def, indices);
    return indices;
  }

  #checkIndices(def: PrimitiveDef, indices: Uint32Array): void {
    let highest = 0;
    for (let i = 0; i < indices.length; i++) if (indices[i] > highest) highest = indices[i];
    if (indices.length === 0 || highest < def.vertexCount) return;
    const at = indices.findIndex((index) => index >= def.vertexCount);
    fail(
      'UC1330',
      this.#file,
      def.path,
      `index ${at} is vertex ${indices[at]}, but there are ${def.vertexCount} vertices`,
    );
  }

  async #boundsOf(def: PrimitiveDef, pose: Pose, span: Span): Promise<Bounds | null> {
    if (def.vertexCount === 0) return null;
    if (pose.weights || pose.skin) return boundsOfPoints((await this.#vertices(def, pose, span)).points);
    const position = def.attributes.get('POSITION')!;
    const whole = span.count === def.vertexCount;
    const known = this.#bounds.get(position);
    if (whole && known !== undefined) return known;
    const bounds =
      this.#declaredBounds(def, position) ?? boundsOfPoints((await this.#vertices(def, pose, span, true)).points);
    if (whole && !def.draco) this.#bounds.set(position, bounds);
    return bounds;
  }

  /** The declared bounds of Draco data; null unless they are three finite pairs with min <= max. */
  #declaredBounds(def: PrimitiveDef, position: number): Bounds | null {
    const accessor = this.#accessors.list[position];
    const { min, max } = accessor;
    if (!def.draco?.ids.has('POSITION') || !min || !max || min.some((value, c) => value > max[c])) return null;
    const scale = accessor.normalized ? 1 / normalizationScale(accessor) : 1;
    const box = (v: readonly number[]) => [v[0] * scale, v[1] * scale, v[2] * scale] as const;
    return { min: box(min), max: box(max) };
  }

  async #decoded(def: PrimitiveDef): Promise<DracoGeometry | null> {
    if (!def.draco) return null;
    const kept = this.#draco.get(def)?.deref();
    if (kept) return kept;
    const attributes = new Map<string, DracoAttribute<Accessor>>();
    for (const [semantic, id] of def.draco.ids) {
      attributes.set(semantic, { id, accessor: this.#accessors.list[def.attributes.get(semantic)!] });
    }
    const decoded = await decodeDraco({
      file: this.#file,
      path: def.path,
      bytes: this.#buffers.view(def.draco.view),
      size: def.draco,
      attributes,
    });
    const floats = new Map<string, Float32Array>();
    for (const [semantic, { accessor }] of attributes) {
      const values = decoded.attributes.get(semantic)!;
      floats.set(semantic, toFloats(values, accessor, semantic.startsWith('COLOR_')));
    }
    const geometry = { indices: decoded.indices, attributes: floats };
    this.#draco.set(def, new WeakRef(geometry));
    return geometry;
  }

  /** An attribute with the pose's morph targets applied; in float64 if a weight changes it. */
  #attribute(def: PrimitiveDef, draco: DracoGeometry | null, semantic: string, pose: Pose, span: Span) {
    const index = def.attributes.get(semantic);
    if (index === undefined) return null;
    // Integer colours are fractions, even if the accessor is not normalised: many exporters forget that.
    const isColor = semantic.startsWith('COLOR_');
    const floats = (accessor: number) =>
      toFloats(this.#accessors.raw(accessor, span), this.#accessors.list[accessor], isColor);
    const base = draco?.attributes.get(semantic) ?? floats(index);
    if (!pose.weights) return base;
    const size = this.#accessors.list[index].components;
    let sum: Float64Array | null = null;
    for (let t = 0; t < def.targets.length; t++) {
      const weight = pose.weights[t] ?? 0;
      const target = def.targets[t].get(semantic);
      if (weight === 0 || target === undefined) continue;
      sum ??= Float64Array.from(base);
      const deltas = floats(target);
      // A delta of a tangent has three numbers, without the sign; one of a colour may have no alpha.
      const part = Math.min(this.#accessors.list[target].components, size);
      const step = this.#accessors.list[target].components;
      for (let v = 0, from = 0, to = 0; v < span.count; v++, from += step, to += size) {
        for (let c = 0; c < part; c++) sum[to + c] += weight * deltas[from + c];
      }
    }
    return sum ?? base;
  }

  /** Positions, normals and tangents in the pose; with `pointsOnly`, positions alone. UC1331, UC1343. */
  async #vertices(def: PrimitiveDef, pose: Pose, span: Span, pointsOnly = false) {
    const draco = await this.#decoded(def);
    const get = (semantic: string) => this.#attribute(def, draco, semantic, pose, span);
    const narrow = (data: Float32Array | Float64Array | null) =>
      data instanceof Float64Array ? Float32Array.from(data) : data;
    let points = get('POSITION')!;
    if (!allFinite(points)) {
      const at = firstNonFinite(points);
      const vertex = span.first + Math.floor(at / 3);
      fail('UC1331', this.#file, def.path, `position ${vertex} has ${'xyz'[at % 3]} = ${points[at]}`);
    }
    if (pointsOnly) return { draco, points, normals: null, tangents: null };
    let normals = narrow(get('NORMAL'));
    // Without normals flat ones are computed, which authored tangents do not fit (glTF 2.0, 3.7.2.1).
    let tangents = normals && narrow(get('TANGENT'));
    if (pose.skin) {
      const skin = pose.skin;
      const positions = Float64Array.from(points);
      points = positions;
      normals = normals?.slice() ?? null;
      tangents = tangents?.slice() ?? null;
      applySkin(skin, this.#influences(def, draco, pose, span), { positions, normals, tangents }, (vertex, joint) =>
        this.#noJoint(def, span.first + vertex, joint, skin.path, skin.jointCount),
      );
      if (!allFinite(positions)) fail('UC1331', this.#file, def.path, 'a skinned position overflows');
    }
    return { draco, points, normals, tangents };
  }

  #influences(def: PrimitiveDef, draco: DracoGeometry | null, pose: Pose, span: Span): Influences {
    const sets: { joints: Float32Array; weights: Float32Array }[] = [];
    const still = { ...pose, weights: null };
    for (let k = 0; def.attributes.has(`JOINTS_${k}`) && def.attributes.has(`WEIGHTS_${k}`); k++) {
      const joints = this.#attribute(def, draco, `JOINTS_${k}`, still, span) as Float32Array;
      const weights = this.#attribute(def, draco, `WEIGHTS_${k}`, still, span) as Float32Array;
      sets.push({ joints, weights });
    }
    return { sets };
  }

  /** Before skinning, with joints and weights. */
  async #readBound(def: PrimitiveDef, pose: Pose, span: Span): Promise<PolygonMesh> {
    const mesh = await this.#read(def, { ...pose, skin: null }, span);
    const { sets } = this.#influences(def, await this.#decoded(def), pose, span);
    const { path, jointCount } = pose.skin as SkinPose;
    const influences = sets.length * 4;
    const joints = new Uint32Array(span.count * influences);
    const weights = new Float32Array(span.count * influences);
    for (let v = 0, to = 0; v < span.count; v++) {
      for (const set of sets) {
        for (let i = v * 4; i < v * 4 + 4; i++, to++) {
          const weight = set.weights[i];
          if (!(weight > 0 && weight < Infinity)) continue;
          if (!(set.joints[i] < jointCount)) this.#noJoint(def, span.first + v, set.joints[i], path, jointCount);
          joints[to] = set.joints[i];
          weights[to] = weight;
        }
      }
    }
    return { ...mesh, skinning: { influences, joints, weights } };
  }

  #noJoint(def: PrimitiveDef, vertex: number, joint: number, path: string, count: number): never {
    return fail(
      'UC1343',
      this.#file,
      def.path,
      `vertex ${vertex} follows joint ${joint} of ${path}, which has ${count}`,
    );
  }

  #replaced(def: PrimitiveDef, semantic: string, result: string): void {
    this.#diagnostics.report('UC1332', this.#file, def.path, `${semantic} has values that are not numbers; ${result}`);
  }

  async #read(def: PrimitiveDef, pose: Pose, span: Span): Promise<PolygonMesh> {
    const vertices = await this.#vertices(def, pose, span);
    const { draco, points } = vertices;
    let { normals, tangents } = vertices;
    const corners = this.#corners(def, draco, pose, span);
    if (normals && !allFinite(normals)) {
      this.#replaced(def, 'NORMAL', 'they are computed from the triangles');
      normals = repairNormals(normals, points, corners);
    }
    if (tangents && !allFinite(tangents)) {
      this.#replaced(def, 'TANGENT', 'all tangents are computed again');
      tangents = null;
    }
    const uvs = new Map<string, Attribute>();
    for (const semantic of setsOf(def, 'TEXCOORD_')) {
      const data = this.#attribute(def, draco, semantic, pose, span)!;
      uvs.set(semantic, perVertex(this.#uvs(def, semantic, data), 2));
    }
    return {
      points,
      faceCounts: null,
      corners,
      holes: null,
      faceSubsets: null,
      leftHanded: false,
      normals: normals && perVertex(normals, 3),
      missingNormals: 'flat',
      tangents: tangents && perVertex(tangents, 4),
      uvs,
      colors: this.#colors(def, 'COLOR_0', draco, pose, span),
      ...this.#moreColors(def, draco, pose, span),
      opacities: null,
      creases: null,
    };
  }

  /** UVs with V up: 1 - v, because glTF's origin is the upper left corner of the image. */
  #uvs(def: PrimitiveDef, semantic: string, data: Float32Array | Float64Array): Float32Array {
    const out = new Float32Array(data.length);
    for (let i = 0; i < data.length; i += 2) {
      out[i] = data[i];
      out[i + 1] = 1 - data[i + 1];
    }
    if (allFinite(out)) return out;
    this.#replaced(def, semantic, 'these values become 0');
    return replaceNonFinite(out, 0);
  }

  /** The sets of colours beyond the first, where they are asked for. Reports UC2341. */
  #moreColors(def: PrimitiveDef, draco: DracoGeometry | null, pose: Pose, span: Span): MoreColors {
    if (!this.#keepsSets) return {};
    const sets = setsOf(def, 'COLOR_').filter((semantic) => semantic !== 'COLOR_0');
    if (sets.length >= MAX_SETS) {
      const message = `${sets[MAX_SETS - 1]} and what follows: a vertex has ${MAX_SETS} sets of colours at most`;
      this.#diagnostics.report('UC2341', this.#file, def.path, message);
    }
    return Object.fromEntries(
      sets
        .slice(0, MAX_SETS - 1)
        .map((semantic, i) => [`colors${i + 1}`, this.#colors(def, semantic, draco, pose, span)]),
    );
  }

  /** A set of colours, linear and clamped to [0, 1] (glTF 2.0, 3.7.2.1). */
  #colors(def: PrimitiveDef, semantic: string, draco: DracoGeometry | null, pose: Pose, span: Span): Attribute | null {
    const index = def.attributes.get(semantic);
    if (index === undefined) return null;
    let data = Float32Array.from(this.#attribute(def, draco, semantic, pose, span)!);
    if (!allFinite(data)) {
      this.#replaced(def, semantic, 'these values become white');
      data = Float32Array.from(replaceNonFinite(data, 1));
    }
    for (let i = 0; i < data.length; i++) data[i] = Math.min(Math.max(data[i], 0), 1);
    return perVertex(data, this.#accessors.list[index].components);
  }

  #corners(def: PrimitiveDef, draco: DracoGeometry | null, pose: Pose, span: Span): Uint32Array {
    let indices: Uint32Array | null = null;
    if (draco) {
      indices = draco.indices;
      this.#checkIndices(def, indices);
    } else if (def.indices >= 0) {
      indices = this.#indices(def);
      if (span.first > 0) indices = indices.map((index) => index - span.first);
    }
    const corners = triangleCorners(def.mode, indices, indices ? indices.length : def.vertexCount);
    if (!pose.mirrored) return corners;
    const flipped = corners.slice();
    for (let t = 0; t < flipped.length; t += 3) {
      flipped[t + 1] = corners[t + 2];
      flipped[t + 2] = corners[t + 1];
    }
    return flipped;
  }
}

/** The sets of an attribute that a primitive has, by their numbers. */
export function setsOf({ attributes }: PrimitiveDef, prefix: 'TEXCOORD_' | 'COLOR_'): string[] {
  const pattern = new RegExp(`^${prefix}\\d+$`);
  const numberOf = (semantic: string) => Number(semantic.slice(prefix.length));
  const sets = [...attributes.keys()].filter((semantic) => pattern.test(semantic));
  return sets.sort((a, b) => numberOf(a) - numberOf(b));
}

/** The rows of dense deltas that are not all 0. */
function sparseDeltas(positions: Float32Array, normals: Float32Array | null): MorphDeltas {
  const isMoved = (values: Float32Array, at: number) =>
    values[at] !== 0 || values[at + 1] !== 0 || values[at + 2] !== 0;
  let count = 0;
  const moved = new Uint32Array(positions.length / 3);
  for (let v = 0; v < moved.length; v++) {
    if (isMoved(positions, v * 3) || (normals && isMoved(normals, v * 3))) moved[count++] = v;
  }
  const vertices = moved.slice(0, count);
  return {
    vertices,
    positions: pickRows(positions, vertices),
    normals: normals && pickRows(normals, vertices),
  };
}

function pickRows(data: Float32Array, rows: Uint32Array): Float32Array {
  const out = new Float32Array(rows.length * 3);
  for (let i = 0; i < rows.length; i++) for (let k = 0; k < 3; k++) out[i * 3 + k] = data[rows[i] * 3 + k];
  return out;
}

/** Deltas that a target may have besides those of positions and normals. */
const LOSSES: readonly (readonly [RegExp, MorphLoss])[] = [
  [/^TANGENT$/, 'tangent deltas'],
  [/^COLOR_/, 'colour deltas'],
  [/^TEXCOORD_/, 'texture coordinate deltas'],
];

function sceneMorphs({ targets }: PrimitiveDef, { weights }: Pose, names: readonly string[]): SceneMorph[] {
  return targets.map((target, t) => {
    const semantics = [...target.keys()];
    const lost = LOSSES.flatMap(([pattern, loss]) => (semantics.some((one) => pattern.test(one)) ? [loss] : []));
    return { name: names[t], weight: weights?.[t] ?? 0, ...(lost.length > 0 ? { lost } : {}) };
  });
}

function perVertex(data: Float32Array, size: number): Attribute {
  return { data, size, interpolation: 'vertex', indices: null };
}
