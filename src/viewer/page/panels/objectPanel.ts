// The panel of objects: the entities of each tile that is shown, as a tree, with a search over their names and materials.

import type { LoadedPayload } from '../drawing/payloads.ts';
import { isFound, type ObjectRow, objectRows } from '../objects.ts';
import { count, element } from './element.ts';

/** Rows at once: more are searched than read. */
const MAX_ROWS = 500;

/** A tile with what is on the stage of it. */
export interface StagedTile {
  readonly index: number;
  readonly name: string;
  readonly payload: LoadedPayload;
}

export class ObjectPanel {
  readonly #list = element('div', { class: 'tree' });
  readonly #summary = element('p', { class: 'quiet', role: 'status' });
  readonly #search: HTMLInputElement;
  readonly #onPick: (tile: number, entity: number) => void;
  readonly #rows = new WeakMap<LoadedPayload, readonly ObjectRow[]>();
  readonly #closed = new Set<number>();
  #tiles: readonly StagedTile[] = [];
  #key = '';

  constructor(panel: HTMLElement, onPick: (tile: number, entity: number) => void) {
    this.#onPick = onPick;
    this.#search = element('input', {
      type: 'search',
      id: 'search',
      placeholder: 'Search names and materials',
      'aria-label': 'Search names and materials',
      oninput: () => this.#show(),
    });
    panel.replaceChildren(this.#search, this.#summary, this.#list);
  }

  focusSearch(): void {
    this.#search.focus();
    this.#search.select();
  }

  /** Shows other tiles, if they are others. */
  update(tiles: readonly StagedTile[]): void {
    const key = tiles.map(({ index, payload }) => `${index} ${payload.path}`).join('\n');
    if (key === this.#key) return;
    this.#key = key;
    this.#tiles = tiles;
    this.#show();
  }

  #rowsOf(payload: LoadedPayload): readonly ObjectRow[] {
    const rows = this.#rows.get(payload) ?? objectRows(payload.facts);
    this.#rows.set(payload, rows);
    return rows;
  }

  #show(): void {
    const search = this.#search.value.trim();
    let found = 0;
    let shown = 0;
    const groups = this.#tiles.flatMap(({ index, name, payload }) => {
      const all = this.#rowsOf(payload);
      const rows = search === '' ? all : all.filter((row) => isFound(row, search));
      found += rows.length;
      const visible = rows.slice(0, Math.max(0, MAX_ROWS - shown));
      shown += visible.length;
      if (visible.length === 0) return [];
      const group = element(
        'details',
        {
          ontoggle: () => {
            if (group.open) this.#closed.delete(index);
            else this.#closed.add(index);
          },
        },
        element('summary', {}, name, element('span', { class: 'quiet' }, ` ${count(rows.length)}`)),
        ...visible.map((row) => this.#rowElement(index, row, search !== '')),
      );
      // What is searched for is seen at once.
      group.open = search !== '' || !this.#closed.has(index);
      return [group];
    });
    this.#list.replaceChildren(...groups);
    const more = found > shown ? `, the first ${count(shown)} are listed: search for the others` : '';
    this.#summary.textContent = `${count(found)} ${found === 1 ? 'object' : 'objects'}${more}`;
  }

  #rowElement(tile: number, { entity, name, depth, meshes, materials }: ObjectRow, isFlat: boolean): HTMLElement {
    const text = name === '' ? '(without a name)' : name;
    const row = element(
      'div',
      { title: materials.length > 0 ? `${text}: ${materials.join(', ')}` : text },
      meshes > 0
        ? element('button', { type: 'button', class: 'plain', onclick: () => this.#onPick(tile, entity) }, text)
        : element('span', {}, text),
    );
    row.style.paddingLeft = `${16 + (isFlat ? 0 : Math.min(depth, 12) * 12)}px`;
    return row;
  }
}
