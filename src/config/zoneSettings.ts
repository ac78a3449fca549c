// What --viewer-zone, --portal and --device say of the eyes that a scene is cooked for, as settings. Prims are looked up when the
// scene is read.

import { resolve } from 'node:path';
import { fail } from '../diagnostics/diagnostic.ts';
import type { Device } from '../engine/devices.ts';
import { codeOf, readWholeText, refusal } from '../importers/wholeFile.ts';
import type { Bounds, Vec3 } from '../scene/types.ts';
import { showPath } from './showPath.ts';

/** A place with the room around it in metres that an eye may move in. */
export interface ZonePoint {
  readonly middle: Vec3;
  readonly radius: number;
}

/** The eyes that a scene is cooked for. */
export interface ZoneSettings {
  /** Paths of prims or nodes whose bounds are zones. */
  readonly prims: readonly string[];
  readonly boxes: readonly Bounds[];
  readonly points: readonly ZonePoint[];
  /** Paths of prims or nodes that are windows. */
  readonly portals: readonly string[];
  readonly keepShadows: boolean;
  readonly pixelsPerDegree: number;
  /** Places that the result is proved from. */
  readonly proofEyes: number;
  /** Of the device; null: nobody counts them. */
  readonly triangles: number | null;
  readonly visibleTriangles: number | null;
  readonly draws: number | null;
}

/** Without a device that says more: often estimated for the first Vision Pro; Apple names no figure. */
const PIXELS_PER_DEGREE = 34;
/** No place that triangles were found from is among them. */
const PROOF_EYES = 64;
/** More are no zone that somebody has written down. */
const MAX_POINTS = 10_000;
/** Metres: a zone that is larger is none that a person moves in. */
const MAX_REACH = 1e5;

const asked = (zone: string, what: string): never =>
  fail(
    'UC1003',
    '',
    '--viewer-zone',
    `"${zone}" was given, but ${what}`,
    'give prim:/PATH, box:X0,Y0,Z0,X1,Y1,Z1 or points:FILE.json',
  );

function boxOf(zone: string, text: string): Bounds {
  const words = text.split(',');
  const values = words.map(Number);
  const isBox =
    values.length === 6 &&
    values.every((value) => Math.abs(value) <= MAX_REACH) &&
    words.every((word) => word.trim() !== '');
  if (!isBox) return asked(zone, `a box takes six numbers of metres, at most ${MAX_REACH} from the origin`);
  const [x0, y0, z0, x1, y1, z1] = values;
  return {
    min: [Math.min(x0, x1), Math.min(y0, y1), Math.min(z0, z1)],
    max: [Math.max(x0, x1), Math.max(y0, y1), Math.max(z0, z1)],
  };
}

function pointOf(value: unknown): ZonePoint | null {
  if (!Array.isArray(value) || (value.length !== 3 && value.length !== 4)) return null;
  if (!value.every((number) => typeof number === 'number' && Math.abs(number) <= MAX_REACH)) return null;
  const [x, y, z, radius = 0] = value as number[];
  return radius >= 0 ? { middle: [x, y, z], radius } : null;
}

function pointsOf(file: string, cwd: string): ZonePoint[] {
  const path = resolve(cwd, file);
  const name = showPath(path, cwd);
  let list: unknown;
  try {
    list = JSON.parse(readWholeText(path));
  } catch (error) {
    if (error instanceof SyntaxError) return fail('UC2282', name, '', 'it is no JSON');
    return fail('UC1200', path, '', `${name} ${refusal(codeOf(error))}`);
  }
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_POINTS) {
    return fail('UC2282', name, '', `it is no list of 1 to ${MAX_POINTS} places`);
  }
  return list.map((item, i) => {
    const point = pointOf(item);
    return point ?? fail('UC2282', name, `[${i}]`, 'it is no [x, y, z] or [x, y, z, radius] of metres');
  });
}

const ZONE = /^(prim|box|points):(.+)$/s;
const PRIM = /^prim:(.+)$/s;

/** The files of places that zones name, absolute. */
export function zoneFiles(viewerZone: readonly string[], cwd: string): string[] {
  return viewerZone.flatMap((zone) => {
    const [, kind, rest] = ZONE.exec(zone) ?? [];
    return kind === 'points' ? [resolve(cwd, rest)] : [];
  });
}

/** The settings of a zone; undefined where nobody asks for one. Throws UC1003, UC1012, UC2282, and UC1200 for a file that cannot be read. */
export function zoneSettings(
  {
    viewerZone = [],
    portal = [],
    keepShadows = true,
  }: {
    readonly viewerZone?: readonly string[] | undefined;
    readonly portal?: readonly string[] | undefined;
    readonly keepShadows?: boolean | undefined;
  },
  device: Pick<Device, 'pixelsPerDegree' | 'limits'> | null,
  cwd: string,
): ZoneSettings | undefined {
  if (viewerZone.length === 0) {
    const other = portal.length > 0 ? '--portal' : keepShadows ? null : '--no-keep-shadows';
    if (other !== null) fail('UC1012', '', other, 'there is no --viewer-zone');
    return undefined;
  }
  const zones = { prims: [] as string[], boxes: [] as Bounds[], points: [] as ZonePoint[] };
  for (const zone of viewerZone) {
    const [, kind, rest] = ZONE.exec(zone) ?? [];
    if (kind === 'prim') zones.prims.push(rest);
    else if (kind === 'box') zones.boxes.push(boxOf(zone, rest));
    else if (kind === 'points') zones.points.push(...pointsOf(rest, cwd));
    else asked(zone, 'it is none of the three kinds');
  }
  const portals = portal.map((text) => {
    const path = PRIM.exec(text)?.[1];
    return path ?? fail('UC1003', '', '--portal', `"${text}" was given, but a window is prim:/PATH`);
  });
  return {
    ...zones,
    portals,
    keepShadows,
    proofEyes: PROOF_EYES,
    pixelsPerDegree: device?.pixelsPerDegree ?? PIXELS_PER_DEGREE,
    triangles: device?.limits.triangles?.value ?? null,
    visibleTriangles: device?.limits.visibleTriangles?.value ?? null,
    draws: device?.limits.draws?.value ?? null,
  };
}
