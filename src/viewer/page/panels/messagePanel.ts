// The panel of messages: what the validator and the readers say of the set.

import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { element } from './element.ts';

export class MessagePanel {
  readonly #panel: HTMLElement;
  readonly #tab: HTMLElement;
  readonly #known = new Set<string>();
  readonly #list: Diagnostic[] = [];

  constructor(panel: HTMLElement, tab: HTMLElement) {
    this.#panel = panel;
    this.#tab = tab;
    this.#show();
  }

  add(items: readonly Diagnostic[]): void {
    for (const item of items) {
      const key = JSON.stringify([item.code, item.file, item.path, item.message]);
      if (this.#known.has(key)) continue;
      this.#known.add(key);
      this.#list.push(item);
    }
    this.#show();
  }

  get list(): readonly Diagnostic[] {
    return this.#list;
  }

  /** Messages that name a file. */
  of(path: string): readonly Diagnostic[] {
    return this.#list.filter(({ file }) => file === path || file.endsWith(`/${path}`));
  }

  #show(): void {
    this.#tab.textContent = this.#list.length === 0 ? 'Messages' : `Messages (${this.#list.length})`;
    if (this.#list.length === 0) {
      this.#panel.replaceChildren(
        element('p', { class: 'quiet' }, 'The validator and the readers have nothing to say.'),
      );
      return;
    }
    this.#panel.replaceChildren(...this.#list.map(messageElement));
  }
}

export function messageElement({ code, severity, file, path, message, remedy }: Diagnostic): HTMLElement {
  return element(
    'div',
    { class: `message ${severity}` },
    element('b', {}, `${severity} ${code}`),
    ` ${[file, path].filter((text) => text !== '').join(' ')}`,
    element('br'),
    message,
    element('br'),
    element('span', { class: 'quiet' }, remedy),
  );
}
