// What is drawn to compare the source with what was made of it: of the source only what the eyes see in these pictures, because all
// of it may be too much. Each pixel of an eye's look lies on a sample of the picture, so that a picture shows what the eye has seen.

import { pickPolygons } from '../../geometry/polygons/pickPolygons.ts';
import type { Camera } from '../../raster/camera.ts';
import type { Scene, SceneMesh, SceneNode, Vec3 } from '../../scene/types.ts';
import type { View } from '../../zone/look.ts';
import { FACES } from '../../zone/zone.ts';
import type { Pictured } from './figures.ts';
import { keptFlags, type ZoneView } from './keptMeshes.ts';
import { lookFromAll, relative, windowsOf } from './seenTriangles.ts';
import type { ZoneParts } from './zoneParts.ts';
import type { ZoneThreads } from './zoneThreads.ts';

/** Pixels along a side of a picture, which spans 90 degrees, and samples along a side of a pixel. */
const SIDE = 480;
export const SAMPLES = 2;
/** Level directions: the first eye looks in the first one, the next eye in the next. */
const DIRECTIONS = FACES.filter(({ back }) => back[1] === 0);
const NEAR = 0.01;

function cameraOf(position: Vec3, i: number): Camera {
  const { right, up, back } = DIRECTIONS[i % DIRECTIONS.length];
  const edges = { left: -1, rightEdge: 1, bottom: -1, top: 1 };
  return { position, right, up, back, ...edges, width: SIDE, height: SIDE, near: NEAR };
}

/** What of a scene is drawn from eyes, each of which looks in one of the level directions. `whole`: nodes that stay as they are. */
export async function picturedScene(
  scene: Scene,
  whole: ReadonlySet<number>,
  parts: ZoneParts,
  view: ZoneView,
  eyes: readonly Vec3[],
  threads: Pick<ZoneThreads, 'look'>,
): Promise<Omit<Pictured, 'result' | 'joined'>> {
  const { zone, middle } = view;
  const windows = windowsOf(zone, middle, view.pixel);
  const size = SIDE * SAMPLES;
  const cameras = eyes.map(cameraOf);
  const looks = await lookFromAll(cameras, parts, ({ position, right, up, back }) => {
    const sides = [{ right, up, back }];
    const from: View = { eye: relative(position, middle), sides, size, scale: size / 2, parallel: 0, windows };
    return threads.look(from, parts);
  });
  const pixels = new Map<number, Uint32Array>();
  for (const { part, triangles, pixels: shown } of looks.flatMap(({ seen }) => seen)) {
    const counts = pixels.get(part) ?? new Uint32Array(parts.triangleCount(part));
    pixels.set(part, counts);
    for (let i = 0; i < triangles.length; i++) counts[triangles[i]] += shown[i];
  }
  const nodes: SceneNode[] = scene.nodes.map((node, i) => (whole.has(i) ? node : { ...node, mesh: -1 }));
  const meshes: SceneMesh[] = [...scene.meshes];
  for (const part of [...pixels.keys()].sort((a, b) => a - b)) {
    const source = parts.sources[part];
    const { primitive, subset, material } = source;
    const counts = pixels.get(part) as Uint32Array;
    const read = async () => {
      const polygons = await primitive.read();
      return pickPolygons(polygons, subset, keptFlags(polygons, source, counts, scene, view));
    };
    nodes.push({ ...scene.nodes[source.node], mesh: meshes.length });
    meshes.push({ name: '', path: primitive.path, primitives: [{ ...primitive, material, subsets: [], read }] });
  }
  return { source: { ...scene, nodes, meshes }, cameras, portals: zone.portals };
}
