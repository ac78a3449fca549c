// The panel of streaming: what the loader holds, its budget and connection, the mini map and a table of the tiles.

import { formatBytes } from '../../../bytes/units.ts';
import type { CookedTile } from '../../../formats/manifest/tiles.ts';
import type { Bounds } from '../../../scene/types.ts';
import type { LoaderState } from '../../streaming/loader.ts';
import { levelColor } from '../levels.ts';
import { CONNECTIONS, type ConnectionName, type Streamer } from '../streamer.ts';
import { count, element, fillSelect, metres, row } from './element.ts';
import { type MapState, MiniMap } from './map.ts';

/** Rows of the table: the nearest tiles. */
const MAX_ROWS = 60;

export interface StreamPanelCalls {
  onPlace(x: number, z: number): void;
  onTile(index: number): void;
  onRestart(): void;
  onSimulate(): void;
}

export class StreamPanel {
  readonly #tiles: readonly CookedTile[];
  readonly #streamer: Streamer;
  readonly #map: MiniMap | null;
  readonly #rows = element('tbody');
  readonly #summary = element('p', { class: 'quiet' });
  readonly #onTile: (index: number) => void;

  constructor(
    panel: HTMLElement,
    tiles: readonly CookedTile[],
    bounds: Bounds | null,
    streamer: Streamer,
    calls: StreamPanelCalls,
  ) {
    this.#tiles = tiles;
    this.#streamer = streamer;
    this.#onTile = calls.onTile;
    this.#map = bounds ? new MiniMap(tiles, bounds, calls.onPlace) : null;
    const connection = element('select');
    const choices = Object.entries(CONNECTIONS).map(([key, [text]]) => [key, text] as const);
    fillSelect(connection, choices, streamer.connection, (value) => {
      streamer.connection = value as ConnectionName;
      calls.onRestart();
    });
    const budget = element('input', {
      type: 'number',
      min: 1,
      max: 100_000,
      step: 1,
      value: Math.round(streamer.budget / 1e6),
      'aria-label': 'Budget of geometry in megabytes',
      onchange: () => {
        const value = Number(budget.value);
        if (!(value > 0)) return;
        streamer.budget = value * 1e6;
        calls.onRestart();
      },
    });
    panel.replaceChildren(
      element('h2', {}, 'Loader'),
      this.#summary,
      row('Connection', connection),
      row('Geometry budget, MB', budget),
      element(
        'p',
        {},
        element('button', { type: 'button', onclick: () => calls.onSimulate() }, 'Begin with nothing loaded'),
      ),
      element('h2', {}, 'Map'),
      ...(this.#map ? [this.#map.canvas] : [element('p', { class: 'quiet' }, 'A single file has no map.')]),
      element('h2', {}, 'Tiles, the nearest first'),
      element(
        'table',
        {},
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            element('th', {}, 'Tile'),
            element('th', {}, 'Shows'),
            element('th', { class: 'number' }, 'Distance'),
          ),
        ),
        this.#rows,
      ),
    );
  }

  /** `levels`: what is shown of each tile, null for nothing. */
  update(
    state: LoaderState | null,
    levels: readonly (string | null)[],
    distances: readonly number[],
    map: MapState,
  ): void {
    this.#map?.draw(map);
    if (state) {
      const shown = levels.filter((level) => level !== null).length;
      this.#summary.textContent =
        `${count(shown)} of ${count(levels.length)} tiles shown, ${formatBytes(state.residentBytes)} of ` +
        `${formatBytes(this.#streamer.budget)} in memory, ${state.loadsInFlight} loads in flight.`;
    } else
      this.#summary.textContent = 'Choose “Streamed” under Show to see what the engine loads from where the camera is.';
    const order = distances.map((_, i) => i).sort((a, b) => distances[a] - distances[b] || a - b);
    this.#rows.replaceChildren(
      ...order.slice(0, MAX_ROWS).map((i) => {
        const level = levels[i];
        const isLoading = map.loading.has(i);
        const swatch = element('span', { class: 'swatch' });
        swatch.style.background = level === null ? 'transparent' : levelColor(level);
        return element(
          'tr',
          {},
          element(
            'td',
            { class: 'name' },
            element('button', { type: 'button', class: 'plain', onclick: () => this.#onTile(i) }, this.#tiles[i].id),
          ),
          element('td', {}, swatch, ` ${level ?? 'nothing'}${isLoading ? ', loading' : ''}`),
          element('td', { class: 'number' }, metres(distances[i])),
        );
      }),
    );
  }
}
