// Attributes and relationships in usda text: declaration, value, time samples, connections, splines, targets, metadata.
// Several statements can declare the same property; all of them set fields of one spec.

import { SPEC_TYPE, type TimeSamples, type Value } from '../../layer.ts';
import { CH, type UsdaCursor } from '../cursor.ts';
import type { LayerBuilder } from '../layerBuilder.ts';
import type { TextSpec } from '../textSpec.ts';
import { readNumber } from '../values/literals.ts';
import { readUntypedValue, skipBraces } from '../values/untypedValues.ts';
import { ANIMATION_BLOCK, makeValue, readList, readValue, VALUE_BLOCK } from '../values/values.ts';
import { findValueType, type ValueType } from '../values/valueTypes.ts';
import { readTargetPaths } from './arcs.ts';
import type { ListOpKind } from './listOps.ts';
import { readMetadata, setListOp } from './metadata.ts';

const TRUE = makeValue('Bool', true);
const FALSE = makeValue('Bool', false);
const VARYING = makeValue('Variability', 'varying');
const UNIFORM = makeValue('Variability', 'uniform');
const SPLINE = makeValue('Spline', null);

const path = (item: string): string => item;

/** The spec of a property. Its first statement makes the spec; later ones must declare the same spec type. */
function declare(builder: LayerBuilder, owner: TextSpec, name: string, type: 1 | 8, start: number): TextSpec {
  const propertyPath = `${owner.path}.${name}`;
  const known = builder.specs.get(propertyPath);
  if (known === undefined) {
    owner.addChild('properties', name);
    return builder.create(propertyPath, type);
  }
  if (known.type !== type) {
    builder.cursor.fail('UC1505', `'${name}' is declared both as an attribute and as a relationship`, start);
  }
  return known;
}

/** Time samples sorted by time. */
class Samples implements TimeSamples {
  readonly times: Float64Array;
  readonly #values: readonly Value[];

  constructor(byTime: ReadonlyMap<number, Value>) {
    this.times = Float64Array.from(byTime.keys()).sort();
    this.#values = Array.from(this.times, (time) => byTime.get(time) as Value);
  }

  at(i: number): Value {
    const value = this.#values[i];
    if (!value) throw new RangeError(`time sample ${i} of ${this.#values.length}`);
    return value;
  }
}

function readTimeSamples(cursor: UsdaCursor, read: () => Value | null): Samples {
  const byTime = new Map<number, Value>();
  cursor.expect(CH.openBrace);
  readList(cursor, CH.closeBrace, () => {
    const start = cursor.pos;
    const time = readNumber(cursor)?.value ?? cursor.expected("a time or '}'");
    if (Number.isNaN(time)) cursor.fail('UC1503', 'a time cannot be nan', start);
    cursor.skipInline();
    cursor.expect(CH.colon);
    cursor.skipInline();
    const value = cursor.acceptWord('None') ? VALUE_BLOCK : read();
    // Of samples at the same time, the last one counts; -0 and 0 are the same time.
    if (value) byTime.set(time === 0 ? 0 : time, value);
  });
  return new Samples(byTime);
}

function readAssignment(cursor: UsdaCursor, what: string): void {
  cursor.skipInline();
  cursor.expect(CH.equals, `'=' after ${what}`);
  cursor.skipInline();
}

export interface Qualifiers {
  readonly listOp: ListOpKind | null;
  readonly custom: boolean;
  readonly variability: 'uniform' | 'config' | 'varying' | null;
}

/** Reads a relationship; the cursor is after `rel`. `owner` is the prim or variant. */
export function readRelationship(builder: LayerBuilder, owner: TextSpec, qualifiers: Qualifiers): void {
  const { cursor } = builder;
  if (qualifiers.variability !== null && qualifiers.variability !== 'varying') {
    cursor.fail('UC1501', `a relationship cannot be ${qualifiers.variability}`);
  }
  cursor.skipInline();
  const start = cursor.pos;
  const name = cursor.propertyName();
  const spec = declare(builder, owner, name, SPEC_TYPE.relationship, start);
  spec.set('variability', qualifiers.variability === 'varying' ? VARYING : UNIFORM);
  if (qualifiers.custom) spec.set('custom', TRUE);

  cursor.skipInline();
  const legacyStart = cursor.pos;
  if (cursor.accept(CH.dot)) {
    cursor.skipInline();
    if (cursor.acceptWord('timeSamples')) {
      readAssignment(cursor, 'timeSamples');
      skipBraces(cursor);
    } else if (cursor.acceptWord('default')) {
      readAssignment(cursor, 'default');
      readTargetPaths(cursor, owner.path);
    } else cursor.expected("'default' or 'timeSamples'");
    cursor.warnOnce(`legacy ${spec.path}`, 'UC1523', `data of relationship '${name}' is ignored`, legacyStart);
    return;
  }
  if (cursor.byte === CH.openBracket) {
    // `rel name[<path>]` is a legacy form: data about a target that other statements add.
    readTargetPaths(cursor, owner.path);
    cursor.warnOnce(`legacy ${spec.path}`, 'UC1523', `target data of relationship '${name}' is ignored`, legacyStart);
    return;
  }
  if (cursor.accept(CH.equals)) {
    cursor.skipInline();
    const targets = readTargetPaths(cursor, owner.path);
    setListOp(cursor, spec, 'targetPaths', 'PathListOp', qualifiers.listOp ?? 'explicit', targets, path);
    cursor.skipInline();
  }
  if (cursor.byte === CH.open) readMetadata(builder, spec, 'relationship');
}

