// Which diagnostics count as errors, from the options `strict`, `deny`, `allow` and `warn`.

import { nearest } from '../../config/nearest.ts';
import type { OptionsOf } from '../../config/options/option.ts';
import type { JUDGE_OPTIONS } from '../../config/options/table.ts';
import { CODES, type Code } from '../../diagnostics/codes.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import type { SeverityPolicy } from '../../diagnostics/policy.ts';
import { successorOf } from '../../diagnostics/retired.ts';

function isCode(text: string): text is Code {
  return Object.hasOwn(CODES, text);
}

/** A code in upper case and with UC. */
export const writtenCode = (text: string): string => text.toUpperCase().replace(/^(?=\d{4}$)/, 'UC');

/**
 * The code that a text names, in upper or lower case, with or without UC; for a retired one the code that says the same today.
 * Throws UC1010 with the nearest known code.
 */
export function knownCode(text: string, option: string): Code {
  const code = writtenCode(text);
  if (isCode(code)) return code;
  const successor = successorOf(code);
  if (successor) return successor;
  const near = nearest(code, Object.keys(CODES));
  const remedy = near === null ? undefined : `did you mean ${near}? \`untold explain\` lists all codes`;
  return fail('UC1010', '', option, `there is no code "${text}"`, remedy);
}

/** Throws UC1010, UC1012 for a code both denied and allowed, UC1003 for an error that is allowed or is to be a warning. */
export function severityPolicy(options: OptionsOf<typeof JUDGE_OPTIONS>): SeverityPolicy {
  const deny = new Set<string>((options.deny ?? []).map((text) => knownCode(text, '--deny')));
  const allow = new Set((options.allow ?? []).map((text) => knownCode(text, '--allow')));
  for (const code of allow) {
    if (deny.has(code)) fail('UC1012', '', '--allow', `${code} is also given to --deny`);
    if (CODES[code].severity === 'error') {
      fail('UC1003', '', '--allow', `${code} is an error; only warnings and notes can be allowed`);
    }
  }
  const warn = new Set((options.warn ?? []).map((text) => knownCode(text, '--warn')));
  for (const code of warn) {
    if (CODES[code].severity === 'error') fail('UC1003', '', '--warn', `${code} is an error, and stays one`);
  }
  return { strict: options.strict ?? false, deny, allow, warn };
}
