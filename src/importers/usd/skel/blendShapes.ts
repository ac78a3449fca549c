// Reads the blend shapes of meshes (UsdSkelBindingAPI, UsdSkelBlendShape): names and targets are on the mesh, offsets on the
// targets, and weights on the animation of the skeleton that the mesh is bound to. Offsets are in the space of the points.

import { boundsOfPoints } from '../../../scene/bounds.ts';
import { morphedPolygons } from '../../../scene/morphs.ts';
import type { MorphDeltas, PrimitiveMorphs, SceneMorph, ScenePrimitive } from '../../../scene/types.ts';
import { sortedDeltas } from '../../morphDeltas.ts';
import { morphNames } from '../../morphNames.ts';
import type { Stage, StageAttribute, StagePrim } from '../compose/stage/stage.ts';
import { integersOf, textsOf } from '../compose/values/values.ts';
import type { Value } from '../layer.ts';
import type { Notes } from '../notes.ts';
import { animationSource, skelProperties } from './inherited.ts';
import { readable } from './readable.ts';

const NAMES = 'skel:blendShapes';
const TARGETS = 'skel:blendShapeTargets';
const IN_BETWEEN = /^inbetweens:[^:]+$/;

/** A shape of a mesh that can be used. */
interface Shape extends SceneMorph {
  readonly prim: StagePrim;
}

/** Whether a mesh lists blend shapes. */
export const hasBlendShapes = (prim: StagePrim): boolean => (prim.attribute(NAMES)?.peek()?.count ?? 0) > 0;

const VECTORS = /^Vec3[fhd]$/;

function vectorsOf(value: Value | undefined): Float32Array | null {
  if (!value?.array || !VECTORS.test(value.type)) return null;
  const data = value.value as ArrayLike<number>;
  return data instanceof Float32Array ? data : Float32Array.from(data);
}

/** The deltas of a shape; a text says what is wrong with them. */
function readShape({ prim }: Pick<Shape, 'prim'>, vertexCount: number): MorphDeltas | string {
  const positions = vectorsOf(prim.attribute('offsets')?.get()?.value);
  if (positions === null) return 'it has no offsets';
  const indices = integersOf(prim.attribute('pointIndices')?.get()?.value);
  const count = positions.length / 3;
  // Without indices the offsets are those of all points, in their order.
  const vertices =
    indices && indices.length > 0 ? Uint32Array.from(indices) : Uint32Array.from({ length: count }, (_, i) => i);
  if (vertices.length !== count) return `${count} offsets for ${vertices.length} point indices`;
  const beyond = vertices.find((vertex) => vertex >= vertexCount);
  if (beyond !== undefined) return `it moves point ${beyond | 0} of ${vertexCount}`;
  const authored = vectorsOf(prim.attribute('normalOffsets')?.get()?.value);
  if (authored !== null && authored.length > 0 && authored.length !== positions.length) {
    return `${authored.length / 3} normal offsets for ${count} offsets`;
  }
  const normals = authored !== null && authored.length > 0 ? authored : null;
  if (!positions.every(Number.isFinite) || normals?.every(Number.isFinite) === false) return 'an offset is not finite';
  return sortedDeltas({ vertices, positions, normals });
}

export class BlendShapes {
  readonly #stage: Stage;
  readonly #notes: Notes;
  readonly #isTimed: boolean;
  readonly #isAsked: boolean;
  /** By the path of an animation, its weights by name. */
  readonly #weights = new Map<string, ReadonlyMap<string, number>>();

  /**
   * `isTimed`: values of a certain time are asked for. `isAsked`: what moves meshes is; otherwise faults of it are not reported.
   */
  constructor(stage: Stage, notes: Notes, isTimed: boolean, isAsked: boolean) {
    this.#isAsked = isAsked;
    this.#stage = stage;
    this.#notes = notes;
    this.#isTimed = isTimed;
  }

  /** What tells the shapes of a mesh from those of others with equal points; '' for none. Instances have equal ones. */
  key(prim: StagePrim): string {
    if (prim.prototype !== null || !hasBlendShapes(prim)) return '';
    const names = textsOf(prim.attribute(NAMES)?.get()?.value) ?? [];
    const weights = this.#weightsOf(prim);
    const targets = prim.relationship(TARGETS)?.targets() ?? [];
    return [...names.map((name) => `${name}=${weights.get(name) ?? 0}`), ...targets].join('\n');
  }

