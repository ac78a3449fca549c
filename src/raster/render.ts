// The software renderer: depth, base colour texture, alpha, one fixed light. Draws a RasterScene from a Camera; the result
// depends on these alone, to the last bit, on every machine. The drawing itself is the kernel's (kernel/assembly/raster).

import type { Address, Kernel } from '../kernel/kernel.ts';
import type { Vec3 } from '../scene/types.ts';
import { type Background, GREY } from './background.ts';
import type { Camera } from './camera.ts';
import { MAX_TEXELS, painter, placeScene, placeTextures } from './placed.ts';
import { isSeenThrough, type RasterScene } from './scene.ts';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** sRGB, 3 bytes a pixel, rows from the top; what is drawn over the background. */
  readonly rgb: Uint8Array;
  /** How much of each pixel is drawn on: 0 to 255. */
  readonly coverage: Uint8Array;
}

export interface RenderOptions {
  /** Samples along each side of a pixel. */
  readonly samples: 1 | 2 | 3 | 4;
  readonly background: Background;
  /** Bytes of texels beyond which textures leave out their finest mips; absent: MAX_TEXELS. */
  readonly maxTexels?: number | undefined;
}

export const DEFAULT_RENDER: RenderOptions = { samples: 2, background: GREY };

/** Samples of a band: bounds the memory for pictures of any size. */
export const BAND_SAMPLES = 2 ** 20;
/** Bytes of a vertex as a camera sees it, and of a sample's colour. */
export const VERTEX_BYTES = 32;
const COLOR_BYTES = 16;

/** Opaque samples have coverage 1, and `mask` samples that pass. */
export function render(scene: RasterScene, camera: Camera, options: RenderOptions = DEFAULT_RENDER): Picture {
  return renderEach(scene, [camera], options)[0];
}

/** A picture from each camera. The scene is laid out once for all of them, which takes longer than a small picture. */
export function renderEach(
  scene: RasterScene,
  cameras: readonly Camera[],
  options: RenderOptions = DEFAULT_RENDER,
): Picture[] {
  return painter.within((memory) => {
    const kept = placeTextures(memory, scene, options.maxTexels ?? MAX_TEXELS);
    const placed = placeScene(memory, scene, kept);
    // What is laid out for one camera goes before the next.
    return cameras.map((camera) => memory.within(() => draw(memory, { scene, placed, kept }, camera, options)));
  });
}

/** As `render` with one sample a pixel, and 1 over the distance of the nearest opaque surface in each; 0: there is none. */
export function renderDepths(scene: RasterScene, camera: Camera): Picture & { readonly depths: Float32Array } {
  const depths = new Float32Array(camera.width * camera.height);
  const options = { samples: 1, background: GREY } as const;
  return painter.within((memory) => {
    const kept = placeTextures(memory, scene, MAX_TEXELS);
    const placed = placeScene(memory, scene, kept);
    return { ...draw(memory, { scene, placed, kept }, camera, options, depths), depths };
  });
}

interface PlacedScene {
  readonly scene: RasterScene;
  readonly placed: Address;
  readonly kept: ReturnType<typeof placeTextures>;
}

/** `depths`: where those of a picture with one sample a pixel go; null: nowhere. */
function draw(
  memory: Kernel,
  { scene, placed, kept }: PlacedScene,
  camera: Camera,
  options: RenderOptions,
  depths: Float32Array | null = null,
): Picture {
  const { width, height } = camera;
  const { samples } = options;
  const view = placeCamera(memory, camera, options);
  const vertices = memory.allocate((scene.positions.length / 3) * VERTEX_BYTES);
  memory.calls.project(placed, view, vertices);

  const blended = backToFront(memory, scene, vertices, camera.position);
  // A group of four samples may begin at the last one of a row.
  const stride = (Math.ceil((width * samples) / 4) + 1) * 4;
  const fitting = Math.max(1, Math.floor(BAND_SAMPLES / (stride * samples)));
  const bandRows = depths ? height : Math.min(height, fitting);
  const inBand = bandRows * samples * stride;
  const rgb = memory.allocate(width * height * 3);
  const coverage = memory.allocate(width * height);
  const depthOfSamples = memory.allocate(inBand * 4);
  const canvas = memory.words(
    vertices,
    depthOfSamples,
    memory.allocate(inBand * 4),
    blended.length === 0 ? 0 : memory.allocate(inBand * COLOR_BYTES),
    stride,
    bandRows,
    memory.put(blended),
    blended.length,
    rgb,
    coverage,
    kept.byteOfLinear,
  );
  memory.calls.draw(placed, view, canvas);
  if (depths) {
    const rows = memory.float32(depthOfSamples, inBand);
    for (let y = 0; y < height; y++) depths.set(rows.subarray(y * stride, y * stride + width), y * width);
  }
  return {
    width,
    height,
    rgb: memory.uint8(rgb, width * height * 3).slice(),
    coverage: memory.uint8(coverage, width * height).slice(),
  };
}

export function placeCamera(
  memory: Kernel,
  camera: Camera,
  { samples, background }: Pick<RenderOptions, 'samples' | 'background'>,
): number {
  const { position, right, up, back, left, rightEdge, bottom, top, near, width, height } = camera;
  const behind = memory.put(Float32Array.of(...background.up, 0, ...background.horizon, 0, ...background.down, 0));
  const numbers = [...position, ...right, ...up, ...back, left, rightEdge, bottom, top, near];
  return memory.record(numbers, [behind, width, height, samples]);
}

/**
 * Triangles of surfaces that something is seen through, those with the farthest middle first, in their order where equally far.
 * Of glass the side that looks away comes before the one that faces the eye, as the engine draws it: the two sides of a pane
 * are closer to each other than the middles of their triangles.
 */
export function backToFront(memory: Kernel, scene: RasterScene, vertices: number, eye: Vec3): Uint32Array {
  const { surfaceOf, surfaces, indices, positions } = scene;
  const isBlended = surfaces.map(isSeenThrough);
  if (!isBlended.includes(true)) return new Uint32Array(0);
  const list: number[] = [];
  for (let i = 0; i < surfaceOf.length; i++) if (isBlended[surfaceOf[i]]) list.push(i);
  const numbers = VERTEX_BYTES / 4;
  const seen = memory.float32(vertices, (positions.length / 3) * numbers);
  const depth = new Float64Array(list.length);
  const isGlass = surfaces.map(({ transmission = 0 }) => transmission > 0);
  for (const [i, triangle] of list.entries()) {
    // The seventh number of a vertex is its distance in front of the eye.
    const [a, b, c] = [0, 1, 2].map((k) => seen[indices[triangle * 3 + k] * numbers + 6]);
    if (!isGlass[surfaceOf[triangle]]) depth[i] = a + b + c;
    else depth[i] = 3 * (looksAway(scene, triangle, eye) ? Math.max(a, b, c) : Math.min(a, b, c));
  }
  const order = Uint32Array.from(list.keys()).sort((a, b) => depth[b] - depth[a] || a - b);
  return order.map((i) => list[i]);
}

/** Whether the eye sees the back of a triangle, whose corners run counter-clockwise in front. */
function looksAway({ positions, indices }: RasterScene, triangle: number, eye: Vec3): boolean {
  const [p, q, r] = [0, 1, 2].map((k) => {
    const at = indices[triangle * 3 + k] * 3;
    return [positions[at] - eye[0], positions[at + 1] - eye[1], positions[at + 2] - eye[2]];
  });
  const volume =
    p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
  return volume > 0;
}
