// Checks the options of a call of the library against the table. TypeScript checks them for those who use it; values that
// come from elsewhere, and numbers out of range, are refused here.

import { nearest } from '../../config/nearest.ts';
import { camelCase, type OptionsOf, type OptionTable, type OptionValue } from '../../config/options/option.ts';
import { absoluteValue, checkValue, Refusal } from '../../config/options/values.ts';
import { type Diagnostic, diagnostic, SourceError } from '../../diagnostics/diagnostic.ts';
import type { Surrounded } from './environment.ts';

/** What every call takes beside its options of the table. */
export interface CallOptions extends Surrounded {
  /**
   * Stops the call when it is aborted: the result then holds UC1098, and nothing of the work that was not complete is
   * left on the disk.
   */
  readonly signal?: AbortSignal | undefined;
}

/** Names that are not of the table: the signal, the environment, standard input, what exporters name, and callbacks. */
function isOfTheCall(name: string, value: unknown): boolean {
  return (
    name === 'signal' ||
    name === 'environment' ||
    (name === 'stdin' && value instanceof Uint8Array) ||
    (name === 'asExporter' && typeof value === 'object') ||
    (/^on[A-Z]/.test(name) && typeof value === 'function')
  );
}

/**
 * The options of a table among those of a call, with absolute paths. Throws UC1001 for each name that the table lacks and
 * UC1003 for each value that it does not allow.
 */
export function checkOptions<T extends OptionTable>(table: T, given: object, cwd: string): OptionsOf<T> {
  const known = new Map(table.map((spec) => [camelCase(spec.name), spec]));
  const values: Record<string, OptionValue> = {};
  const faults: Diagnostic[] = [];
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    if (value === undefined || isOfTheCall(name, value)) continue;
    const spec = known.get(name);
    if (!spec) {
      const near = nearest(name, [...known.keys()]);
      const remedy = near === null ? undefined : `did you mean ${near}?`;
      faults.push(diagnostic('UC1001', '', name, `there is no option "${name}"`, remedy));
      continue;
    }
    const checked = checkValue(spec.kind, value);
    if (checked instanceof Refusal) {
      const shown = typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value);
      faults.push(diagnostic('UC1003', '', name, `"${shown}" was given, but the option ${checked.message}`));
    } else values[name] = absoluteValue(spec.kind, checked, cwd);
  }
  if (faults.length > 0) throw new SourceError(faults);
  // Every value was checked against its row of the table.
  return values as OptionsOf<T>;
}
