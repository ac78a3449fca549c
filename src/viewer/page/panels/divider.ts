// The divider between two pictures: dragged, or moved by the arrow keys.

import { byId } from './element.ts';

const STEP = 0.02;
const LARGE_STEP = 0.1;

export class Divider {
  readonly #line = byId('divider');
  readonly #onMove: (share: number) => void;

  constructor(onMove: (share: number) => void) {
    this.#onMove = onMove;
    const line = this.#line;
    line.addEventListener('pointerdown', (event) => {
      line.setPointerCapture(event.pointerId);
      line.focus();
      event.preventDefault();
    });
    line.addEventListener('pointermove', ({ pointerId, clientX }) => {
      if (!line.hasPointerCapture(pointerId)) return;
      const { left, width } = (line.parentElement as HTMLElement).getBoundingClientRect();
      this.#move((clientX - left) / width);
    });
    line.addEventListener('keydown', (event) => {
      const step = event.shiftKey ? LARGE_STEP : STEP;
      const to = { ArrowLeft: this.#share - step, ArrowRight: this.#share + step, Home: 0, End: 1 }[event.key];
      if (to === undefined) return;
      // The same keys move the camera.
      event.preventDefault();
      event.stopPropagation();
      this.#move(to);
    });
    this.#place();
  }

  #share = 0.5;

  #move(share: number): void {
    this.#share = Math.min(1, Math.max(0, share));
    this.#place();
    this.#onMove(this.#share);
  }

  #place(): void {
    const percent = Math.round(this.#share * 100);
    this.#line.style.left = `${this.#share * 100}%`;
    this.#line.setAttribute('aria-valuenow', String(percent));
    this.#line.setAttribute('aria-valuetext', `${percent} % of the width`);
  }

  /** What is on each side; null: there is no divider. */
  show(names: { readonly a: string; readonly b: string } | null): void {
    this.#line.hidden = names === null;
    byId('side-a').textContent = names ? `A: ${names.a}` : '';
    byId('side-b').textContent = names ? `B: ${names.b}` : '';
  }
}
