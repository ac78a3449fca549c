// Opens a crate (USD binary layer) as a Layer: structure at once, values when asked for. For the stage's composition;
// shares its contract with the text reader. All crate versions from 0.0.1 on; from 0.12 on splines and array edits are
// left out with a warning.

import { type Code, type Diagnostics, diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import { type Layer, SPEC_TYPE, type Spec, type SpecType } from '../layer.ts';
import { CrateFault } from './fault.ts';
import { FieldReader } from './fields.ts';
import { CrateSource } from './source.ts';
import { type CrateStructure, readStructure } from './structure.ts';

export { isCrate } from './structure.ts';

/** The newest minor version whose structure and value types are known. */
const NEWEST_MINOR = 14;

/**
 * Specs that a text layer has too. The others are left out: relationship targets and connections (in files of 0.0.1;
 * the list ops `targetPaths` and `connectionPaths` hold the same), expressions, mappers and mapper arguments (gone from
 * USD, no syntax in text), and whatever lies below a target path.
 */
const KEPT_TYPES: ReadonlySet<number> = new Set([
  SPEC_TYPE.attribute,
  SPEC_TYPE.prim,
  SPEC_TYPE.pseudoRoot,
  SPEC_TYPE.relationship,
  SPEC_TYPE.variant,
  SPEC_TYPE.variantSet,
]);
const LAST_SPEC_TYPE = SPEC_TYPE.variantSet;

class CrateSpec implements Spec {
  readonly path: string;
  readonly type: SpecType;
  private readonly fields: FieldReader;
  private readonly fieldSet: number;

  constructor(fields: FieldReader, path: string, type: SpecType, fieldSet: number) {
    this.fields = fields;
    this.path = path;
    this.type = type;
    this.fieldSet = fieldSet;
  }

  fieldNames(): readonly string[] {
    return [...this.fields.shape(this.fieldSet, this.path).keys()];
  }

  has(field: string): boolean {
    return this.fields.shape(this.fieldSet, this.path).has(field);
  }

  get(field: string) {
    return this.fields.get(this.fieldSet, this.path, field);
  }

  peek(field: string) {
    return this.fields.peek(this.fieldSet, this.path, field);
  }
}

/** Turns a fault of the structure into the error that ends the layer. */
function layerError(identifier: string, fault: CrateFault): SourceError {
  const code: Code = fault.code ?? 'UC1404';
  return new SourceError(diagnostic(code, identifier, '', fault.message));
}

function collectSpecs(
  structure: CrateStructure,
  fields: FieldReader,
  identifier: string,
  diagnostics: Diagnostics,
): Map<string, Spec> {
  const { paths, specPaths, specFieldSets, specTypes } = structure;
  const specs = new Map<string, Spec>();
  for (let i = 0; i < specPaths.length; i++) {
    const path = paths[specPaths[i]];
    const type = specTypes[i];
    if (path === '' || type === 0 || type > LAST_SPEC_TYPE) {
      const why = path === '' ? 'a spec has no path' : `a spec is of the unknown type ${type}`;
      diagnostics.once(`${identifier}:${why}`, 'UC1411', identifier, path, `${why} and is left out`);
      continue;
    }
    if (!KEPT_TYPES.has(type) || path.includes('[')) {
      // Without fields such a spec says only that it exists, which its owner's list op says too.
      if (fields.shape(specFieldSets[i], path).size > 0) {
        const message = `a spec of an obsolete kind (${type}) and its fields are left out, and others like it`;
        diagnostics.once(identifier, 'UC1412', identifier, path, message);
      }
      continue;
    }
    if (specs.has(path)) {
      diagnostics.report('UC1410', identifier, path, 'the layer has several specs at this path; the first one counts');
      continue;
    }
    specs.set(path, new CrateSpec(fields, path, type as SpecType, specFieldSets[i]));
    fields.note(specFieldSets[i], path);
  }
  return specs;
}

/**
 * Opens the crate in `bytes` (offset 0 is its first byte; inside a package, give a subarray). `identifier` names it in
 * messages. Decodes tokens, paths and field sets; values stay in `bytes`, which the layer keeps and of which arrays are
 * views. Warnings of values that are left out whole are reported at once, those inside values when they are read.
 *
 * `storedBytes`: what the crate takes on disk, which bounds what its fields may unpack to.
 *
 * Throws SourceError: UC1400 no crate or cut off, UC1401 version, UC1403 section missing, UC1404 structure broken, UC1406
 * too large. Warns: UC1402 newer version, UC1407 to UC1409 fields of kinds that are not read, UC1410 to UC1413 specs and
 * fields left out.
 */
export function readCrate(
  bytes: Uint8Array,
  identifier: string,
  diagnostics: Diagnostics,
  storedBytes = bytes.length,
): Layer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const structure = readStructure(bytes, view);
    const { major, minor, patch } = structure.version;
    const version = `${major}.${minor}.${patch}`;
    if (minor > NEWEST_MINOR) {
      diagnostics.report(
        'UC1402',
        identifier,
        '',
        `crate version ${version}, known are versions up to 0.${NEWEST_MINOR}`,
      );
    }
    const fields = new FieldReader(new CrateSource(bytes, view, structure, storedBytes), identifier, diagnostics);
    const specs = collectSpecs(structure, fields, identifier, diagnostics);
    if (specs.get('/')?.type !== SPEC_TYPE.pseudoRoot)
      throw new CrateFault('SPECS: there is no spec of the layer itself');
    fields.report();
    return { identifier, format: 'usdc', version, specs };
  } catch (error) {
    if (error instanceof CrateFault) throw layerError(identifier, error);
    throw error;
  }
}
