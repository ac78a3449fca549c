// The four bytes that Urho3D's binary files begin with.

import { fail } from '../../../diagnostics/diagnostic.ts';

export const MODEL_MAGICS = ['UMDL', 'UMD2'] as const;
export const ANIMATION_MAGIC = 'UANI';
export const PACKAGE_MAGICS = ['UPAK', 'ULZ4'] as const;
export const SHADER_MAGIC = 'USHD';
export const SCRIPT_MAGIC = 'ASBC';

/** rbfx, which came out of Urho3D, has newer files of these kinds; nothing of them is read here. */
export const SUCCESSORS: Readonly<Record<string, string>> = {
  UMD3: 'model',
  UAN2: 'animation',
  RPAK: 'package',
  RLZ4: 'compressed package',
};

/** The identifiers of rbfx for files of a kind. */
export const successorsOf = (what: string): readonly string[] =>
  Object.keys(SUCCESSORS).filter((identifier) => SUCCESSORS[identifier].endsWith(what));

/** Four bytes as text; shorter where the file ends. */
export function identifierAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** The identifier at `at`, which is one of `wanted`. Throws UC3900, and UC3901 for files of rbfx. */
export function requireIdentifier<const T extends string>(
  bytes: Uint8Array,
  file: string,
  wanted: readonly T[],
  at = 0,
): T {
  const found = identifierAt(bytes, at);
  const identifier = wanted.find((known) => known === found);
  if (identifier !== undefined) return identifier;
  if (Object.hasOwn(SUCCESSORS, found)) {
    const kind = SUCCESSORS[found];
    fail('UC3901', file, '', `byte ${at}: ${found}, ${kind.startsWith('a') ? 'an' : 'a'} ${kind} of rbfx`);
  }
  const what = bytes.length === 0 ? 'the file is empty' : `other bytes than ${wanted.join(' or ')}`;
  return fail('UC3900', file, '', `byte ${at}: ${what}`);
}
