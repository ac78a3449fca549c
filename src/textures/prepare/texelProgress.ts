// How far the textures of a scene are, counted in texels of their images: a small image is not worth as much as a large one.
// For prepare.ts.

import type { TextureRole } from '../types.ts';

/** Called with the texels of images whose files are made, and of all. */
export type OnTexels = (done: number, total: number) => void;

/** An image in each role counts once, however many materials draw it so, and until the first file with it is made. */
export class TexelProgress {
  readonly #pending = new Map<string, number>();
  readonly #report: OnTexels;
  #done = 0;
  #total = 0;

  constructor(report: OnTexels) {
    this.#report = report;
  }

  /** An image whose texels will be needed. Call it for all before the first is done. */
  expect(image: number, role: TextureRole, texels: number): void {
    const key = `${image} ${role}`;
    if (this.#pending.has(key)) return;
    this.#pending.set(key, texels);
    this.#total += texels;
  }

  /** A file with texels of these images is made, or found to be impossible. Throws what the report throws. */
  done(images: readonly number[], role: TextureRole): void {
    const before = this.#done;
    for (const image of images) {
      const key = `${image} ${role}`;
      this.#done += this.#pending.get(key) ?? 0;
      this.#pending.set(key, 0);
    }
    if (this.#done > before) this.#report(this.#done, this.#total);
  }
}
