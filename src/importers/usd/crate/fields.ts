// The fields of a crate's specs: runs of field indexes by name, shared between specs, and values decoded when asked for.

import { type Code, type Diagnostics, diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import type { ListOp, Reference, Value, ValueTypeName } from '../layer.ts';
import { openArray } from './arrays.ts';
import { CrateFault, UnreadableValue } from './fault.ts';
import type { CrateSource } from './source.ts';
import { END_OF_RUN } from './structure.ts';
import { readTimeSamples, type TimesCache } from './timeSamples.ts';
import { describeType, isArray, readability, typeNumber, VALUE_TYPES } from './valueRep.ts';
import { readValue } from './values.ts';

/** Field indexes by field name, in stored order. */
export type Run = ReadonlyMap<string, number>;

/**
 * Arrays above this are decoded anew at each call: a layer would otherwise grow to its unpacked size in memory. Views of
 * the file weigh nothing.
 */
const MAX_CACHED_ELEMENTS = 8192;

/** How OpenUSD stores "no type": a prim of this type has none. */
const ANY_TYPE = '__AnyType__';

/** What becomes of a field, found out for all of them when the layer is opened. */
const STATE = { plain: 0, hidden: 1, unknownType: 2, arrayEdit: 3, notEvaluated: 4 } as const;

const NOTES = [
  { state: STATE.unknownType, code: 'UC1407', what: 'holds a value of unknown kind and is left out' },
  { state: STATE.arrayEdit, code: 'UC1409', what: 'holds an array edit and is left out' },
  { state: STATE.notEvaluated, code: 'UC1408', what: 'holds an animation that is not evaluated' },
] as const;

function isWeightless(value: Value, bytes: Uint8Array): boolean {
  const data = value.value;
  if (ArrayBuffer.isView(data)) return data.buffer === bytes.buffer || data.byteLength <= 8 * MAX_CACHED_ELEMENTS;
  return !Array.isArray(data) || data.length <= MAX_CACHED_ELEMENTS;
}

/**
 * A lone payload, as crates before 0.8 hold it, as the list op that every other layer has: an explicit list of it, or of
 * none when its asset path is empty.
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
  /** By start of the run. */
  readonly #runs = new Map<number, Run>();
  /** By field index; only values that weigh little. */
  readonly #values = new Map<number, Value>();
  readonly #times: TimesCache = new Map();

  constructor(source: CrateSource, identifier: string, diagnostics: Diagnostics) {
    this.#source = source;
    this.#identifier = identifier;
    this.#diagnostics = diagnostics;
    const { fieldNames, fieldReps, tokens } = source.structure;
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

  /** The fields of the run at `fieldSet`, those that cannot be read left out. */
  run(fieldSet: number, path: string): Run {
    const known = this.#runs.get(fieldSet);
    if (known) return known;
    const { fieldSets, fieldNames, tokens } = this.#source.structure;
    const run = new Map<string, number>();
    for (let i = fieldSet; fieldSets[i] !== END_OF_RUN; i++) {
      const field = fieldSets[i];
      const state = this.#states[field];
      if (state === STATE.hidden || state === STATE.unknownType || state === STATE.arrayEdit) continue;
      const name = tokens[fieldNames[field]];
      if (run.has(name)) {
        this.#diagnostics.report(
          'UC1413',
          this.#identifier,
          `${path} ${name}`,
          'the spec has this field several times; the first one counts',
        );
      } else {
        run.set(name, field);
      }
    }
    this.#runs.set(fieldSet, run);
    return run;
  }

  /** Remembers the fields of a spec that will be left out or not evaluated, for `report`. */
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

  /** Reports what `note` has gathered: one warning a field name and kind, at the first place. */
  report(): void {
    for (const { code, path, message, more } of this.#noted.values()) {
      const also = more > 0 ? `, here and in ${more} more ${more === 1 ? 'place' : 'places'}` : '';
      this.#diagnostics.report(code, this.#identifier, path, message + also);
    }
    this.#noted.clear();
  }

  /** The value of a field; undefined when it is absent or cannot be read. Throws SourceError UC1405, UC1406. */
  get(fieldSet: number, path: string, field: string): Value | undefined {
    const index = this.run(fieldSet, path).get(field);
    if (index === undefined) return undefined;
    const cached = this.#values.get(index);
    if (cached) return cached;
    const { fieldReps } = this.#source.structure;
    const low = fieldReps[2 * index];
    const high = fieldReps[2 * index + 1];
    const place = `${path} ${field}`;
    const leftOut = (reason: UnreadableValue, where: string): void => {
      this.#diagnostics.once(
        `${this.#identifier}:${place}:${where}`,
        reason.code,
        this.#identifier,
        place,
        `${where} holds a value of unknown kind and is left out (${reason.message})`,
      );
    };
    try {
      if (VALUE_TYPES[typeNumber(high)] === 'TimeSamples') {
        return this.#guard(place, () => {
          const decode = (read: () => Value) => this.#guard(place, read);
          const value = readTimeSamples(this.#source, low, high, this.#times, leftOut, decode);
          return { type: 'TimeSamples', array: false, value };
        });
      }
      let value = this.#guard(place, () => readValue(this.#source, low, high, leftOut));
      if (isLonePayload(field, value.type)) value = payloadListOp(value);
      if (isWeightless(value, this.#source.bytes)) this.#values.set(index, value);
      return value;
    } catch (error) {
      if (!(error instanceof UnreadableValue)) throw error;
      leftOut(error, field);
      return undefined;
    }
  }

  /** Type and array length (-1: no array) of a field without decoding it. Throws SourceError UC1405. */
  peek(fieldSet: number, path: string, field: string): { readonly type: ValueTypeName; readonly count: number } | null {
    const index = this.run(fieldSet, path).get(field);
    if (index === undefined) return null;
    const { fieldReps } = this.#source.structure;
    const low = fieldReps[2 * index];
    const high = fieldReps[2 * index + 1];
    const type = VALUE_TYPES[typeNumber(high)] as ValueTypeName;
    if (!isArray(high)) return { type: isLonePayload(field, type) ? 'PayloadListOp' : type, count: -1 };
    const count = this.#guard(`${path} ${field}`, () => openArray(this.#source, type, low, high)?.count ?? 0);
    return { type, count };
  }

  /** Runs a decoder; its faults become SourceErrors that name the field. */
  #guard<T>(place: string, decode: () => T): T {
    try {
      return decode();
    } catch (error) {
      if (!(error instanceof CrateFault)) throw error;
      const code: Code = error.code ?? 'UC1405';
      throw new SourceError(diagnostic(code, this.#identifier, place, error.message));
    }
  }
}
