// Compiled scripts of Urho3D (.asc): an identifier, then what AngelScript saved. They are recognised and never run.

import { type Diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import { Cursor } from '../bytes/cursor.ts';
import { requireIdentifier, SCRIPT_MAGIC } from '../bytes/identifier.ts';

/** The bytecode, a view of the file. Throws UC3900 and UC3901, and UC3902 if there is none. */
export function readScript(bytes: Uint8Array, file: string): Uint8Array {
  requireIdentifier(bytes, file, [SCRIPT_MAGIC]);
  const from = new Cursor(bytes, file, SCRIPT_MAGIC.length);
  return from.bytes(Math.max(1, from.left), 'bytecode');
}

/** Everything that is wrong with a file. */
export function validateScript(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  try {
    readScript(bytes, file);
    return [];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.diagnostics;
  }
}
