import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SKY } from '../../src/raster/background.ts';
import { render } from '../../src/raster/render.ts';
import { buildRasterScene } from '../../src/raster/scene.ts';
import {
  BLACK,
  cameraAt,
  draw,
  glowing,
  painted,
  pixel,
  pixelCamera,
  rectangle,
  rows,
  texture,
  triangles,
} from './shapes.ts';

const RED = glowing([1, 0, 0]);
const GREEN = glowing([0, 1, 0]);
const LETTERS = { '255 0 0': 'r', '0 255 0': 'g', '0 0 255': 'b' };

describe('coverage', () => {
  test('a triangle covers the pixels whose middles are inside', () => {
    // Corners (0, 0), (6, 0), (0, 6), Y up: middles with x + y < 6. On the long edge, which is a right edge, none are drawn.
    const picture = draw([triangles([0, 0, -1, 6, 0, -1, 0, 6, -1], RED)], pixelCamera(8, 7));
    expect(rows(picture)).toEqual(['........', '........', '#.......', '##......', '###.....', '####....', '#####...']);
  });

  test('either winding is drawn alike', () => {
    const one = draw([triangles([0.2, 0.1, -1, 6.3, 2, -1, 1, 6.6, -1], RED)], pixelCamera(8, 8));
    const other = draw([triangles([0.2, 0.1, -1, 1, 6.6, -1, 6.3, 2, -1], RED)], pixelCamera(8, 8));
    expect(rows(one)).toEqual(rows(other));
  });

  test('middles on an edge belong to the triangle below or to the right of it', () => {
    // A square from (0.5, 0.5) to (3.5, 3.5): its top and left edges are its own, its bottom and right ones are not.
    const picture = draw([rectangle([0.5, 0.5, 3.5, 3.5], -1, RED)], pixelCamera(4, 4));
    expect(rows(picture)).toEqual(['###.', '###.', '###.', '....']);
  });

  test('triangles around a point cover each sample once', () => {
    // A fan through middles of pixels; additive blending would show each sample that is covered twice or never.
    const half = painted([0, 0, 0, 0.5], { alphaMode: 'blend', emissive: [0, 0, 0] });
    const rim = [
      [0.5, 0.5],
      [4.5, 0.5],
      [8.5, 0.5],
      [8.5, 3.5],
      [8.5, 8.5],
      [2.5, 8.5],
      [0.5, 8.5],
      [0.5, 2.5],
    ];
    const points = rim.flatMap(([x, y], i) => {
      const [nextX, nextY] = rim[(i + 1) % rim.length];
      return [4.5, 3.5, -1, x, y, -1, nextX, nextY, -1];
    });
    const { coverage } = draw([triangles(points, half)], pixelCamera(9, 9));
    // Rows 0 to 7 and columns 0 to 7 have their middles inside, at half alpha.
    for (let y = 0; y < 9; y++) {
      for (let x = 0; x < 9; x++) expect([x, y, coverage[y * 9 + x]]).toEqual([x, y, x < 8 && y < 8 ? 128 : 0]);
    }
  });

  test('samples of a pixel are averaged in linear light, and counted', () => {
    // The left half of the only pixel: 0.5 in linear light is the sRGB byte 188.
    const picture = draw([rectangle([0, 0, 0.5, 1], -1, RED)], pixelCamera(1, 1), { ...BLACK, samples: 2 });
    expect([pixel(picture, 0, 0), picture.coverage[0]]).toEqual([[188, 0, 0], 128]);
    const finer = draw([rectangle([0, 0, 0.25, 1], -1, RED)], pixelCamera(1, 1), { ...BLACK, samples: 4 });
    expect(finer.coverage[0]).toBe(64);
  });
});

