// What is read off while things move: what is being read, counters, legend, and the moments of the timeline.

import type { CookedTile } from '../../../formats/manifest/tiles.ts';
import { MIN_BUDGET } from '../streamer.ts';
import type { Viewer } from '../viewer.ts';
import { byId } from './element.ts';
import { showLegend } from './legend.ts';
import { StatusLine } from './statusLine.ts';
import type { Timeline } from './timeline.ts';

export class Counters {
  readonly #viewer: Viewer;
  readonly #tiles: readonly CookedTile[];
  readonly #timeline: Timeline;
  readonly #status = new StatusLine(document.querySelector<HTMLElement>('footer')!);
  readonly #legend = byId('legend');
  readonly #busy = byId('busy');

  constructor(viewer: Viewer, tiles: readonly CookedTile[], timeline: Timeline) {
    this.#viewer = viewer;
    this.#tiles = tiles;
    this.#timeline = timeline;
  }

  updateBusy(): void {
    const { state, waiting } = this.#viewer;
    const text = waiting > 0 && state === null ? `Reading ${waiting} ${waiting === 1 ? 'payload' : 'payloads'} …` : '';
    if (this.#busy.textContent !== text) this.#busy.textContent = text;
  }

  update(): void {
    const viewer = this.#viewer;
    const { state, streamer, stage } = viewer;
    const { triangles, calls, milliseconds } = stage.counts;
    this.#status.update({
      triangles,
      calls,
      milliseconds,
      geometryBytes: state?.residentBytes ?? viewer.payloads.gpuBytes,
      budget: state ? streamer.budget : MIN_BUDGET,
      textureBytes: viewer.textures.bytes,
      textures: viewer.textures.count,
      loads: state?.loadsInFlight ?? viewer.reading.inFlight,
      position: stage.camera.position.toArray(),
      toneMapping: viewer.toneMappingName,
    });
    showLegend(this.#legend, viewer.view, viewer.tint, this.#tiles);
    if (state) this.#timeline.update(streamer.moments, streamer.budget, viewer.moment);
  }
}
