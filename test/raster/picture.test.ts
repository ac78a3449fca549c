// Pictures for people: what is lit, what is in shadow, and what stays as it is. Scenes of a few triangles, whose light is known.

import { describe, expect, test } from 'vitest';
import { PAPER } from '../../src/raster/background.ts';
import { type Camera, lookAt, turnedCamera, turntableCamera, wholePicture } from '../../src/raster/camera.ts';
import { LINEAR_OF_BYTE } from '../../src/raster/color.ts';
import { cubeOf } from '../../src/raster/picture/cube.ts';
import { buildEnvironment, daylight, irradianceAt, mirroredAt } from '../../src/raster/picture/environment.ts';
import { drawPicture, type PictureOptions } from '../../src/raster/picture/picture.ts';
import { isInRoom, roomCamera } from '../../src/raster/picture/rooms.ts';
import { environmentOfGrid } from '../../src/raster/picture/skyGrid.ts';
import { type Picture, render } from '../../src/raster/render.ts';
import { buildRasterScene, type RasterMesh } from '../../src/raster/scene.ts';
import { buildTexture } from '../../src/raster/texture.ts';
import { angleOf } from '../../src/raster/turn.ts';
import type { Vec3, Vec4 } from '../../src/scene/types.ts';
import { glowing, painted, rectangle, triangles } from './shapes.ts';

const OPTIONS: PictureOptions = {
  samples: 2,
  environment: daylight(),
  background: PAPER,
  hasFloor: false,
  isInside: false,
};

const WHITE = painted([0.8, 0.8, 0.8, 1]);

const camera = (position: Vec3, target: Vec3, width = 64, height = 64): Camera =>
  wholePicture(lookAt(position, target)!, width, height, 0.05);

const drawn = (meshes: readonly RasterMesh[], from: Camera, more: Partial<PictureOptions> = {}): Picture =>
  drawPicture(buildRasterScene(meshes), from, { ...OPTIONS, ...more });

/** Mean linear light of a pixel. */
const lightAt = ({ width, rgb }: Picture, x: number, y: number): number => {
  const at = (y * width + x) * 3;
  return (LINEAR_OF_BYTE[rgb[at]] + LINEAR_OF_BYTE[rgb[at + 1]] + LINEAR_OF_BYTE[rgb[at + 2]]) / 3;
};

/** A level square of so many metres around the middle, facing up. */
function level(half: number, y: number, surface = WHITE): RasterMesh {
  const points = [-half, y, half, half, y, half, half, y, -half, -half, y, half, half, y, -half, -half, y, -half];
  return triangles(points, surface);
}

/** The faces of a box, counter-clockwise from outside or, turned, from inside. */
function box(min: Vec3, max: Vec3, turned = false, surface = WHITE): RasterMesh {
  const points: number[] = [];
  for (let k = 0; k < 3; k++) {
    const [u, v] = [(k + 1) % 3, (k + 2) % 3];
    for (const side of [0, 1]) {
      const corner = (a: number, b: number): number[] => {
        const point = [0, 0, 0];
        point[k] = side ? max[k] : min[k];
        point[u] = a ? max[u] : min[u];
        point[v] = b ? max[v] : min[v];
        return point;
      };
      const quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 0), corner(1, 1), corner(0, 1)];
      const isOutward = side === 1;
      points.push(...(isOutward === turned ? quad.reverse() : quad).flat());
    }
  }
  return triangles(points, surface);
}

