// What a device carries: the budgets of the engine's loader, what Apple advises for scenes of visionOS, and what the engine's
// developers measured. A limit is in force: the loader evicts, waits or overruns a table beyond it. Advice is what scenes that ran
// well kept to. No number is a promise of milliseconds on a GPU. Sources:
//   loader    UntoldEngine, GeometryStreamingSystem.swift and MemoryBudgetManager.swift (loading.ts)
//   engine    UntoldEngine, docs and measurements on a first Vision Pro
//   pools     UntoldEngine, EntityCapacityTests.swift: component pools of older versions have 20,000 slots
//   moon      WWDC 2025, session 305: what the Moon environment kept to
//   immersive WWDC 2024, session 10186, second hand: immersive scenes

import { EVICT_ABOVE, GEOMETRY_SHARE, MIN_MEMORY } from './loading.ts';

/** What is measured of an output at a place. Bytes, or counts. */
export const MEASURES = {
  geometry: { title: 'geometry', unit: 'bytes' },
  textures: { title: 'textures', unit: 'bytes' },
  triangles: { title: 'triangles in memory', unit: 'count' },
  visibleTriangles: { title: 'triangles in view', unit: 'count' },
  draws: { title: 'draws', unit: 'count' },
  entities: { title: 'entities', unit: 'count' },
  file: { title: 'largest file', unit: 'bytes' },
} as const;

export type Measure = keyof typeof MEASURES;

export interface DeviceLimit {
  readonly value: number;
  readonly kind: 'limit' | 'advice';
  /** In words, with who says so. */
  readonly source: string;
}

export type DeviceId = 'vision-pro' | 'iphone' | 'ipad' | 'mac';

export interface Device {
  /** A DeviceId, or the name of a device of a project. */
  readonly id: string;
  readonly title: string;
  /** Pixels for each degree of the view; null: it depends on the screen and how far it is away. */
  readonly pixelsPerDegree: number | null;
  /** CPU seconds that the engine takes to encode one draw; null: nobody has measured it. */
  readonly secondsADraw: number | null;
  /** What is not listed has no known bound there. */
  readonly limits: Readonly<Partial<Record<Measure, DeviceLimit>>>;
}

/** Where a device names no pixels a degree: those of a picture of 1080 rows over 60 degrees, as the distances of levels assume. */
export const USUAL_PIXELS_A_DEGREE = 18;

/** Of the memory that a process may still take, the share that the engine takes for its own. */
const ENGINE_SHARE = 0.4;
/** The most that the engine takes on iOS and visionOS, in bytes. */
const MAX_MEMORY = 3 * 2 ** 30;

/**
 * Bytes of geometry from which on the loader evicts. `freeMemory`: bytes that the process may still take; without it the least
 * that the engine takes on every device.
 */
export function geometryLimit(freeMemory?: number): number {
  const total =
    freeMemory === undefined ? MIN_MEMORY : Math.min(MAX_MEMORY, Math.max(MIN_MEMORY, freeMemory * ENGINE_SHARE));
  return Math.floor(total * GEOMETRY_SHARE * EVICT_ABOVE);
}

/** What holds on every device. */
const OF_LOADER = {
  geometry: {
    value: geometryLimit(),
    kind: 'limit',
    source: 'the loader evicts beyond it: 85 % of 60 % of the least memory that the engine takes, 512 MiB',
  },
  textures: { value: 200e6, kind: 'advice', source: 'default budget that the engine’s developers name' },
  entities: { value: 20_000, kind: 'limit', source: 'slots of the engine’s pools before they grew' },
  file: { value: 50e6, kind: 'advice', source: 'larger tiles take seconds to parse, as the engine’s notes say' },
} as const satisfies Device['limits'];

const OF_VISION_PRO = {
  ...OF_LOADER,
  triangles: { value: 500_000, kind: 'advice', source: 'Apple, for an immersive scene in memory (WWDC 2024)' },
  visibleTriangles: { value: 100_000, kind: 'advice', source: 'Apple, for what is in view (WWDC 2025)' },
  draws: { value: 100, kind: 'advice', source: 'Apple, for what is in view (WWDC 2025)' },
  entities: {
    value: 200,
    kind: 'advice',
    source: 'Apple, for a scene (WWDC 2025); the engine’s pools had 20,000 slots',
  },
} as const satisfies Device['limits'];

const known = (
  id: DeviceId,
  title: string,
  limits: Device['limits'],
  more: Partial<Pick<Device, 'pixelsPerDegree' | 'secondsADraw'>> = {},
): Device => ({ id, title, pixelsPerDegree: null, secondsADraw: null, limits, ...more });

/** Often estimated for the first Vision Pro; Apple names no figure. */
const VISION_PRO_PIXELS = 34;
/** Measured on a headset by the engine's developers; each draw is encoded for two eyes. */
const VISION_PRO_DRAW = 9e-6;

export const DEVICES = {
  'vision-pro': known('vision-pro', 'Apple Vision Pro', OF_VISION_PRO, {
    pixelsPerDegree: VISION_PRO_PIXELS,
    secondsADraw: VISION_PRO_DRAW,
  }),
  iphone: known('iphone', 'iPhone', OF_LOADER),
  ipad: known('ipad', 'iPad', OF_LOADER),
  mac: known('mac', 'Mac', OF_LOADER),
} as const satisfies Record<DeviceId, Device>;
