// What differs of a tile between two outputs.

import type { Bounds } from '../../scene/types.ts';
import type { ReadTile } from './readOutput.ts';

/** A value in both outputs; null where one has none. */
export interface Pair<T> {
  readonly a: T | null;
  readonly b: T | null;
}

/** What a level is in one of the outputs. */
export interface DiffLevelFacts {
  readonly triangles: number;
  readonly vertices: number;
  readonly bytes: number;
  /** Metres; null for full detail. */
  readonly distance: number | null;
}

export interface DiffLevel extends Pair<DiffLevelFacts> {
  /** `full`, `lod1` …, `hlod`. */
  readonly level: string;
  /** Whether the bytes of the file differ. */
  readonly content: boolean;
}

export interface DiffTile {
  readonly id: string;
  readonly kind: ReadTile['kind'];
  readonly change: 'added' | 'removed' | 'changed';
  /** The levels that differ; of tiles that are added or removed all. */
  readonly levels: readonly DiffLevel[];
  /** Where they differ; null where they are equal. */
  readonly bounds: Pair<Bounds> | null;
  /** What else differs: radii, priority, tier … of the manifest, the transmission of glass, and morph targets. */
  readonly facts: readonly DiffFact[];
}

export interface DiffFact extends Pair<string> {
  readonly name: string;
}
