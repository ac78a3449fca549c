// Every rule for a BPX file, one code each: the container in either layout, then what it holds.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { Findings } from '../findings.ts';
import { type BpxContainer, openBpx } from './container/open.ts';
import { readCratePackage } from './kinds/cratePackage.ts';
import { readModel } from './kinds/model.ts';
import { readPackage } from './kinds/package.ts';
import { readShaders } from './kinds/shader.ts';
import { readTexture } from './kinds/texture.ts';
import type { BpxContent } from './types.ts';

export interface CheckedBpx {
  /** Null when header or table of sections cannot be read. */
  readonly container: BpxContainer | null;
  /** Null when sections that are needed are missing or damaged. */
  readonly content: BpxContent | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Opens a file and checks all of it; `file` is the name for messages, `limit` as openBpx has it. Throws UC1101 and UC1102 alone. */
export async function checkBpx(bytes: Uint8Array, file: string, limit?: number): Promise<CheckedBpx> {
  const findings = new Findings(file);
  const container = await openBpx(bytes, findings, limit);
  const content = container && contentOf(container, findings);
  return { container, content, diagnostics: findings.list() };
}

function contentOf(container: BpxContainer, findings: Findings): BpxContent | null {
  if (container.layout === 'crate') return readCratePackage(container, findings);
  switch (container.kind) {
    case 'texture':
      return readTexture(container, findings);
    case 'model':
      return readModel(container, findings);
    case 'shader':
      return readShaders(container, findings);
    case 'package':
      return readPackage(container, findings);
  }
}

/** All findings of a file: errors and warnings, in the order of the checks. Throws UC1101 and UC1102 alone. */
export async function validateBpx(bytes: Uint8Array, file: string): Promise<readonly Diagnostic[]> {
  return (await checkBpx(bytes, file)).diagnostics;
}
