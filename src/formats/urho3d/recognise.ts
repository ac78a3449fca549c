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
import { validateMaterial } from './xml/material.ts';
import { validateScene } from './xml/scene.ts';

export type Urho3dKind = 'model' | 'animation' | 'package' | 'shader' | 'script' | 'material' | 'scene';

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
  material: validateMaterial,
  scene: validateScene,
};

/** The first element of an XML document, behind its declaration and comments. */
const ROOT = /^\ufeff?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(material|scene)[\s/>]/;
/** So much of a text is looked at. */
const ROOT_CHARACTERS = 1024;

function xmlKind(bytes: Uint8Array): Urho3dKind | null {
  const begin = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, ROOT_CHARACTERS));
  return (ROOT.exec(begin)?.[1] as 'material' | 'scene' | undefined) ?? null;
}

/**
 * The kind of a file: binary ones by their identifier, where a package may stand at the end of a program, texts by their first
 * element. Null for none of them.
 */
export function recogniseUrho3d(bytes: Uint8Array): Urho3dKind | null {
  const identifier = identifierAt(bytes, packageStart(bytes));
  return Object.hasOwn(KINDS, identifier) ? KINDS[identifier] : xmlKind(bytes);
}

/** The kind of a file. Throws UC3900 if it is none, and UC3901 for the newer files of rbfx. */
export function requireUrho3d(bytes: Uint8Array, file: string): Urho3dKind {
  const kind = recogniseUrho3d(bytes);
  return kind ?? KINDS[requireIdentifier(bytes, file, Object.keys(KINDS), packageStart(bytes))];
}

/** Everything that is wrong with a file. Throws UC3900 and UC3901 for one that is of no kind. */
export function validateUrho3d(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  return VALIDATORS[requireUrho3d(bytes, file)](bytes, file);
}