/** Reads one value of the attribute's type; skips the value and gives null if the type is unknown. */
function readAttributeValue(
  cursor: UsdaCursor,
  type: ValueType | undefined,
  array: boolean,
  typeName: string,
): Value | null {
  if (type) return readValue(cursor, type, array, typeName);
  readUntypedValue(cursor);
  return null;
}

/** Reads an attribute; the cursor is at its type. `owner` is the prim or variant. */
export function readAttribute(builder: LayerBuilder, owner: TextSpec, qualifiers: Qualifiers): void {
  const { cursor } = builder;
  const typeStart = cursor.pos;
  const scalarName = cursor.typeIdentifier('the type of an attribute');
  cursor.skipInline();
  const array = cursor.accept(CH.openBracket);
  if (array) {
    cursor.skipInline();
    cursor.expect(CH.closeBracket);
    cursor.skipInline();
  }
  const typeName = array ? `${scalarName}[]` : scalarName;
  const start = cursor.pos;
  const name = cursor.propertyName();
  const spec = declare(builder, owner, name, SPEC_TYPE.attribute, start);
  const variability = qualifiers.variability === null || qualifiers.variability === 'varying' ? VARYING : UNIFORM;
  const oldType = spec.get('typeName')?.value;
  if (oldType === undefined) {
    spec.set('custom', qualifiers.custom ? TRUE : FALSE);
    spec.set('typeName', builder.typeName(typeName));
    spec.set('variability', variability);
  } else {
    if (qualifiers.custom) spec.set('custom', TRUE);
    if (oldType !== typeName) {
      cursor.fail('UC1505', `'${name}' has the type ${oldType} and cannot become ${typeName}`, typeStart);
    }
    const old = spec.get('variability')?.value;
    if (old !== variability.value) {
      cursor.fail('UC1505', `'${name}' is ${old} and cannot become ${variability.value}`, start);
    }
  }
  const type = findValueType(scalarName);
  if (!type) cursor.warnOnce(`type ${scalarName}`, 'UC1525', `'${name}' has the unknown type ${typeName}`, typeStart);

  cursor.skipInline();
  if (cursor.accept(CH.dot)) {
    cursor.skipInline();
    if (cursor.acceptWord('connect')) {
      readAssignment(cursor, 'connect');
      const targets = readTargetPaths(cursor, owner.path);
      setListOp(cursor, spec, 'connectionPaths', 'PathListOp', qualifiers.listOp ?? 'explicit', targets, path);
      return;
    }
    if (qualifiers.listOp !== null) cursor.expected("'connect' (only connections and relationships have list edits)");
    if (cursor.acceptWord('timeSamples')) {
      readAssignment(cursor, 'timeSamples');
      const samples = readTimeSamples(cursor, () => readAttributeValue(cursor, type, array, typeName));
      if (type) spec.set('timeSamples', makeValue('TimeSamples', samples));
      return;
    }
    if (!cursor.acceptWord('spline')) cursor.expected("'connect', 'timeSamples' or 'spline'");
    readAssignment(cursor, 'spline');
    cursor.warnOnce(`spline ${spec.path}`, 'UC1522', `the spline of '${name}' is not evaluated`, start);
    skipBraces(cursor);
    spec.set('spline', SPLINE);
    return;
  }
  if (qualifiers.listOp !== null) cursor.expected("'.connect' (only connections and relationships have list edits)");
  if (cursor.accept(CH.equals)) {
    cursor.skipInline();
    const value = cursor.acceptWord('None')
      ? VALUE_BLOCK
      : cursor.acceptWord('AnimationBlock')
        ? ANIMATION_BLOCK
        : readAttributeValue(cursor, type, array, typeName);
    if (value) spec.set('default', value);
    cursor.skipInline();
  }
  if (cursor.byte === CH.open) readMetadata(builder, spec, 'attribute');
}
