// --strict, --deny, --allow and --warn: which infos count as warnings, and which warnings as errors.

import { type Diagnostic, SourceError } from './diagnostic.ts';

export interface SeverityPolicy {
  /** Every warning counts as an error. */
  readonly strict: boolean;
  /** Warnings (and infos) of these codes count as errors, strict or not. */
  readonly deny: ReadonlySet<string>;
  /** Warnings of these codes never count; they are still reported. Errors cannot be allowed. */
  readonly allow: ReadonlySet<string>;
  /** Infos of these codes are warnings; absent: none. Errors and warnings stay what they are. */
  readonly warn?: ReadonlySet<string>;
}

export const LENIENT: SeverityPolicy = { strict: false, deny: new Set(), allow: new Set() };

/** The diagnostic with the severity that the policy gives it. */
export function applyPolicy(given: Diagnostic, policy: SeverityPolicy): Diagnostic {
  const isRaised = given.severity === 'info' && policy.warn?.has(given.code) === true;
  const item: Diagnostic = isRaised ? { ...given, severity: 'warning' } : given;
  if (item.severity === 'error' || policy.allow.has(item.code)) return item;
  const counts = policy.deny.has(item.code) || (policy.strict && item.severity === 'warning');
  return counts ? { ...item, severity: 'error' } : item;
}

/** Applies the policy to all; throws them together when one is an error. */
export function enforcePolicy(list: readonly Diagnostic[], policy: SeverityPolicy): Diagnostic[] {
  const judged = list.map((d) => applyPolicy(d, policy));
  if (judged.some((d) => d.severity === 'error')) throw new SourceError(judged);
  return judged;
}
