// Skeletons as the engine poses them: joint matrices are products of translation, rotation and positive scale, and a vertex
// moves by world(joint) · inverse(bind). A joint may therefore have any frame of its own as long as its bind matrix has the
// same: where a source mirrors, the joint's own frame is mirrored back, which changes no vertex.

import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import { inverse } from '../scene/inverse.ts';
import { determinant3, identity, multiply, scaling } from '../scene/matrix.ts';
import { fromParts, partsOf } from '../scene/quaternion.ts';
import type { RigSkeleton } from '../scene/rig.ts';
import type { Mat4, SceneSkeleton } from '../scene/types.ts';

const MIRROR = scaling(-1, 1, 1);

/** The matrix of each joint in engine space, where `local` gives its matrix in the space of its parent. */
export function worldsOf({ joints, root }: SceneSkeleton, local: (joint: number) => Mat4): Mat4[] {
  const worlds: Mat4[] = [];
  joints.forEach(({ parent }, j) => {
    worlds.push(multiply(parent < 0 ? root : worlds[parent], local(j)));
  });
  return worlds;
}

/** The matrix of each joint in engine space at rest. */
export const restWorlds = (skeleton: SceneSkeleton): Mat4[] => worldsOf(skeleton, (j) => skeleton.joints[j].rest);

/** Relative difference from which two bind matrices of a joint are different. */
const SAME = 1e-5;
/** Sine of the angle by which axes may be off a right angle before it is said. */
const SHEAR = 1e-4;

/** Whether two matrices agree, relative to the largest number of both. */
export function isSame(a: Mat4, b: Mat4, tolerance = SAME): boolean {
  let largest = 1e-12;
  for (let i = 0; i < 16; i++) largest = Math.max(largest, Math.abs(a[i]), Math.abs(b[i]));
  for (let i = 0; i < 16; i++) if (Math.abs(a[i] - b[i]) > tolerance * largest) return false;
  return true;
}

/** Relative difference that float32 leaves in a product of a matrix and its inverse. */
const ROUNDING = 2e-6;

/** `exact` where `m` is the same but for rounding: files store inverse matrices in float32. */
export const rounded = (m: Mat4, exact: Mat4): Mat4 => (isSame(m, exact, ROUNDING) ? exact : m);

/** A skeleton of the scene with the frames that its joints have in files. */
export class PosedSkeleton {
  readonly source: SceneSkeleton;
  /** At rest, in the frames of the source. */
  readonly worlds: readonly Mat4[];
  /** By joint, whether its frame is mirrored. */
  readonly mirrored: readonly boolean[];
  /** Joint to its parent's space at rest, of a root to engine space, in the frames of files. */
  readonly rests: readonly Mat4[];
  readonly paths: readonly string[];
  /** Bind matrices of skins; those of one variant agree wherever two skins have the same joint. */
  readonly #variants: (Mat4 | null)[][] = [];

  /** `rootNames`: what the root joints of other skeletons are called; those of this one are added. */
  constructor(source: SceneSkeleton, rootNames: Set<string>) {
    this.source = source;
    this.worlds = restWorlds(source);
    const mirrored: boolean[] = [];
    this.rests = source.joints.map(({ parent, rest }, j) => {
      const whole = parent < 0 ? multiply(source.root, rest) : rest;
      const isTurned = determinant3(whole) < 0;
      mirrored[j] = isTurned !== (parent >= 0 && mirrored[parent]);
      return this.#framed(whole, parent >= 0 && mirrored[parent], mirrored[j]);
    });
    this.mirrored = mirrored;
    const renamed = new Map<number, string>();
    this.paths = source.joints.map(({ path, parent }, j) => {
      let top = j;
      for (let at = parent; at >= 0; at = source.joints[at].parent) top = at;
      const own = source.joints[top].path;
      let name = renamed.get(top);
      if (name === undefined) {
        name = own;
        for (let n = 2; rootNames.has(name); n++) name = `${own}_${n}`;
        rootNames.add(name);
        renamed.set(top, name);
      }
      return name + path.slice(own.length);
    });
  }

  /** A matrix from one frame to another with each of them mirrored, or not. */
  #framed(m: Mat4, from: boolean, to: boolean): Mat4 {
    const left = from ? multiply(MIRROR, m) : m;
    return to ? multiply(left, MIRROR) : left;
  }

  /** A local matrix of the source in the frames of files. */
  framed(joint: number, local: Mat4): Mat4 {
    const { parent } = this.source.joints[joint];
    return this.#framed(local, parent >= 0 && this.mirrored[parent], this.mirrored[joint]);
  }

  /** The number of the variant with these bind matrices, which are in engine space and by joint. */
  variantOf(binds: ReadonlyMap<number, Mat4>): number {
    const fits = (variant: (Mat4 | null)[]) =>
      [...binds].every(([joint, bind]) => {
        const known = variant[joint];
        return known === null || isSame(known, bind);
      });
    let index = this.#variants.findIndex(fits);
    if (index < 0) index = this.#variants.push(this.source.joints.map(() => null)) - 1;
    for (const [joint, bind] of binds) this.#variants[index][joint] ??= bind;
    return index;
  }

  /** Joints that no skin of the variant uses have the bind matrix of their rest, or of a joint above where that is flat. */
  #bindsOf(variant: number): Mat4[] {
    const binds: Mat4[] = [];
    this.source.joints.forEach(({ parent }, j) => {
      const own = this.#variants[variant][j] ?? this.worlds[j];
      const usable = inverse(own) !== null ? own : parent >= 0 ? binds[parent] : identity();
      binds.push(this.#framed(usable, false, this.mirrored[j]));
    });
    return binds;
  }

  /** What files hold of a variant. */
  written(variant: number): RigSkeleton {
    const binds = this.#bindsOf(variant);
    return {
      name: this.source.name || 'skeleton',
      joints: this.source.joints.map(({ parent }, j) => ({
        parent,
        path: this.paths[j],
        bind: binds[j],
        rest: this.rests[j],
      })),
    };
  }

  /** Names (UC2071) joints whose matrix at rest has axes that are not at right angles: the engine makes them so. */
  reportShear(diagnostics: Diagnostics, file: string): void {
    const sheared = this.rests.flatMap((m, j) => {
      const { translation, rotation, scale } = partsOf(m);
      const straight = fromParts(translation, rotation, scale);
      const off = Math.max(
        ...[0, 4, 8].map((c) => Math.hypot(...[0, 1, 2].map((r) => m[c + r] - straight[c + r])) / (scale[c / 4] || 1)),
      );
      return off > SHEAR ? [{ j, off }] : [];
    });
    if (sheared.length === 0) return;
    const worst = sheared.reduce((a, b) => (b.off > a.off ? b : a));
    const degrees = ((worst.off * 180) / Math.PI).toPrecision(2);
    const others = sheared.length > 1 ? `, and ${sheared.length - 1} more` : '';
    const message = `${this.paths[worst.j]} is at rest with axes up to ${degrees} degrees off${others}`;
    diagnostics.report('UC2071', file, this.source.path, message);
  }
}
