// The panel of the scene: light, tone mapping, cameras of the set, and what is in it.

import { formatBytes } from '../../../bytes/units.ts';
import type { CookedTile } from '../../../formats/manifest/tiles.ts';
import type { Bounds } from '../../../scene/types.ts';
import type { LightSource } from '../drawing/lights.ts';
import { PICTURE, SKIES, type SkyName } from '../drawing/skies.ts';
import { FIRST_TONE_MAPPING, TONE_MAPPINGS, type ToneMappingName } from '../drawing/toneMapping.ts';
import type { ViewedCamera } from '../set.ts';
import { count, element, fillSelect, metres, row, terms } from './element.ts';

export interface ScenePanelCalls {
  onHour(hour: number): void;
  onLights(source: LightSource): void;
  onToneMapping(name: ToneMappingName): void;
  /** Of the tone mapping, in stops. */
  onExposure(stops: number): void;
  onSky(name: SkyName | typeof PICTURE): void;
  /** Asks for a picture of surroundings. */
  onPicture(): void;
  onShadows(isOn: boolean): void;
  onCamera(camera: ViewedCamera): void;
  onMap(): void;
}

export interface SceneFacts {
  readonly name: string;
  readonly tiles: readonly CookedTile[];
  readonly bounds: Bounds | null;
  readonly bytes: Readonly<Record<string, number>>;
  readonly lights: number;
  readonly cameras: readonly ViewedCamera[];
  readonly hasMap: boolean;
}

const SUNS = { hour: 'Sun of the hour', picture: 'Sun of the picture' } as const;

const clock = (hour: number): string =>
  `${String(Math.floor(hour)).padStart(2, '0')}:${String(Math.round((hour % 1) * 60)).padStart(2, '0')}`;

/** A slider for the exposure, in thirds of a stop. */
function exposureRow(onStops: (stops: number) => void): HTMLElement {
  const output = element('output', {}, '0.0');
  const slider = element('input', {
    type: 'range',
    id: 'exposure',
    min: -15,
    max: 15,
    step: 1,
    value: 0,
    oninput: () => {
      const stops = Number(slider.value) / 3;
      output.textContent = `${stops > 0 ? '+' : ''}${stops.toFixed(1)}`;
      slider.setAttribute('aria-valuetext', `${output.textContent} stops`);
      onStops(stops);
    },
  });
  return row('Exposure', slider, output);
}

export class ScenePanel {
  readonly #panel: HTMLElement;
  readonly #calls: ScenePanelCalls;

  constructor(panel: HTMLElement, calls: ScenePanelCalls) {
    this.#panel = panel;
    this.#calls = calls;
  }

  /** A picture has the sun of its own hour. */
  #tellSun(isPicture: boolean): void {
    const slider = this.#panel.querySelector<HTMLInputElement>('#hour');
    const sun = this.#panel.querySelector<HTMLOptionElement>('#lights option[value="sun"]');
    if (!slider || !sun) return;
    slider.disabled = isPicture;
    sun.textContent = isPicture ? SUNS.picture : SUNS.hour;
  }

  /** The surroundings are now those of a picture with this name. */
  showPicture(name: string): void {
    const sky = this.#panel.querySelector<HTMLSelectElement>('#sky');
    if (!sky) return;
    const known = sky.querySelector<HTMLOptionElement>(`option[value="${PICTURE}"]`);
    if (known) known.textContent = name;
    else sky.append(element('option', { value: PICTURE }, name));
    sky.value = PICTURE;
    this.#tellSun(true);
  }

  show(facts: SceneFacts, hour: number): void {
    const { name, tiles, bounds, bytes, lights, cameras, hasMap } = facts;
    const calls = this.#calls;
    const shown = element('output', {}, clock(hour));
    const slider = element('input', {
      type: 'range',
      id: 'hour',
      min: 0,
      max: 24,
      step: 0.25,
      value: hour,
      oninput: () => {
        shown.textContent = clock(Number(slider.value));
        calls.onHour(Number(slider.value));
      },
    });
    const source = element('select', { id: 'lights' });
    const choices = [
      ['sun', SUNS.hour] as const,
      ...(lights > 0 ? [['set', `Of the set (${lights})`] as const, ['both', 'Both'] as const] : []),
    ];
    fillSelect(source, choices, 'sun', (value) => calls.onLights(value as LightSource));
    const tone = element('select');
    const tones = Object.entries(TONE_MAPPINGS).map(([key, [text]]) => [key, text] as const);
    fillSelect(tone, tones, FIRST_TONE_MAPPING, (value) => calls.onToneMapping(value as ToneMappingName));
    const sky = element('select', { id: 'sky' });
    const skies = Object.entries(SKIES).map(([key, { title }]) => [key, title] as const);
    fillSelect(sky, skies, 'neutral', (value) => {
      calls.onSky(value as SkyName | typeof PICTURE);
      this.#tellSun(value === PICTURE);
    });
    const picture = element('button', { type: 'button', id: 'sky-picture', onclick: () => calls.onPicture() }, 'HDR…');
    picture.title = 'Surroundings of a Radiance picture (.hdr)';
    const shadows = element('input', {
      type: 'checkbox',
      id: 'shadows',
      onchange: () => calls.onShadows(shadows.checked),
    });
    const all = Object.values(bytes).reduce((sum, value) => sum + value, 0);
    const size = bounds ? [0, 1, 2].map((k) => metres(bounds.max[k] - bounds.min[k])).join(' × ') : null;
    const levels = (kind: string, number: number) => (number > 0 ? `${count(number)} ${kind}` : null);
    const lods = tiles.reduce((sum, tile) => sum + tile.lods.length, 0);
    const hlods = tiles.filter((tile) => tile.hlod).length;
    this.#panel.replaceChildren(
      element('h2', {}, 'Light'),
      row('Lights', source),
      row('Time of day', slider, shown),
      row('Shadows of the sun', shadows),
      row('Surroundings', sky),
      row('', picture),
      exposureRow((stops) => calls.onExposure(stops)),
      row('Tone mapping', tone),
      element('h2', {}, 'Set'),
      terms([
        ['Source', name],
        ['Tiles', count(tiles.length)],
        ['Levels', [levels('LODs', lods), levels('HLODs', hlods)].filter((text) => text).join(', ') || 'none'],
        ['Payloads', formatBytes(all)],
        ...(size ? [['Size', size] as const] : []),
      ]),
      ...(hasMap
        ? [element('p', {}, ''), element('button', { type: 'button', onclick: () => calls.onMap() }, 'Plan map')]
        : []),
      ...(cameras.length > 0 ? [element('h2', {}, 'Cameras of the set')] : []),
      ...cameras.map((camera) =>
        element('p', {}, element('button', { type: 'button', onclick: () => calls.onCamera(camera) }, camera.name)),
      ),
    );
  }
}
