// Composition arcs and lists of names and paths in usda text: references, payloads, inherits, specializes, sublayers,
// relocates, variant selections, connections and relationship targets.

import type { LayerOffset, Reference, Value } from '../../layer.ts';
import { CH, type UsdaCursor } from '../cursor.ts';
import { absolutePath, isVariantSelection, parseScenePath, type ScenePath, stripVariants } from '../paths.ts';
import { checkKey, readDictionary, readStatements } from '../values/dictionaries.ts';
import { readAssetPath, readNumber, readPathReference, readString } from '../values/literals.ts';
import { readList } from '../values/values.ts';

const NO_DATA: ReadonlyMap<string, Value> = new Map();

/** Reads `None`, one item, or a list of items in brackets. */
function readItems<T>(cursor: UsdaCursor, read: () => T): T[] {
  if (cursor.acceptWord('None')) return [];
  if (!cursor.accept(CH.openBracket)) return [read()];
  const items: T[] = [];
  readList(cursor, CH.closeBracket, () => items.push(read()));
  return items;
}

/** Reads a `<path>` and checks its grammar; null for the empty path `<>`. */
function readPath(cursor: UsdaCursor): ScenePath | null {
  const start = cursor.pos;
  const text = readPathReference(cursor);
  if (text === '') return null;
  return parseScenePath(text) ?? cursor.fail('UC1504', `<${text}> is not a valid path`, start);
}

/** Reads a path and makes it absolute. A relative path starts at the prim `anchor`. */
function readAbsolutePath(cursor: UsdaCursor, anchor: string): { path: ScenePath; text: string; start: number } {
  const start = cursor.pos;
  const path = readPath(cursor);
  if (path === null) return cursor.fail('UC1504', 'the empty path <> is not allowed here', start);
  const text = absolutePath(path, anchor);
  return text === null
    ? cursor.fail('UC1504', `the path, which starts at ${anchor}, leads above the root`, start)
    : { path, text, start };
}

/** Reads targets of relationships and connections: paths of prims and properties. Relative ones start at `anchor`. */
export function readTargetPaths(cursor: UsdaCursor, anchor: string): string[] {
  return readItems(cursor, () => {
    const { path, text, start } = readAbsolutePath(cursor, anchor);
    if (text === '/') return cursor.fail('UC1504', 'the root </> cannot be a target', start);
    if (!path.hasVariant) return text;
    cursor.warnOnce('variant in target', 'UC1524', `the variant selection in <${text}> is ignored`, start);
    return stripVariants(text);
  });
}

/** Reads targets of inherits and specializes: prim paths. Relative ones start at `anchor`. */
export function readPrimPaths(cursor: UsdaCursor, anchor: string): string[] {
  return readItems(cursor, () => {
    const { path, text, start } = readAbsolutePath(cursor, anchor);
    if (path.property !== '' || text === '/')
      return cursor.fail('UC1504', `<${text}> is not the path of a prim`, start);
    return text;
  });
}

interface Parameters {
  offset: number;
  scale: number;
  customData: ReadonlyMap<string, Value>;
}

/** Reads `(offset = n; scale = n; customData = { … })`. Each part, and the whole, is optional. */
function readParameters(cursor: UsdaCursor, allowsData: boolean): Parameters {
  const out: Parameters = { offset: 0, scale: 1, customData: NO_DATA };
  if (!cursor.accept(CH.open)) return out;
  const what = allowsData ? 'offset, scale or customData' : 'offset or scale';
  readStatements(cursor, CH.close, () => {
    const start = cursor.pos;
    const name = cursor.word();
    if (name !== 'offset' && name !== 'scale' && !(allowsData && name === 'customData')) {
      if (name !== '') cursor.pos = start;
      cursor.expected(what);
    }
    cursor.skipInline();
    cursor.expect(CH.equals);
    cursor.skipInline();
    if (name === 'customData') out.customData = readDictionary(cursor);
    else out[name] = readNumber(cursor)?.value ?? cursor.expected('a number');
  });
  return out;
}

/**
 * Reads references (`payload` false) or payloads: `@asset@<prim> (parameters)`, `@asset@`, or `<prim>` for a prim of
 * the same layer stack. An empty prim path means the default prim.
 */