describe('depth', () => {
  test('the nearer one is seen, whatever comes first', () => {
    const near = rectangle([0, 0, 2, 4], -1, RED);
    const far = rectangle([0, 0, 8, 8], -2, GREEN);
    for (const meshes of [
      [near, far],
      [far, near],
    ]) {
      expect(rows(draw(meshes, pixelCamera(4, 4)), LETTERS)).toEqual(['rrgg', 'rrgg', 'rrgg', 'rrgg']);
    }
  });

  test('planes that cross show each where it is nearer', () => {
    // Depth from 1 to 3 from left to right, against a plane at depth 1.5: in front as far as x / z = 4 / 3 of 4 pixels.
    const sloped = triangles([0, 0, -1, 12, 0, -3, 12, 12, -3, 0, 0, -1, 12, 12, -3, 0, 4, -1], RED);
    const flat = rectangle([0, 0, 6, 6], -1.5, GREEN);
    expect(rows(draw([sloped, flat], pixelCamera(4, 4)), LETTERS)).toEqual(['rrgg', 'rrgg', 'rrgg', 'rrgg']);
  });

  test('what is behind the near plane is cut away, the rest is drawn', () => {
    // The ground from far behind the camera to far ahead: the lower half of the picture, to the horizon.
    const ground = triangles(
      [-500, -1, 500, 500, -1, 500, 500, -1, -500, -500, -1, 500, 500, -1, -500, -500, -1, -500],
      RED,
    );
    const picture = draw([ground], cameraAt([0, 0, 0], [0, 0, -1], 8, 8));
    expect(rows(picture)).toEqual([...Array(4).fill('........'), ...Array(4).fill('########')]);
    expect(rows(draw([rectangle([-9, -9, 9, 9], 0.5, RED)], pixelCamera(4, 4)))).toEqual(Array(4).fill('....'));
  });

  test('a triangle that reaches far beyond the picture covers it exactly', () => {
    const huge = triangles([-1e7, -1e7, -1, 1e7, -1e7, -1, 0, 1e7, -1], RED);
    expect(rows(draw([huge], pixelCamera(3, 2)))).toEqual(['###', '###']);
    // Its edge x = 2 cuts the picture however long it is.
    const edge = triangles([2, -1e6, -1, 2, 1e6, -1, -1e6, 0, -1], RED);
    expect(rows(draw([edge], pixelCamera(4, 2)))).toEqual(['##..', '##..']);
  });

  test('no sample is lost where clipped triangles meet', () => {
    // A wall through the eye plane, as many thin triangles: every pixel of the picture is covered.
    const points: number[] = [];
    for (let i = 0; i < 40; i++) {
      const [y, next] = [-100 + i * 5, -95 + i * 5];
      points.push(-1, y, 50, 3, y, -50, 3, next, -50, -1, y, 50, 3, next, -50, -1, next, 50);
    }
    const picture = draw([triangles(points, RED)], cameraAt([0, 0, 0], [1, 0, 0], 32, 32), { ...BLACK, samples: 2 });
    expect(picture.coverage.every((covered) => covered === 255)).toBe(true);
  });
});

