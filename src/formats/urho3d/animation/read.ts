// Reads .ani files: strictly, or with everything that is wrong with them.

import { type Diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import { Findings } from '../../findings.ts';
import { Cursor } from '../bytes/cursor.ts';
import { ANIMATION_MAGIC, requireIdentifier } from '../bytes/identifier.ts';
import { ANIMATION_BODY, type Animation } from './layout.ts';
import { checkAnimationRules } from './validate.ts';

export interface CheckedAnimation {
  /** Null when the file cannot be taken apart. */
  readonly animation: Animation | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Takes a file apart and checks all of it; never throws for what the bytes hold. */
export function checkAnimation(bytes: Uint8Array, file: string): CheckedAnimation {
  const findings = new Findings(file);
  let animation: Animation;
  try {
    requireIdentifier(bytes, file, [ANIMATION_MAGIC]);
    const from = new Cursor(bytes, file, ANIMATION_MAGIC.length);
    animation = ANIMATION_BODY.read(from, '', {});
    from.requireEnd();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { animation: null, diagnostics: error.diagnostics };
  }
  checkAnimationRules(animation, findings);
  return { animation, diagnostics: findings.list() };
}

/** Throws a SourceError with every error that the validator finds. */
export function readAnimation(bytes: Uint8Array, file: string): Animation {
  const { animation, diagnostics } = checkAnimation(bytes, file);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !animation) throw new SourceError(errors);
  return animation;
}

/** Everything that is wrong with a file. */
export function validateAnimation(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  return checkAnimation(bytes, file).diagnostics;
}
