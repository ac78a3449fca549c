// The timeline: bytes in memory and loads over the recorded time. A moment can be chosen by mouse or keys.

import type { Moment } from '../streamer.ts';
import { element } from './element.ts';

export class Timeline {
  readonly #bar: HTMLElement;
  readonly #canvas = element('canvas', { 'aria-hidden': 'true' });
  readonly #slider: HTMLInputElement;
  readonly #output = element('output');
  readonly #live: HTMLButtonElement;
  readonly #onMoment: (index: number | null) => void;
  #moments: readonly Moment[] = [];
  #budget = 1;
  /** Null: the present. */
  #index: number | null = null;

  constructor(bar: HTMLElement, onMoment: (index: number | null) => void) {
    this.#bar = bar;
    this.#onMoment = onMoment;
    this.#slider = element('input', {
      type: 'range',
      min: 0,
      step: 1,
      'aria-label': 'Recorded moment',
      oninput: () => this.#choose(Number(this.#slider.value)),
    });
    this.#live = element(
      'button',
      { type: 'button', 'aria-pressed': 'true', onclick: () => this.#choose(null) },
      'Live',
    );
    this.#canvas.addEventListener('pointerdown', (event) => this.#point(event));
    this.#canvas.addEventListener('pointermove', (event) => event.buttons === 1 && this.#point(event));
    bar.append(this.#live, this.#slider, this.#canvas, this.#output);
  }

  set isShown(value: boolean) {
    this.#bar.hidden = !value;
  }

  #point({ offsetX }: PointerEvent): void {
    const last = this.#moments.length - 1;
    if (last < 0) return;
    this.#choose(Math.min(last, Math.max(0, Math.round((offsetX / Math.max(1, this.#canvas.clientWidth)) * last))));
  }

  #setIndex(index: number | null): void {
    this.#index = index;
    this.#live.setAttribute('aria-pressed', String(index === null));
  }

  #choose(index: number | null): void {
    this.#setIndex(index);
    this.#onMoment(index);
  }

  /** `index`: the moment that is shown, null for the present. */
  update(moments: readonly Moment[], budget: number, index: number | null): void {
    this.#setIndex(index);
    this.#moments = moments;
    this.#budget = budget;
    const last = Math.max(0, moments.length - 1);
    this.#slider.max = String(last);
    const at = this.#index ?? last;
    this.#slider.value = String(at);
    this.#slider.setAttribute('aria-valuetext', this.#textAt(at));
    this.#output.textContent = this.#textAt(at);
    this.#draw(at);
  }

  #textAt(index: number): string {
    const begin = this.#moments[0]?.state.time ?? 0;
    const time = (this.#moments[index]?.state.time ?? 0) - begin;
    return `${Math.floor(time / 60)}:${(time % 60).toFixed(1).padStart(4, '0')}`;
  }

  #draw(at: number): void {
    const canvas = this.#canvas;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (width === 0 || this.#moments.length === 0) return;
    canvas.width = width * devicePixelRatio;
    canvas.height = height * devicePixelRatio;
    const context = canvas.getContext('2d');
    if (!context) return;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    const style = getComputedStyle(canvas);
    const color = (name: string) => style.getPropertyValue(name);
    const last = Math.max(1, this.#moments.length - 1);
    const max = Math.max(this.#moments.reduce((sum, { state }) => Math.max(sum, state.residentBytes), 1) * 1.15, 1);
    const x = (index: number) => (index / last) * width;
    context.fillStyle = color('--good');
    context.globalAlpha = 0.5;
    context.beginPath();
    context.moveTo(0, height);
    for (const [i, { state }] of this.#moments.entries()) {
      context.lineTo(x(i), height - (state.residentBytes / max) * height);
    }
    context.lineTo(width, height);
    context.fill();
    context.globalAlpha = 1;
    context.fillStyle = color('--warn');
    this.#moments.forEach(({ state }, i) => {
      const bar = Math.min(height, state.loadsInFlight * 3);
      if (bar > 0) context.fillRect(x(i), height - bar, Math.max(1, width / last), bar);
    });
    if (this.#budget <= max) {
      context.strokeStyle = color('--bad');
      const y = height - (this.#budget / max) * height;
      context.strokeRect(0, y, width, 0);
    }
    context.fillStyle = color('--text');
    context.fillRect(x(at) - 0.75, 0, 1.5, height);
  }
}
