// Turns the options of a call into the size, camera and level of a picture.

import { fail } from '../../diagnostics/diagnostic.ts';
import { type Camera, givenCamera, orbitCamera, overviewCamera, TAN_HALF_FRAMING } from '../../raster/camera.ts';
import { center } from '../../scene/bounds.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';

/** Pixels of a side, and in all: 8192 x 4096. */
const MIN_SIDE = 16;
const MAX_SIDE = 8192;
const MAX_PIXELS = 2 ** 25;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Reads `1280x720`. Throws UC1003. */
export function parseSize(text: string): Size {
  const match = /^(\d{1,6})x(\d{1,6})$/.exec(text);
  if (!match) fail('UC1003', '', '--size', `"${text}" was given, but the option takes a size like 1280x720`);
  const [width, height] = [Number(match[1]), Number(match[2])];
  const isSide = (side: number) => side >= MIN_SIDE && side <= MAX_SIDE;
  if (!isSide(width) || !isSide(height) || width * height > MAX_PIXELS) {
    const limits = `from ${MIN_SIDE} to ${MAX_SIDE} pixels a side and up to 33,554,432 pixels in all`;
    fail('UC1003', '', '--size', `"${text}" was given, but the option takes ${limits}`);
  }
  return { width, height };
}

const NAMED = ['auto', 'orbit', 'overview', 'inside'] as const;

/** From where the picture is taken: six numbers, or a name. */
export type CameraRequest = (typeof NAMED)[number] | readonly number[];

/** Reads a name or `x,y,z,tx,ty,tz`. Throws UC1003. */
export function parseCamera(text: string): CameraRequest {
  const name = NAMED.find((one) => one === text);
  if (name) return name;
  const parts = text.split(',').map((part) => part.trim());
  const isNumber = (part: string) =>
    /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(part) && Math.abs(Number(part)) <= 1e9;
  if (parts.length !== 6 || !parts.every(isNumber)) {
    const takes = `${NAMED.join(', ')}, or six numbers: the position and the point that it looks at`;
    fail('UC1003', '', '--camera', `"${text}" was given, but the option takes ${takes}`);
  }
  return parts.map(Number);
}

/** Reads `NAME=W` of each item; a name may hold `=`. Throws UC1003. */
export function parseMorphs(items: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    items.map((item) => {
      const at = item.lastIndexOf('=');
      const weight = at < 0 || item.slice(at + 1).trim() === '' ? Number.NaN : Number(item.slice(at + 1));
      if (at < 1 || !Number.isFinite(weight)) {
        fail('UC1003', '', '--morph', `"${item}" was given, but the option takes a name and a number, as smile=0.5`);
      }
      return [item.slice(0, at), weight];
    }),
  );
}

/** The camera that looks at the scene from outside or from where numbers say. Throws UC1003 for one that is where it looks to. */
export function cameraOf(request: CameraRequest, bounds: Bounds, { width, height }: Size): Camera {
  if (request === 'overview') return overviewCamera(bounds, width, height, TAN_HALF_FRAMING);
  if (typeof request === 'string') return orbitCamera(bounds, width, height, TAN_HALF_FRAMING);
  const camera = givenCamera(request, width, height);
  return camera ?? fail('UC1003', '', '--camera', 'the camera is where it looks to');
}

/** What a turntable turns about, at the height of the camera's look: the scene, the point that is looked at, or the camera itself. */
export function pivotOf(request: CameraRequest, bounds: Bounds, { position }: Camera, isInside: boolean): Vec3 {
  if (typeof request !== 'string') return [request[3], request[4], request[5]];
  return isInside ? position : center(bounds);
}

/** The names of a turntable's pictures: numbers from 1, before the ending. */
export function turntableNames(out: string, count: number): string[] {
  const digits = String(count).length;
  const stem = out.slice(0, -'.png'.length);
  return Array.from({ length: count }, (_, i) => {
    return `${stem}-${String(i + 1).padStart(digits, '0')}${out.slice(stem.length)}`;
  });
}
