// Looks again and again at one scene, whose triangles come when they are read.

import { Kernel } from '../kernel/kernel.ts';
import { type HoleLook, holesFrom, type Made } from './holes.ts';
import { Boxes, type Look, lookFrom, type Part, type View } from './look.ts';

/** What the pictures of an eye may keep in memory from eye to eye. */
const MAX_KEPT = 2 ** 29;

/** Parts that are new, or have their triangles now, or have them no more. */
export type NewParts = readonly { readonly number: number; readonly part: Part }[];

export class Looker {
  readonly #kernel = new Kernel(MAX_KEPT);
  readonly #parts: Part[] = [];
  #boxes: Boxes | null = null;

  look(view: View, parts: NewParts): Look {
    return lookFrom(this.#kernel, view, this.#parts, this.#boxesWith(parts));
  }

  holes(view: View, parts: NewParts, made: Made): HoleLook {
    return holesFrom(this.#kernel, view, this.#parts, this.#boxesWith(parts), made);
  }

  #boxesWith(parts: NewParts): Boxes {
    for (const { number, part } of parts) this.#parts[number] = part;
    if (parts.length > 0) this.#boxes = null;
    this.#boxes ??= new Boxes(this.#parts);
    return this.#boxes;
  }
}
