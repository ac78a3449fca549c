// Which of Urho3D's files bytes are, by their content, and what is wrong with them.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { KIND_IDS, kind, type Urho3dType } from '../kinds.ts';
import { kindOfBytes } from '../recognise.ts';
import { validateAnimation } from './animation/read.ts';
import { identifierAt, requireIdentifier, SUCCESSORS } from './bytes/identifier.ts';
import { validateScript } from './compiled/script.ts';
import { validateShader } from './compiled/shader.ts';
import { validateModel } from './model/read.ts';
import { packageStart } from './package/open.ts';
import { validatePackage } from './package/read.ts';
import { validateMaterial } from './xml/material.ts';
import { validateScene } from './xml/scene.ts';

const VALIDATORS: Readonly<Record<Urho3dType, (bytes: Uint8Array, file: string) => readonly Diagnostic[]>> = {
  model: validateModel,
  animation: validateAnimation,
  package: validatePackage,
  shader: validateShader,
  script: validateScript,
  material: validateMaterial,
  scene: validateScene,
};

/** The types of binary files by their identifiers. */
const TYPE_OF: Readonly<Record<string, Urho3dType>> = Object.fromEntries(
  KIND_IDS.map(kind)
    .flatMap(({ urho3d, begins = [] }) => begins.flatMap((begin) => (urho3d ? [[begin, urho3d] as const] : [])))
    .filter(([identifier]) => !Object.hasOwn(SUCCESSORS, identifier)),
);

/** A name with which the end of a file is searched for a package, too. */
const ANY_NAME = 'x.pak';

/** The kind of a file by its content. Null for none of them, and for the newer files of rbfx. */
export function recogniseUrho3d(bytes: Uint8Array): Urho3dType | null {
  if (Object.hasOwn(SUCCESSORS, identifierAt(bytes, packageStart(bytes)))) return null;
  const id = kindOfBytes(bytes, ANY_NAME);
  return id === null ? null : (kind(id).urho3d ?? null);
}

/** The kind of a file. Throws UC3900 if it is none, and UC3901 for the newer files of rbfx. */
export function requireUrho3d(bytes: Uint8Array, file: string): Urho3dType {
  return recogniseUrho3d(bytes) ?? TYPE_OF[requireIdentifier(bytes, file, Object.keys(TYPE_OF), packageStart(bytes))];
}

/** Everything that is wrong with a file. Throws UC3900 and UC3901 for one that is of no kind. */
export function validateUrho3d(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  return VALIDATORS[requireUrho3d(bytes, file)](bytes, file);
}
