// The software renderer: depth, base colour texture, alpha, one fixed light. Draws a RasterScene from a Camera; the result
// depends on these alone, to the last bit, on every machine. The drawing itself is the kernel's (kernel/assembly/raster).

import type { Kernel } from '../kernel/kernel.ts';
import { type Background, GREY } from './background.ts';
import type { Camera } from './camera.ts';
import { MAX_TEXELS, painter, placeScene, placeTextures } from './placed.ts';
import type { RasterScene } from './scene.ts';

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
const BAND_SAMPLES = 2 ** 20;
/** Bytes of a vertex as a camera sees it, and of a sample's colour. */
const VERTEX_BYTES = 32;
const COLOR_BYTES = 16;

/** Opaque samples have coverage 1, and `mask` samples that pass. */
export function render(scene: RasterScene, camera: Camera, options: RenderOptions = DEFAULT_RENDER): Picture {
  return painter.within((memory) => {
    const kept = placeTextures(memory, scene, options.maxTexels ?? MAX_TEXELS);
    const placed = placeScene(memory, scene, kept);
    const { width, height } = camera;
    const { samples } = options;
    const view = placeCamera(memory, camera, options);
    const vertices = memory.allocate((scene.positions.length / 3) * VERTEX_BYTES);
    memory.calls.project(placed, view, vertices);

    const blended = backToFront(memory, scene, vertices);
    // A group of four samples may begin at the last one of a row.
    const stride = (Math.ceil((width * samples) / 4) + 1) * 4;
    const bandRows = Math.min(height, Math.max(1, Math.floor(BAND_SAMPLES / (stride * samples))));
    const inBand = bandRows * samples * stride;
    const rgb = memory.allocate(width * height * 3);
    const coverage = memory.allocate(width * height);
    const canvas = memory.words(
      vertices,
      memory.allocate(inBand * 4),
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
    return {
      width,
      height,
      rgb: memory.uint8(rgb, width * height * 3).slice(),
      coverage: memory.uint8(coverage, width * height).slice(),
    };
  });
}

function placeCamera(memory: Kernel, camera: Camera, { samples, background }: RenderOptions): number {
  const { position, right, up, back, left, rightEdge, bottom, top, near, width, height } = camera;
  const behind = memory.put(Float32Array.of(...background.up, 0, ...background.horizon, 0, ...background.down, 0));
  const numbers = [...position, ...right, ...up, ...back, left, rightEdge, bottom, top, near];
  return memory.record(numbers, [behind, width, height, samples]);
}

/** Triangles of blended surfaces, those with the farthest middle first, in their order where equally far. */
function backToFront(memory: Kernel, scene: RasterScene, vertices: number): Uint32Array {
  const { surfaceOf, surfaces, indices, positions } = scene;
  const isBlended = surfaces.map(({ alphaMode }) => alphaMode === 'blend');
  if (!isBlended.includes(true)) return new Uint32Array(0);
  const list: number[] = [];
  for (let i = 0; i < surfaceOf.length; i++) if (isBlended[surfaceOf[i]]) list.push(i);
  const numbers = VERTEX_BYTES / 4;
  const seen = memory.float32(vertices, (positions.length / 3) * numbers);
  const depth = new Float64Array(list.length);
  for (const [i, triangle] of list.entries()) {
    // The seventh number of a vertex is its distance in front of the eye.
    for (let k = 0; k < 3; k++) depth[i] += seen[indices[triangle * 3 + k] * numbers + 6];
  }
  const order = Uint32Array.from(list.keys()).sort((a, b) => depth[b] - depth[a] || a - b);
  return order.map((i) => list[i]);
}
