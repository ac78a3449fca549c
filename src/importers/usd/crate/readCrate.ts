// Opens a crate (USD binary layer; OpenUSD, usd/crateFile.cpp) as a Layer. The structure is read at once, values when
// they are used. The result equals that of the text reader for equal content. Reads all versions from 0.0.1 on; the
// splines and array edits of 0.12 and later are left out with a warning.

import { type Code, type Diagnostics, diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import { type Content, memoryContent, wholeOf } from '../../content.ts';
import { type Layer, SPEC_TYPE, type Spec, type SpecType } from '../layer.ts';
import { CrateBytes } from './coding/crateBytes.ts';
import { CrateFault } from './fault.ts';
import { FieldReader } from './fields.ts';
import { CrateSource } from './source.ts';
import { type CrateStructure, readStructure } from './structure.ts';

export { isCrate } from './structure.ts';

/**
 * Crates of up to this many bytes are read at once. Scenes of many small meshes take a third less time so, because arrays
 * are then views and not copies.
 */
const AT_ONCE_BYTES = 2 ** 28;

/** The newest minor version that this reader knows. */
const NEWEST_MINOR = 14;

/**
 * The types of specs that text layers have too. Other specs are left out: relationship targets and connections (in
 * files of 0.0.1; the list ops `targetPaths` and `connectionPaths` hold the same data); expressions, mappers and mapper
 * arguments (removed from USD, no syntax in text); and all specs below a target path.
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

  ends(field: string) {
    return this.fields.ends(this.fieldSet, this.path, field);
  }

  facts(field: string) {
    return this.fields.facts(this.fieldSet, this.path, field);
  }
}

/** The error for a fault in the structure of a crate. */
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
      // A spec without fields can be dropped without a report: the list op of its owner has its path too.
      if (fields.shape(specFieldSets[i], path).size > 0) {
        const message = `specs of the obsolete type ${type} are left out; this is the first`;
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
 * Opens the crate in `content`; for a crate in a package, pass that part of it. `identifier` names it in messages.
 * Tokens, paths and field sets are decoded at once. Values stay in `content` until they are used; arrays of a crate in
 * memory are views of it. Warnings about fields that are left out are reported at once, those about parts of values when the values
 * are read.
 *
 * `storedBytes`: the size of the file on disk, which limits the bytes that a field may unpack to. `atOnce`: up to how many
 * bytes a crate on disk is read at once.
 *
 * Throws SourceError: UC1400 not a crate or cut off, UC1401 unknown version, UC1403 missing section, UC1404 broken
 * structure, UC1406 too large. Warns: UC1402 newer version, UC1407 to UC1409 fields that are not read, UC1410 to UC1413
 * specs and fields that are left out.
 */
export function readCrate(
  content: Content,
  identifier: string,
  diagnostics: Diagnostics,
  storedBytes = content.size,
  atOnce = AT_ONCE_BYTES,
): Layer {
  const isRead = content.whole === null && content.size <= atOnce;
  const bytes = new CrateBytes(isRead ? memoryContent(wholeOf(content, identifier)) : content);
  try {
    const structure = readStructure(bytes);
    const { major, minor, patch } = structure.version;
    const version = `${major}.${minor}.${patch}`;
    if (minor > NEWEST_MINOR) {
      diagnostics.report(
        'UC1402',
        identifier,
        '',
        `the crate has version ${version}; versions up to 0.${NEWEST_MINOR} are known`,
      );
    }
    const fields = new FieldReader(new CrateSource(bytes, structure, storedBytes), identifier, diagnostics);
    const specs = collectSpecs(structure, fields, identifier, diagnostics);
    if (specs.get('/')?.type !== SPEC_TYPE.pseudoRoot) throw new CrateFault('SPECS: the layer itself has no spec');
    fields.report();
    return { identifier, format: 'usdc', version, specs };
  } catch (error) {
    if (error instanceof CrateFault) throw layerError(identifier, error);
    throw error;
  }
}
