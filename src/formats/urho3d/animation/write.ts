// Writes .ani files in the order of the layout. Equal animations give equal bytes.

import { Findings } from '../../findings.ts';
import { ANIMATION_MAGIC } from '../bytes/identifier.ts';
import { Sink } from '../bytes/sink.ts';
import { ANIMATION_BODY, type Animation } from './layout.ts';
import { checkAnimationRules } from './validate.ts';

/** Throws an Error, which is a bug of the caller, for content that no valid file can hold. */
export function writeAnimation(animation: Animation): Uint8Array {
  const findings = new Findings('');
  checkAnimationRules(animation, findings);
  const [error] = findings.list().filter(({ severity }) => severity === 'error');
  if (error) throw new Error(`an animation that is not valid: ${error.code} ${error.path}: ${error.message}`);
  const to = new Sink();
  to.bytes(new TextEncoder().encode(ANIMATION_MAGIC));
  ANIMATION_BODY.write(to, animation, {});
  return to.finish();
}
