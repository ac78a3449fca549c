// Reads .mdl files: strictly, or with everything that is wrong with them.

import { type Diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import { Findings } from '../../findings.ts';
import { Cursor } from '../bytes/cursor.ts';
import { MODEL_MAGICS, requireIdentifier } from '../bytes/identifier.ts';
import { type Model, modelBody } from './layout.ts';
import { checkModelRules } from './validate.ts';

export interface CheckedModel {
  /** Null when the file cannot be taken apart. */
  readonly model: Model | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Takes a file apart and checks all of it; never throws for what the bytes hold. */
export function checkModel(bytes: Uint8Array, file: string): CheckedModel {
  const findings = new Findings(file);
  let model: Model;
  try {
    const format = requireIdentifier(bytes, file, MODEL_MAGICS);
    const from = new Cursor(bytes, file, format.length);
    model = { format, ...modelBody(format).read(from, '', {}) };
    if (from.left > 0) findings.report('UC3980', '', `byte ${from.at}: ${from.left} bytes follow the last field`);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { model: null, diagnostics: error.diagnostics };
  }
  checkModelRules(model, findings, bytes.length);
  return { model, diagnostics: findings.list() };
}

/** The model; vertices are views of `bytes`. Throws a SourceError with every error that the validator finds. */
export function readModel(bytes: Uint8Array, file: string): Model {
  const { model, diagnostics } = checkModel(bytes, file);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !model) throw new SourceError(errors);
  return model;
}

/** Everything that is wrong with a file. */
export function validateModel(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  return checkModel(bytes, file).diagnostics;
}