describe('light', () => {
  test('what glows has its own colour, whatever the light, to the byte', () => {
    const view = camera([0, 0, 2], [0, 0, 0], 16, 16);
    const surface = glowing([LINEAR_OF_BYTE[200], LINEAR_OF_BYTE[100], 1]);
    const { rgb, coverage } = drawn([rectangle([-9, -9, 9, 9], 0, surface)], view);
    expect([...rgb.subarray(0, 3), coverage[0]]).toEqual([200, 100, 255, 255]);
  });

  test('what is unlit has its base colour, whatever the light, to the byte', () => {
    const unlit = painted([0.5, 1, 0, 1], { isUnlit: true, emissive: [1, 1, 1] });
    const { rgb, coverage } = drawn([level(1, 0, unlit)], camera([0, 3, 0.01], [0, 0, 0]));
    const middle = 32 * 64 + 32;
    expect([coverage[middle], ...rgb.subarray(middle * 3, middle * 3 + 3)]).toEqual([255, 188, 255, 0]);
  });

  test('a table casts the shadow of the sun, with a soft edge', () => {
    const view = camera([0, 12, 0.001], [0, 0, 0], 96, 96);
    const floor = level(20, 0);
    const table = box([-1, 3, -1], [1, 3.2, 1]);
    const open = drawn([floor], view);
    const shaded = drawn([floor, table], view);
    // The sun of the day stands at (-0.5, 0.78, 0.62): from 3 m up a shadow falls 1.9 m to the right and 2.4 m northwards.
    const pixel = (x: number, z: number): [number, number] => {
      const scale = 48 / (12 * 0.5773502691896258);
      return [Math.round(48 + x * scale), Math.round(48 + z * scale)];
    };
    const inShadow = lightAt(shaded, ...pixel(1.92, -2.38));
    const before = lightAt(open, ...pixel(1.92, -2.38));
    expect(inShadow).toBeLessThan(before * 0.6);
    expect(lightAt(shaded, ...pixel(-4, 4))).toBeCloseTo(lightAt(open, ...pixel(-4, 4)), 1);
    // On the way out of the shadow there are pixels between both.
    const row = Array.from({ length: 30 }, (_, i) => lightAt(shaded, ...pixel(1.92 + i * 0.06, -2.38)));
    expect(row.filter((light) => light > inShadow * 1.15 && light < before * 0.9).length).toBeGreaterThan(2);
  });

  test('a corner gets less of the sky than what lies open', () => {
    // A wall that looks north, so that the floor in front of it lies in its shadow: light from the sky alone.
    const wall = box([-8, 0, 0], [8, 6, 0.3]);
    const noSun = { ...daylight(), sun: null };
    const from = camera([0, 5, -12], [0, 0, -3], 96, 64);
    const picture = drawn([level(20, 0), wall], from, { environment: noSun });
    const column = Array.from({ length: 40 }, (_, y) => lightAt(picture, 48, 63 - y));
    const nearest = Math.min(...column.slice(0, 36));
    expect(column[0]).toBeGreaterThan(nearest * 1.3);
  });

  test('a floor that is not seen catches the shadow and counts as background', () => {
    const view = camera([4, 5, 6], [0, 0.5, 0], 96, 96);
    const cube = box([-1, 0, -1], [1, 2, 1]);
    const bare = drawn([cube], view);
    const stood = drawn([cube], view, { hasFloor: true });
    expect(stood.coverage).toEqual(bare.coverage);
    let darker = 0;
    for (let i = 0; i < bare.coverage.length; i++) {
      if (bare.coverage[i] > 0) continue;
      expect(stood.rgb[i * 3]).toBeLessThanOrEqual(bare.rgb[i * 3]);
      if (stood.rgb[i * 3] < bare.rgb[i * 3] - 20) darker++;
    }
    expect(darker).toBeGreaterThan(100);
  });

  test('the same picture each time', () => {
    const view = camera([4, 5, 6], [0, 0.5, 0], 64, 48);
    const scene = [box([-1, 0, -1], [1, 2, 1]), level(4, -0.1)];
    expect(drawn(scene, view, { hasFloor: true })).toEqual(drawn(scene, view, { hasFloor: true }));
  });

  test('a metal mirrors the sky, and a rough thing does not', () => {
    const finish = {
      metallic: 1,
      roughness: 0,
      metallicTexture: null,
      roughnessTexture: null,
      metallicChannel: 0,
      roughnessChannel: 0,
    };
    const red = cubeOf(64, (_x, y, _z, to) => to.set(y > 0 ? [0.5, 0, 0] : [0, 0, 0.5]));
    const environment = buildEnvironment(red, null);
    const view = camera([0, 5, 0.001], [0, 0, 0], 8, 8);
    const mirror = drawn([level(9, 0, { ...WHITE, baseColor: [1, 1, 1, 1], finish })], view, { environment });
    const [r, , b] = mirror.rgb.subarray(0, 3);
    expect(Math.abs(LINEAR_OF_BYTE[r] - 0.5)).toBeLessThan(0.03);
    expect(b).toBe(0);
    // Channels of a texture multiply the factors: green is rough, blue is no metal.
    const texture = buildTexture(Uint8Array.of(0, 255, 0, 255), 1, 1);
    const byTexture = { ...finish, roughness: 1, metallicTexture: texture, metallicChannel: 2 };
    const dull = drawn([level(9, 0, { ...painted([0, 0, 0, 1]), finish: byTexture })], view, { environment });
    expect(LINEAR_OF_BYTE[dull.rgb[0]]).toBeLessThan(0.02);
  });

  test('a pane lets through what is behind, tinted', () => {
    const pane = painted([0.25, 1, 1, 1], { transmission: 1 });
    const behind = glowing([0.5, 0.5, 0.5]);
    const view = camera([0, 0, 4], [0, 0, 0], 16, 16);
    const scene = [rectangle([-9, -9, 9, 9], 0, behind), rectangle([-9, -9, 9, 9], 1, pane)];
    const [r, g] = drawn(scene, view).rgb.subarray(0, 3);
    // The square root of 0.25 of 0.5, and what the pane mirrors.
    expect(LINEAR_OF_BYTE[r]).toBeGreaterThan(0.24);
    expect(LINEAR_OF_BYTE[r]).toBeLessThan(0.3);
    expect(LINEAR_OF_BYTE[g]).toBeGreaterThan(0.49);
    const half = painted([1, 0, 0, 0.5], { alphaMode: 'blend' });
    const veiled = drawn([rectangle([-9, -9, 9, 9], 1, half)], view);
    expect(veiled.coverage[0]).toBe(128);
  });
});

