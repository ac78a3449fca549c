// A flight: where a camera is over time, and what the loader holds and shows meanwhile.

import type { Vec3 } from '../../scene/types.ts';
import type { LoaderState, StreamLoader } from './loader.ts';
import type { Eye } from './view.ts';

/** A point of a path: at `time` seconds the camera is at `position` and looks at `target`. */
export interface Waypoint {
  readonly time: number;
  readonly position: Vec3;
  readonly target: Vec3;
}

const mix = (a: Vec3, b: Vec3, share: number): Vec3 => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];

/** Where the camera is at a time, straight from point to point; before the first and after the last it stands still. */
export function placeAt(path: readonly Waypoint[], time: number): Pick<Waypoint, 'position' | 'target'> {
  const after = path.findIndex((point) => point.time > time);
  if (after === 0) return path[0];
  if (after < 0) return path[path.length - 1];
  const [a, b] = [path[after - 1], path[after]];
  const share = (time - a.time) / (b.time - a.time);
  return { position: mix(a.position, b.position, share), target: mix(a.target, b.target, share) };
}

/** The eye of a camera at `position` that looks at `target`, with +Y up; straight up or down -Z is up. */
export function eyeAt(position: Vec3, target: Vec3, tanY: number, aspect: number): Eye {
  const to = [0, 1, 2].map((k) => target[k] - position[k]);
  const length = Math.sqrt(to[0] ** 2 + to[1] ** 2 + to[2] ** 2) || 1;
  const forward = to.map((v) => v / length) as unknown as Vec3;
  const level = Math.sqrt(forward[0] ** 2 + forward[2] ** 2);
  const up: Vec3 =
    level < 1e-5 ? [0, 0, -1] : [(-forward[0] * forward[1]) / level, level, (-forward[2] * forward[1]) / level];
  return { position, forward, up, tanX: tanY * aspect, tanY };
}

/** The states of a loader during a flight, one each `step` seconds, from `step` to the time of the last point. */
export function fly(
  loader: StreamLoader,
  path: readonly Waypoint[],
  step: number,
  view: { readonly tanY: number; readonly aspect: number },
): LoaderState[] {
  const states: LoaderState[] = [];
  const end = path[path.length - 1].time;
  for (let i = 1; i * step <= end + 1e-9; i++) {
    const { position, target } = placeAt(path, i * step);
    loader.advance(step, eyeAt(position, target, view.tanY, view.aspect));
    states.push(loader.state());
  }
  return states;
}
