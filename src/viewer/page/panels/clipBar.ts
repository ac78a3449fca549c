// The bar of clips: menu, play and pause, time, speed, and joints.

import type { Player } from '../animation/player.ts';
import { element, fillSelect } from './element.ts';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2];
/** Of the slider. */
const STEP = 0.01;

const toggle = (text: string, title: string, onclick: () => void): HTMLButtonElement =>
  element('button', { type: 'button', 'aria-pressed': 'false', title, onclick }, text);

export class ClipBar {
  readonly #player: Player;
  readonly #play: HTMLButtonElement;
  readonly #joints: HTMLButtonElement;
  readonly #slider: HTMLInputElement;
  readonly #output = element('output');

  constructor(bar: HTMLElement, player: Player) {
    this.#player = player;
    const menu = element('select', { id: 'clip' });
    const clips = player.clips.map(({ name }, i) => [String(i), name] as const);
    fillSelect(menu, [['-1', 'None (as stored)'], ...clips], '-1', (value) => {
      void player.choose(Number(value)).then(() => this.update());
    });
    this.#play = element(
      'button',
      { type: 'button', id: 'play', title: 'Play or pause (P)', onclick: () => this.playOrPause() },
      'Play',
    );
    this.#slider = element('input', {
      type: 'range',
      id: 'clip-time',
      min: 0,
      max: 0,
      step: STEP,
      value: 0,
      'aria-label': 'Time in the clip',
      oninput: () => {
        player.isPlaying = false;
        player.seconds = Number(this.#slider.value);
        this.update();
      },
    });
    const speed = element('select', { id: 'speed' });
    fillSelect(
      speed,
      SPEEDS.map((value) => [String(value), `${value} ×`]),
      '1',
      (value) => {
        player.speed = Number(value);
      },
    );
    this.#joints = toggle('Joints', 'Joints as lines (J)', () => this.showJoints());
    bar.append(
      element('label', {}, 'Clip ', menu),
      this.#play,
      this.#slider,
      this.#output,
      element('label', {}, 'Speed ', speed),
      this.#joints,
    );
    bar.hidden = false;
    this.update();
  }

  playOrPause(): void {
    this.#player.isPlaying = !this.#player.isPlaying;
    this.update();
  }

  showJoints(): void {
    this.#player.showsJoints = !this.#player.showsJoints;
    this.update();
  }

  /** Goes a thirtieth of a second on or back, and stays there. */
  nudge(direction: 1 | -1): void {
    const { duration } = this.#player;
    if (duration === 0) return;
    this.#player.isPlaying = false;
    this.#player.seconds = (this.#player.seconds + direction / 30 + duration) % duration;
    this.update();
  }

  update(): void {
    const { duration, seconds, isPlaying, showsJoints } = this.#player;
    this.#play.disabled = duration === 0;
    this.#slider.disabled = duration === 0;
    const text = isPlaying ? 'Pause' : 'Play';
    if (this.#play.textContent !== text) this.#play.textContent = text;
    this.#slider.max = String(duration);
    this.#slider.value = String(seconds);
    const time = `${seconds.toFixed(2)} of ${duration.toFixed(2)} s`;
    this.#slider.setAttribute('aria-valuetext', time);
    this.#output.textContent = time;
    this.#joints.setAttribute('aria-pressed', String(showsJoints));
  }
}
