// Results that have holes: what eyes of the proof alone see comes back, and what stays open is named.

import { describe, expect, test } from 'vitest';
import { DrawnMaterials } from '../../src/cook/drawScene.ts';
import { uvReader } from '../../src/cook/steps/textures/uvTriangles.ts';
import { type ComparedPictures, comparePictures } from '../../src/cook/zone/comparePictures.ts';
import { holeFigures, proofEyes } from '../../src/cook/zone/proveHoles.ts';
import { reportHoles } from '../../src/cook/zone/seenScene.ts';
import type { ZoneParts } from '../../src/cook/zone/zoneParts.ts';
import { type ZoneScene, zoneScene } from '../../src/cook/zone/zoneScene.ts';
import type { ZoneThreads } from '../../src/cook/zone/zoneThreads.ts';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { SharedPositions } from '../../src/geometry/lod/borders.ts';
import type { Scene } from '../../src/scene/types.ts';
import { prepareMaterials } from '../../src/textures/prepare.ts';
import { Looker } from '../../src/zone/looker.ts';
import { lossesOf, thinned, type ZoneMesh } from '../../src/zone/thin.ts';
import type { Zone } from '../../src/zone/zone.ts';
import { buildGlb, load, type PrimitiveInput } from '../importers/gltf/build.ts';

type Point = readonly [number, number, number];

const ZONE: Zone = { boxes: [{ min: [-1, -1, -1], max: [1, 1, 1] }], spheres: [], portals: [] };

/** All is done in this thread. `edit`: what becomes of simplified meshes. */
function thisThread(edit: (meshes: ZoneMesh[], time: number) => ZoneMesh[]): ZoneThreads {
  const looker = new Looker();
  let version = 0;
  let times = 0;
  const news = (parts: ZoneParts) => {
    const list = parts.since(version);
    version = parts.version;
    return list;
  };
  const threads: Pick<ZoneThreads, 'look' | 'holes' | 'thin'> = {
    look: async (view, parts) => looker.look(view, news(parts)),
    holes: async (view, parts, made) => looker.holes(view, news(parts), made),
    thin: async (all, error, pixel) => {
      const positions = new SharedPositions(all.shared);
      const meshes: ZoneMesh[] = [];
      for (const ring of all.rings) {
        meshes.push(...(await thinned(ring.meshes, lossesOf(ring, all, error, pixel), positions)));
      }
      return edit(meshes, ++times);
    },
  };
  return threads as ZoneThreads;
}

/** Rectangles of two triangles each: four corners in order around. */
function rectangles(...list: readonly (readonly Point[])[]): PrimitiveInput {
  return {
    positions: list.flat(2),
    indices: list.flatMap((_, i) => [0, 1, 2, 0, 2, 3].map((k) => i * 4 + k)),
  };
}

async function sceneOf(objects: Readonly<Record<string, PrimitiveInput>>): Promise<Scene> {
  const names = Object.keys(objects);
  const { scene } = await load(
    buildGlb({
      meshes: names.map((name, material) => ({ name, primitives: [{ ...objects[name], material }] })),
      materials: names.map((name) => ({ name })),
      nodes: names.map((name, mesh) => ({ name, mesh })),
    }),
  );
  return scene;
}

/** Eyes see little sharply: of 2 pixels a degree, pictures have 256 pixels a side. */
const made = (
  scene: Scene,
  edit = (meshes: ZoneMesh[], _time: number) => meshes,
  pixelsPerDegree = 2,
  zone = ZONE,
): Promise<ZoneScene> =>
  zoneScene(
    scene,
    zone,
    { pixelsPerDegree, proofEyes: 64, triangles: null, visibleTriangles: null, draws: null, keepShadows: false },
    new Set(),
    new Set(),
    thisThread(edit),
  );

/** A wall around a zone, of which one side has a tunnel that leads away from an eye, 2 m long and 12 cm wide. */
function tunnelFrom([x, y]: Point): Record<string, PrimitiveInput> {
  const near = -2.5;
  const far = -4.5;
  const r = 0.06;
  const [x0, x1, y0, y1] = [x - r, x + r, y - r, y + r];
  const wall = (a: Point, b: Point) => [a, [b[0], a[1], a[2]] as Point, b, [a[0], b[1], a[2]] as Point];
  const tube = (ax: number, ay: number, bx: number, by: number): Point[] => [
    [ax, ay, near],
    [bx, by, near],
    [bx, by, far],
    [ax, ay, far],
  ];
  return {
    Wall: rectangles(
      wall([-9, -9, near], [9, y0, near]),
      wall([-9, y1, near], [9, 9, near]),
      wall([-9, y0, near], [x0, y1, near]),
      wall([x1, y0, near], [9, y1, near]),
      tube(x0, y0, x1, y0),
      tube(x1, y0, x1, y1),
      tube(x1, y1, x0, y1),
      tube(x0, y1, x0, y0),
    ),
    Target: rectangles(wall([x0, y0, far], [x1, y1, far])),
    Away: rectangles(wall([-5, -5, -9], [5, 5, -9])),
  };
}

