// Writes the manifest of a pack of models.

import type { Mat4 } from '../../scene/types.ts';
import { type ChainLevel, type LodChains, PACK_VERSION, type PackedModel, type UntoldPack } from './document.ts';

/** A model where it stands, as a cook knows it. */
export interface PlacedModel {
  readonly displayName: string;
  readonly path: string;
  readonly transform: Mat4;
  /** Keys of the source that are not known here. */
  readonly more?: Readonly<Record<string, unknown>>;
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

/** A level as manifests state it. */
export const levelText = ({ path, screenSize, triangles, error }: Required<ChainLevel>): Required<ChainLevel> => ({
  path,
  screenSize: rounded(screenSize),
  triangles,
  error: rounded(error),
});

/**
 * The manifest as text: UTF-8 JSON, two spaces, a row of a matrix in one line, a final newline. `sourceAsset`: the file name of the
 * source; `chains`: empty where no model has levels; `more`: keys of the source that are not known here.
 */
export function packText(
  sourceAsset: string,
  models: readonly PlacedModel[],
  chains: Readonly<Record<string, readonly Required<ChainLevel>[]>>,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const lodChains: LodChains = Object.fromEntries(
    Object.entries(chains).map(([path, levels]) => [path, levels.map(levelText)]),
  );

  const pack: UntoldPack = {
    formatVersion: PACK_VERSION,
    sourceAsset,
    models: models.map(({ displayName, path, transform, more }) => ({
      displayName,
      path,
      transform: matrixRows(transform),
      ...more,
    })),
    ...(Object.keys(lodChains).length > 0 ? { lodChains } : {}),
    ...more,
  };
  return printed(pack);
}

/** A pack that is there, values that are not known too, with other chains; none where they are empty. */
export function manifestText({ lodChains: _, ...pack }: UntoldPack, lodChains: LodChains): string {
  return printed({ ...pack, ...(Object.keys(lodChains).length > 0 ? { lodChains } : {}) });
}

function printed(pack: UntoldPack): string {
  // Line breaks inside of texts are escaped: those that are left stand between values.
  const text = JSON.stringify(pack, null, 2).replace(ROW, (row) =>
    row.replace(/\s+/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim()),
  );
  return `${text}\n`;
}
