// Subdivide: the polygons of a subdivision surface refined a number of times, for a cook that wants the surface and not
// its cage. Works on a mesh as it is read, before anything else looks at it. The rules are in subdivide/: cage.ts and
// refine.ts hold faces and edges, masks.ts positions and vertex values, seams.ts and faceVarying.ts values of corners.

import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import type { Attribute, Creases, PolygonMesh, Subdivision } from '../../scene/types.ts';
import { kindOf, type PolygonField, polygonFields, SEMANTICS } from '../mesh/attributes.ts';
import type { SourceLocation } from '../mesh/location.ts';
import { type BuiltCage, buildCage, type Cage, type CageOrigin, faceFirst } from './subdivide/cage.ts';
import { refineFaceVarying, refineValues } from './subdivide/faceVarying.ts';
import { findMasks, type Masks, refineVertices } from './subdivide/masks.ts';
import { childCornerVertices, firstEdgeVertex, refineCage, type Split } from './subdivide/refine.ts';
import { type FaceVarying, findValues } from './subdivide/seams.ts';
import { childSharpness } from './subdivide/sharpness.ts';

/** Corners that a refined mesh may have: 33 million triangles of quads, 22 million of Loop. */
export const MAX_SUBDIVIDED_CORNERS = 2 ** 26;

/**
 * Refines a mesh uniformly, as OpenSubdiv does and as UsdGeomMesh asks (`mesh.subdivision`): Catmull-Clark and bilinear
 * faces of n corners become n quads and those 4 each; Loop triangles become 4. Points are those of the refined cage, not
 * of the limit surface. Gives the mesh itself when it is no subdivision surface, `steps` is 0, or Loop meets a face that
 * is not a triangle (UC2040).
 *
 * - Order: each step keeps the numbers of the vertices, then numbers one for each face (not with Loop), then one for each
 *   edge. The children of a face replace it in the order of faces, one for each corner, Loop's middle triangle last.
 * - vertex attributes are smooth like the points, or linear where `linear` is set; faceVarying ones follow the seams that
 *   their indices state; children inherit uniform values, subsets and holes. Faces with a boundary vertex become holes
 *   under boundary 'none'.
 * - Normals and tangents are left out, to be made smooth from the result; a bilinear mesh, whose shape does not change,
 *   keeps its normals. Creases go on with what is left of their sharpness, so that hard edges stay hard.
 *
 * Corners that repeat the one before are left out; so are faces with fewer than three corners left (UC2043). Reports
 * UC2040, UC2041 and UC2043-UC2046 at `location`; throws UC2042 when the result would be too large.
 */
export function subdivide(
  mesh: PolygonMesh,
  steps: 0 | 1 | 2 | 3,
  diagnostics: Diagnostics,
  location: SourceLocation,
): PolygonMesh {
  const rules = mesh.subdivision ?? null;
  if (rules === null || steps === 0 || mesh.corners.length === 0) return mesh;
  const corners = mesh.corners.length * 4 ** steps;
  if (corners > MAX_SUBDIVIDED_CORNERS) {
    const message = `${corners} corners after ${steps} steps of subdivision, more than ${MAX_SUBDIVIDED_CORNERS}`;
    fail('UC2042', location.file, location.path, message);
  }
  const built = buildCage(mesh, rules);
  if (rules.scheme === 'loop' && built.cage.faceStart !== null && !onlyTriangles(built.cage)) {
    diagnostics.report(
      'UC2040',
      location.file,
      location.path,
      'the cage has faces that are not triangles; it is drawn as it is',
    );
    return mesh;
  }
  report(mesh, built, diagnostics, location);
  return new Refinement(mesh, rules, built.cage, built.origin).refine(steps);
}

function onlyTriangles(cage: Cage): boolean {
  for (let f = 0; f < cage.faceCount; f++) if (faceFirst(cage, f + 1) - faceFirst(cage, f) !== 3) return false;
  return true;
}

function report(mesh: PolygonMesh, built: BuiltCage, diagnostics: Diagnostics, location: SourceLocation): void {
  const { cage, origin } = built;
  const say = (code: Parameters<Diagnostics['report']>[0], message: string) =>
    diagnostics.report(code, location.file, location.path, message);
  const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
  if (origin.strayCreases > 0) say('UC2041', count(origin.strayCreases, 'crease edge', 'crease edges'));
  if (origin.corners) {
    const corners = mesh.corners.length - cage.corners.length;
    const faces = (mesh.faceCounts ? mesh.faceCounts.length : mesh.corners.length / 3) - cage.faceCount;
    const whole = faces > 0 ? `, among them those of ${count(faces, 'face', 'faces')}` : '';
    say('UC2043', `left out ${count(corners, 'corner', 'corners')}${whole}`);
  }
  const bilinear = mesh.subdivision?.scheme === 'bilinear';
  if (origin.nonManifoldEdges > 0 && !bilinear) say('UC2044', count(origin.nonManifoldEdges, 'edge', 'edges'));
  if (origin.undrawn) {
    let faces = 0;
    for (const undrawn of origin.undrawn) faces += undrawn;
    say('UC2045', count(faces, 'face of the cage', 'faces of the cage'));
  }
  if (mesh.normals && !bilinear) say('UC2046', 'authored normals are left out');
}

