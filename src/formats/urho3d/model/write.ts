// Writes .mdl files in the order of the layout. Equal models give equal bytes.

import { Findings } from '../../findings.ts';
import { Sink } from '../bytes/sink.ts';
import { type Model, modelBody } from './layout.ts';
import { checkModelRules } from './validate.ts';

/** Vertices up to this number have indices of 16 bits. */
const MAX_SHORT_VERTICES = 65535;

/** Indices as wide as the vertices need. */
export function narrowIndices(indices: Uint32Array, vertexCount: number): Uint16Array | Uint32Array {
  return vertexCount <= MAX_SHORT_VERTICES ? Uint16Array.from(indices) : indices;
}

/** Throws an Error, which is a bug of the caller, for content that no valid file can hold. */
export function writeModel(model: Model): Uint8Array {
  const to = new Sink();
  to.bytes(new TextEncoder().encode(model.format));
  modelBody(model.format).write(to, model, {});
  const findings = new Findings('');
  checkModelRules(model, findings, to.size);
  const [error] = findings.list().filter(({ severity }) => severity === 'error');
  if (error) throw new Error(`a model that is not valid: ${error.code} ${error.path}: ${error.message}`);
  return to.finish();
}