  /** The primitive with its shapes, at the weights that the stage gives them. Reports UC1859 and UC2096. */
  withShapes(primitive: ScenePrimitive, prim: StagePrim): ScenePrimitive {
    if (!hasBlendShapes(prim) || primitive.vertexCount === 0) return primitive;
    const shapes = readable(() => this.#shapesOf(prim, primitive.vertexCount));
    if (typeof shapes === 'string') {
      this.#report('UC1859', prim.path, shapes);
      return primitive;
    }
    if (shapes.length === 0) return primitive;
    const read = async () => shapes.map((shape) => deltasOf(shape, primitive.vertexCount));
    const targets = shapes.map(({ prim: _, ...target }) => target);
    const morphs: PrimitiveMorphs = { targets, read };
    if (targets.every(({ weight }) => weight === 0)) return { ...primitive, morphs };
    const weighted = async () => (await read()).map((deltas, t) => ({ ...deltas, weight: targets[t].weight }));
    const shown = async () => morphedPolygons(await primitive.read(), await weighted());
    const moved = readable(() => shapes.map((shape) => deltasOf(shape, primitive.vertexCount)));
    if (typeof moved === 'string') return { ...primitive, morphs };
    return { ...primitive, bounds: reachedBounds(primitive, targets, moved), morphs, read: shown };
  }

  #report(code: 'UC1859' | 'UC2096', path: string, message: string): void {
    if (this.#isAsked) this.#notes.report(code, path, message);
  }

  #shapesOf(prim: StagePrim, vertexCount: number): Shape[] {
    const given = textsOf(prim.attribute(NAMES)?.get()?.value) ?? [];
    const names = morphNames(given, given.length);
    const targets = prim.relationship(TARGETS)?.targets() ?? [];
    const weights = this.#weightsOf(prim);
    return names.flatMap((name, i): Shape[] => {
      const target = targets[i] === undefined ? undefined : this.#stage.prim(targets[i]);
      const fault =
        target?.typeName === 'BlendShape'
          ? readable(() => readShape({ prim: target }, vertexCount))
          : `${targets[i] === undefined ? 'it has no target' : `<${targets[i]}> is no active BlendShape`}`;
      if (target === undefined || typeof fault === 'string') {
        this.#report('UC1859', prim.path, `"${name}" is left out: ${fault}`);
        return [];
      }
      const hasInBetweens = target.propertyNames().some((property) => IN_BETWEEN.test(property));
      return [
        {
          name,
          weight: weights.get(given[i]) ?? 0,
          prim: target,
          ...(hasInBetweens ? { lost: ['in-between shapes'] as const } : {}),
        },
      ];
    });
  }

  /** The weights by the names of shapes, at the time that is asked for. Weights that change are 0 at rest. */
  #weightsOf(prim: StagePrim): ReadonlyMap<string, number> {
    const properties = skelProperties(prim);
    const skeleton =
      properties === null || properties === 'outside' ? undefined : this.#stage.prim(properties.skeleton);
    const path = skeleton ? animationSource(skeleton) : null;
    const animation = path === null ? undefined : this.#stage.prim(path);
    if (animation?.typeName !== 'SkelAnimation') return new Map();
    const known = this.#weights.get(animation.path);
    if (known) return known;
    const weights = readable(() => this.#readWeights(animation));
    if (typeof weights === 'string') this.#report('UC1859', animation.path, `weights are left out: ${weights}`);
    const found = typeof weights === 'string' ? new Map<string, number>() : weights;
    this.#weights.set(animation.path, found);
    return found;
  }

  #readWeights(animation: StagePrim): ReadonlyMap<string, number> {
    const names = textsOf(animation.attribute('blendShapes')?.get()?.value) ?? [];
    const attribute = animation.attribute('blendShapeWeights');
    if (attribute === null || names.length === 0) return new Map();
    const isAnimated = (attribute.samples()?.times.length ?? 0) > 1;
    if (isAnimated) this.#report('UC2096', animation.path, `of "${animation.name}"`);
    return isAnimated && !this.#isTimed ? new Map() : weightMap(names, attribute);
  }
}

function weightMap(names: readonly string[], attribute: StageAttribute): ReadonlyMap<string, number> {
  const value = attribute.get()?.value;
  const weights = value?.array && /^(Float|Half|Double)$/.test(value.type) ? (value.value as ArrayLike<number>) : [];
  return new Map(names.map((name, i) => [name, Number.isFinite(weights[i]) ? weights[i] : 0]));
}

function deltasOf(shape: Shape, vertexCount: number): MorphDeltas {
  const deltas = readShape(shape, vertexCount);
  // The same bytes gave sound deltas before: files that change are refused when they are read.
  if (typeof deltas === 'string') throw new Error(`${shape.prim.path} changed while it was cooked: ${deltas}`);
  return deltas;
}

/** A box that holds the primitive at the weights of its targets: each may move a corner as far as its longest delta does. */
function reachedBounds(
  { bounds }: ScenePrimitive,
  targets: readonly SceneMorph[],
  all: readonly MorphDeltas[],
): ScenePrimitive['bounds'] {
  if (bounds === null) return null;
  const min: [number, number, number] = [...bounds.min];
  const max: [number, number, number] = [...bounds.max];
  for (const [t, { positions }] of all.entries()) {
    const box = boundsOfPoints(positions.map((value) => value * targets[t].weight));
    for (let k = 0; k < 3; k++) {
      min[k] += Math.min(0, box?.min[k] ?? 0);
      max[k] += Math.max(0, box?.max[k] ?? 0);
    }
  }
  return { min, max };
}
