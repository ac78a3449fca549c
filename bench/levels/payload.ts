// A payload as it is written, with the colour of each triangle from its material and texture.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unpackMesh } from '../../src/formats/untold/mesh/packMesh.ts';
import { readUntold } from '../../src/formats/untold/read.ts';
import type { UntoldMaterial } from '../../src/formats/untold/types.ts';
import { isMadeOfCards } from '../../src/geometry/hlod/cards.ts';
import { bakePlacements } from '../../src/geometry/instances/bakePlacements.ts';
import { mergeMeshes } from '../../src/geometry/mesh/merge.ts';
import type { Float32Mesh } from '../../src/geometry/mesh/mesh.ts';
import { decodeImage } from '../../src/textures/decode/decode.ts';
import { ImageFault } from '../../src/textures/decode/fault.ts';
import type { Pixels } from '../../src/textures/decode/pixels.ts';
import { probeImage } from '../../src/textures/decode/probe.ts';

/** Colours whose components differ by less (0 to 1, encoded as sRGB) count as one. */
export const SAME_COLOR = 0.06;

export interface Payload {
  /** All but the cards. */
  readonly mesh: Float32Mesh;
  readonly cards: Float32Mesh | null;
  /** sRGB of each triangle, 3 numbers; NaN where a texture varies over the triangle. */
  readonly colors: Float32Array;
  /** Least and greatest sRGB found in each triangle, 6 numbers. */
  readonly ranges: Float32Array;
  /** What each triangle is painted with. */
  readonly paints: readonly Paint[];
  readonly triangles: number;
}

interface Paint {
  readonly pixels: Pixels | null;
  readonly material: UntoldMaterial;
}

const images = new Map<string, Promise<Pixels | null>>();
function imageOf(path: string): Promise<Pixels | null> {
  const known = images.get(path);
  if (known) return known;
  const read = async () => {
    const bytes = readFileSync(path);
    const info = await probeImage(bytes);
    const pixels = info instanceof ImageFault ? info : await decodeImage(bytes, info);
    return pixels instanceof ImageFault ? null : pixels;
  };
  const made = read();
  images.set(path, made);
  return made;
}

const encoded = (x: number) => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);

/** The colour at a UV: of the texel there, times the factor. */
export function colorAt(pixels: Pixels | null, { baseColorFactor }: UntoldMaterial, u: number, v: number): number[] {
  const factor = [0, 1, 2].map((k) => encoded(baseColorFactor[k]));
  if (pixels === null) return factor;
  const x = Math.min(pixels.width - 1, Math.floor((u - Math.floor(u)) * pixels.width));
  const y = Math.min(pixels.height - 1, Math.floor((1 - (v - Math.floor(v))) * pixels.height));
  return factor.map((f, k) => (f * pixels.data[(y * pixels.width + x) * 4 + k]) / 255);
}

export const alike = (a: ArrayLike<number>, at: number, b: ArrayLike<number>, bt: number) =>
  Math.abs(a[at] - b[bt]) < SAME_COLOR &&
  Math.abs(a[at + 1] - b[bt + 1]) < SAME_COLOR &&
  Math.abs(a[at + 2] - b[bt + 2]) < SAME_COLOR;

/** Places in a triangle at which its texture must not vary for it to have one colour: weights of its corners. */
const WEIGHTS = Array.from({ length: 7 }, (_, i) =>
  Array.from({ length: 7 - i }, (__, j) => [
    0.97 * (i / 6) + 0.01,
    0.97 * (j / 6) + 0.01,
    0.97 * ((6 - i - j) / 6) + 0.01,
  ]),
).flat();

export async function readPayload(path: string, foliage: Set<string>, isTile: boolean): Promise<Payload> {
  const content = await readUntold(readFileSync(path), path);
  const solid: Float32Mesh[] = [];
  const cards: Float32Mesh[] = [];
  const colors: Float32Array[] = [];
  const ranges: Float32Array[] = [];
  const paints: Paint[] = [];
  let triangles = 0;
  for (const entity of content.entities) {
    for (const packed of content.meshes.slice(entity.firstMesh, entity.firstMesh + entity.meshCount)) {
      const material = content.materials[packed.material];
      const mesh = bakePlacements([{ mesh: unpackMesh(packed), world: entity.localTransform }]) as Float32Mesh;
      triangles += mesh.indices.length / 3;
      if (isTile && material.alphaMode === 'mask' && isMadeOfCards(mesh)) foliage.add(material.name);
      if (foliage.has(material.name)) {
        cards.push(mesh);
        continue;
      }
      solid.push(mesh);
      const texture = content.textures[material.baseColorTexture];
      const pixels = texture ? await imageOf(join(dirname(path), texture.uri)) : null;
      const own = new Float32Array(mesh.indices.length);
      const range = new Float32Array(mesh.indices.length * 2);
      const paint = { pixels, material };
      const uv0 = mesh.attributes.uv0 as Float32Array;
      const repeats = pixels !== null && uv0.some((x) => x < -0.01 || x > 1.01);
      for (let i = 0; i < mesh.indices.length; i += 3) {
        const uvs = [0, 1, 2].map((k) => [uv0[mesh.indices[i + k] * 2], uv0[mesh.indices[i + k] * 2 + 1]]);
        const middle = [0, 1].map((k) => (uvs[0][k] + uvs[1][k] + uvs[2][k]) / 3);
        const color = colorAt(pixels, material, middle[0], middle[1]);
        paints.push(paint);
        let flat = !repeats;
        for (let k = 0; k < 3; k++) range[i * 2 + k] = range[i * 2 + 3 + k] = color[k];
        for (const [a, b, c] of pixels === null ? [] : WEIGHTS) {
          const [u, v] = [0, 1].map((k) => uvs[0][k] * a + uvs[1][k] * b + uvs[2][k] * c);
          const found = colorAt(pixels, material, u, v);
          flat &&= alike(found, 0, color, 0);
          for (let k = 0; k < 3; k++) {
            range[i * 2 + k] = Math.min(range[i * 2 + k], found[k]);
            range[i * 2 + 3 + k] = Math.max(range[i * 2 + 3 + k], found[k]);
          }
        }
        own.set(flat ? color : [NaN, NaN, NaN], i);
      }
      colors.push(own);
      ranges.push(range);
    }
  }
  const nothing = { vertexCount: 0, positions: new Float32Array(0), attributes: { normal: new Float32Array(0) } };
  return {
    mesh: solid.length > 0 ? mergeMeshes(solid) : { ...nothing, indices: new Uint32Array(0) },
    cards: cards.length > 0 ? mergeMeshes(cards) : null,
    colors: joined(colors),
    ranges: joined(ranges),
    paints,
    triangles,
  };
}

function joined(lists: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(lists.reduce((sum, own) => sum + own.length, 0));
  let at = 0;
  for (const own of lists) {
    all.set(own, at);
    at += own.length;
  }
  return all;
}
