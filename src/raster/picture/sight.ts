// What cameras see of one scene: of each sample the nearest opaque triangle, and 1 over its distance. The picture's camera,
// the sun and the sky are all asked this way. The kernel finds it (see, in kernel/assembly/raster/draw.ts).

import type { Address, Kernel } from '../../kernel/kernel.ts';
import { GREY } from '../background.ts';
import type { Camera } from '../camera.ts';
import { MAX_TEXELS, placeScene, placeTextures } from '../placed.ts';
import { BAND_SAMPLES, backToFront, placeCamera, VERTEX_BYTES } from '../render.ts';
import type { RasterScene } from '../scene.ts';

/** In place of a triangle: nothing is seen. */
export const NOTHING = 0xffffffff;

export type Samples = 1 | 2 | 3 | 4;

/** Rows of samples of a picture, from the top. The arrays are views of the kernel's memory and void after the band. */
export interface Band {
  /** Rows of pixels. */
  readonly row: number;
  readonly rows: number;
  /** Samples from one row of samples to the next. */
  readonly stride: number;
  /** 1 over the distance in front of the eye; 0: nothing is there. */
  readonly depths: Float32Array;
  readonly triangles: Uint32Array;
}

/** Only cut-outs need their textures for what is seen. */
function withoutPaint(scene: RasterScene): RasterScene {
  const surfaces = scene.surfaces.map((surface) => {
    const isCut = surface.alphaMode === 'mask' && surface.baseColorTexture !== null;
    return { ...surface, baseColorTexture: isCut ? surface.baseColorTexture : null, emissiveTexture: null };
  });
  return { ...scene, surfaces };
}

/** Lives within one call of `within` of the kernel. */
export class Sight {
  readonly #memory: Kernel;
  readonly #scene: RasterScene;
  readonly #placed: Address;
  readonly #vertices: Address;
  readonly #byteOfLinear: Address;

  /** Make it before anything else is allocated. */
  constructor(memory: Kernel, scene: RasterScene) {
    const bare = withoutPaint(scene);
    const kept = placeTextures(memory, bare, MAX_TEXELS);
    this.#memory = memory;
    this.#scene = scene;
    this.#placed = placeScene(memory, bare, kept);
    this.#vertices = memory.allocate((scene.positions.length / 3) * VERTEX_BYTES);
    this.#byteOfLinear = kept.byteOfLinear;
  }

  /** Calls `onBand` with one band after the other; `whole`: with all of the picture as one. */
  look(camera: Camera, samples: Samples, onBand: (band: Band) => void, whole = false): void {
    const { width, height } = camera;
    this.#memory.within((memory) => {
      const view = placeCamera(memory, camera, { samples, background: GREY });
      memory.calls.project(this.#placed, view, this.#vertices);
      // A group of four samples may begin at the last one of a row.
      const stride = (Math.ceil((width * samples) / 4) + 1) * 4;
      const fitting = Math.max(1, Math.floor(BAND_SAMPLES / (stride * samples)));
      const bandRows = whole ? height : Math.min(height, fitting);
      const count = bandRows * samples * stride;
      const depths = memory.allocate(count * 4);
      const triangles = memory.allocate(count * 4);
      const nothing = [0, stride, bandRows, 0, 0, 0, 0, this.#byteOfLinear];
      // The first pixel's colour is never written: nothing is shaded.
      const canvas = memory.words(this.#vertices, depths, triangles, ...nothing);
      for (let row = 0; row < height; row += bandRows) {
        const rows = Math.min(bandRows, height - row);
        memory.calls.see(this.#placed, view, canvas, row, rows);
        const length = rows * samples * stride;
        const views = { depths: memory.float32(depths, length), triangles: memory.uint32(triangles, length) };
        onBand({ row, rows, stride, ...views });
      }
    });
  }

  /** Triangles that something is seen through, in the order in which this camera draws them. */
  seenThrough(camera: Camera): Uint32Array {
    return this.#memory.within((memory) => {
      const view = placeCamera(memory, camera, { samples: 1, background: GREY });
      memory.calls.project(this.#placed, view, this.#vertices);
      return backToFront(memory, this.#scene, this.#vertices, camera.position);
    });
  }
}
