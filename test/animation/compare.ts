// Poses as tracks: by vertex its positions at several times, in any order of vertices.

export type Track = readonly (readonly number[])[];

/** Of the nine times none is the last, at which the engine begins anew. */
export const SHARES = [0, 0.1, 0.2, 0.35, 0.5, 0.61, 0.75, 0.9, 0.99];

export const tracks = (poses: readonly (readonly number[][])[]): Track[] =>
  poses[0].map((_, v) => poses.map((pose) => pose[v]));

export function apart(a: Track, b: Track): number {
  let highest = 0;
  for (let i = 0; i < a.length; i++) {
    highest = Math.max(highest, Math.hypot(a[i][0] - b[i][0], a[i][1] - b[i][1], a[i][2] - b[i][2]));
  }
  return highest;
}

/** The largest distance of a track of one side from the nearest one of the other. */
export function farthest(a: readonly Track[], b: readonly Track[]): number {
  const oneWay = (from: readonly Track[], to: readonly Track[]) => {
    let highest = 0;
    for (const [i, track] of from.entries()) {
      // The nearest one has about the same number, and no track that has one within `highest` changes it.
      let lowest = Infinity;
      for (let k = 0; k < to.length && lowest > highest; k++) {
        lowest = Math.min(lowest, apart(track, to[(i + k) % to.length]));
      }
      highest = Math.max(highest, lowest);
    }
    return highest;
  };
  return Math.max(oneWay(a, b), oneWay(b, a));
}

/** The diagonal of the box around all positions. */
export function sizeOf(all: readonly Track[]): number {
  const [min, max] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (const p of all.flat()) {
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], p[k]);
      max[k] = Math.max(max[k], p[k]);
    }
  }
  return Math.hypot(...max.map((value, k) => value - min[k]));
}
