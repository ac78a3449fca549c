// What is said in the middle of the picture: the server is gone, files do not come, or cannot be read.

import type { Trouble } from '../trouble.ts';
import { element } from './element.ts';

export interface NoticeCalls {
  onRetry(): void;
}

export class Notice {
  readonly #box: HTMLElement;
  readonly #title = element('h2');
  readonly #text = element('p');
  /** Not read out again each second. */
  readonly #time = element('p', { class: 'quiet', 'aria-hidden': 'true' });
  readonly #retry: HTMLButtonElement;
  #hidden = '';

  constructor(box: HTMLElement, { onRetry }: NoticeCalls) {
    this.#box = box;
    this.#retry = element('button', { type: 'button', onclick: onRetry }, 'Try now');
    const reload = element('button', { type: 'button', onclick: () => location.reload() }, 'Reload the page');
    const hide = element(
      'button',
      {
        type: 'button',
        onclick: () => {
          this.#hidden = box.dataset.key ?? '';
          box.hidden = true;
        },
      },
      'Hide',
    );
    box.append(this.#title, this.#text, this.#time, element('p', { class: 'buttons' }, this.#retry, reload, hide));
  }

  show(trouble: Trouble | null): void {
    const box = this.#box;
    if (trouble === null) {
      this.#hidden = '';
      box.hidden = true;
      delete box.dataset.key;
      return;
    }
    const { key, title, text, seconds } = trouble;
    if (box.dataset.key !== key) {
      box.dataset.key = key;
      this.#title.textContent = title;
      this.#text.textContent = text;
      box.hidden = this.#hidden === key;
    }
    this.#retry.hidden = seconds === null;
    const time =
      seconds === null ? '' : seconds > 0 ? `The next attempt is in ${Math.ceil(seconds)} s.` : 'Trying again …';
    if (this.#time.textContent !== time) this.#time.textContent = time;
  }
}