describe('textures', () => {
  const TILES = texture([
    [
      [255, 0, 0, 255],
      [0, 255, 0, 255],
    ],
    [
      [0, 0, 255, 255],
      [255, 255, 255, 255],
    ],
  ]);

  test('V is up: the first row of texels is at the top', () => {
    const surface = glowing([1, 1, 1], { emissiveTexture: TILES });
    const picture = draw([rectangle([0, 0, 2, 2], -1, surface)], pixelCamera(2, 2));
    expect(rows(picture, { ...LETTERS, '255 255 255': 'w' })).toEqual(['rg', 'bw']);
  });

  test('coordinates are right in perspective', () => {
    // A wall from x = 0 at depth 1 to x = 8 at depth 4: its point t is seen at the tangent 8 t / (1 + 3 t), so that a tangent
    // x sees t = x / (8 - 3 x). The texture has 16 columns of ever more light.
    const texels = Array.from({ length: 16 }, (_, c) => [c * 16, 0, 0, 255]);
    const surface = glowing([1, 1, 1], { emissiveTexture: texture([texels]) });
    const wall = triangles([0, -9, -1, 8, -9, -4, 8, 9, -4, 0, -9, -1, 8, 9, -4, 0, 9, -1], surface, {
      uv0: Float32Array.of(0, 0.5, 1, 0.5, 1, 0.5, 0, 0.5, 1, 0.5, 0, 0.5),
    });
    const picture = draw([wall], pixelCamera(128, 1, { rightEdge: 2 }));
    const linear = (byte: number) =>
      byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4;
    for (const x of [20, 50, 80, 100]) {
      const tangent = ((x + 0.5) * 2) / 128;
      const column = (tangent / (8 - 3 * tangent)) * 16 - 0.5;
      const low = Math.floor(column);
      const value = linear(low * 16) + (linear(low * 16 + 16) - linear(low * 16)) * (column - low);
      expect([x, linear(pixel(picture, x, 0)[0])]).toEqual([x, expect.closeTo(value, 2)]);
    }
    // Half-way along the wall is seen at 4 / 2.5, not at the middle of what is seen.
    expect(Math.abs(pixel(picture, 102, 0)[0] - 7.6 * 16)).toBeLessThan(8);
  });

  test('the mip follows the pixel: many texels in a pixel give their mean in linear light', () => {
    const checker = Array.from({ length: 64 }, (_, y) =>
      Array.from({ length: 64 }, (_, x) => ((x + y) % 2 === 0 ? [255, 255, 255, 255] : [0, 0, 0, 255])),
    );
    const surface = glowing([1, 1, 1], { emissiveTexture: texture(checker) });
    // 64 texels over 4 pixels: mip 4, where every texel is the mean.
    const far = draw([rectangle([0, 0, 4, 4], -1, surface)], pixelCamera(4, 4));
    expect(pixel(far, 1, 2)).toEqual([188, 188, 188]);
    // 64 texels over 64 pixels: the finest mip, texel by texel.
    const near = draw([rectangle([0, 0, 64, 64], -1, surface)], pixelCamera(64, 64));
    expect([pixel(near, 0, 0), pixel(near, 1, 0)]).toEqual([
      [255, 255, 255],
      [0, 0, 0],
    ]);
  });

  test('an alpha test leaves holes, at a distance too', () => {
    // Left half opaque, right half not.
    const half = Array.from({ length: 16 }, () =>
      Array.from({ length: 16 }, (_, x) => [255, 255, 255, x < 8 ? 255 : 0]),
    );
    const surface = painted([0, 0, 0, 1], { baseColorTexture: texture(half), alphaMode: 'mask', emissive: [1, 0, 0] });
    expect(rows(draw([rectangle([0, 0, 4, 2], -1, surface)], pixelCamera(4, 2)))).toEqual(['##..', '##..']);
    // Behind a hole is what is behind.
    const picture = draw([rectangle([0, 0, 4, 2], -1, surface), rectangle([0, 0, 8, 4], -2, GREEN)], pixelCamera(4, 2));
    expect(rows(picture, LETTERS)).toEqual(['rrgg', 'rrgg']);
    // Without a texture the factor alone decides.
    const thin = painted([1, 1, 1, 0.4], { alphaMode: 'mask' });
    expect(rows(draw([rectangle([0, 0, 4, 2], -1, thin)], pixelCamera(4, 2)))).toEqual(['....', '....']);
  });

  test('a cut-out keeps its coverage in the distance', () => {
    // A quarter is opaque, in spots: averaged alpha is a quarter too, far below the cutoff.
    const dots = Array.from({ length: 64 }, (_, y) =>
      Array.from({ length: 64 }, (_, x) => [255, 255, 255, ((x >> 2) * 7 + (y >> 2) * 13) % 16 < 4 ? 255 : 0]),
    );
    const surface = painted([1, 1, 1, 1], { baseColorTexture: texture(dots), alphaMode: 'mask' });
    for (const size of [64, 32, 16, 8]) {
      const { coverage } = draw([rectangle([0, 0, size, size], -1, surface)], pixelCamera(size, size), {
        ...BLACK,
        samples: 4,
      });
      const mean = coverage.reduce((sum, covered) => sum + covered, 0) / coverage.length / 255;
      expect([size, mean > 0.15 && mean < 0.35]).toEqual([size, true]);
    }
  });
});

