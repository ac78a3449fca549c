// The devices of a project file: numbers of known devices that it replaces, and devices of its own.

import { type Diagnostic, diagnostic, fail } from '../diagnostics/diagnostic.ts';
import { DEVICES, type Device, type DeviceLimit, MEASURES, type Measure } from '../engine/devices.ts';
import { nearest } from './nearest.ts';
import type { OptionKind, OptionTable } from './options/option.ts';
import { parseJsonValue, Refusal } from './options/values.ts';

const BYTES = { type: 'bytes', minimum: 1, maximum: 1e15 } as const satisfies OptionKind;
const COUNT = { type: 'number', minimum: 1, maximum: 1e12, integer: true } as const satisfies OptionKind;
const POSITIVE = { type: 'number', minimum: 0.001, maximum: 1e6, integer: false } as const satisfies OptionKind;

/** The key of each measure in the file. */
const LIMIT_KEYS = {
  geometry: 'geometry',
  textures: 'textures',
  triangles: 'triangles',
  visibleTriangles: 'visible-triangles',
  draws: 'draws',
  entities: 'entities',
  file: 'file',
} as const satisfies Record<Measure, string>;

const MEASURE_OF = new Map<string, Measure>((Object.keys(MEASURES) as Measure[]).map((one) => [LIMIT_KEYS[one], one]));

/** What a device of a project file may say, for the check and for the schema. */
export const DEVICE_KEYS = [
  {
    name: 'base',
    kind: { type: 'text' },
    description: 'the device whose numbers hold where this one says none; of a known name that device itself',
  },
  { name: 'title', kind: { type: 'text' }, description: 'what messages call it; otherwise its name' },
  ...(Object.keys(MEASURES) as Measure[]).map((measure) => ({
    name: LIMIT_KEYS[measure],
    kind: MEASURES[measure].unit === 'bytes' ? BYTES : COUNT,
    description: `most ${MEASURES[measure].title}; null: no bound is known`,
  })),
  { name: 'pixels-per-degree', kind: POSITIVE, description: 'pixels for each degree of the view' },
  { name: 'microseconds-a-draw', kind: POSITIVE, description: 'CPU time that the engine takes to encode one draw' },
] satisfies OptionTable;

/** What a project file says of a device; null takes a number of its base away. */
export interface ProjectDevice {
  readonly base: string | null;
  readonly title: string | null;
  readonly limits: ReadonlyMap<Measure, number | null>;
  readonly pixelsPerDegree?: number | null;
  readonly secondsADraw?: number | null;
}

export type ProjectDevices = ReadonlyMap<string, ProjectDevice>;

/** A name that is no option and no path. */
export const DEVICE_NAME = /^[a-z0-9][a-z0-9._-]*$/i;

interface Place {
  /** What messages call the file. */
  readonly file: string;
  /** Gets UC1008 for values of the wrong kind and UC1009 for unknown keys. */
  readonly faults: Diagnostic[];
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseDevice(object: object, at: string, { file, faults }: Place): ProjectDevice {
  const known = new Map<string, OptionKind>(DEVICE_KEYS.map(({ name, kind }) => [name, kind]));
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(object) as [string, unknown][]) {
    const kind = known.get(key);
    if (kind === undefined) {
      const near = nearest(key, [...known.keys()]);
      const remedy = near === null ? `there are ${[...known.keys()].join(', ')}` : `did you mean "${near}"?`;
      faults.push(diagnostic('UC1009', file, `${at}/${key}`, `a device has no "${key}"`, remedy));
    } else if (value === null && kind.type !== 'text') values.set(key, null);
    else {
      const checked = parseJsonValue(kind, value);
      if (checked instanceof Refusal) {
        faults.push(diagnostic('UC1008', file, `${at}/${key}`, `"${key}" ${checked.message}`));
      } else values.set(key, checked);
    }
  }
  const limits = new Map<Measure, number | null>();
  for (const [key, value] of values) {
    const measure = MEASURE_OF.get(key);
    if (measure !== undefined) limits.set(measure, value as number | null);
  }
  const draw = values.get('microseconds-a-draw') as number | null | undefined;
  const pixels = values.get('pixels-per-degree') as number | null | undefined;
  return {
    base: (values.get('base') as string | undefined) ?? null,
    title: (values.get('title') as string | undefined) ?? null,
    limits,
    ...(pixels === undefined ? {} : { pixelsPerDegree: pixels }),
    ...(draw === undefined ? {} : { secondsADraw: draw === null ? null : draw / 1e6 }),
  };
}

