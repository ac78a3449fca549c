// A fault of an image's bytes, before it is known which materials use the image. The checks return it; prepare.ts makes a
// coded error of it, or a warning if --missing-texture asks for that.

import type { Code } from '../../diagnostics/codes.ts';
import { SourceError } from '../../diagnostics/diagnostic.ts';
import { environmentFault } from '../../diagnostics/environment.ts';

export type FaultKind = 'unsupported' | 'cut' | 'damaged' | 'large';

export const FAULT_CODES: Readonly<Record<FaultKind, Code>> = {
  unsupported: 'UC2100',
  cut: 'UC2101',
  damaged: 'UC2102',
  large: 'UC2103',
};

export class ImageFault {
  readonly kind: FaultKind;
  readonly message: string;

  constructor(kind: FaultKind, message: string) {
    this.kind = kind;
    this.message = message;
  }
}

/** The fault of an image behind an exception of its decoder. Throws UC1102 if memory ran out: the image may be sound. */
export function decoderFault(format: string, error: unknown): ImageFault {
  const fault = environmentFault(error, '');
  if (fault) throw new SourceError(fault);
  const text = error instanceof Error ? error.message.split('\n')[0] : String(error);
  if (/exceeds pixel limit|too large|dimensions/i.test(text))
    return new ImageFault('large', `${format} image: ${text}`);
  const cut = /premature|truncated|end of (file|input|stream|image)|unexpected end/i.test(text);
  return new ImageFault(cut ? 'cut' : 'damaged', `${format} image: ${text}`);
}
