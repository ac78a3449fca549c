// What codes mean, from the table of diagnostics.

import { CODES, type Code, type CodeEntry, type Severity } from '../diagnostics/codes.ts';
import { knownCode } from './call/policy.ts';

export interface Explanation {
  readonly code: Code;
  readonly severity: Severity;
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
}

function explanation(code: Code): Explanation {
  const { severity, title, cause, remedy }: CodeEntry = CODES[code];
  return { code, severity, title, cause, remedy };
}

export function explainCode(code: string): Explanation {
  return explanation(knownCode(code, ''));
}

export function explainAll(): readonly Explanation[] {
  return (Object.keys(CODES) as Code[]).sort().map(explanation);
}
