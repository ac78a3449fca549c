// What makes a place heavy: the payloads, textures and materials that it holds most of.

import type { OutputFacts } from './facts.ts';
import type { HeldPayload, MeasuredPlace } from './measure.ts';

export interface HeavyPayload {
  readonly tile: string;
  /** `full`, `lod1` …, `hlod`. */
  readonly level: string;
  readonly geometry: number;
  readonly triangles: number;
  readonly draws: number;
}

export interface HeavyTexture {
  /** Relative to the set's folder. */
  readonly path: string;
  /** On the GPU, with all mips. */
  readonly bytes: number;
  /** Payloads in memory that name it. */
  readonly payloads: number;
}

export interface HeavyMaterial {
  readonly name: string;
  readonly draws: number;
}

export interface Contributors {
  readonly payloads: readonly HeavyPayload[];
  readonly textures: readonly HeavyTexture[];
  readonly materials: readonly HeavyMaterial[];
}

const MAX = 10;

/** The largest first; of equal ones the first by name. */
function largest<T>(rows: readonly T[], size: (row: T) => number, name: (row: T) => string): T[] {
  return [...rows].sort((a, b) => size(b) - size(a) || (name(a) < name(b) ? -1 : 1)).slice(0, MAX);
}

/** The ten largest of each kind. `by`: what of payloads counts. */
export function contributorsOf(
  { held }: MeasuredPlace,
  facts: OutputFacts,
  by: 'geometry' | 'triangles' | 'draws',
): Contributors {
  const named = new Map<string, number>();
  const drawn = new Map<string, number>();
  for (const { facts: payload } of held) {
    for (const path of payload.textures) named.set(path, (named.get(path) ?? 0) + 1);
    for (const [name, draws] of payload.drawsOf) drawn.set(name, (drawn.get(name) ?? 0) + draws);
  }
  const payloads = held.map(
    ({ tile, level, facts: { geometry, triangles, draws } }: HeldPayload): HeavyPayload => ({
      tile,
      level,
      geometry,
      triangles,
      draws,
    }),
  );
  const textures = [...named].map(([path, count]) => ({ path, bytes: facts.textureBytes(path), payloads: count }));
  const materials = [...drawn].map(([name, draws]) => ({ name, draws }));
  return {
    payloads: largest(
      payloads,
      (row) => row[by],
      ({ tile, level }) => `${tile} ${level}`,
    ),
    textures: largest(
      textures,
      ({ bytes }) => bytes,
      ({ path }) => path,
    ),
    materials: largest(
      materials,
      ({ draws }) => draws,
      ({ name }) => name,
    ),
  };
}
