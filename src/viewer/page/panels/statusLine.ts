// The status line: counters of what is drawn and held.

import { formatBytes } from '../../../bytes/units.ts';
import { count, element } from './element.ts';

export interface Counters {
  readonly triangles: number;
  readonly calls: number;
  readonly geometryBytes: number;
  readonly budget: number;
  readonly textureBytes: number;
  readonly textures: number;
  readonly loads: number;
  readonly milliseconds: number;
  readonly position: readonly number[];
  readonly toneMapping: string;
}

export class StatusLine {
  readonly #values = new Map<string, HTMLElement>();
  readonly #meter = element('span', { class: 'meter', 'aria-hidden': 'true' }, element('i'));

  constructor(line: HTMLElement) {
    const item = (name: string, key: string, ...more: HTMLElement[]) => {
      const value = element('b', { 'data-counter': key });
      this.#values.set(key, value);
      return element('span', {}, name, value, ...more);
    };
    line.append(
      item('Triangles', 'triangles'),
      item('Draw calls', 'calls'),
      item('Geometry', 'geometry', this.#meter),
      item('Textures', 'textures'),
      item('Loads in flight', 'loads'),
      item('Draw', 'draw'),
      element('span', { class: 'space' }),
      item('Camera', 'camera'),
      item('Tone', 'tone'),
    );
  }

  update(counters: Counters): void {
    const { geometryBytes, budget, position } = counters;
    const set = (key: string, text: string) => {
      const value = this.#values.get(key);
      if (value && value.textContent !== text) value.textContent = text;
    };
    set('triangles', count(counters.triangles));
    set('calls', count(counters.calls));
    set('geometry', `${formatBytes(geometryBytes)} of ${formatBytes(budget)}`);
    set('textures', `${count(counters.textures)}, ${formatBytes(counters.textureBytes)}`);
    set('loads', String(counters.loads));
    set('draw', `${counters.milliseconds.toFixed(1)} ms`);
    set('camera', position.map((value) => value.toFixed(1)).join(', '));
    set('tone', counters.toneMapping);
    const share = geometryBytes / budget;
    this.#meter.classList.toggle('high', share > 0.85 && share <= 1);
    this.#meter.classList.toggle('over', share > 1);
    (this.#meter.firstElementChild as HTMLElement).style.width = `${Math.min(100, share * 100)}%`;
  }
}