/** The devices of a project file. Faults: UC1008, and UC1009 for what a device has no number for. */
export function parseDevices(value: unknown, place: Place): ProjectDevices {
  const { file, faults } = place;
  const devices = new Map<string, ProjectDevice>();
  if (value === undefined) return devices;
  if (!isObject(value)) {
    faults.push(
      diagnostic('UC1008', file, 'devices', '"devices" takes an object: the name of each device and its numbers'),
    );
    return devices;
  }
  for (const [name, device] of Object.entries(value) as [string, unknown][]) {
    const at = `devices/${name}`;
    if (!DEVICE_NAME.test(name)) {
      const words = `"${name}" is no name of a device: letters, digits, . _ and -, a letter or digit first`;
      faults.push(diagnostic('UC1008', file, at, words));
    } else if (!isObject(device))
      faults.push(diagnostic('UC1008', file, at, 'a device is a JSON object with its numbers'));
    else devices.set(name, parseDevice(device, at, place));
  }
  for (const [name, { base }] of devices) {
    if (base !== null) checkBase(name, base, devices, place);
  }
  return devices;
}

const nameOfKnown = (name: string): name is keyof typeof DEVICES => Object.hasOwn(DEVICES, name);

function checkBase(name: string, base: string, devices: ProjectDevices, { file, faults }: Place): void {
  const at = `devices/${name}/base`;
  if (!devices.has(base) && !nameOfKnown(base)) {
    const names = deviceNames(devices).filter((one) => one !== name);
    const near = nearest(base, names);
    const remedy = near === null ? `there are ${names.join(', ')}` : `did you mean "${near}"?`;
    faults.push(diagnostic('UC1008', file, at, `there is no device "${base}"`, remedy));
    return;
  }
  const passed = new Set<string>();
  // One of a known name may stand on that name: it then changes what is known.
  for (let next: string | null = base; next !== null && !passed.has(next); next = devices.get(next)?.base ?? null) {
    if (next === name && !(base === name && nameOfKnown(name))) {
      faults.push(diagnostic('UC1008', file, at, `"${name}" stands on itself`, 'name a device that does not'));
      return;
    }
    passed.add(next);
  }
}

/** All names that --device takes. */
export const deviceNames = (devices: ProjectDevices): string[] => [
  ...new Set([...Object.keys(DEVICES), ...devices.keys()]),
];

/** The device that bounds come from before a project has said anything. */
const nothing = (id: string): Device => ({ id, title: id, pixelsPerDegree: null, secondsADraw: null, limits: {} });

function build(name: string, devices: ProjectDevices, file: string): Device {
  const own = devices.get(name);
  const known = nameOfKnown(name) ? DEVICES[name] : null;
  if (own === undefined) return known ?? nothing(name);
  const isOnItself = own.base === null || own.base === name;
  const base = isOnItself ? (known ?? nothing(name)) : build(own.base as string, devices, file);
  const limits: Partial<Record<Measure, DeviceLimit>> = { ...base.limits };
  for (const [measure, value] of own.limits) {
    if (value === null) delete limits[measure];
    else limits[measure] = { value, kind: limits[measure]?.kind ?? 'advice', source: `${file} sets it` };
  }
  const { pixelsPerDegree = base.pixelsPerDegree, secondsADraw = base.secondsADraw } = own;
  return { id: name, title: own.title ?? known?.title ?? name, pixelsPerDegree, secondsADraw, limits };
}

/**
 * The device of a name, with what the project says of it. `file`: what messages call the project file. Throws UC1003 for a name that
 * nothing has.
 */
export function deviceNamed(name: string, devices: ProjectDevices = new Map(), file = '', option = '--device'): Device {
  const names = deviceNames(devices);
  if (names.includes(name)) return build(name, devices, file);
  const near = nearest(name, names);
  const hint = near === null ? '' : `; did you mean ${near}?`;
  return fail('UC1003', '', option, `"${name}" was given, but the option takes one of ${names.join(', ')}${hint}`);
}
