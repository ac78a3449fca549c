// Metadata in parentheses, of layers, prims, variants, attributes and relationships. Registered fields are read by
// their types; composition arcs have their own syntax; all other fields become unregistered values.

import type { ListOp, Reference, Value, ValueTypeName } from '../../layer.ts';
import { CH, type UsdaCursor } from '../cursor.ts';
import type { LayerBuilder } from '../layerBuilder.ts';
import { isVariantName } from '../paths.ts';
import type { TextSpec } from '../textSpec.ts';
import { checkKey, readDictionary, readStatements } from '../values/dictionaries.ts';
import { readString } from '../values/literals.ts';
import { readUntypedValue } from '../values/untypedValues.ts';
import { makeValue, readValue } from '../values/values.ts';
import { findValueType } from '../values/valueTypes.ts';
import {
  readNames,
  readPrimPaths,
  readReferences,
  readRelocates,
  readStringPairs,
  readSubLayers,
  readVariantSelections,
} from './arcs.ts';
import { acceptListOpKeyword, type ListOpKind, setListOpItems } from './listOps.ts';
import { type FieldType, isStructuralField, type MetadataOwner, metadataType } from './metadataFields.ts';
import { declareVariantSet } from './variants.ts';

const text = (item: string): string => item;

/** Sets one list of a list op field. */
export function setListOp<T>(
  cursor: UsdaCursor,
  spec: TextSpec,
  field: string,
  type: ValueTypeName,
  kind: ListOpKind,
  items: readonly T[],
  key: (item: T, index: number) => string,
): void {
  const old = spec.get(field)?.value as ListOp<T> | undefined;
  spec.set(field, makeValue(type, setListOpItems(cursor, old, kind, items, key)));
}

const LIST_OPS: Partial<Record<FieldType, { item: string; type: ValueTypeName }>> = {
  tokenListOp: { item: 'token', type: 'TokenListOp' },
  stringListOp: { item: 'string', type: 'StringListOp' },
  int64ListOp: { item: 'int64', type: 'Int64ListOp' },
};

/** Reads the items of a registered list op field: `None`, one item, or a list in brackets. */
function readListOpItems(cursor: UsdaCursor, item: string): unknown[] {
  if (cursor.acceptWord('None')) return [];
  const type = findValueType(item);
  if (!type) cursor.expected(item);
  if (cursor.byte !== CH.openBracket) return [readValue(cursor, type, false, item).value];
  return Array.from(readValue(cursor, type, true, `${item}[]`).value as Iterable<unknown>);
}

function readRegistered(cursor: UsdaCursor, spec: TextSpec, name: string, field: FieldType, kind: ListOpKind): void {
  const list = LIST_OPS[field];
  if (list) {
    setListOp(cursor, spec, name, list.type, kind, readListOpItems(cursor, list.item), String);
    return;
  }
  if (kind !== 'explicit') cursor.fail('UC1501', `'${name}' is not a list: list edits such as add do not apply`);
  if (field === 'dictionary') {
    if (cursor.byte !== CH.openBrace) cursor.expected(`a dictionary for '${name}'`);
    spec.set(name, makeValue('Dictionary', readDictionary(cursor)));
    return;
  }
  const array = field.endsWith('[]');
  const type = findValueType(array ? field.slice(0, -2) : field);
  if (!type) cursor.expected(field);
  const start = cursor.pos;
  const value = readValue(cursor, type, array, field);
  if (name === 'framesPerSecond' && !((value.value as number) > 0)) {
    cursor.fail('UC1503', 'framesPerSecond must be greater than 0', start);
  }
  spec.set(name, value);
}

/**
 * Keeps a field that no schema registers as OpenUSD does: a dictionary as a dictionary, any other value as its text.
 */
function readUnregistered(cursor: UsdaCursor, spec: TextSpec, name: string, kind: ListOpKind): void {
  if (cursor.byte === CH.openBrace) {
    spec.set(name, makeValue('UnregisteredValue', makeValue('Dictionary', readDictionary(cursor))));
    return;
  }
  const none = cursor.acceptWord('None');
  const written = none ? 'None' : readUntypedValue(cursor);
  const asText = (value: string): Value => makeValue('UnregisteredValue', makeValue('String', value));
  if (kind === 'explicit') {
    spec.set(name, asText(written));
    return;
  }
  const old = spec.get(name)?.value as Value | undefined;
  // If the field has a plain value already, list edits of it are ignored, as in OpenUSD.
  if (old && old.type !== 'UnregisteredValueListOp') return;
  const inner = written.startsWith('[') ? written.slice(1, -1) : written;
  const items = none ? [] : [asText(inner)];
  const op = setListOpItems<Value>(cursor, old?.value as ListOp<Value> | undefined, kind, items, () => inner);
  spec.set(name, makeValue('UnregisteredValue', makeValue('UnregisteredValueListOp', op)));
}

