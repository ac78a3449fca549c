// What outputs are written as, and what that format refuses.

import { fail } from '../diagnostics/diagnostic.ts';
import { TARGET_OPTIONS } from '../formats/format.ts';
import { extensionOf } from '../formats/kinds.ts';
import { DEFAULT_FORMAT, FORMATS, type FormatId, formatOfName } from '../formats/registry.ts';
import { isPackPath } from '../formats/untoldpack/document.ts';
import { camelCase, type GivenValues, type OptionsOf } from './options/option.ts';
import type { SETTING_OPTIONS } from './options/table.ts';
import { refuseCompress, textureMode } from './settings.ts';

type Given = Pick<OptionsOf<typeof SETTING_OPTIONS>, 'target'>;

/** The extension of single files of the named format. */
export const targetExtension = ({ target = DEFAULT_FORMAT }: Given): string => FORMATS[target].extension;

/**
 * The format that is named, or else the one that the output is called like. Throws UC1012 where the two differ, and for a
 * folder of a format that has no tiles. `out` is null with `outEach`.
 */
export function outputFormat({ target }: Given, out: string | null, outEach: string | null): FormatId {
  const [flag, name] = outEach === null ? ['--out', out ?? ''] : ['--out-each', outEach];
  const named = formatOfName(name);
  const format = target ?? named ?? DEFAULT_FORMAT;
  const { extension, hasTiles } = FORMATS[format];
  if (named !== null && named !== format) {
    const ending = isPackPath(name) ? extensionOf('untoldpack') : FORMATS[named].extension;
    const message = `${format} was given, but ${flag} names a ${ending} file`;
    fail('UC1012', '', '--target', message, `leave --target out, or give a name that ends in ${extension}`);
  }
  if (named === null && !hasTiles && outEach === null) {
    const message = `${format} has no tiles, and --out names no ${extension} file`;
    fail('UC1012', '', '--target', message, `give --out FILE${extension}`);
  }
  return format;
}

/** Throws UC1012 for each kind of option that the format does not honour, and for another format. */
export function refuseForFormat(given: GivenValues, format: FormatId): void {
  const { target } = given as Given;
  if (target !== undefined && target !== format) {
    fail('UC1012', '', '--target', `${target} for some sources and ${format} for others`, 'give one target for a call');
  }
  const honoured: readonly string[] = FORMATS[format].options;
  for (const name of TARGET_OPTIONS) {
    const value = given[camelCase(name)];
    if (value === undefined || value === false || honoured.includes(name)) continue;
    fail('UC1012', '', `--${name}`, `it has no meaning with --target ${format}`, `leave --${name} out`);
  }
  refuseCompress(given, format);
  textureMode(given, format);
}
