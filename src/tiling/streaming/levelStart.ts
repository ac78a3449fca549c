// From where a level may be shown, asked while levels are made. The ladder (ladder.ts) places levels when all errors of a
// tile are known; none is placed nearer than what is said here.

import { BAND_GAP, MAX_QUERY_RADIUS } from '../../engine/streaming.ts';
import type { Bounds } from '../../scene/types.ts';
import { distanceOfError, pixelAtDistance } from './ladder.ts';
import { judgedStreaming, rangeRadii, type StreamingRange, widenRadii } from './radii.ts';

/** A level may be moved out to this many times the least streaming radius of its tile until its error is unseen. */
const REACH = { lod: 2, hlod: 3 } as const;

/** The least streaming radius of a tile in metres, whatever the scene's bounds: only one that was given is known exactly. */
export function minStreaming(range: StreamingRange, content: Bounds): number {
  const min = { streaming: 0, unload: 0 };
  return (range.kind === 'given' ? rangeRadii(range, content, content) : widenRadii(min, content)).streaming;
}

/** The same where pictures decide from where its levels are shown. */
export function minJudgedStreaming(range: StreamingRange, content: Bounds): number {
  const usual = minStreaming(range, content);
  return Math.min(usual, judgedStreaming(range, content) ?? usual);
}

/** The nearest distance of a tile's level number `index`, from 0, whatever its error. */
export function nearestStart(streaming: number, index = 0): number {
  return streaming + BAND_GAP * (index + 1);
}

/** The nearest distance of the level after one that starts at a distance. */
export function startAfter(start: number): number {
  return start + BAND_GAP;
}

/** Where a level with this error may start, if none may before `nearest`. */
export function startOfLevel(nearest: number, error: number): number {
  return Math.max(nearest, distanceOfError(error));
}

/** The furthest distance of a level. `judged`: pictures are to pass, so that it is one at which the engine shows levels. */
export function furthestStart(streaming: number, kind: 'lod' | 'hlod', judged: boolean): number {
  const furthest = streaming * REACH[kind];
  return judged ? Math.min(furthest, MAX_QUERY_RADIUS) : furthest;
}

/** Metres that a pixel covers where a level with this error may start. */
export function pixelAtStart(nearest: number, error: number): number {
  return pixelAtDistance(startOfLevel(nearest, error));
}