/** The key of a reference for `setListOpItems`. Items with custom data are never equal. */
const referenceKey = (item: Reference, index: number): string =>
  `${item.assetPath}\0${item.primPath}\0${item.offset}\0${item.scale}\0${item.customData.size > 0 ? index : ''}`;

/** Reads a field that has its own syntax. False if `name` is not such a field. */
function readSpecial(
  builder: LayerBuilder,
  spec: TextSpec,
  owner: MetadataOwner,
  name: string,
  kind: ListOpKind,
): boolean {
  const { cursor } = builder;
  const plain = (): void => {
    if (kind !== 'explicit') cursor.fail('UC1501', `'${name}' is not a list: list edits such as add do not apply`);
  };
  if (owner === 'layer') {
    if (name === 'subLayers') {
      plain();
      const { paths, offsets } = readSubLayers(cursor);
      spec.set('subLayers', makeValue('StringVector', paths));
      spec.set('subLayerOffsets', makeValue('LayerOffsetVector', offsets));
      return true;
    }
    if (name !== 'relocates') return false;
    plain();
    spec.set('layerRelocates', makeValue('Relocates', readRelocates(cursor, '/')));
    return true;
  }
  if (name === 'permission') {
    plain();
    const start = cursor.pos;
    const word = cursor.word();
    if (word !== 'public' && word !== 'private') cursor.fail('UC1503', 'permission is public or private', start);
    spec.set(name, makeValue('Permission', word));
    return true;
  }
  if (name === 'symmetryFunction') {
    plain();
    // The value is optional; without it, the field is not set.
    const word = cursor.word();
    if (word !== '') spec.set(name, makeValue('Token', word));
    return true;
  }
  if (owner === 'attribute' && name === 'displayUnit') {
    plain();
    const word = cursor.word();
    if (word === '') cursor.expected('the name of a unit');
    spec.set(name, makeValue('Token', word));
    return true;
  }
  if (owner !== 'prim') return false;
  switch (name) {
    case 'references':
      setListOp(cursor, spec, name, 'ReferenceListOp', kind, readReferences(cursor, false), referenceKey);
      return true;
    case 'payload':
      setListOp(cursor, spec, name, 'PayloadListOp', kind, readReferences(cursor, true), referenceKey);
      return true;
    case 'inherits':
      setListOp(cursor, spec, 'inheritPaths', 'PathListOp', kind, readPrimPaths(cursor, spec.path), text);
      return true;
    case 'specializes':
      setListOp(cursor, spec, name, 'PathListOp', kind, readPrimPaths(cursor, spec.path), text);
      return true;
    case 'variantSets': {
      const names = readNames(cursor, isVariantName);
      setListOp(cursor, spec, 'variantSetNames', 'StringListOp', kind, names, text);
      if (kind === 'added' || kind === 'explicit') for (const set of names) declareVariantSet(builder, spec, set);
      return true;
    }
    case 'variants': {
      plain();
      // Selections of several statements are combined.
      const old = spec.get('variantSelection')?.value as ReadonlyMap<string, string> | undefined;
      const selections = new Map([...(old ?? []), ...readVariantSelections(cursor)]);
      spec.set('variantSelection', makeValue('VariantSelectionMap', selections));
      return true;
    }
    case 'relocates':
      plain();
      spec.set(name, makeValue('Relocates', readRelocates(cursor, spec.path)));
      return true;
    case 'prefixSubstitutions':
    case 'suffixSubstitutions':
      plain();
      spec.set(name, makeValue('Dictionary', readStringPairs(cursor)));
      return true;
    default:
      return false;
  }
}

/**
 * Reads `( … )` at the cursor into fields of the spec: `"text"` is its comment, `doc = "text"` its documentation, and
 * any other field is `[list op] name = value`.
 */
export function readMetadata(builder: LayerBuilder, spec: TextSpec, owner: MetadataOwner): void {
  const { cursor } = builder;
  cursor.expect(CH.open);
  readStatements(cursor, CH.close, () => {
    if (cursor.atString) {
      spec.set('comment', makeValue('String', readString(cursor)));
      return;
    }
    const kind = acceptListOpKeyword(cursor) ?? 'explicit';
    const start = cursor.pos;
    if (!cursor.atWord) cursor.expected("metadata or ')'");
    const written = cursor.typeIdentifier('the name of a metadata field');
    const name = written === 'doc' ? 'documentation' : written;
    checkKey(cursor, name);
    cursor.skipInline();
    cursor.expect(CH.equals);
    cursor.skipInline();
    if (readSpecial(builder, spec, owner, name, kind)) return;
    const field = metadataType(owner, name);
    if (field) readRegistered(cursor, spec, name, field, kind);
    else if (isStructuralField(owner, name)) {
      cursor.fail('UC1501', `'${name}' cannot be set as metadata: it has its own statement`, start);
    } else readUnregistered(cursor, spec, name, kind);
  });
}
