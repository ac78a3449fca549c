// A picture of what a file holds, for people: which levels it shows, from where it is taken, and by what it is lit.

import { type OptionsOf, settle } from '../../config/options/option.ts';
import { RENDER_CALL_OPTIONS } from '../../config/options/table.ts';
import { throwIfAborted } from '../../cook/interruption.ts';
import { type Diagnostics, fail } from '../../diagnostics/diagnostic.ts';
import { PAPER } from '../../raster/background.ts';
import { type Camera, TAN_HALF_FRAMING, turnedCamera, turntableCamera } from '../../raster/camera.ts';
import { daylight, type Environment } from '../../raster/picture/environment.ts';
import { drawPicture } from '../../raster/picture/picture.ts';
import { isInRoom, roomCamera } from '../../raster/picture/rooms.ts';
import type { Picture } from '../../raster/render.ts';
import { buildRasterScene, type RasterMesh, type RasterScene } from '../../raster/scene.ts';
import { boundsOfPoints, unite } from '../../scene/bounds.ts';
import type { Bounds, Vec3 } from '../../scene/types.ts';
import { chooseLevels } from './chooseLevels.ts';
import { triangleCount } from './compareLevels.ts';
import type { Drawing } from './drawing.ts';
import { openEnvironment } from './environmentMap.ts';
import { type CameraRequest, cameraOf, parseCamera, parseSize, pivotOf } from './request.ts';

/** What is drawn of a tile. */
export interface DrawnTile {
  readonly tile: string;
  /** `full`, `lod1` …, `hlod`. */
  readonly level: string;
  readonly triangles: number;
}

/** From where a picture is taken: `given` by numbers. */
export type RenderedView = 'orbit' | 'overview' | 'inside' | 'given';

type Options = OptionsOf<typeof RENDER_CALL_OPTIONS>;

/** Samples along a pixel's side: pictures are for people, and drawn finer than what is measured. */
const SAMPLES = 3;

export interface TakenPicture {
  readonly view: RenderedView;
  readonly drawn: readonly DrawnTile[];
  readonly picture: Picture;
  /** Of a turntable: draws the picture with this number, from 1 on; the first is `picture`. */
  readonly others: readonly (() => Picture)[];
}

/** The corners that triangles use. */
function geometryBounds(meshes: readonly RasterMesh[]): Bounds | null {
  let bounds: Bounds | null = null;
  for (const { positions } of meshes) bounds = unite(bounds, boundsOfPoints(positions));
  return bounds;
}

/** The bounds that a camera frames if nothing is drawn. */
const UNIT_BOX: Bounds = { min: [-0.5, -0.5, -0.5], max: [0.5, 0.5, 0.5] };

interface Shown {
  readonly meshes: readonly RasterMesh[];
  readonly drawn: readonly DrawnTile[];
}

/** What a level, or what is streamed to a place, draws. `known`: payloads that were read before. */
async function shownOf(
  { set, meshes: meshesOf }: Drawing,
  level: string,
  position: Vec3,
  known: ReadonlyMap<string, readonly RasterMesh[]>,
  signal: AbortSignal | undefined,
): Promise<Shown> {
  const meshes: RasterMesh[] = [];
  const drawn: DrawnTile[] = [];
  for (const { tile, level: shown, path } of chooseLevels(set, level, position)) {
    throwIfAborted(signal);
    const own = known.get(path) ?? (await meshesOf(path));
    // Near an HLOD cluster, and beyond its members, a file without meshes stands.
    if (own.length === 0) continue;
    meshes.push(...own);
    drawn.push({ tile: tile.id, level: shown, triangles: triangleCount(own) });
  }
  return { meshes, drawn };
}

interface Place {
  readonly camera: Camera;
  readonly view: RenderedView;
  readonly isInside: boolean;
}

/** From where a scene is pictured. Throws UC2440 where it has no room to stand in and `inside` is asked for. */
function placeOf(request: CameraRequest, scene: RasterScene, bounds: Bounds, outside: Camera, file: string): Place {
  if (typeof request !== 'string')
    return { camera: outside, view: 'given', isInside: isInRoom(scene, outside.position) };
  if (request === 'auto' || request === 'inside') {
    const room = roomCamera(scene, bounds, outside.width, outside.height);
    if (room) return { camera: room, view: 'inside', isInside: true };
    if (request === 'inside') fail('UC2440', file, '--camera', 'no closed room is around the middle of the scene');
  }
  return { camera: outside, view: request === 'overview' ? 'overview' : 'orbit', isInside: false };
}

/** Draws what a file holds. Throws UC1003, UC2440, UC5002 and what reading the environment throws. */
export async function takePicture(
  drawing: Drawing,
  options: Options,
  cwd: string,
  diagnostics: Diagnostics,
  signal: AbortSignal | undefined,
): Promise<TakenPicture> {
  const { set } = drawing;
  const { camera: cameraText, level, size: sizeText, background } = settle(RENDER_CALL_OPTIONS, options);
  const { turntable = 1 } = options;
  const environment = environmentOf(options, cwd);
  const request = parseCamera(cameraText);
  const size = parseSize(sizeText);
  const known = new Map<string, readonly RasterMesh[]>();
  if (set.bounds === null) for (const { full } of set.tiles) known.set(full, await drawing.meshes(full));
  const bounds = set.bounds ?? geometryBounds([...known.values()].flat()) ?? UNIT_BOX;
  const first = cameraOf(request, bounds, size);
  let shown = await shownOf(drawing, level, first.position, known, signal);
  let scene = buildRasterScene(shown.meshes);
  // A room is looked for in what is shown: from far away the engine streams other levels than from inside of it.
  const place = placeOf(request, scene, bounds, first, set.file);
  if (level === 'streamed' && place.view === 'inside') {
    shown = await shownOf(drawing, level, place.camera.position, known, signal);
    scene = buildRasterScene(shown.meshes);
  }
  const isOrbit = place.view === 'orbit' && turntable > 1;
  const { width, height } = size;
  const camera = isOrbit ? turntableCamera(bounds, width, height, TAN_HALF_FRAMING, turntable) : place.camera;
  const pivot = pivotOf(request, bounds, camera, place.isInside);
  const draw = (number: number): Picture => {
    throwIfAborted(signal);
    return drawPicture(scene, number === 0 ? camera : turnedCamera(camera, pivot, number / turntable), {
      samples: SAMPLES,
      environment,
      background: background === 'environment' ? null : PAPER,
      hasFloor: true,
      isInside: place.isInside,
    });
  };
  const picture = draw(0);
  if (picture.coverage.every((covered) => covered === 0)) {
    diagnostics.report('UC5004', set.file, '', 'no triangle covers a pixel');
  }
  const others = Array.from({ length: turntable - 1 }, (_, i) => () => draw(i + 1));
  return { picture, view: place.view, drawn: shown.drawn, others };
}

/** The light of a picture. Throws what openEnvironment throws. */
function environmentOf({ environmentMap }: Options, cwd: string): Environment {
  return environmentMap === undefined ? daylight() : openEnvironment(environmentMap, cwd);
}
