// What PointInstancers place: the shapes and lights of each prototype, nested instancers resolved, once for all its
// instances.

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

/** A shape or light of a prototype. */
export interface Placed {
  readonly prim: StagePrim;
  /** Index of the mesh; -1: a light. */
  readonly mesh: number;
  /** To the space of the prototype's parent, where instances move it. */
  readonly matrix: Mat4;
  /** An instancer in the prototype places it. */
  readonly isInstance: boolean;
}

/** Instancers in prototypes of instancers; real scenes have two or three. */
const MAX_NESTING = 32;
/** Placements of a scene by instancers. */
const MAX_PLACEMENTS = 2_000_000;
/** Instancers in prototypes of an instancer may place so many shapes for each instance that all of them author … */
const NESTED_TIMES = 16;
/** … and so many more in the whole scene: nested instancers multiply what a small file authors. */
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
  /** How many entries of a prototype are instances themselves. */
  readonly #nestedIn = new Map<readonly Placed[], number>();
  /** Nested placements, and authored instances, of the outermost instancer that is open. */
  #nested = 0;
  #authored = 0;
  /** Nested placements of those before it, beyond what their instances allow. */
  #excess = 0;

  /** `hide` hears of shapes of a purpose that is not drawn. */
  constructor(stage: Stage, drawables: Drawables, choice: Choice, notes: Notes, hide: (frame: Frame) => void) {
    this.#stage = stage;
    this.#drawables = drawables;
    this.#choice = choice;
    this.#notes = notes;
    this.#hide = hide;
  }

  /**
   * All that an instancer draws, instance by instance, `matrix` to the instancer's space. `world` is where it stands, for
   * shapes whose segments depend on their size. Throws UC1843 where placements are too many; UC1842 is said of instancers
   * that contain themselves.
   */
  placements(instancer: StagePrim, world: Mat4): Placed[] {
    const { path } = instancer;
    if (this.#open.has(path) || this.#open.size >= MAX_NESTING) {
      const why = this.#open.has(path) ? 'it is in one of its own prototypes' : `it is the ${MAX_NESTING}th in another`;
      this.#notes.report('UC1842', path, why);
      return [];
    }
    this.#open.add(path);
    const placed: Placed[] = [];
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

  /** Counts the placements of one instance, before they are made. */
  #count(entries: readonly Placed[], path: string): void {
    this.#placements += entries.length;
    if (this.#placements > MAX_PLACEMENTS) {
      fail('UC1843', this.#notes.file, path, `more than ${MAX_PLACEMENTS} shapes are placed by instancers`);
    }
    const nested = this.#nestedIn.get(entries) ?? entries.reduce((sum, { isInstance }) => sum + Number(isInstance), 0);
    this.#nestedIn.set(entries, nested);
    this.#nested += nested;
    const most = NESTED_TIMES * this.#authored + MAX_NESTED - this.#excess;
    if (this.#nested > most) {
      const message = `instancers in its prototypes place more than ${most} shapes`;
      fail('UC1843', this.#notes.file, path, `${message}; they author ${this.#authored} instances together`);
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
        if (prim.typeName === 'Camera') this.#notes.report('UC1836', prim.path, 'left out: the camera of a prototype');
        if (!isLight && !SHAPES.has(prim.typeName)) return true;
        if (!this.#choice.purposes.has(frame.purpose)) {
          this.#hide(frame);
          return true;
        }
        const mesh = isLight ? -1 : this.#drawables.mesh(prim, multiply(world, frame.world));
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
