// The toolbar: what is shown, from which level, in which view, beside what, and how the camera moves.

import type { Bounds } from '../../../scene/types.ts';
import type { CameraMode, Place } from '../address.ts';
import { comparable, shortName } from '../comparison.ts';
import { VIEWS, type ViewName } from '../drawing/views.ts';
import type { ViewedSet } from '../set.ts';
import { modesOf, type ShowMode } from '../shown.ts';
import { TINTS, type TintName, type Viewer } from '../viewer.ts';
import { Divider } from './divider.ts';
import { byId, fillSelect } from './element.ts';

export interface ToolbarCalls {
  /** Another level is shown; `isPicked`: by the menu. */
  onShow(mode: ShowMode, isPicked: boolean): void;
}

export class Toolbar {
  readonly #viewer: Viewer;
  readonly #set: ViewedSet;
  readonly #calls: ToolbarCalls;
  readonly #show = byId<HTMLSelectElement>('show');
  readonly #view = byId<HTMLSelectElement>('view');
  readonly #cameras = [...document.querySelectorAll<HTMLInputElement>('input[name="camera"]')];
  readonly #divider: Divider;

  constructor(viewer: Viewer, set: ViewedSet, against: ViewedSet | null, calls: ToolbarCalls) {
    this.#viewer = viewer;
    this.#set = set;
    this.#calls = calls;
    this.#divider = new Divider((share) => {
      viewer.share = share;
    });
    this.#fillCompare(against);
    fillSelect(this.#show, modesOf(set.tiles), viewer.mode, (mode) => this.show(mode, true));
    fillSelect(this.#view, Object.entries(VIEWS), 'lit', (name) => this.view(name as ViewName));
    fillSelect(byId<HTMLSelectElement>('tint'), Object.entries(TINTS), 'none', (name) => {
      viewer.tint = name as TintName;
    });
    for (const input of this.#cameras) {
      input.addEventListener('change', () => this.camera(input.value as CameraMode));
    }
    byId('frame').addEventListener('click', () => this.frame());
    byId('toggle').addEventListener('click', () => {
      const isWide = document.body.classList.toggle('wide');
      byId('toggle').setAttribute('aria-expanded', String(!isWide));
    });
  }

  show(mode: ShowMode, isPicked = false): void {
    this.#viewer.mode = mode;
    this.#show.value = mode;
    this.#nameSides();
    this.#calls.onShow(mode, isPicked);
  }

  view(name: ViewName): void {
    this.#viewer.view = name;
    this.#view.value = name;
    this.#nameSides();
  }

  camera(mode: CameraMode): void {
    this.#viewer.rig.mode = mode;
    for (const input of this.#cameras) input.checked = input.value === mode;
  }

  /** Brings bounds into the picture; absent: those of all. Whoever walks sees little of what is framed. */
  frame(bounds: Bounds = this.#viewer.bounds): void {
    if (this.#viewer.rig.mode === 'walk') this.camera('orbit');
    this.#viewer.frame(bounds);
  }

  /** Goes where an address leads. */
  go({ camera, mode, show, view }: Place): void {
    if (show !== undefined && modesOf(this.#set.tiles).some(([one]) => one === show)) this.show(show);
    if (view !== undefined && Object.hasOwn(VIEWS, view)) this.view(view as ViewName);
    if (camera) this.#viewer.rig.place(camera.slice(0, 3), camera.slice(3));
    this.camera(mode ?? 'orbit');
  }

  /** The menu of what is right of the divider; another output is there from the beginning. */
  #fillCompare(against: ViewedSet | null): void {
    const others = comparable(this.#set, against);
    const compare = (key: string) => {
      this.#viewer.compared = others.find((one) => one.key === key) ?? null;
      this.#nameSides();
    };
    const menu = [['', 'One picture'] as const, ...others.map(({ key, text }) => [key, text] as const)];
    const first = against ? others[0].key : '';
    fillSelect(byId<HTMLSelectElement>('compare'), menu, first, compare);
    compare(first);
  }

  #nameSides(): void {
    const { compared, mode, view } = this.#viewer;
    const { tiles } = this.#set;
    const [, level = ''] = modesOf(tiles).find(([one]) => one === mode) ?? [];
    const isOther = compared !== null && compared.tiles !== tiles;
    const a = isOther ? `${shortName(this.#set)}: ${level}` : level;
    this.#divider.show(compared && view !== 'deviation' ? { a, b: compared.text } : null);
  }
}
