// Which of Urho3D's files bytes are, by their content, and what is wrong with them.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { ANIMATION_MAGIC } from './animation/layout.ts';
import { validateAnimation } from './animation/read.ts';
import { identifierAt, requireIdentifier } from './bytes/identifier.ts';
import { SCRIPT_MAGIC, validateScript } from './compiled/script.ts';
import { SHADER_MAGIC, validateShader } from './compiled/shader.ts';
import { MODEL_MAGICS } from './model/layout.ts';
import { validateModel } from './model/read.ts';
import { PACKAGE_MAGICS } from './package/layout.ts';
import { packageStart } from './package/open.ts';
import { validatePackage } from './package/read.ts';

export type Urho3dKind = 'model' | 'animation' | 'package' | 'shader' | 'script';

const KINDS: Readonly<Record<string, Urho3dKind>> = {
  ...Object.fromEntries(MODEL_MAGICS.map((magic) => [magic, 'model' as const])),
  [ANIMATION_MAGIC]: 'animation',
  ...Object.fromEntries(PACKAGE_MAGICS.map((magic) => [magic, 'package' as const])),
  [SHADER_MAGIC]: 'shader',
  [SCRIPT_MAGIC]: 'script',
};

const VALIDATORS: Readonly<Record<Urho3dKind, (bytes: Uint8Array, file: string) => readonly Diagnostic[]>> = {
  model: validateModel,
  animation: validateAnimation,
  package: validatePackage,
  shader: validateShader,
  script: validateScript,
};

/** The kind of a binary file, from its identifier; a package may stand at the end of a program. Null for none of them. */
export function recogniseUrho3d(bytes: Uint8Array): Urho3dKind | null {
  const identifier = identifierAt(bytes, packageStart(bytes));
  return Object.hasOwn(KINDS, identifier) ? KINDS[identifier] : null;
}

/** The kind of a file. Throws UC3600 if it is none, and UC3601 for the newer files of rbfx. */
export function requireUrho3d(bytes: Uint8Array, file: string): Urho3dKind {
  return KINDS[requireIdentifier(bytes, file, Object.keys(KINDS), packageStart(bytes))];
}

/** Everything that is wrong with a file. Throws UC3600 and UC3601 for one that is of no kind. */
export function validateUrho3d(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  return VALIDATORS[requireUrho3d(bytes, file)](bytes, file);
}
