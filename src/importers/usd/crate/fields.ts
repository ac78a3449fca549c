// The fields of the specs of a crate: finds fields by name in runs of field indexes, which specs share, and decodes
// values when they are used.

import { type Code, type Diagnostics, diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import { describeType, isArray, readability, typeNumber, VALUE_TYPES } from '../../../formats/usdc/valueRep.ts';
import type { ArrayEnds, IntegerFacts, ListOp, Reference, Value, ValueTypeName } from '../layer.ts';
import { CrateFault, UnreadableValue } from './fault.ts';
import type { CrateSource } from './source.ts';
import { END_OF_RUN } from './structure.ts';
import { openArray, readPackedEnds, readPackedFacts } from './values/arrays.ts';
import { readTimeSamples, type TimesCache } from './values/timeSamples.ts';
import { ValueCache } from './values/valueCache.ts';
import { readValue } from './values/values.ts';

/** The index of each field in a run by the name of the field, in stored order. The runs of a file have few shapes. */
export type Shape = ReadonlyMap<string, number>;

/** The type name that OpenUSD stores for prims without a type. */
const ANY_TYPE = '__AnyType__';

/** The mark of a field that is left out. */
const NO_FIELD = 0xffffffff;

/** How a field is read. The constructor of FieldReader determines it for all fields. */
const STATE = { plain: 0, hidden: 1, unknownType: 2, arrayEdit: 3, notEvaluated: 4 } as const;

const NOTES = [
  { state: STATE.unknownType, code: 'UC1407', what: 'has a value of an unknown type and is left out' },
  { state: STATE.arrayEdit, code: 'UC1409', what: 'has an array edit and is left out' },
  { state: STATE.notEvaluated, code: 'UC1408', what: 'has an animation that is not evaluated' },
] as const;

/**
 * Converts a single payload, as crates before 0.8 store it, to the list op of later versions: an explicit list of that
 * payload, or an empty one if its asset path is empty.
 */
function payloadListOp(value: Value): Value {
  const payload = value.value as Reference;
  const explicit = payload.assetPath === '' ? [] : [payload];
  const listOp: ListOp<Reference> = {
    isExplicit: true,
    explicit,
    added: [],
    prepended: [],
    appended: [],
    deleted: [],
    ordered: [],
  };
  return { type: 'PayloadListOp', array: false, value: listOp };
}

const isLonePayload = (field: string, type: ValueTypeName): boolean => field === 'payload' && type === 'Payload';

export class FieldReader {
  readonly #source: CrateSource;
  readonly #identifier: string;
  readonly #diagnostics: Diagnostics;
  readonly #states: Uint8Array;
  readonly #hasNotes: boolean;
  readonly #noted = new Map<string, { code: Code; path: string; message: string; more: number }>();
  readonly #shapes: { readonly marks: Uint32Array; readonly shape: Shape }[] = [];
  readonly #byHash = new Map<number, number[]>();
  /** By the start of a run: 1 + the index of its shape; 0 if the shape is not computed yet. */
  readonly #shapeOf: Uint32Array;
  readonly #values: ValueCache;
  readonly #times: TimesCache = new Map();

  constructor(source: CrateSource, identifier: string, diagnostics: Diagnostics) {
    this.#source = source;
    this.#identifier = identifier;
    this.#diagnostics = diagnostics;
    const { fieldNames, fieldReps, fieldSets, tokens } = source.structure;
    this.#shapeOf = new Uint32Array(fieldSets.length);
    this.#values = new ValueCache(source.bytes.buffer);
    this.#states = new Uint8Array(fieldNames.length);
    let hasNotes = false;
    for (let i = 0; i < fieldNames.length; i++) {
      const high = fieldReps[2 * i + 1];
      const readable = readability(high);
      const type = VALUE_TYPES[typeNumber(high)];
      let state: number = STATE.plain;
      if (readable !== 'readable') state = STATE[readable];
      else if (type === 'Spline' || type === 'AnimationBlock') state = STATE.notEvaluated;
      else if (type === 'Token' && tokens[fieldReps[2 * i]] === ANY_TYPE && tokens[fieldNames[i]] === 'typeName') {
        state = STATE.hidden;
      }
      this.#states[i] = state;
      hasNotes ||= state > STATE.hidden;
    }
    this.#hasNotes = hasNotes;
  }

  /** The fields of the run at `fieldSet`, without those that cannot be read. */
  shape(fieldSet: number, path: string): Shape {
    const known = this.#shapeOf[fieldSet];
    if (known > 0) return this.#shapes[known - 1].shape;
    const { fieldSets } = this.#source.structure;
    let end = fieldSet;
    let hash = 0;
    for (; fieldSets[end] !== END_OF_RUN; end++) hash = (Math.imul(hash, 31) + this.#mark(fieldSets[end])) | 0;
    const candidates = this.#byHash.get(hash) ?? [];
    let number = candidates.find((candidate) => this.#isOfShape(fieldSet, end, this.#shapes[candidate].marks));
    if (number === undefined) {
      number = this.#shapes.length;
      this.#shapes.push(this.#makeShape(fieldSet, end, path));
      candidates.push(number);
      this.#byHash.set(hash, candidates);
    }
    this.#shapeOf[fieldSet] = number + 1;
    return this.#shapes[number].shape;
  }

  /** The token of a field's name, or NO_FIELD if the field is left out. Runs with equal marks have the same shape. */
  #mark(field: number): number {
    const state = this.#states[field];
    const isOut = state === STATE.hidden || state === STATE.unknownType || state === STATE.arrayEdit;
    return isOut ? NO_FIELD : this.#source.structure.fieldNames[field];
  }

  #isOfShape(fieldSet: number, end: number, marks: Uint32Array): boolean {
    if (marks.length !== end - fieldSet) return false;
    const { fieldSets } = this.#source.structure;
    for (let i = 0; i < marks.length; i++) if (this.#mark(fieldSets[fieldSet + i]) !== marks[i]) return false;
    return true;
  }

  /** Makes the shape of a run. Reports repeated fields, at the path of the first spec with this shape. */
  #makeShape(fieldSet: number, end: number, path: string): { marks: Uint32Array; shape: Shape } {
    const { fieldSets, tokens } = this.#source.structure;
    const marks = fieldSets.slice(fieldSet, end).map((field) => this.#mark(field));
    const shape = new Map<string, number>();
    for (let i = 0; i < marks.length; i++) {
      if (marks[i] === NO_FIELD) continue;
      const name = tokens[marks[i]];
      if (shape.has(name)) {
        this.#diagnostics.report(
          'UC1413',
          this.#identifier,
          `${path} ${name}`,
          'the spec has this field several times; the first one counts',
        );
      } else shape.set(name, i);
    }
    return { marks, shape };
  }

  /** The index of a field by its name; -1 if the run does not have it. */
  #find(fieldSet: number, path: string, field: string): number {
    const at = this.shape(fieldSet, path).get(field);
    return at === undefined ? -1 : this.#source.structure.fieldSets[fieldSet + at];
  }

  /** Counts the fields of a spec that are left out or not evaluated, for `report`. */
  note(fieldSet: number, path: string): void {
    if (!this.#hasNotes) return;
    const { fieldSets, fieldNames, fieldReps, tokens } = this.#source.structure;
    for (let i = fieldSet; fieldSets[i] !== END_OF_RUN; i++) {
      const field = fieldSets[i];
      const kind = NOTES.find((n) => n.state === this.#states[field]);
      if (!kind) continue;
      const message = `${tokens[fieldNames[field]]} ${kind.what} (${describeType(fieldReps[2 * field + 1])})`;
      const noted = this.#noted.get(message);
      if (noted) noted.more++;
      else this.#noted.set(message, { code: kind.code, path, message, more: 0 });
    }
  }

  /** Reports the fields that `note` counted: one warning per name and kind, at the path of the first one. */
  report(): void {
    for (const { code, path, message, more } of this.#noted.values()) {
      const also = more > 0 ? `, here and in ${more} more ${more === 1 ? 'spec' : 'specs'}` : '';
      this.#diagnostics.report(code, this.#identifier, path, message + also);
    }
    this.#noted.clear();
  }

  /** The value of a field; undefined when it is absent or cannot be read. Throws SourceError UC1405, UC1406. */
  get(fieldSet: number, path: string, field: string): Value | undefined {
    const index = this.#find(fieldSet, path, field);
    if (index < 0) return undefined;
    const cached = this.#values.get(index);
    if (cached) return cached;
    const { fieldReps } = this.#source.structure;
    const low = fieldReps[2 * index];
    const high = fieldReps[2 * index + 1];
    const element = `${path} ${field}`;
    const leftOut = (reason: UnreadableValue, where: string): void => {
      this.#diagnostics.once(
        `${this.#identifier}:${element}:${where}`,
        reason.code,
        this.#identifier,
        element,
        `${where} has a value that is not read and is left out (${reason.message})`,
      );
    };
    try {
      if (VALUE_TYPES[typeNumber(high)] === 'TimeSamples') {
        return this.#guard(element, () => {
          const decode = (read: () => Value) => this.#guard(element, read);
          const value = readTimeSamples(this.#source, low, high, this.#times, leftOut, decode);
          return { type: 'TimeSamples', array: false, value };
        });
      }
      let value = this.#guard(element, () => readValue(this.#source, low, high, leftOut));
      if (isLonePayload(field, value.type)) value = payloadListOp(value);
      this.#values.set(index, value);
      return value;
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw error;
      leftOut(error, field);
      return undefined;
    }
  }

  /** The type and array length (-1: not an array) of a field, without decoding it. Throws SourceError UC1405. */
  peek(fieldSet: number, path: string, field: string): { readonly type: ValueTypeName; readonly count: number } | null {
    const index = this.#find(fieldSet, path, field);
    if (index < 0) return null;
    const { fieldReps } = this.#source.structure;
    const low = fieldReps[2 * index];
    const high = fieldReps[2 * index + 1];
    const type = VALUE_TYPES[typeNumber(high)] as ValueTypeName;
    if (!isArray(high)) return { type: isLonePayload(field, type) ? 'PayloadListOp' : type, count: -1 };
    const count = this.#guard(`${path} ${field}`, () => openArray(this.#source, type, low, high)?.count ?? 0);
    return { type, count };
  }

  /** The ends of an array of integers that is packed; null for all other fields. Throws SourceError UC1405, UC1406. */
  ends(fieldSet: number, path: string, field: string): ArrayEnds | null {
    const index = this.#find(fieldSet, path, field);
    if (index < 0) return null;
    const { fieldReps } = this.#source.structure;
    const low = fieldReps[2 * index];
    const high = fieldReps[2 * index + 1];
    if (!isArray(high)) return null;
    const type = VALUE_TYPES[typeNumber(high)] as ValueTypeName;
    const read = this.#guard(`${path} ${field}`, () => readPackedEnds(this.#source, type, low, high));
    return read && { count: read.count, ends: { type, array: true, value: read.ends } };
  }

  /** Facts of a long packed array of Int; null for all other fields. Throws SourceError UC1405, UC1406. */
  facts(fieldSet: number, path: string, field: string): IntegerFacts | null {
    const index = this.#find(fieldSet, path, field);
    if (index < 0) return null;
    const { fieldReps } = this.#source.structure;
    const low = fieldReps[2 * index];
    const high = fieldReps[2 * index + 1];
    if (!isArray(high)) return null;
    const type = VALUE_TYPES[typeNumber(high)] as ValueTypeName;
    return this.#guard(`${path} ${field}`, () => readPackedFacts(this.#source, type, low, high));
  }

  /** Runs a decoder and turns its faults into SourceErrors that name the field. */
  #guard<T>(element: string, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof CrateFault)) throw error;
      const code: Code = error.code ?? 'UC1405';
      throw new SourceError(diagnostic(code, this.#identifier, element, error.message));
    }
  }
}