const triangleCount = ({ scene }: ZoneScene, material: number): number =>
  scene.meshes
    .filter((_, i) => scene.nodes.some(({ mesh }) => mesh === i))
    .flatMap(({ primitives }) => primitives)
    .filter((primitive) => primitive.material === material)
    .reduce((sum, primitive) => sum + primitive.triangleCount, 0);

describe('what only eyes of the proof see', () => {
  test('comes back, and nothing is open in the end', async () => {
    const [eye] = proofEyes(ZONE, 64);
    let attempts = 0;
    const counted = (meshes: ZoneMesh[], time: number) => {
      attempts = time;
      return meshes;
    };
    const result = await made(await sceneOf(tunnelFrom(eye)), counted, 4);
    // No other eye has found it.
    expect(attempts).toBe(2);
    expect(result.figures.proof).toEqual({ eyes: 64, holes: 0, largestHole: 0 });
    expect(result.holes).toEqual([]);
    expect(triangleCount(result, 1)).toBe(2);
    expect(triangleCount(result, 2)).toBe(0);
  });
});

/** Floor and two blocks in front of the zone. */
const blocks: Record<string, PrimitiveInput> = {
  Floor: rectangles([
    [-9, -2, -9],
    [9, -2, -9],
    [9, -2, 9],
    [-9, -2, 9],
  ]),
  Sign: rectangles([
    [-0.5, -0.5, -3],
    [0.5, -0.5, -3],
    [0.5, 0.5, -3],
    [-0.5, 0.5, -3],
  ]),
};

describe('triangles that a result has not', () => {
  test('are found, with the object whose they are, and are reported', async () => {
    const scene = await sceneOf(blocks);
    const result = await made(scene, (meshes) => meshes.filter(({ key }) => key !== '1'));
    expect(result.holes.map(({ path, holes }) => [path, holes])).toEqual([['nodes/1', 64]]);
    const { proof } = result.figures;
    expect(proof.holes).toBe(64);
    // A metre at 2 m covers 57 pixels; two of them to each side count as made.
    expect(proof.largestHole).toBeGreaterThan(45 * 45);
    expect(proof.largestHole).toBeLessThan(90 * 90);
    const diagnostics = new Diagnostics();
    reportHoles(result, scene.source, diagnostics);
    expect(diagnostics.list.map(({ code, path, message }) => [code, path, message])).toEqual([
      [
        'UC2284',
        'nodes/1',
        `64 in pictures from 64 places, the largest of ${proof.largestHole.toLocaleString('en-US')} pixels`,
      ],
    ]);
  });

  test('are made with care, and the result is right in the end', async () => {
    // The first attempt moves the sign, as if it had been simplified too far.
    const move = (meshes: ZoneMesh[], time: number) =>
      meshes.map((one) =>
        time > 1 || one.key !== '1'
          ? one
          : { ...one, mesh: { ...one.mesh, positions: one.mesh.positions.map((v, i) => (i % 3 === 0 ? v + 0.3 : v)) } },
      );
    const cares: (string | undefined)[][] = [];
    const result = await made(await sceneOf(blocks), (meshes, time) => {
      cares.push(meshes.filter(({ key }) => key === '1').map(({ care }) => care));
      return move(meshes, time);
    });
    expect(cares).toEqual([['usual'], ['careful']]);
    expect(result.figures.proof.holes).toBe(0);
  });

  test('stay as they are in the end, whatever simplifying does to them', async () => {
    // Whatever may be moved is moved.
    const cares: (string | undefined)[][] = [];
    const result = await made(await sceneOf(blocks), (meshes) => {
      cares.push(meshes.filter(({ key }) => key === '1').map(({ care }) => care));
      return meshes.map((one) =>
        one.key !== '1' || one.care === 'exact'
          ? one
          : { ...one, mesh: { ...one.mesh, positions: one.mesh.positions.map((v, i) => (i % 3 === 0 ? v + 0.3 : v)) } },
      );
    });
    expect(cares).toEqual([['usual'], ['careful'], ['exact']]);
    expect(result.figures.proof).toEqual({ eyes: 64, holes: 0, largestHole: 0 });
    expect(result.holes).toEqual([]);
  });

  test('are found at the very edge of a window, too', async () => {
    const window = [
      [-0.4, -0.4, -2],
      [0.4, -0.4, -2],
      [0.4, 0.4, -2],
      [-0.4, 0.4, -2],
    ] as const;
    // Seen from the origin through the window, the sign covers two columns of pixels: one covers 2.6 cm at 3 m.
    const Sign = rectangles([
      [0.55, -0.5, -3],
      [1.5, -0.5, -3],
      [1.5, 0.5, -3],
      [0.55, 0.5, -3],
    ]);
    const place: Zone = { boxes: [], spheres: [{ middle: [0, 0, 0], radius: 0 }], portals: [window] };
    const scene = await sceneOf({ ...blocks, Sign });
    const lost = (meshes: ZoneMesh[]) => meshes.filter(({ key }) => key !== '1');
    expect((await made(scene, lost, 2, place)).holes.map(({ path }) => path)).toEqual(['nodes/1']);
    expect((await made(scene, undefined, 2, place)).holes).toEqual([]);
  });

  test('a right result has no holes', async () => {
    const result = await made(await sceneOf(blocks));
    expect(result.figures.proof).toEqual({ eyes: 64, holes: 0, largestHole: 0 });
  });
});