/** An attribute of vertices or of corners, with its values after the steps made so far. */
interface Refined {
  readonly attribute: Attribute;
  data: Float32Array | Float64Array;
}

/** Attributes of corners with the same indices, and so the same seams. */
interface Channel {
  values: FaceVarying;
  /** Element of the attributes' data for each value of the first cage. */
  readonly sources: Uint32Array;
  readonly attributes: Refined[];
}

/** One mesh while it is refined step by step. */
class Refinement {
  readonly #mesh: PolygonMesh;
  readonly #rules: Subdivision;
  readonly #origin: CageOrigin;
  readonly #split: Split;
  #cage: Cage;
  #points: Float32Array | Float64Array;
  readonly #perVertex = new Map<Attribute, Refined>();
  readonly #perCorner = new Map<Attribute, { readonly channel: Channel; readonly refined: Refined }>();
  readonly #channels: Channel[] = [];
  /** The attributes that the result has, by their fields; null: none. */
  readonly #fields: readonly (readonly [PolygonField, Attribute | null])[];

  constructor(mesh: PolygonMesh, rules: Subdivision, cage: Cage, origin: CageOrigin) {
    this.#mesh = mesh;
    this.#rules = rules;
    this.#origin = origin;
    this.#cage = cage;
    this.#split = rules.scheme === 'loop' ? 'triangles' : 'quads';
    this.#points = mesh.points;
    this.#fields = SEMANTICS.flatMap((semantic) => {
      const rule = kindOf(semantic).subdivide;
      const isKept = rule === 'refined' || (rule === 'whereFlat' && rules.scheme === 'bilinear');
      return polygonFields(semantic).map((field) => [field, isKept ? (mesh[field] ?? null) : null] as const);
    });
    for (const attribute of [...mesh.uvs.values(), ...this.#fields.map(([, attribute]) => attribute)]) {
      if (attribute?.interpolation === 'vertex') {
        this.#perVertex.set(attribute, { attribute, data: gather(attribute, attribute.indices) });
      } else if (attribute?.interpolation === 'faceVarying') {
        this.#addToChannel(attribute);
      }
    }
  }

  /** Attributes with the same indices share the work on their seams. */
  #addToChannel(attribute: Attribute): void {
    if (this.#perCorner.has(attribute)) return;
    const linear = this.#rules.scheme === 'bilinear' || attribute.linear === true;
    const kept = this.#origin.corners;
    for (const [other, { channel }] of this.#perCorner) {
      if (other.indices !== attribute.indices || (other.linear === true) !== (attribute.linear === true)) continue;
      const refined = { attribute, data: gather(attribute, channel.sources) };
      channel.attributes.push(refined);
      this.#perCorner.set(attribute, { channel, refined });
      return;
    }
    let indices = attribute.indices;
    if (indices && kept) indices = pick(indices, kept);
    const { values, source } = findValues(this.#cage, indices, this.#origin.nonManifold, this.#rules, linear);
    const sources = attribute.indices || kept === null ? source : pick(kept, source);
    const refined = { attribute, data: gather(attribute, sources) };
    const channel = { values, sources, attributes: [refined] };
    this.#channels.push(channel);
    this.#perCorner.set(attribute, { channel, refined });
  }

  refine(steps: number): PolygonMesh {
    const mesh = this.#mesh;
    const split = this.#split;
    const firstCage = this.#cage;
    let corners = firstCage.corners;
    let creases: Creases | null = null;
    for (let step = 1; step <= steps; step++) {
      const cage = this.#cage;
      const last = step === steps;
      const masks = this.#rules.scheme === 'bilinear' ? null : findMasks(cage, split, this.#rules.triangles);
      this.#points = refineVertices(cage, split, masks, this.#points, 3);
      for (const refined of this.#perVertex.values()) {
        const { linear, size } = refined.attribute;
        refined.data = refineVertices(cage, split, linear ? null : masks, refined.data, size);
      }
      for (const channel of this.#channels) this.#refineChannel(channel, masks, last);
      if (last) {
        corners = childCornerVertices(cage, split);
        creases = childCreases(cage, split);
      } else {
        this.#cage = refineCage(cage, split);
      }
    }
    const faces = this.#sourceFaces(firstCage, steps);
    const fields = this.#fields.map(([field, attribute]) => [field, attribute && this.#result(attribute, faces)]);
    return {
      ...(Object.fromEntries(fields) as Pick<PolygonMesh, PolygonField>),
      points: mesh.points instanceof Float32Array ? Float32Array.from(this.#points) : this.#points,
      faceCounts: split === 'quads' ? new Uint32Array(faces.length).fill(4) : null,
      corners,
      holes: this.#holes(firstCage, faces),
      faceSubsets: mesh.faceSubsets && pick(mesh.faceSubsets, faces),
      leftHanded: mesh.leftHanded,
      missingNormals: this.#rules.scheme === 'bilinear' ? mesh.missingNormals : 'smooth',
      uvs: new Map([...mesh.uvs].map(([name, attribute]) => [name, this.#result(attribute, faces)])),
      creases,
      subdivision: null,
    };
  }

  #refineChannel(channel: Channel, masks: Masks | null, last: boolean): void {
    const cage = this.#cage;
    const step = refineValues(cage, this.#split, channel.values, last);
    for (const refined of channel.attributes) {
      refined.data = refineFaceVarying(cage, this.#split, masks, step, refined.data, refined.attribute.size);
    }
    channel.values = step.to;
  }

  /** The mesh's face that each face of the result comes from. */
  #sourceFaces(cage: Cage, steps: number): Uint32Array {
    const quads = this.#split === 'quads';
    const each = 4 ** (steps - (quads ? 1 : 0));
    const out = new Uint32Array((quads ? cage.corners.length : cage.faceCount) * each);
    let to = 0;
    for (let f = 0; f < cage.faceCount; f++) {
      const count = (quads ? faceFirst(cage, f + 1) - faceFirst(cage, f) : 1) * each;
      out.fill(this.#origin.faces ? this.#origin.faces[f] : f, to, to + count);
      to += count;
    }
    return out;
  }

  #holes(cage: Cage, faces: Uint32Array): Uint8Array | null {
    const { holes } = this.#mesh;
    const { undrawn } = this.#origin;
    if (undrawn === null) return holes && pick(holes, faces);
    const all = holes ? holes.slice() : new Uint8Array(faces[faces.length - 1] + 1);
    for (let f = 0; f < cage.faceCount; f++) {
      if (undrawn[f]) all[this.#origin.faces ? this.#origin.faces[f] : f] = 1;
    }
    return pick(all, faces);
  }

  #result(attribute: Attribute, faces: Uint32Array): Attribute {
    const { size, interpolation } = attribute;
    const corner = this.#perCorner.get(attribute);
    if (corner) {
      const { channel, refined } = corner;
      return { data: Float32Array.from(refined.data), size, interpolation, indices: channel.values.cornerValue };
    }
    const vertex = this.#perVertex.get(attribute);
    if (vertex) return { data: Float32Array.from(vertex.data), size, interpolation, indices: null };
    if (interpolation === 'constant') return attribute;
    return { ...attribute, indices: attribute.indices ? pick(attribute.indices, faces) : faces };
  }
}

/** Elements of an attribute in the order of `order`; its own data when that is null. */
function gather(attribute: Attribute, order: Uint32Array | null): Float32Array {
  const { data, size } = attribute;
  if (order === null) return data;
  const out = new Float32Array(order.length * size);
  for (let i = 0, to = 0; i < order.length; i++) {
    for (let k = 0; k < size; k++) out[to++] = data[order[i] * size + k];
  }
  return out;
}

function pick<T extends Uint8Array | Int32Array | Uint32Array>(values: T, order: Uint32Array): T {
  const out = new (values.constructor as new (length: number) => T)(order.length);
  for (let i = 0; i < order.length; i++) out[i] = values[order[i]];
  return out;
}

/** The edges that are still sharp after the last step, as runs of two vertices; boundaries need none. */
function childCreases(cage: Cage, split: Split): Creases | null {
  const { edgeSharpness, edgeFaces, edgeVertices } = cage;
  let count = 0;
  const stays = (e: number) => edgeSharpness[e] > 1 && edgeFaces[e] > 1;
  for (let e = 0; e < edgeFaces.length; e++) if (stays(e)) count += 2;
  if (count === 0) return null;
  const firstEdge = firstEdgeVertex(cage, split);
  const vertices = new Uint32Array(count * 2);
  const sharpnesses = new Float32Array(count);
  let to = 0;
  for (let e = 0; e < edgeFaces.length; e++) {
    if (!stays(e)) continue;
    for (let k = 0; k < 2; k++, to++) {
      vertices[to * 2] = edgeVertices[e * 2 + k];
      vertices[to * 2 + 1] = firstEdge + e;
      sharpnesses[to] = childSharpness(edgeSharpness[e]);
    }
  }
  return { vertices, lengths: new Uint32Array(count).fill(2), sharpnesses };
}
