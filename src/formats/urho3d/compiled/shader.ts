// Compiled shaders of Urho3D (.vs3, .ps3, .vs4, .ps4): read, listed and checked, never run (Urho3D, "Custom file formats").

import { type Diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import { Cursor } from '../bytes/cursor.ts';
import { requireIdentifier, SHADER_MAGIC } from '../bytes/identifier.ts';
import { blob, checked, list, record, text, u8, u16, u32, when } from '../bytes/parts.ts';

const TYPES = ['vertex', 'pixel'] as const;
const DIRECT3D_9 = 3;
const DIRECT3D_11 = 4;

/** What every shader begins with. */
const HEAD = record({
  type: checked(u16, (type, from, place) => {
    if (!TYPES[type]) from.fail('UC3970', place, `type ${type}`, from.at - 2);
  }),
  model: checked(u16, (model, from, place) => {
    if (model !== DIRECT3D_9 && model !== DIRECT3D_11) from.fail('UC3970', place, `model ${model}`, from.at - 2);
  }),
  /** Of the elements of a vertex; 0 for pixels. */
  elementHash: when(({ model }) => model === DIRECT3D_11, u32),
});

const REGISTERS = list(record({ name: text, register: u8, registers: u8 }));
const CONSTANTS = list(record({ name: text, buffer: u8, offset: u32, size: u32 }));

/** What follows the parameters. */
const TAIL = record({ units: list(record({ name: text, register: u8 })), bytecode: blob });

/** A parameter by its registers in Direct3D 9, by its place in a constant buffer in Direct3D 11. */
export type ShaderParameter =
  | { readonly name: string; readonly register: number; readonly registers: number }
  | { readonly name: string; readonly buffer: number; readonly offset: number; readonly size: number };

export interface Shader {
  readonly type: (typeof TYPES)[number];
  /** 3: Direct3D 9, 4: Direct3D 11. */
  readonly model: number;
  readonly elementHash: number | null;
  readonly parameters: readonly ShaderParameter[];
  readonly units: readonly { readonly name: string; readonly register: number }[];
  /** A view of the file. */
  readonly bytecode: Uint8Array;
}

/** Throws UC3900 to UC3902, UC3904 and UC3970. */
export function readShader(bytes: Uint8Array, file: string): Shader {
  requireIdentifier(bytes, file, [SHADER_MAGIC]);
  const from = new Cursor(bytes, file, SHADER_MAGIC.length);
  const { type, model, elementHash } = HEAD.read(from, '', {});
  const parameters = (model === DIRECT3D_9 ? REGISTERS : CONSTANTS).read(from, 'parameters', {});
  const { units, bytecode } = TAIL.read(from, '', {});
  from.requireEnd();
  return { type: TYPES[type], model, elementHash, parameters, units, bytecode };
}

/** Everything that is wrong with a file. */
export function validateShader(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  try {
    readShader(bytes, file);
    return [];
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return error.diagnostics;
  }
}
