// The options that ask whether an output fits a device. No byte of it depends on them.

import { DEVICES, type DeviceId } from '../../engine/devices.ts';
import type { OptionSpec, OptionTable } from './option.ts';

/** The devices that are known without a project file. */
export const DEVICE_IDS = Object.keys(DEVICES) as [DeviceId, ...DeviceId[]];

export const DEVICE = {
  name: 'device',
  kind: { type: 'text', offers: DEVICE_IDS },
  placeholder: 'NAME',
  description: 'what the output has to fit',
} as const satisfies OptionSpec;

/** What is known of the device at hand. */
export const DEVICE_FACTS = [
  {
    name: 'device-memory',
    kind: { type: 'bytes', minimum: 1e6, maximum: 1e12 },
    placeholder: 'SIZE',
    description:
      'memory that the app may still take on the device, like 2GB; otherwise the least that the engine takes on every device',
  },
  {
    name: 'bandwidth',
    kind: { type: 'number', minimum: 0.1, maximum: 100_000, integer: false },
    placeholder: 'MBIT',
    description: 'megabits a second, for the seconds until full detail is there',
    default: 200,
  },
] as const satisfies OptionTable;

/** Where somebody is. */
export const PLACE_OPTIONS = [
  {
    name: 'zone',
    kind: { type: 'list', keepsCommas: true },
    placeholder: 'BOX',
    description:
      'where eyes may be: box:X0,Y0,Z0,X1,Y1,Z1 in metres, or points:FILE.json, a list of positions; again for more. Otherwise everywhere in the set',
  },
  {
    name: 'path',
    kind: { type: 'path' },
    placeholder: 'FLIGHT.json',
    description:
      'a flight: a list of {"time", "position", "target"}, in seconds and metres, flown as the loader sees it',
  },
] as const satisfies OptionTable;
