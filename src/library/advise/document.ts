// What advise() tells of a source.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Saving } from '../why/document.ts';

export type { Saving } from '../why/document.ts';

export const ADVICE = {
  copies: 'meshes that are others at other places',
  materials: 'materials that differ in nothing, or in name alone',
  images: 'images that differ in nothing',
  merge: 'parts of one material that could be one',
  textures: 'textures larger than anyone can see',
  hidden: 'parts hidden inside of others',
  empty: 'nodes without anything below them',
  degenerate: 'triangles without an area',
  doubled: 'triangles that are there twice',
  units: 'a size that looks like another unit',
  upAxis: 'a ground that stands upright',
  far: 'objects far away from all others',
} as const;

export type AdviceKind = keyof typeof ADVICE;

/** One thing that a source could do without. */
export interface Advice {
  readonly kind: AdviceKind;
  /** In words, with the reason. */
  readonly what: string;
  /** How many there are. */
  readonly count: number;
  /** Paths in the source of the first of them. */
  readonly where: readonly string[];
  readonly saves: Saving;
  /** The option of cook that does it; null: it is to be done in the source. */
  readonly option: string | null;
  /** Cook does it unless it is told otherwise. */
  readonly isDefault: boolean;
}

export interface AdviseDocument {
  /** Relative to the working folder. */
  readonly source: string;
  /** Its name. */
  readonly device: string;
  /** Of all that the source places. */
  readonly totals: {
    readonly objects: number;
    readonly meshes: number;
    readonly triangles: number;
    readonly materials: number;
    readonly images: number;
  };
  /** In the order of ADVICE; empty: nothing was found. */
  readonly advice: readonly Advice[];
  readonly diagnostics: readonly Diagnostic[];
}
