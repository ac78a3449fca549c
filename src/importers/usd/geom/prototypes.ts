// The shapes and lights that PointInstancers draw. Each prototype, with the instancers inside of it, is walked once for
// all its instances.

import { fail } from '../../../diagnostics/diagnostic.ts';
import { identity, multiply } from '../../../scene/matrix.ts';
import type { Mat4 } from '../../../scene/types.ts';
import type { Stage, StagePrim } from '../compose/stage/stage.ts';
import type { Notes } from '../notes.ts';
import type { Choice } from './choice.ts';
import type { Drawables } from './drawables.ts';
import { readInstancer } from './instancer.ts';
import { LIGHTS, SHAPES } from './primTypes.ts';
import { type Frame, inheritedPurpose, noteAnimation, walkDrawn } from './walk.ts';

/** A shape or light of a prototype or instancer. */
export interface Placed {
  readonly prim: StagePrim;
  /** Index of the mesh; -1: a light. */
  readonly mesh: number;
  /** The matrix to the parent space of the prototype, or to the space of the instancer. */
  readonly matrix: Mat4;
  /** It is drawn by an instancer inside of the prototype. */
  readonly isInstance: boolean;
}

/** The limit of nested instancers. Real scenes nest two or three. */
const MAX_NESTING = 32;
// Nested instancers multiply the instances that a small file authors. So the shapes that nested instancers draw are
// limited to NESTED_TIMES for each instance authored in an outermost instancer, plus MAX_NESTED for the whole scene.
const NESTED_TIMES = 16;
const MAX_NESTED = 131_072;

export class Prototypes {
  readonly #stage: Stage;
  readonly #drawables: Drawables;
  readonly #choice: Choice;
  readonly #notes: Notes;
  readonly #hide: (frame: Frame) => void;
  readonly #known = new Map<string, readonly Placed[]>();
  readonly #open = new Set<string>();
  #placements = 0;
  /** The number of entries of a prototype that nested instancers draw. */
  readonly #nestedIn = new Map<readonly Placed[], number>();
  /** Shapes that nested instancers draw in the current outermost instancer. */
  #nested = 0;
  /** Instances that the current outermost instancer and the nested ones author. */
  #authored = 0;
  /** Nested shapes of earlier outermost instancers, beyond NESTED_TIMES for each of their instances. */
  #excess = 0;

  /** `hide` is called for each shape whose purpose is not drawn. */
  constructor(stage: Stage, drawables: Drawables, choice: Choice, notes: Notes, hide: (frame: Frame) => void) {
    this.#stage = stage;
    this.#drawables = drawables;
    this.#choice = choice;
    this.#notes = notes;
    this.#hide = hide;
  }

  /**
   * All shapes and lights that an instancer draws, instance by instance, with matrices to the space of the instancer.
   * `world` is the transform of the instancer, because the segments of round shapes depend on their size. Throws UC1843
   * beyond a limit. Reports UC1842 for an instancer that contains itself.
   */
  placements(instancer: StagePrim, world: Mat4): Placed[] {
    const { path } = instancer;
    if (this.#open.has(path) || this.#open.size >= MAX_NESTING) {
      const why = this.#open.has(path)
        ? 'the instancer is in one of its own prototypes'
        : `instancers are nested more than ${MAX_NESTING} deep`;
      this.#notes.report('UC1842', path, why);
      return [];
    }
    this.#open.add(path);
    const placed: Placed[] = [];
    const count = instancer.attribute('protoIndices')?.peek()?.count ?? 0;
    const authored = `the instancer has ${count} instances`;
    this.#stage.limits.need('instances', count, 'UC1843', this.#notes.file, path, authored);
    const instances = readInstancer(instancer, this.#stage, this.#choice, this.#notes) ?? [];
    this.#authored += instances.length;
    for (const { prototype, matrix } of instances) {
      const entries = this.#entries(prototype, multiply(world, matrix));
      this.#count(entries, path);
      for (const entry of entries) placed.push({ ...entry, matrix: multiply(matrix, entry.matrix) });
    }
    this.#open.delete(path);
    if (this.#open.size === 0) {
      this.#excess += Math.max(0, this.#nested - NESTED_TIMES * this.#authored);
      this.#nested = 0;
      this.#authored = 0;
    }
    return placed;
  }

  /** Counts the shapes and lights of one instance before they are added. */
  #count(entries: readonly Placed[], path: string): void {
    this.#placements += entries.length;
    const drawn = () => `instancers draw ${this.#placements} shapes or more`;
    this.#stage.limits.need('instances', this.#placements, 'UC1843', this.#notes.file, path, drawn);
    const nested = this.#nestedIn.get(entries) ?? entries.reduce((sum, { isInstance }) => sum + Number(isInstance), 0);
    this.#nestedIn.set(entries, nested);
    this.#nested += nested;
    const max = NESTED_TIMES * this.#authored + MAX_NESTED - this.#excess;
    if (this.#nested > max) {
      const message = `nested instancers draw more than ${max} shapes`;
      fail('UC1843', this.#notes.file, path, `${message}, but author only ${this.#authored} instances together`);
    }
  }

  #entries(prototype: StagePrim, world: Mat4): readonly Placed[] {
    const known = this.#known.get(prototype.path);
    if (known) return known;
    if (this.#choice.selection.excludes(prototype.path)) return [];
    const entries: Placed[] = [];
    const purpose = inheritedPurpose(prototype);
    walkDrawn(
      { roots: [prototype], base: identity(), purpose, isPrototype: true },
      this.#choice,
      this.#notes,
      (frame) => {
        const { prim } = frame;
        if (prim.typeName === 'PointInstancer') {
          for (const inner of this.placements(prim, multiply(world, frame.world))) {
            entries.push({ ...inner, matrix: multiply(frame.world, inner.matrix), isInstance: true });
          }
          noteAnimation(prim, this.#notes);
          return false;
        }
        const isLight = LIGHTS.has(prim.typeName);
        if (prim.typeName === 'Camera') this.#notes.report('UC1836', prim.path, 'left out: a camera in a prototype');
        if (!isLight && !SHAPES.has(prim.typeName)) return true;
        if (!this.#choice.purposes.has(frame.purpose)) {
          this.#hide(frame);
          return true;
        }
        const mesh = isLight ? -1 : this.#drawables.instancedMesh(prim, multiply(world, frame.world));
        if (!isLight && mesh < 0) return true;
        for (let at: Frame | null = frame; at !== null; at = at.parent) noteAnimation(at.prim, this.#notes);
        entries.push({ prim, mesh, matrix: frame.world, isInstance: false });
        return true;
      },
    );
    this.#known.set(prototype.path, entries);
    return entries;
  }
}
