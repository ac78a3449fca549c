// The places that a call of check() names: boxes, lists of positions, flights.

import { resolve } from 'node:path';
import { jsonFaultWords } from '../../bytes/jsonFault.ts';
import { showPath } from '../../config/showPath.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import { codeOf, readWholeText, refusal } from '../../importers/wholeFile.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';
import type { Waypoint } from '../../viewer/streaming/flight.ts';
import { placesIn } from './places.ts';

/** More points than this are no flight and no list of places. */
const MAX_POINTS = 10_000;

function readJson(path: string, cwd: string): unknown {
  let text: string;
  try {
    text = readWholeText(path);
  } catch (error) {
    return fail('UC1200', path, '', `${showPath(path, cwd)} ${refusal(codeOf(error))}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    return fail('UC2247', showPath(path, cwd), '', `it is no JSON: ${jsonFaultWords(text)}`);
  }
}

const isPlace = (value: unknown): value is Vec3 =>
  Array.isArray(value) && value.length === 3 && value.every((number) => Number.isFinite(number));

const isWaypoint = (value: unknown): value is Waypoint => {
  const { time, position, target } = (value ?? {}) as Partial<Record<keyof Waypoint, unknown>>;
  return typeof time === 'number' && time >= 0 && time <= 3600 && isPlace(position) && isPlace(target);
};

/** The flight of a file at an absolute path. Throws UC2247 for one that cannot be flown. */
export function readFlight(path: string, cwd: string): readonly Waypoint[] {
  const points = readJson(path, cwd);
  const name = showPath(path, cwd);
  if (!Array.isArray(points) || points.length < 2 || points.length > MAX_POINTS) {
    return fail('UC2247', name, '', `it is no list of 2 to ${MAX_POINTS} points`);
  }
  for (const [i, point] of points.entries()) {
    if (!isWaypoint(point)) return fail('UC2247', name, `[${i}]`, 'it is no point with time, position and target');
    if (i > 0 && !(point.time > points[i - 1].time)) return fail('UC2247', name, `[${i}]`, 'its time does not rise');
  }
  return points as readonly Waypoint[];
}

function boxOf(zone: string, numbers: string): Bounds {
  const values = numbers.split(',').map(Number);
  if (values.length !== 6 || !values.every(Number.isFinite) || numbers.split(',').some((word) => word.trim() === '')) {
    return fail('UC1003', '', '--zone', `"${zone}" was given, but a box takes six numbers: box:X0,Y0,Z0,X1,Y1,Z1`);
  }
  const [x0, y0, z0, x1, y1, z1] = values;
  return {
    min: [Math.min(x0, x1), Math.min(y0, y1), Math.min(z0, z1)],
    max: [Math.max(x0, x1), Math.max(y0, y1), Math.max(z0, z1)],
  };
}

function pointsOf(zone: string, file: string, cwd: string): readonly Vec3[] {
  const points = readJson(resolve(cwd, file), cwd);
  if (Array.isArray(points) && points.length > 0 && points.length <= MAX_POINTS && points.every(isPlace)) return points;
  return fail('UC1003', '', '--zone', `"${zone}" was given, but ${file} is no list of positions like [[0, 1.7, 0]]`);
}

/** The eye positions of zones. Throws UC1003 for one that cannot be read. */
export function zonePlaces(zones: readonly string[], cwd: string): Vec3[] {
  return zones.flatMap((zone): readonly Vec3[] => {
    const [, kind, rest] = /^(box|points):(.*)$/s.exec(zone) ?? [];
    if (kind === 'box') return placesIn([boxOf(zone, rest)]);
    if (kind === 'points') return pointsOf(zone, rest, cwd);
    return fail('UC1003', '', '--zone', `"${zone}" was given, but a zone is box:X0,Y0,Z0,X1,Y1,Z1 or points:FILE.json`);
  });
}
