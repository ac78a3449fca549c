// Options that decide an output, as the user writes them: what messages name where one has changed.

import { camelCase, type GivenValues, shownFlag } from './options/option.ts';
import { JUDGE_OPTIONS, SETTING_OPTIONS } from './options/table.ts';
import { writtenValue } from './options/values.ts';
import type { AskedOptions } from './types.ts';

/** Values in a message are not longer. */
const MAX_TEXT = 80;

/** The options with values that decide an output; those without one are left out. */
export function askedOptions(options: object): AskedOptions {
  const values = options as GivenValues;
  const asked: Record<string, string> = {};
  for (const spec of [...SETTING_OPTIONS, ...JUDGE_OPTIONS]) {
    const value = values[camelCase(spec.name)];
    if (value === undefined) continue;
    const { kind } = spec;
    if (kind.type === 'flag') {
      const usual = 'on' in kind && kind.on === true;
      if (value !== usual) asked[shownFlag(spec)] = 'given';
      continue;
    }
    const text = String(writtenValue(kind, value));
    asked[shownFlag(spec)] = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
  }
  return asked;
}