test('stripes that run away from the eye stay apart where the measured renderer has their mean', () => {
  const texels = new Uint8Array(64 * 64 * 4);
  for (let i = 0; i < 64 * 64; i++) texels.set(i % 2 ? [255, 255, 255, 255] : [0, 0, 0, 255], i * 4);
  const surface = glowing([1, 1, 1], { emissiveTexture: buildTexture(texels, 64, 64) });
  const uv = Float32Array.of(0, 0, 1, 0, 1, 40, 0, 0, 1, 40, 0, 40);
  // A strip 2 m wide and 40 m long, seen from 0.5 m above its near end.
  const strip = triangles([-1, 0, 0, 1, 0, 0, 1, 0, -40, -1, 0, 0, 1, 0, -40, -1, 0, -40], surface, { uv0: uv });
  const view = camera([0, 0.5, 1], [0, 0.1, -3], 512, 128);
  const contrast = ({ rgb, width }: Picture, y: number): number => {
    let [low, high] = [255, 0];
    for (let x = 240; x < 272; x++) {
      const value = rgb[(y * width + x) * 3];
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high - low;
  };
  const sharp = drawn([strip], view);
  const blurred = render(buildRasterScene([strip]), view);
  expect(contrast(sharp, 72)).toBeGreaterThan(contrast(blurred, 72) + 40);
});

describe('rooms', () => {
  const room = box([-3, 0, -20], [3, 4, 20], true);
  const shell = box([-3.2, -0.2, -20.2], [3.2, 4.2, 20.2]);
  const bounds = { min: [-3.2, -0.2, -20.2] as Vec3, max: [3.2, 4.2, 20.2] as Vec3 };

  test('a closed room is one, a solid thing and an open yard are none', () => {
    expect(isInRoom(buildRasterScene([room, shell]), [0, 2, 0])).toBe(true);
    expect(isInRoom(buildRasterScene([shell]), [0, 2, 0])).toBe(false);
    expect(isInRoom(buildRasterScene([level(20, 0)]), [0, 2, 0])).toBe(false);
    // Too low for a person.
    expect(isInRoom(buildRasterScene([box([-3, 0, -3], [3, 1.5, 3], true)]), [0, 1, 0])).toBe(false);
  });

  test('it is looked along from one of its ends, at eye height', () => {
    const view = roomCamera(buildRasterScene([room, shell]), bounds, 64, 36)!;
    const [x, y, z] = view.position;
    expect([Math.abs(x) < 0.5, Math.abs(y - 1.65) < 0.05, Math.abs(z) > 15, Math.abs(z) < 20]).toEqual(
      Array(4).fill(true),
    );
    expect(-view.back[2] * Math.sign(z)).toBeLessThan(-0.99);
    expect(roomCamera(buildRasterScene([shell]), bounds, 64, 36)).toBeNull();
    const picture = drawn([room, shell], view, { isInside: true });
    expect(Math.min(...picture.coverage)).toBe(255);
    expect(lightAt(picture, 32, 30)).toBeGreaterThan(0.1);
  });
});

describe('environments', () => {
  const out = new Float64Array(3);

  test('the same light from everywhere is what every surface gets and mirrors', () => {
    const even = buildEnvironment(
      cubeOf(64, (_x, _y, _z, to) => to.fill(0.5)),
      null,
    );
    for (const [x, y, z] of [
      [0, 1, 0],
      [0.6, 0, 0.8],
      [0, -0.6, -0.8],
    ]) {
      irradianceAt(even, x, y, z, out);
      expect(Math.abs(out[0] - 0.5)).toBeLessThan(0.005);
      for (const roughness of [0, 0.3, 1]) {
        mirroredAt(even, roughness, x, y, z, out);
        expect(Math.abs(out[1] - 0.5)).toBeLessThan(0.005);
      }
    }
  });

  test('a grid lights from where its texels lie: the middle is north, the quarter right of it east', () => {
    const [width, height] = [1536, 768];
    const lit = (column: number): readonly number[] => {
      const texels = new Float32Array(width * height * 3).fill(0.1);
      for (let y = 340; y < 428; y++) for (let x = column - 44; x < column + 44; x++) texels[(y * width + x) * 3] = 1;
      const environment = environmentOfGrid({ width, height, texels });
      const faces: readonly Vec3[] = [
        [0, 0, -1],
        [1, 0, 0],
        [0, 0, 1],
        [-1, 0, 0],
      ];
      return faces.map(([x, y, z]) => {
        irradianceAt(environment, x, y, z, out);
        return out[0];
      });
    };
    const strongest = (values: readonly number[]) => values.indexOf(Math.max(...values));
    expect([768, 1152, 384].map((column) => strongest(lit(column)))).toEqual([0, 1, 3]);
  });

  test('a bright spot in the sky becomes a sun', () => {
    const [width, height] = [1536, 768];
    const texels = new Float32Array(width * height * 3).fill(0.2);
    // East, 45 degrees up.
    for (let y = 188; y < 197; y++)
      for (let x = 1147; x < 1158; x++) texels.fill(3000, (y * width + x) * 3, (y * width + x) * 3 + 3);
    const { sun } = environmentOfGrid({ width, height, texels });
    expect(sun!.direction.map((part) => Math.round(part * 100) / 100)).toEqual(
      [0.71, 0.71, 0].map((v) => expect.closeTo(v, 1)),
    );
    const none = environmentOfGrid({ width, height, texels: new Float32Array(width * height * 3).fill(0.2) });
    expect(none.sun).toBeNull();
  });
});

test('cosines and sines are right to the last digits', () => {
  for (let i = -12; i <= 12; i++) {
    const [cosine, sine] = angleOf((i * Math.PI) / 6);
    expect(Math.abs(cosine - Math.cos((i * Math.PI) / 6))).toBeLessThan(1e-13);
    expect(Math.abs(sine - Math.sin((i * Math.PI) / 6))).toBeLessThan(1e-13);
  }
});

test('a turntable keeps its distance and has all of the box in each picture', () => {
  const bounds = { min: [-8, 0, -2] as Vec3, max: [8, 3, 2] as Vec3 };
  const first = turntableCamera(bounds, 160, 90, 0.35, 8);
  const middle: Vec3 = [0, 1.5, 0];
  const corners = [-8, 8].flatMap((x) => [0, 3].flatMap((y) => [-2, 2].map((z): Vec3 => [x, y, z])));
  for (let i = 0; i < 8; i++) {
    const view = turnedCamera(first, middle, i / 8);
    expect(Math.hypot(...view.position.map((part, k) => part - middle[k]))).toBeCloseTo(
      Math.hypot(...first.position.map((part, k) => part - middle[k])),
      9,
    );
    for (const corner of corners) {
      const offset = corner.map((part, k) => part - view.position[k]);
      const along = (axis: Vec3) => axis[0] * offset[0] + axis[1] * offset[1] + axis[2] * offset[2];
      const edges: Vec4 = [view.left, view.rightEdge, view.bottom, view.top];
      const [x, y] = [along(view.right) / -along(view.back), along(view.up) / -along(view.back)];
      expect(x > edges[0] && x < edges[1] && y > edges[2] && y < edges[3]).toBe(true);
    }
  }
});