describe('blending', () => {
  test('goes from back to front over what is opaque', () => {
    const pane = (r: number, g: number, b: number) =>
      painted([0, 0, 0, 0.5], { alphaMode: 'blend', emissive: [r, g, b] });
    const wall = rectangle([0, 0, 4, 4], -4, glowing([0, 0, 1]));
    const back = rectangle([0, 0, 3, 3], -3, pane(0, 1, 0));
    const front = rectangle([0, 0, 2, 2], -2, pane(1, 0, 0));
    const hidden = rectangle([0, 0, 9, 9], -9, pane(1, 1, 1));
    // Linear: blue 1; green pane: (0, .5, .5); red pane: (.5, .25, .25), as sRGB bytes.
    for (const meshes of [
      [wall, back, front, hidden],
      [hidden, front, back, wall],
    ]) {
      expect(pixel(draw(meshes, pixelCamera(1, 1)), 0, 0)).toEqual([188, 137, 137]);
    }
  });

  test('covers a pixel by its alpha', () => {
    const pane = painted([1, 1, 1, 0.25], { alphaMode: 'blend' });
    expect(draw([rectangle([0, 0, 1, 1], -1, pane)], pixelCamera(1, 1)).coverage[0]).toBe(64);
  });
});

describe('light', () => {
  test('follows the stored normals, right or wrong, and turns none', () => {
    const white = painted([0.5, 0.5, 0.5, 1]);
    const lit = (x: number, y: number, z: number) => {
      const normals = Float32Array.from({ length: 12 }, (_, i) => [x, y, z][i % 3]);
      return pixel(draw([rectangle([0, 0, 1, 1], -1, white, { normals })], pixelCamera(1, 1)), 0, 0)[0];
    };
    // Towards the light, straight up, level, down: darker and darker. The picture does not depend on which side is seen.
    const values = [lit(0.42, 0.8, 0.42), lit(0, 1, 0), lit(0, 0, 1), lit(0, 0, -1), lit(0, -1, 0)];
    expect([...values].sort((a, b) => b - a)).toEqual(values);
    expect(new Set(values).size).toBe(5);
    // Of any length.
    expect(lit(0, 0, 7)).toBe(values[2]);
  });

  test('without normals a triangle has its own', () => {
    const white = painted([0.5, 0.5, 0.5, 1]);
    const bare = draw([rectangle([0, 0, 1, 1], -1, white, { normals: null })], pixelCamera(1, 1));
    expect(pixel(bare, 0, 0)).toEqual(pixel(draw([rectangle([0, 0, 1, 1], -1, white)], pixelCamera(1, 1)), 0, 0));
  });

  test('an unlit surface shows its base colour, times texture and vertex colours, and emits nothing', () => {
    const bytes = Uint8Array.of(255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255);
    const surface = painted([0.5, 1, 1, 1], { isUnlit: true, emissive: [1, 1, 1] });
    const plain = draw([rectangle([0, 0, 1, 1], -1, surface)], pixelCamera(1, 1));
    const colored = draw([rectangle([0, 0, 1, 1], -1, surface, { color0: bytes })], pixelCamera(1, 1));
    expect([pixel(plain, 0, 0), pixel(colored, 0, 0)]).toEqual([
      [188, 255, 255],
      [188, 0, 0],
    ]);
  });

  test('vertex colours are multiplied in', () => {
    const color0 = Uint8Array.from([255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255, 255, 0, 0, 255]);
    const picture = draw([rectangle([0, 0, 1, 1], -1, painted([1, 1, 1, 1]), { color0 })], pixelCamera(1, 1));
    const [r, g, b] = pixel(picture, 0, 0);
    expect([r > 100, g, b]).toEqual([true, 0, 0]);
  });
});

