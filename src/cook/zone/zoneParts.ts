// The parts of a scene that eyes look at: each subset of each primitive at each place. Their triangles are read when an eye would
// see them, so that what is hidden is never read.

import { triangulate } from '../../geometry/polygons/triangulate.ts';
import { transformBounds } from '../../scene/matrix.ts';
import type { Mat4, PolygonMesh, Scene, SceneMaterial, ScenePrimitive, Vec3 } from '../../scene/types.ts';
import type { Part } from '../../zone/look.ts';
import { boxOf, surfaceOf } from '../../zone/surface.ts';
import { materialOf } from '../steps/textures/vertexColors.ts';

/** Where a part comes from. */
export interface PartSource {
  /** Index into Scene.nodes. */
  readonly node: number;
  readonly primitive: ScenePrimitive;
  /** -1: the faces that no subset claims. */
  readonly subset: number;
  readonly material: number;
}

/** Triangles in memory beyond which those that are hidden are let go: some twenty bytes each, for all threads together. */
const MAX_TRIANGLES = 2 ** 23;

/** Whether something may be seen through a material. */
export function isClear(material: SceneMaterial | undefined): boolean {
  return material !== undefined && (material.alphaMode !== 'opaque' || material.transmission > 0);
}

/** Positions of a mesh at its place, relative to a point, as float32: reckoned in float64. */
export function placedPoints(points: Float32Array | Float64Array, world: Mat4, middle: Vec3): Float32Array {
  const placed = new Float32Array(points.length);
  const [mx, my, mz] = [world[12] - middle[0], world[13] - middle[1], world[14] - middle[2]];
  for (let i = 0; i + 2 < points.length; i += 3) {
    const [x, y, z] = [points[i], points[i + 1], points[i + 2]];
    placed[i] = world[0] * x + world[4] * y + world[8] * z + mx;
    placed[i + 1] = world[1] * x + world[5] * y + world[9] * z + my;
    placed[i + 2] = world[2] * x + world[6] * y + world[10] * z + mz;
  }
  return placed;
}

/** The points of the corners of a subset's triangles. */
export function trianglePoints(mesh: PolygonMesh, subset: number): Uint32Array {
  const { corners, count } = triangulate(mesh, subset);
  if (corners === null) return mesh.corners.subarray(0, count * 3);
  return corners.map((corner) => mesh.corners[corner]);
}

/** Triangles of a part as far as they are known without reading. */
export function triangleCountOf({ primitive, subset }: PartSource): number {
  if (subset >= 0) return primitive.subsets[subset].triangleCount;
  return primitive.triangleCount - primitive.subsets.reduce((sum, { triangleCount }) => sum + triangleCount, 0);
}

export class ZoneParts {
  readonly sources: readonly PartSource[];
  readonly #parts: Part[];
  readonly #scene: Scene;
  readonly #middle: Vec3;
  /** Of each part the version with which it came to be as it is. */
  readonly #changed: Uint32Array;
  #version = 1;
  /** Triangles of parts that were read. */
  readonly #counts: Uint32Array;

  readonly #maxTriangles: number;

  /** `nodes`: those whose meshes are looked at. Positions are relative to `middle`. Beyond `maxTriangles`, hidden ones are let go. */
  constructor(scene: Scene, nodes: Iterable<number>, middle: Vec3, maxTriangles = MAX_TRIANGLES) {
    this.#scene = scene;
    this.#middle = middle;
    this.#maxTriangles = maxTriangles;
    const sources: PartSource[] = [];
    const parts: Part[] = [];
    for (const node of nodes) {
      const { mesh, world } = scene.nodes[node];
      for (const primitive of scene.meshes[mesh].primitives) {
        if (primitive.bounds === null || primitive.triangleCount === 0) continue;
        const box = boxOf(transformBounds(world, primitive.bounds), middle);
        for (const subset of [-1, ...primitive.subsets.keys()]) {
          sources.push({ node, primitive, subset, material: materialOf(primitive, subset) });
          parts.push({ boxes: box, surface: null });
        }
      }
    }
    this.sources = sources;
    this.#parts = parts;
    this.#changed = new Uint32Array(parts.length).fill(1);
    this.#counts = new Uint32Array(parts.length);
  }

  get parts(): readonly Part[] {
    return this.#parts;
  }

  /** Those that a thread does not have yet: what changed since the version that it has. */
  since(version: number): readonly { readonly number: number; readonly part: Part }[] {
    if (version === this.#version) return [];
    const list: { number: number; part: Part }[] = [];
    for (let number = 0; number < this.#parts.length; number++) {
      if (this.#changed[number] > version) list.push({ number, part: this.#parts[number] });
    }
    return list;
  }

  /** Grows whenever parts get their triangles; from 1 on. */
  get version(): number {
    return this.#version;
  }

  /** Triangles of all parts, as far as they are known without reading. */
  get triangles(): number {
    return this.sources.reduce((sum, source) => sum + triangleCountOf(source), 0);
  }

  /** Triangles in memory. */
  get read(): number {
    return this.#parts.reduce((sum, { surface }) => sum + (surface ? surface.indices.length / 3 : 0), 0);
  }

  /** Triangles of a part whose triangles were read. */
  triangleCount(part: number): number {
    return this.#counts[part];
  }

  #set(number: number, part: Part): void {
    this.#parts[number] = part;
    this.#changed[number] = this.#version;
  }

  /** Lets go the triangles of parts that are not among these, if there are too many. What boxes they lie in is known from now on. */
  forget(needed: ReadonlySet<number>): void {
    if (this.read <= this.#maxTriangles) return;
    this.#version++;
    for (const [number, { boxes, surface }] of this.#parts.entries()) {
      if (surface !== null && !needed.has(number)) this.#set(number, { boxes, surface: null });
    }
  }

  /** Reads the triangles of parts, each primitive once. Throws what reading throws. */
  async load(numbers: readonly number[]): Promise<void> {
    this.#version++;
    const ofPrimitives = new Map<ScenePrimitive, number[]>();
    for (const number of numbers) {
      const { primitive } = this.sources[number];
      const list = ofPrimitives.get(primitive);
      if (list) list.push(number);
      else ofPrimitives.set(primitive, [number]);
    }
    for (const [primitive, list] of ofPrimitives) {
      const polygons = await primitive.read();
      for (const number of list) {
        const { node, subset, material } = this.sources[number];
        const positions = placedPoints(polygons.points, this.#scene.nodes[node].world, this.#middle);
        const surface = surfaceOf(
          positions,
          trianglePoints(polygons, subset),
          isClear(this.#scene.materials[material]),
        );
        this.#counts[number] = surface.triangles.length;
        this.#set(number, { boxes: surface.boxes, surface });
      }
    }
  }
}