test('the places that prove are none that are looked from, and equal ones are one', () => {
  const eyes = proofEyes(ZONE, 64);
  expect(new Set(eyes.map(String)).size).toBe(64);
  expect(eyes.every((eye) => eye.every((value) => Math.abs(value) <= 1))).toBe(true);
  const place: Zone = { boxes: [], spheres: [{ middle: [1, 2, 3], radius: 0 }], portals: [] };
  expect(proofEyes(place, 64)).toEqual([[1, 2, 3]]);
  expect(holeFigures({ eyes: proofEyes(place, 64), holes: [] }).eyes).toBe(1);
});

describe('pictures of source and result', () => {
  async function compared(result: ZoneScene): Promise<ComparedPictures> {
    const { pictured } = result;
    const meshes = new Set(pictured.source.nodes.map(({ mesh }) => mesh).filter((mesh) => mesh >= 0));
    const read = uvReader(pictured.source, meshes);
    const prepared = await prepareMaterials(pictured.source, { missingTexture: 'drop' }, read, new Diagnostics());
    // A few of the 64 are enough.
    const cameras = pictured.cameras.slice(0, 4);
    return comparePictures({ ...pictured, cameras }, new DrawnMaterials(prepared, async () => null), undefined);
  }

  test('are equal where nothing was lost', async () => {
    const { figures, pairs } = await compared(await made(await sceneOf(blocks)));
    expect(figures).toMatchObject({ pictures: 4, ssimMean: 1, ssimMin: 1, colorMean: 0 });
    expect(pairs.map(({ source, result }) => Buffer.compare(source, result))).toEqual([0, 0, 0]);
  });

  test('differ most where something is missing, and these are kept', async () => {
    const result = await made(await sceneOf(blocks), (meshes) => meshes.filter(({ key }) => key !== '1'));
    const { figures, pairs } = await compared(result);
    expect(figures.ssimMin).toBeLessThan(0.99);
    expect(figures.colorMean).toBeGreaterThan(0);
    // The sign stands there.
    expect(figures.worst[0].direction).toEqual([0, 0, -1]);
    expect(figures.worst.map(({ ssim }) => ssim < 1)).toEqual([true, false, false]);
    expect(figures.worst).toHaveLength(3);
    expect(pairs[0]).toMatchObject({ ...figures.worst[0], width: 480, height: 480 });
    expect(Buffer.compare(pairs[0].source, pairs[0].result)).not.toBe(0);
  });

  test('show what is behind windows, and nothing beside them', async () => {
    const window = [
      [-0.4, -2, -2],
      [0.4, -2, -2],
      [0.4, 0.4, -2],
      [-0.4, 0.4, -2],
    ] as const;
    const lost = (meshes: ZoneMesh[]) => meshes.filter(({ key }) => key !== '1');
    const through = await made(await sceneOf(blocks), lost, 2, { ...ZONE, portals: [window] });
    const whole = await made(await sceneOf(blocks), lost);
    const [a, b] = [await compared(through), await compared(whole)];
    // The other directions have no window.
    expect(a.figures.pictures).toBe(1);
    expect(b.figures.pictures).toBe(4);
    expect(a.figures.worst[0].ssim).toBeLessThan(b.figures.worst[0].ssim);
  });
});
