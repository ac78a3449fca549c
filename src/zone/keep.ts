// What of a part is kept: the triangles that were seen, those around them, and where triangles are smaller than pixels those as far
// as pixels reach, because of such a crowd eyes have hit a few alone.

/** Rounds of neighbours at most. */
const MAX_RINGS = 6;

export interface KeepRequest {
  /** Relative to the middle of the zone. */
  readonly positions: Float32Array;
  /** Three points a triangle; points at the same place have the same number. */
  readonly corners: Uint32Array;
  /** Of each triangle the pixels that showed it. */
  readonly pixels: Uint32Array;
  /** Metres from a point, relative to the middle, to the nearest eye. */
  readonly distance: (x: number, y: number, z: number) => number;
  /** Metres that a pixel covers at a metre's distance. */
  readonly pixel: number;
}

/** 1 for each triangle that is kept. */
export function keptTriangles({ positions, corners, pixels, distance, pixel }: KeepRequest): Uint8Array {
  const count = pixels.length;
  const kept = new Uint8Array(count);
  const isNear = new Uint8Array(positions.length / 3);
  for (let t = 0; t < count; t++) {
    if (pixels[t] === 0) continue;
    kept[t] = 1;
    for (let k = 0; k < 3; k++) isNear[corners[t * 3 + k]] = 1;
  }
  for (let ring = 1; ring <= MAX_RINGS; ring++) {
    const added: number[] = [];
    for (let t = 0; t < count; t++) {
      if (kept[t]) continue;
      const [a, b, c] = [corners[t * 3], corners[t * 3 + 1], corners[t * 3 + 2]];
      if (!(isNear[a] || isNear[b] || isNear[c])) continue;
      if (ring > 1 && !isBelow(positions, a, b, c, distance, pixel)) continue;
      kept[t] = 1;
      added.push(t);
    }
    if (added.length === 0) break;
    for (const t of added) for (let k = 0; k < 3; k++) isNear[corners[t * 3 + k]] = 1;
  }
  return kept;
}

/** Whether no edge of a triangle is longer than a pixel. */
function isBelow(
  positions: Float32Array,
  a: number,
  b: number,
  c: number,
  distance: KeepRequest['distance'],
  pixel: number,
): boolean {
  const size = distance(positions[a * 3], positions[a * 3 + 1], positions[a * 3 + 2]) * pixel;
  return edge(positions, a, b) <= size && edge(positions, b, c) <= size && edge(positions, c, a) <= size;
}

function edge(positions: Float32Array, a: number, b: number): number {
  const x = positions[a * 3] - positions[b * 3];
  const y = positions[a * 3 + 1] - positions[b * 3 + 1];
  const z = positions[a * 3 + 2] - positions[b * 3 + 2];
  return Math.sqrt(x * x + y * y + z * z);
}