export function readReferences(cursor: UsdaCursor, payload: boolean): Reference[] {
  return readItems(cursor, () => {
    const start = cursor.pos;
    let assetPath = '';
    let primPath = '';
    if (cursor.byte === CH.at) {
      assetPath = readAssetPath(cursor);
      if (assetPath === '') cursor.fail('UC1504', 'the empty asset path @@ cannot be referenced', start);
      cursor.skipInline();
    } else if (cursor.byte !== CH.less) cursor.expected('an @asset@ or a <path>');
    const pathStart = cursor.pos;
    if (cursor.byte === CH.less) {
      const path = readPath(cursor);
      if (path !== null) {
        if (!path.absolute || path.property !== '' || path.prims === '') {
          cursor.fail('UC1504', 'the target of a reference or payload must be the absolute path of a prim', pathStart);
        }
        primPath = `/${path.prims}`;
      }
      cursor.skipInline();
    }
    return { assetPath, primPath, ...readParameters(cursor, !payload) };
  });
}

/** Reads `[ @a.usd@ (offset = n; scale = n), … ]`. */
export function readSubLayers(cursor: UsdaCursor): { paths: string[]; offsets: LayerOffset[] } {
  const paths: string[] = [];
  const offsets: LayerOffset[] = [];
  cursor.expect(CH.openBracket);
  readList(cursor, CH.closeBracket, () => {
    const start = cursor.pos;
    const path = readAssetPath(cursor);
    if (path === '') cursor.fail('UC1504', 'the empty asset path @@ cannot be a sublayer', start);
    cursor.skipInline();
    const { offset, scale } = readParameters(cursor, false);
    paths.push(path);
    offsets.push({ offset, scale });
  });
  return { paths, offsets };
}

/** Reads `{ <from>: <to>, … }`. Relative paths start at `anchor`. An empty target deletes the prim. */
export function readRelocates(cursor: UsdaCursor, anchor: string): [string, string][] {
  const out: [string, string][] = [];
  cursor.expect(CH.openBrace);
  readList(cursor, CH.closeBrace, () => {
    const { text: source } = readAbsolutePath(cursor, anchor);
    cursor.skipInline();
    cursor.expect(CH.colon);
    cursor.skipInline();
    const start = cursor.pos;
    const path = readPath(cursor);
    const target = path === null ? '' : absolutePath(path, anchor);
    if (target === null || target === '/' || source === '/') {
      return cursor.fail('UC1504', 'the root cannot be relocated', start);
    }
    out.push([source, target]);
    return undefined;
  });
  return out;
}

/** Reads a string or a list of strings in brackets. `isValid` checks each string. */
export function readNames(cursor: UsdaCursor, isValid: (name: string) => boolean): string[] {
  return readItems(cursor, () => {
    const start = cursor.pos;
    const name = readString(cursor, 'a name in quotes');
    return isValid(name) ? name : cursor.fail('UC1504', `'${name}' is not a valid name`, start);
  });
}

/** Reads `{ string set = "variant" … }`. */
export function readVariantSelections(cursor: UsdaCursor): Map<string, string> {
  const start = cursor.pos;
  const out = new Map<string, string>();
  for (const [set, value] of readDictionary(cursor)) {
    if (value.type !== 'String' || value.array) {
      cursor.fail('UC1503', `the selection of variant set '${set}' is not a string`, start);
    }
    const name = value.value as string;
    // A selection can also be a variable expression in backquotes.
    if (!isVariantSelection(name) && !name.startsWith('`')) {
      cursor.fail('UC1504', `'${name}' is not the name of a variant`, start);
    }
    out.set(set, name);
  }
  return out;
}

/** Reads `{ "a": "b", … }` (prefixSubstitutions and suffixSubstitutions). */
export function readStringPairs(cursor: UsdaCursor): Map<string, Value> {
  const out = new Map<string, Value>();
  cursor.expect(CH.openBrace);
  readList(cursor, CH.closeBrace, () => {
    const key = readString(cursor);
    checkKey(cursor, key);
    cursor.skipInline();
    cursor.expect(CH.colon);
    cursor.skipInline();
    out.set(key, { type: 'String', array: false, value: readString(cursor) });
  });
  return out;
}
