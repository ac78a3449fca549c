// Every flag of the exporter's commands in one table: help, completion, hints and docs/engine-cli.md are made of it.

import { type OptionsOf, shownFlag } from '../../index.ts';
import { BAKE_LODS_FLAGS } from './bakeLodsFlags.ts';
import { type ExporterFlag, PRINT_OPTIONS } from './exporterFlag.ts';
import { EXPORT_FLAGS } from './exportFlags.ts';
import { EXPORT_TILES_FLAGS } from './exportTilesFlags.ts';
import { TEXBAKE_FLAGS } from './texbakeFlags.ts';

export const EXPORTER_FLAGS = {
  export: EXPORT_FLAGS,
  'export-tiles': EXPORT_TILES_FLAGS,
  'bake-lods': BAKE_LODS_FLAGS,
  texbake: TEXBAKE_FLAGS,
} as const;

/** What each command takes: the exporter's flags, and how ours print. */
export const COMMAND_FLAGS = {
  export: [...EXPORT_FLAGS, ...PRINT_OPTIONS],
  'export-tiles': [...EXPORT_TILES_FLAGS, ...PRINT_OPTIONS],
  'bake-lods': [...BAKE_LODS_FLAGS, ...PRINT_OPTIONS],
  texbake: [...TEXBAKE_FLAGS, ...PRINT_OPTIONS],
} as const;

/** The values of those flags of a command that do something. */
export type GivenFlags<C extends keyof typeof COMMAND_FLAGS> = OptionsOf<
  readonly Exclude<(typeof COMMAND_FLAGS)[C][number], { readonly how: 'info' | 'refused' }>[]
>;

/** What a flag of the exporter is in `untold cook`; null for others. */
export function exporterHint(flag: string): string | null {
  const rows: readonly ExporterFlag[] = Object.values(EXPORTER_FLAGS).flat();
  return rows.find((row) => shownFlag(row) === flag)?.instead ?? null;
}
