// Writes the manifest of a pack of models.

import type { Mat4 } from '../../scene/types.ts';
import { type ChainLevel, type LodChains, PACK_VERSION, type PackedModel, type UntoldPack } from './document.ts';

/** A model where it stands, as a cook knows it. */
export interface PlacedModel {
  readonly displayName: string;
  readonly path: string;
  readonly transform: Mat4;
}

/** Digits that tell every float32 from its neighbours. */
const FLOAT32_DIGITS = 9;

/** The number with the fewest digits that is the same float32. */
function shortest(value: number): number {
  const stored = Math.fround(value);
  for (let digits = 1; digits < FLOAT32_DIGITS; digits++) {
    const short = Number(stored.toPrecision(digits));
    if (Math.fround(short) === stored) return short + 0;
  }
  return Number(stored.toPrecision(FLOAT32_DIGITS));
}

/** Row by row, the translation in the fourth column, each number as float32. */
export function matrixRows(m: Mat4): PackedModel['transform'] {
  return [0, 1, 2, 3].map((r) => [0, 1, 2, 3].map((c) => shortest(m[c * 4 + r])));
}

/** A list of numbers, one a line. */
const ROW = /\[\n\s+[-0-9][^[\]"]*\]/g;

/** Digits of the numbers of levels, as the engine's cook writes them. */
const LEVEL_DIGITS = 5;
const rounded = (value: number): number => Number(value.toPrecision(LEVEL_DIGITS));

const levelText = ({ path, screenSize, triangles, error }: Required<ChainLevel>): ChainLevel => ({
  path,
  screenSize: rounded(screenSize),
  triangles,
  error: rounded(error),
});

/**
 * The manifest as text: UTF-8 JSON, two spaces, a row of a matrix in one line, a final newline. `sourceAsset`: the file name of the
 * source; `chains`: empty where no model has levels.
 */
export function packText(
  sourceAsset: string,
  models: readonly PlacedModel[],
  chains: Readonly<Record<string, readonly Required<ChainLevel>[]>>,
): string {
  const lodChains: LodChains = Object.fromEntries(
    Object.entries(chains).map(([path, levels]) => [path, levels.map(levelText)]),
  );

  const pack: UntoldPack = {
    formatVersion: PACK_VERSION,
    sourceAsset,
    models: models.map(({ displayName, path, transform }) => ({ displayName, path, transform: matrixRows(transform) })),
    ...(Object.keys(lodChains).length > 0 ? { lodChains } : {}),
  };
  // Line breaks inside of texts are escaped: those that are left stand between values.
  const text = JSON.stringify(pack, null, 2).replace(ROW, (row) =>
    row.replace(/\s+/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim()),
  );
  return `${text}\n`;
}
