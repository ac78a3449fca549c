// The morph targets of a node in engine space: deltas moved as its bind pose moves vertices, targets of all its primitives
// united by name, what would not be seen left out, and points numbered over all primitives.

import type { Code } from '../diagnostics/diagnostic.ts';
import { elementOf, interpolationCode } from '../scene/element.ts';
import { cofactor3, determinant3 } from '../scene/matrix.ts';
import type { RigMorph } from '../scene/rig.ts';
import type {
  Mat4,
  MorphDeltas,
  MorphDriver,
  MorphLoss,
  PolygonMesh,
  SceneMorph,
  ScenePrimitive,
} from '../scene/types.ts';

/** Deltas shorter than this share of the size of the model are left out. */
const MIN_MOVE = 1e-5;
/** Normals that turn by less keep the ten bits in which vertices store them. */
const MIN_TURN = 1e-3;
/** Normals of ten bits a component miss unit length by less than this; files of ours that are written again keep their deltas. */
const UNIT = 4e-3;
/** Targets of one mesh that the engine applies at a time: the strongest ones. */
const MAX_APPLIED = 16;

/** A primitive in its bind pose, and how it came there. */
export interface MorphPart {
  readonly primitive: ScenePrimitive;
  /** As the source has it: normals of any length. */
  readonly polygons: PolygonMesh;
  /** Points of the mesh to engine space. */
  readonly place: Mat4;
}

/** How far targets at weights from 0 to 1 move the points of a primitive; three numbers a point. */
export interface MorphReach {
  readonly min: Float32Array;
  readonly max: Float32Array;
}

export interface NodeMorphs {
  readonly morphs: readonly RigMorph[];
  /** By primitive. Null: no target moves it. */
  readonly parts: readonly ({ readonly numbers: Uint32Array; readonly reach: MorphReach } | null)[];
}

/** By point, by what a normal delta must be multiplied so that it fits a normal of unit length where `linear` puts it. */
function normalScales(
  { normals, points, corners, faceCounts }: PolygonMesh,
  linear: Float64Array,
): Float64Array | null {
  if (normals === null) return null;
  const sums = new Float64Array(points.length / 3);
  const counts = new Uint32Array(sums.length);
  const { data, size, indices } = normals;
  const code = interpolationCode(normals);
  let face = 0;
  let end = faceCounts ? faceCounts[0] : 3;
  for (let c = 0; c < corners.length; c++) {
    while (c >= end) {
      face++;
      end += faceCounts ? faceCounts[face] : 3;
    }
    const at = elementOf(code, indices, c, corners[c], face) * size;
    let squares = 0;
    for (let r = 0; r < 3; r++) {
      const part = linear[r] * data[at] + linear[3 + r] * data[at + 1] + linear[6 + r] * data[at + 2];
      squares += part * part;
    }
    sums[corners[c]] += Math.sqrt(squares);
    counts[corners[c]]++;
  }
  return sums.map((sum, v) => {
    const length = sum / counts[v];
    if (!(length > 0)) return 0;
    return Math.abs(length - 1) < UNIT ? 1 : 1 / length;
  });
}

/** How normals of a part are transformed to engine space. */
interface NormalPlace {
  readonly linear: Float64Array;
  /** Null: the part has no normals, or no target turns any. */
  readonly scales: Float64Array | null;
}

function normalPlace({ polygons, place }: MorphPart, all: readonly MorphDeltas[]): NormalPlace {
  const sign = determinant3(place) < 0 ? -1 : 1;
  const linear = cofactor3(place).map((value) => value * sign);
  return { linear, scales: all.some(({ normals }) => normals !== null) ? normalScales(polygons, linear) : null };
}

/** Deltas where the linear part of `place` puts them, without those that nobody would see. */
function placedDeltas(
  { vertices, positions, normals }: MorphDeltas,
  place: Mat4,
  { linear, scales: ofPart }: NormalPlace,
  min: number,
): MorphDeltas {
  const count = vertices.length;
  const moved = new Float32Array(count * 3);
  const turned = new Float32Array(count * 3);
  const scales = normals && ofPart;
  const kept = new Uint32Array(count);
  let length = 0;
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [positions[i * 3], positions[i * 3 + 1], positions[i * 3 + 2]];
    const to = length * 3;
    let move = 0;
    let turn = 0;
    for (let r = 0; r < 3; r++) {
      const value = place[r] * x + place[4 + r] * y + place[8 + r] * z;
      moved[to + r] = value;
      move += value * value;
      turned[to + r] = 0;
    }
    if (normals && scales) {
      const [nx, ny, nz] = [normals[i * 3], normals[i * 3 + 1], normals[i * 3 + 2]];
      const scale = scales[vertices[i]];
      for (let r = 0; r < 3; r++) {
        const value = scale * (linear[r] * nx + linear[3 + r] * ny + linear[6 + r] * nz);
        turned[to + r] = value;
        turn = Math.max(turn, Math.abs(value));
      }
    }
    if (Math.sqrt(move) >= min || turn >= MIN_TURN) kept[length++] = i;
  }
  return {
    vertices: Uint32Array.from(kept.subarray(0, length), (i) => vertices[i]),
    positions: moved.slice(0, length * 3),
    normals: scales && turned.slice(0, length * 3),
  };
}

/** A target of one name, of the primitives that have it. */
interface United {
  readonly name: string;
  readonly weight: number;
  drivers: readonly MorphDriver[] | undefined;
  readonly parts: { readonly first: number; readonly deltas: MorphDeltas }[];
}

