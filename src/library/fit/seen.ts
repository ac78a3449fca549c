// How finely the textures of an output are seen from the nearest places where somebody may be: those that a check looks at.

import { readDrawnFile } from '../../formats/untold/drawnFile.ts';
import type { Vec3 } from '../../scene/types.ts';
import type { MeasuredOutput } from '../check/measureOutput.ts';
import { placesOf } from '../check/places.ts';
import type { FamilyMembers, TextureFamily, TextureSize } from './families.ts';
import { NearestPlaces } from './nearestPlaces.ts';

/** Nobody's eyes come nearer than this to what they look at, in metres. */
const NEAREST = 0.5;
/** The share of what is drawn with a texture that may have fewer texels than is said. */
const LEFT_OUT = 0.1;
const DEGREE = Math.PI / 180;

export interface SeenTexture {
  /** How much of one repeat of the texture a degree shows, of a square texture along a side. */
  readonly repeats: number;
  /** Metres to the nearest place of all that is drawn with it. */
  readonly nearest: number;
}

/** Texels that a degree of the view shows of a texture of this size, at the nearest likely distance of nine tenths of what it covers. */
export const texelsADegree = (
  { repeats }: SeenTexture,
  { width, height }: Pick<TextureSize, 'width' | 'height'>,
): number => repeats * Math.sqrt(width * height);

/** Sums of weights by value: eight bins between a power of two and the next. */
class Histogram {
  readonly #bins = new Map<number, number>();
  readonly #value = new Float64Array(1);
  /** The exponent and three bits behind it are the bin. */
  readonly #words = new Uint32Array(this.#value.buffer);

  add(value: number, weight: number): void {
    this.#value[0] = value;
    const bin = this.#words[1] >>> 17;
    this.#bins.set(bin, (this.#bins.get(bin) ?? 0) + weight);
  }

  /** The lower end of the bin in which a share of all weight is reached. */
  quantile(share: number): number {
    const bins = [...this.#bins].sort(([a], [b]) => a - b);
    const wanted = bins.reduce((sum, [, weight]) => sum + weight, 0) * share;
    let sum = 0;
    for (const [bin, weight] of bins) {
      sum += weight;
      if (sum < wanted) continue;
      this.#words[1] = bin << 17;
      this.#words[0] = 0;
      return this.#value[0];
    }
    return Number.POSITIVE_INFINITY;
  }
}

interface Gathered {
  readonly histogram: Histogram;
  nearest: number;
}

type Drawn = Awaited<ReturnType<typeof readDrawnFile>>['meshes'][number];

/** Adds the triangles of a mesh to what is gathered of its textures. */
function addMesh({ positions, uv0, indices }: Drawn, places: NearestPlaces, gathered: readonly Gathered[]): void {
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i] * 3, indices[i + 1] * 3, indices[i + 2] * 3];
    const [ua, ub, uc] = [indices[i] * 2, indices[i + 1] * 2, indices[i + 2] * 2];
    const inTexture = Math.abs(
      (uv0[ub] - uv0[ua]) * (uv0[uc + 1] - uv0[ua + 1]) - (uv0[uc] - uv0[ua]) * (uv0[ub + 1] - uv0[ua + 1]),
    );
    const [ex, ey, ez] = [
      positions[b] - positions[a],
      positions[b + 1] - positions[a + 1],
      positions[b + 2] - positions[a + 2],
    ];
    const [fx, fy, fz] = [
      positions[c] - positions[a],
      positions[c + 1] - positions[a + 1],
      positions[c + 2] - positions[a + 2],
    ];
    const area = Math.sqrt((ey * fz - ez * fy) ** 2 + (ez * fx - ex * fz) ** 2 + (ex * fy - ey * fx) ** 2);
    // A triangle that shows a point or a line of a texture shows it at any size.
    if (!(area > 0 && inTexture > 0)) continue;
    const low = (k: number) => Math.min(positions[a + k], positions[b + k], positions[c + k]);
    const high = (k: number) => Math.max(positions[a + k], positions[b + k], positions[c + k]);
    const distance = Math.max(NEAREST, places.distanceTo([low(0), low(1), low(2), high(0), high(1), high(2)]));
    const repeats = Math.sqrt(inTexture / area) * distance * DEGREE;
    const weight = area / (distance * distance);
    for (const one of gathered) {
      one.histogram.add(repeats, weight);
      one.nearest = Math.min(one.nearest, distance);
    }
  }
}

/** What is seen of each texture that full detail draws. */
export async function seenTextures(
  { facts, full, isWhole, expected }: MeasuredOutput,
  members: FamilyMembers,
): Promise<ReadonlyMap<TextureFamily, SeenTexture>> {
  const all = new Map<TextureFamily, Gathered>();
  const ofSet: readonly Vec3[] = expected.map(({ position }) => position);
  const common = isWhole || ofSet.length === 0 ? null : new NearestPlaces(ofSet);
  for (const path of full) {
    const { texturesOf, bounds } = await facts.payload(path);
    if (texturesOf.every((paths) => paths.length === 0)) continue;
    const { meshes } = await readDrawnFile(facts.payloadFile(path), path);
    const places = common ?? new NearestPlaces(placesOf([{ bounds }], []));
    const gathered = texturesOf.map((paths) =>
      [...new Set(paths.flatMap((texture) => members.of(texture, facts)?.family ?? []))].map((family) => {
        const known = all.get(family) ?? { histogram: new Histogram(), nearest: Number.POSITIVE_INFINITY };
        all.set(family, known);
        return known;
      }),
    );
    for (const mesh of meshes) {
      const own = gathered[mesh.material] ?? [];
      if (own.length > 0) addMesh(mesh, places, own);
    }
  }
  return new Map(
    [...all].map(([family, { histogram, nearest }]) => [family, { repeats: histogram.quantile(LEFT_OUT), nearest }]),
  );
}