describe('a picture', () => {
  test('is the same in bands of rows as whole', () => {
    // More samples than a band holds: 2048 x 640 pixels with 2 x 2 samples.
    const meshes = [
      rectangle([100.3, 20.2, 1900.7, 630.1], -1, GREEN),
      triangles([5, 5, -0.9, 1500, 300, -0.9, 40, 600, -0.9], RED),
    ];
    const camera = pixelCamera(2048, 640);
    const whole = draw(meshes, camera, { ...BLACK, samples: 2 });
    const lower = draw(meshes, { ...camera, height: 320, top: 320 }, { ...BLACK, samples: 2 });
    expect(Buffer.compare(whole.rgb.subarray(2048 * 320 * 3), lower.rgb)).toBe(0);
    expect(Buffer.compare(whole.coverage.subarray(2048 * 320), lower.coverage)).toBe(0);
  });

  test('has the same pixels whatever is drawn beside them', () => {
    // A wall of many thin triangles in front of nothing, and narrow pictures of the same columns.
    const checker = texture([
      [
        [250, 10, 30, 255],
        [20, 240, 90, 255],
      ],
      [
        [60, 70, 230, 255],
        [255, 255, 255, 255],
      ],
    ]);
    const surface = painted([1, 1, 1, 1], { baseColorTexture: checker });
    const points = Array.from({ length: 12 }, (_, i) => [
      i * 1.4,
      0.2,
      -1 - i * 0.02,
      i * 1.4 + 0.9,
      0.1,
      -1,
      i,
      6.7,
      -1,
    ]);
    const uv0 = Float32Array.from({ length: 72 }, (_, i) => (i * 7) % 5);
    const wall = triangles(points.flat(), surface, { uv0 });
    for (const samples of [1, 2, 3, 4] as const) {
      const whole = draw([wall], pixelCamera(16, 8), { ...BLACK, samples });
      for (const width of [1, 2, 3, 5]) {
        const narrow = draw([wall], { ...pixelCamera(width, 8), left: 4, rightEdge: 4 + width }, { ...BLACK, samples });
        for (let y = 0; y < 8; y++) {
          for (let x = 0; x < width; x++) {
            const colors = [pixel(narrow, x, y), narrow.coverage[y * width + x]];
            expect([samples, x, y, ...colors]).toEqual([
              samples,
              x,
              y,
              pixel(whole, x + 4, y),
              whole.coverage[y * 16 + x + 4],
            ]);
          }
        }
      }
    }
  });

  test('of nothing is the background', () => {
    const picture = render(buildRasterScene([]), cameraAt([0, 0, 0], [0, 0, -1], 2, 8), {
      samples: 1,
      background: SKY,
    });
    expect(picture.coverage.every((covered) => covered === 0)).toBe(true);
    // Blue above, a bright horizon, earth below.
    const [top, middle, bottom] = [pixel(picture, 0, 0), pixel(picture, 0, 3), pixel(picture, 0, 7)];
    expect(top[2] - top[0]).toBeGreaterThan(middle[2] - middle[0]);
    expect(middle[0]).toBeGreaterThan(top[0]);
    expect(bottom[2] - bottom[0]).toBeLessThan(middle[2] - middle[0]);
  });

  test('has the same bytes on every machine', () => {
    // All that a picture is made of: mips, perspective, a cut-out, blending, light, clipping, several samples, the sky.
    const noise = (size: number, alpha: (x: number, y: number) => number) =>
      texture(
        Array.from({ length: size }, (_, y) =>
          Array.from({ length: size }, (_, x) => [
            (x * 37 + y * 91) % 256,
            (x * 13) % 256,
            (y * 29) % 256,
            alpha(x, y),
          ]),
        ),
      );
    const ground = painted([1, 0.9, 0.8, 1], { baseColorTexture: noise(33, () => 255) });
    const leaves = painted([1, 1, 1, 1], {
      baseColorTexture: noise(32, (x, y) => (((x >> 2) + (y >> 2)) % 2 === 0 ? 255 : 10)),
      alphaMode: 'mask',
    });
    const glass = painted([0.2, 0.4, 0.9, 0.35], { alphaMode: 'blend', emissive: [0.1, 0, 0] });
    const points = [-50, 0, 9, 50, 0, 9, 50, 0, -90, -50, 0, 9, 50, 0, -90, -50, 0, -90];
    const floor = triangles(points, ground, { uv0: Float32Array.from([0, 0, 60, 0, 60, 60, 0, 0, 60, 60, 0, 60]) });
    const scene = buildRasterScene([
      floor,
      rectangle([-3, 0, 1, 4], -6, leaves, { normals: Float32Array.of(1, 0, 2, -1, 1, 2, 0, 3, 1, 0, 1, 0) }),
      rectangle([-1, 0.5, 3, 3], -5, glass),
    ]);
    const { rgb, coverage } = render(scene, cameraAt([0.7, 1.6, 3], [0, 1.2, -9], 96, 64), {
      samples: 3,
      background: SKY,
    });
    expect(createHash('sha256').update(rgb).update(coverage).digest('hex')).toMatchInlineSnapshot(
      `"d063ed41a4752caad2edb9d562e2b79552fc42807de7ea402576cc4ee537ee03"`,
    );
  });

  test('of textures that have no room shows their coarser mips, whatever was drawn before', () => {
    const stripes = texture(
      Array.from({ length: 64 }, () =>
        Array.from({ length: 64 }, (_, x) => [255 - x, x % 2 === 0 ? 255 : 40, 9, x % 4 < 2 ? 255 : 90]),
      ),
    );
    const shown = (maxTexels?: number) => {
      const surface = painted([1, 1, 1, 1], { baseColorTexture: stripes, alphaMode: 'mask', alphaCutoff: 0.5 });
      const scene = buildRasterScene([rectangle([0, 0, 32, 32], -1, surface)]);
      return render(scene, pixelCamera(32, 32), { ...BLACK, maxTexels });
    };
    const whole = shown();
    // 64 x 64 texels of 4 bytes and 32 x 32 have no room; 16 x 16 and what follows have.
    const coarse = shown(2000);
    expect(coarse.rgb).not.toEqual(whole.rgb);
    expect(shown()).toEqual(whole);
    expect(shown(2000)).toEqual(coarse);
    // One texel is shown whatever the room is.
    expect(new Set(Array.from({ length: 32 * 32 }, (_, i) => pixel(shown(1), i % 32, i >> 5).join())).size).toBe(1);
  });

  test('shows what it can of numbers that are not finite', () => {
    const checker = texture([
      [
        [255, 255, 255, 255],
        [0, 0, 0, 255],
      ],
    ]);
    for (const bad of [Number.NaN, Infinity, -Infinity, 3e38, -3e38, 1e-42]) {
      for (const key of ['positions', 'normals', 'uv0'] as const) {
        for (const alphaMode of ['opaque', 'mask', 'blend'] as const) {
          const surface = painted([1, 1, 1, 1], { baseColorTexture: checker, alphaMode });
          const mesh = rectangle([0, 0, 4, 4], -1, surface);
          mesh[key]![4] = bad;
          const behind = rectangle([0, 0, 8, 8], -2, GREEN);
          const { coverage } = draw([behind, mesh], pixelCamera(4, 4));
          expect(Math.min(...coverage)).toBe(255);
        }
      }
    }
  });

  test('needs indices that lead to vertices', () => {
    const broken = { ...rectangle([0, 0, 1, 1], -1, RED), indices: Uint32Array.of(0, 1, 4) };
    expect(() => buildRasterScene([broken])).toThrow('index 4 of 4 vertices');
  });
});