function joined<T extends Float32Array | Uint32Array>(all: readonly T[], empty: T): T {
  if (all.length === 1) return all[0];
  const out = new (empty.constructor as new (length: number) => T)(all.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of all) {
    out.set(one, at);
    at += one.length;
  }
  return out;
}

/** Points are counted from 1 over all primitives; a primitive begins behind `first`. */
function unitedMorph({ name, weight, drivers, parts }: United): RigMorph {
  const hasNormals = parts.some(({ deltas }) => deltas.normals !== null);
  const normalsOf = ({ normals, positions }: MorphDeltas) => normals ?? new Float32Array(positions.length);
  return {
    name,
    weight,
    ...(drivers ? { drivers } : {}),
    vertices: joined(
      parts.map(({ first, deltas }) => deltas.vertices.map((v) => first + v + 1)),
      new Uint32Array(0),
    ),
    positions: joined(
      parts.map(({ deltas }) => deltas.positions),
      new Float32Array(0),
    ),
    normals: hasNormals
      ? joined(
          parts.map(({ deltas }) => normalsOf(deltas)),
          new Float32Array(0),
        )
      : null,
  };
}

/** The primitives with the numbers of the points that targets move. */
export function numbered(primitives: readonly ScenePrimitive[], { parts }: NodeMorphs): ScenePrimitive[] {
  return primitives.map((primitive, p) => {
    const part = parts[p];
    return part
      ? { ...primitive, read: async () => ({ ...(await primitive.read()), pointNumbers: part.numbers }) }
      : primitive;
  });
}

function addReach(reach: MorphReach, { vertices, positions }: MorphDeltas, weight: number): void {
  for (let i = 0; i < positions.length; i++) {
    const at = vertices[Math.floor(i / 3)] * 3 + (i % 3);
    const [low, high] = [-weight * positions[i], (1 - weight) * positions[i]];
    reach.min[at] += Math.min(0, low, high);
    reach.max[at] += Math.max(0, low, high);
  }
}

/**
 * The targets of a node; null where none of them moves anything. `size`: of the model, in metres. Reports UC2091 to UC2093 for
 * what a file has no place for, UC2094 for targets that move nothing, and UC2095 at `path`.
 */
export async function nodeMorphs(
  parts: readonly MorphPart[],
  size: number,
  report: (code: Code, message: string) => void,
): Promise<NodeMorphs | null> {
  const byName = new Map<string, United>();
  const lost = new Map<MorphLoss, Set<string>>();
  const made: { numbers: Uint32Array; reach: MorphReach }[] = [];
  let first = 0;
  for (const part of parts) {
    const { primitive, polygons } = part;
    const count = polygons.points.length / 3;
    const numbers = new Uint32Array(count);
    const reach = { min: new Float32Array(count * 3), max: new Float32Array(count * 3) };
    made.push({ numbers, reach });
    const { targets = [] } = primitive.morphs ?? {};
    const all = (await primitive.morphs?.read()) ?? [];
    const normals = normalPlace(part, all);
    for (const [t, target] of targets.entries()) {
      const { name, weight, drivers } = target;
      for (const what of lossesOf(target, all[t], polygons)) {
        lost.set(what, (lost.get(what) ?? new Set()).add(name));
      }
      const deltas = placedDeltas(all[t], part.place, normals, MIN_MOVE * size);
      const known = byName.get(name) ?? { name, weight, drivers, parts: [] };
      byName.set(name, known);
      known.drivers ??= drivers;
      if (deltas.vertices.length === 0) continue;
      known.parts.push({ first, deltas });
      for (const v of deltas.vertices) numbers[v] = first + v + 1;
      addReach(reach, deltas, weight);
    }
    first += count;
  }
  for (const [what, names] of lost) report(LOSSES[what], `${what} of ${quoted([...names])}`);
  const united = [...byName.values()];
  const still = united.filter((one) => one.parts.length === 0).map(({ name }) => name);
  if (still.length > 0) report('UC2094', quoted(still));
  const morphs = united.filter((one) => one.parts.length > 0).map(unitedMorph);
  if (morphs.length > MAX_APPLIED) report('UC2095', `${morphs.length} morph targets`);
  if (morphs.length === 0) return null;
  return { morphs, parts: made.map((one) => (one.numbers.some((number) => number > 0) ? one : null)) };
}

/**
 * What a file does not hold of a target. Normals that are made where the source has none are not known here, so that no delta
 * can be fitted to them. UsdSkel has such deltas; those of glTF do not count (3.7.2.2) and are not read.
 */
function lossesOf({ lost = [] }: SceneMorph, { normals }: MorphDeltas, polygons: PolygonMesh): readonly MorphLoss[] {
  if (polygons.normals !== null || !normals?.some((value) => value !== 0)) return lost;
  return [...lost, 'normal deltas'];
}

/** What a source has of a target that no file holds. */
const LOSSES = {
  'in-between shapes': 'UC2091',
  'normal deltas': 'UC2092',
  'tangent deltas': 'UC2092',
  'colour deltas': 'UC2093',
  'texture coordinate deltas': 'UC2093',
} as const satisfies Record<MorphLoss, Code>;

const SHOWN = 5;

function quoted(names: readonly string[]): string {
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names
    .slice(0, SHOWN)
    .map((name) => `"${name}"`)
    .join(', ')}${more}`;
}
