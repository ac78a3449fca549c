// Looks at a finished set as a whole: it is drawn from cameras around and inside of it as the engine's loader would stream it,
// and where full detail has a surface, something must be drawn. A set whose parts are right one by one may still have holes
// between them.

import { type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { MAX_QUERY_RADIUS } from '../../../engine/streaming.ts';
import { type FlightFigures, flightFigures } from '../../../formats/manifest/flights.ts';
import type { TileManifest } from '../../../formats/manifest/schema.ts';
import { fullOf, type ShownPayload, shownOf } from '../../../formats/manifest/shownTiles.ts';
import { type CookedTile, type CookedTiles, tilesOf } from '../../../formats/manifest/tiles.ts';
import type { SetTile } from '../../../formats/manifest/write.ts';
import { type Camera, lookAt, wholePicture } from '../../../raster/camera.ts';
import { center, distanceToBounds } from '../../../scene/bounds.ts';
import type { Bounds, Vec3 } from '../../../scene/types.ts';
import { getsLevels } from '../../../tiling/streaming/hlodClusters.ts';
import { inOrder } from '../../../workers/inOrder.ts';
import type { CoverageView, Covered, PayloadCoverage } from '../../../workers/jobs/coverage.ts';

/** Pixels of the pictures. */
const SIZE = { width: 640, height: 360 } as const;
/** A hole is an area of more than so many pixels that touch: fewer lie on outlines, which levels may move by a pixel. */
const MAX_MISSING = 4;
/** Metres. */
const NEAR = 0.1;
/** Where cameras outside stand: azimuths in eighths of a circle, metres along the ground and upwards from the set's box. */
const OUTSIDE: readonly (readonly [number, number, number])[] = [
  [0, 25, 10],
  [1, 150, 90],
  [2, 300, 90],
  [3, 400, 150],
  [4, 50, 40],
  [5, 220, 40],
  [6, 320, 250],
  [7, 440, 60],
];
/** Cameras inside stand near the corners, at this share of the way to the middle and this share of the height. */
const INSIDE = { inwards: 0.2, height: 0.3 } as const;

/** What the pictures show. */
export interface StreamedFigures {
  readonly cameras: number;
  /** Pixels that full detail covers whole with opaque surfaces of tiles of which a level is shown. */
  readonly judged: number;
  /** Of those, pixels on which nothing is drawn, and the largest area of them that hangs together. */
  readonly missing: number;
  readonly largestHole: number;
  /** What levels save. */
  readonly flights: readonly FlightFigures[];
}

/** Draws a payload, which lies within `bounds`, and counts its triangles. */
export type DrawCoverage = (path: string, bounds: Bounds, views: readonly CoverageView[]) => Promise<PayloadCoverage>;

export interface StreamedCheck {
  /** As the manifest lists them. */
  readonly set: CookedTiles;
  /** Whether a tile may end before others. */
  readonly mayEnd: (tile: string) => boolean;
  readonly draw: DrawCoverage;
  /** Payloads that are drawn at once. */
  readonly ahead: number;
  /** The source, for messages. */
  readonly source: string;
  readonly diagnostics: Diagnostics;
  readonly onPayload: (done: number, total: number) => void;
}

/** Throws UC2067 for the largest hole. Reports UC2068 where levels save less than half of the triangles. */
export async function checkStreamed(check: StreamedCheck): Promise<StreamedFigures> {
  const { set, draw, ahead, source, diagnostics, onPayload } = check;
  const eyes = set.bounds === null ? [] : camerasOf(set.bounds).map((camera) => new Eye(camera));
  const wanted = payloadsSeen(check, eyes);
  let done = 0;
  const begin = ([, { path, tile, views }]: readonly [string, WantedPayload]) =>
    draw(path, tile.bounds as Bounds, views);
  const triangles = new Map<string, number>();
  for await (const [[, { tile, path }], { covered, triangles: count }] of inOrder(wanted, ahead, begin)) {
    onPayload(++done, wanted.size);
    triangles.set(path, count);
    for (const one of covered) eyes[one.eye].add(one, tile.id);
  }
  const holes = eyes.map((eye) => eye.largestHole());
  const largest = holes.reduce((highest, hole) => (hole.pixels > highest.pixels ? hole : highest), {
    pixels: 0,
    tile: '',
    eye: eyes[0],
  });
  if (largest.pixels > MAX_MISSING) {
    const { width, height } = SIZE;
    const what = `${largest.pixels} pixels of ${width} x ${height} show nothing where full detail has a surface`;
    fail(
      'UC2067',
      source,
      largest.tile,
      `${what}, seen from (${largest.eye.camera.position.map((at) => at.toFixed(1)).join(' ')})`,
    );
  }
  const flights = flightFigures(set, (path) => triangles.get(path) ?? 0);
  const saved = savedText(flights);
  if (saved !== null) diagnostics.report('UC2068', source, '', saved);
  const sum = (of: (eye: Eye) => number) => eyes.reduce((all, eye) => all + of(eye), 0);
  return {
    cameras: eyes.length,
    judged: sum((eye) => eye.judged),
    missing: sum((eye) => eye.missing),
    largestHole: largest.pixels,
    flights,
  };
}

/** What levels save, in words; null: half of the triangles or more over all flights together. */
function savedText(flights: readonly FlightFigures[]): string | null {
  const sum = (of: (figures: FlightFigures) => number) => flights.reduce((all, figures) => all + of(figures), 0);
  if (2 * sum(({ triangles }) => triangles) <= sum(({ fullTriangles }) => fullTriangles)) return null;
  const shares = flights.map(({ triangles, fullTriangles }) => {
    return fullTriangles === 0 ? 0 : Math.round(100 * (1 - triangles / fullTriangles));
  });
  const [along, across, around] = shares;
  return `levels save ${along} % of the triangles along, ${across} % across and ${around} % around the set`;
}

/** The tiles of the manifest in a set, as the loader takes them; and which of them may end before others. */
export function streamedSet(
  manifest: string,
  { tiles, shared }: { readonly tiles: readonly SetTile[]; readonly shared: SetTile | null },
): Pick<StreamedCheck, 'set' | 'mayEnd'> {
  const byId = new Map([...tiles, ...(shared ? [shared] : [])].map(({ planned }) => [planned.id, planned]));
  const mayEnd = (id: string): boolean => {
    const planned = byId.get(id);
    return planned === undefined || planned.range.kind === 'given' || !getsLevels(planned);
  };
  return { set: tilesOf(JSON.parse(manifest) as TileManifest), mayEnd };
}

/** Eight cameras around the set, which look at its middle, and four in it, which look at the opposite corner. */
export function camerasOf(bounds: Bounds): Camera[] {
  const { min, max } = bounds;
  const middle = center(bounds);
  const half = Math.hypot(max[0] - min[0], max[2] - min[2]) / 2;
  const outside = OUTSIDE.map(([eighths, metres, rise]): readonly [Vec3, Vec3] => {
    const angle = (eighths * Math.PI) / 4;
    const way = half + metres;
    return [[middle[0] + Math.sin(angle) * way, max[1] + rise, middle[2] + Math.cos(angle) * way], middle];
  });
  const y = min[1] + (max[1] - min[1]) * INSIDE.height;
  const inside = [0, 1, 2, 3].map((corner): readonly [Vec3, Vec3] => {
    const [x, z] = [corner & 1 ? max[0] : min[0], corner & 2 ? max[2] : min[2]];
    const to = (from: number, at: number) => from + (at - from) * INSIDE.inwards;
    return [
      [to(x, middle[0]), y, to(z, middle[2])],
      [2 * middle[0] - x, y, 2 * middle[2] - z],
    ];
  });
  return [...outside, ...inside].flatMap(([position, target]) => {
    const axes = lookAt(position, target);
    return axes ? [wholePicture(axes, SIZE.width, SIZE.height, NEAR)] : [];
  });
}

interface WantedPayload extends Pick<ShownPayload, 'path' | 'tile'> {
  readonly views: CoverageView[];
}

/**
 * The payloads with what cameras see of them, by path. Full detail is drawn as well where a level stands for it, or nothing does.
 */
function payloadsSeen({ set, mayEnd }: StreamedCheck, eyes: readonly Eye[]): Map<string, WantedPayload> {
  const wanted = new Map<string, WantedPayload>();
  const add = ({ tile, path }: Pick<ShownPayload, 'path' | 'tile'>, ...views: readonly CoverageView[]) => {
    const payload = wanted.get(`${tile.id} ${path}`) ?? { tile, path, views: [] };
    payload.views.push(...views);
    wanted.set(`${tile.id} ${path}`, payload);
  };
  for (const tile of set.tiles) {
    // All are counted, whoever sees them.
    for (const { path } of [fullOf(tile), ...tile.lods, ...(tile.hlod ? [tile.hlod] : [])]) {
      if (tile.bounds !== null) add({ tile, path });
    }
    for (const [eye, { camera }] of eyes.entries()) {
      const shown = shownOf(tile, camera.position);
      if (shown) add(shown, { eye, camera, opaque: false });
      if (shown?.path !== tile.full && isDue(tile, camera.position) && !mayEnd(tile.id)) {
        add(fullOf(tile), { eye, camera, opaque: true });
      }
    }
  }
  return wanted;
}

/** Whether the engine looks for a tile from a place. */
function isDue({ bounds }: CookedTile, position: Vec3): boolean {
  return bounds !== null && distanceToBounds(position, bounds) <= MAX_QUERY_RADIUS;
}

/** The picture of one camera: which pixels are due, and which are drawn. */
class Eye {
  readonly camera: Camera;
  /** The tile that is due at a pixel, by its number from 1 on; 0: none. */
  readonly #due = new Uint32Array(SIZE.width * SIZE.height);
  readonly #drawn = new Uint8Array(SIZE.width * SIZE.height);
  readonly #tiles: string[] = [];
  judged = 0;
  missing = 0;

  constructor(camera: Camera) {
    this.camera = camera;
  }

  add({ opaque, x, y, width, height, coverage }: Covered, tile: string): void {
    if (opaque) this.#tiles.push(tile);
    for (let row = 0, from = 0; row < height; row++) {
      let at = (y + row) * SIZE.width + x;
      for (let column = 0; column < width; column++, at++, from++) {
        if (!opaque) this.#drawn[at] |= coverage[from];
        else if (coverage[from] === 255) this.#due[at] = this.#tiles.length;
      }
    }
  }

  /** The largest area of pixels that are due and on which nothing is drawn, by their eight neighbours. Counts all such pixels. */
  largestHole(): { readonly pixels: number; readonly tile: string; readonly eye: Eye } {
    const due = this.#due;
    const { width } = SIZE;
    const isMissing = (at: number): boolean => due[at] !== 0 && this.#drawn[at] === 0;
    let largest = { pixels: 0, tile: '', eye: this as Eye };
    const waiting: number[] = [];
    for (let start = 0; start < due.length; start++) {
      if (due[start] !== 0) this.judged++;
      if (!isMissing(start)) continue;
      const tile = this.#tiles[due[start] - 1];
      let pixels = 0;
      waiting.push(start);
      this.#drawn[start] = 1;
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        pixels++;
        for (const row of [-width, 0, width]) {
          for (const column of [-1, 0, 1]) {
            const near = at + row + column;
            if (Math.abs((near % width) - (at % width)) > 1 || near < 0 || near >= due.length || !isMissing(near))
              continue;
            this.#drawn[near] = 1;
            waiting.push(near);
          }
        }
      }
      this.missing += pixels;
      if (pixels > largest.pixels) largest = { pixels, tile, eye: this };
    }
    return largest;
  }
}
