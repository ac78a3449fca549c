// What the loader holds and shows at a place once it has loaded all that it asks for there, while somebody stands and looks around.

import { DWELL, TICK } from '../../engine/loading.ts';
import type { CookedTile } from '../../formats/manifest/tiles.ts';
import type { Vec3 } from '../../scene/types.ts';
import { eyeAt } from './flight.ts';
import { type LoaderOptions, type LoaderState, StreamLoader } from './loader.ts';
import type { Eye } from './view.ts';

/** Tangents of half of the field of view. */
export interface FieldOfView {
  readonly tanY: number;
  readonly aspect: number;
}

/** A direction that somebody looked into, with what was loaded and shown at its end. */
export interface Look {
  readonly eye: Eye;
  readonly state: LoaderState;
  /** From the beginning of the look until nothing changed any more. */
  readonly seconds: number;
}

/** Views of 90 degrees: four of them see all around, without a gap. */
export const ALL_AROUND: FieldOfView = { tanY: 1, aspect: 1 };

const DIRECTIONS: readonly Vec3[] = [
  [0, 0, -1],
  [1, 0, 0],
  [0, 0, 1],
  [-1, 0, 0],
];

/** A scene that still loads after so many seconds counts as it is then. */
const MAX_SECONDS = 600;

const isSame = (a: LoaderState, b: LoaderState): boolean =>
  a.residentBytes === b.residentBytes && a.shown.every((index, i) => index === b.shown[i]);

/** Lets a loader run until nothing is loaded or swapped any more. */
function settle(loader: StreamLoader, eye: Eye): Omit<Look, 'eye'> {
  const begun = loader.state().time;
  let before = loader.state();
  let changed = begun;
  for (;;) {
    loader.advance(TICK, eye);
    const state = loader.state();
    if (state.loadsInFlight > 0 || !isSame(state, before)) changed = state.time;
    before = state;
    // Swaps wait for the dwell of the swap before them.
    const isQuiet = state.time - changed > DWELL + 2 * TICK;
    if (isQuiet || state.time - begun > MAX_SECONDS) return { state, seconds: changed - begun };
  }
}

/** The eyes of somebody who stands at a place and looks north, east, south and west. */
export function eyesAround(position: Vec3, { tanY, aspect }: FieldOfView = ALL_AROUND): Eye[] {
  return DIRECTIONS.map(([x, y, z]) =>
    eyeAt(position, [position[0] + x, position[1] + y, position[2] + z], tanY, aspect),
  );
}

/** Stands at a place and looks north, east, south and west. The first look begins with nothing loaded. */
export function lookAround(
  tiles: readonly CookedTile[],
  position: Vec3,
  options: LoaderOptions,
  view: FieldOfView = ALL_AROUND,
): { readonly loader: StreamLoader; readonly looks: readonly Look[] } {
  const loader = new StreamLoader(tiles, options);
  const looks = eyesAround(position, view).map((eye) => ({ eye, ...settle(loader, eye) }));
  return { loader, looks };
}
