// The list of materials of a model, NAME.txt beside NAME.mdl: the only link between them. One resource name a line, one line a
// geometry, in the order of the geometries; an empty line for a geometry without a material.

import { fail } from '../../../diagnostics/diagnostic.ts';
import { nameFault } from '../package/layout.ts';

function faultOf(name: string): string | null {
  return /[\r\n]/.test(name) ? 'has a line break' : nameFault(name);
}

/** Throws an Error, which is a bug of the caller, for names that lead outside or have no place in a line. */
export function writeMaterialList(names: readonly (string | null)[]): Uint8Array {
  for (const name of names) {
    const fault = name === null ? null : faultOf(name);
    if (fault !== null) throw new Error(`a material that cannot be listed: ${JSON.stringify(name)} ${fault}`);
  }
  return new TextEncoder().encode(names.map((name) => `${name ?? ''}\n`).join(''));
}

/** Throws UC3904 for what is not UTF-8, UC3974 for names that lead outside. */
export function readMaterialList(bytes: Uint8Array, file: string): (string | null)[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return fail('UC3904', file, '', 'the list is not UTF-8');
  }
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line, i) => {
    const name = line.trim();
    if (name === '') return null;
    const fault = nameFault(name);
    return fault === null ? name : fail('UC3974', file, `line ${i + 1}`, `the name ${JSON.stringify(name)} ${fault}`);
  });
}
