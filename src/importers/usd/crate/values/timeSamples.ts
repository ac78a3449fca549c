// Time samples of crates. Times are decoded at once, because attributes share them, and values when they are used.
//
//     at P: i64 rel1 → representation of the times; right after it, at Q: i64 rel2 → u64 n, n representations

import {
  describeType,
  isArray,
  payloadOf,
  readability,
  typeNumber,
  VALUE_TYPES,
} from '../../../../formats/usdc/valueRep.ts';
import type { TimeSamples, Value } from '../../layer.ts';
import { Cursor } from '../coding/cursor.ts';
import { CrateFault, corrupt, UnreadableValue } from '../fault.ts';
import type { CrateSource } from '../source.ts';
import { readRaw } from './arrays.ts';
import { type LeftOut, readValue } from './values.ts';

/** Reads `i64 rel` and moves the cursor by `rel` bytes from the start of that number. It must point forward. */
function follow(cursor: Cursor): void {
  const from = cursor.at;
  const relative = cursor.i64();
  if (!(relative >= 8)) corrupt(`time samples at byte ${from} point ${relative} bytes ahead`);
  cursor.at = from;
  cursor.take(relative);
}

function readTimes(source: CrateSource, low: number, high: number, leftOut: LeftOut): Float64Array {
  const name = VALUE_TYPES[typeNumber(high)];
  const isTimes = isArray(high) ? name === 'Double' : name === 'DoubleVector';
  if (!isTimes) corrupt(`the times of time samples are ${describeType(high)}`);
  const times = readValue(source, low, high, leftOut).value as Float64Array;
  for (let i = 0; i < times.length; i++) {
    if (Number.isNaN(times[i]) || (i > 0 && times[i] < times[i - 1]))
      corrupt('the times of time samples do not ascend');
  }
  return times;
}

/** Times by their representation. Most animated attributes of a layer share the same times. */
export type TimesCache = Map<string, Float64Array>;

/**
 * Reads time samples. Samples that cannot be read are left out and passed to `leftOut`. `at` decodes a sample inside of
 * `decode`, which can turn a fault into another error. Throws CrateFault.
 */
export function readTimeSamples(
  source: CrateSource,
  low: number,
  high: number,
  cache: TimesCache,
  leftOut: LeftOut,
  decode: (read: () => Value) => Value,
): TimeSamples {
  source.begin();
  const cursor = new Cursor(source.bytes, payloadOf(low, high), source.bytes.size);
  follow(cursor);
  const timesLow = cursor.u32();
  const timesHigh = cursor.u32();
  const key = `${timesHigh}:${timesLow}`;
  let times = cache.get(key);
  if (!times) {
    times = readTimes(source, timesLow, timesHigh, leftOut);
    cache.set(key, times);
  }
  follow(cursor);
  const n = cursor.count(8, 'time samples');
  if (n !== times.length) corrupt(`${n} time samples for ${times.length} times`);
  const reps = readRaw(source, cursor, 'u32', 2 * n) as Uint32Array;

  let kept: number[] | null = null;
  for (let i = 0; i < n; i++) {
    const sampleHigh = reps[2 * i + 1];
    const readable = readability(sampleHigh);
    if (readable === 'readable') {
      if (VALUE_TYPES[typeNumber(sampleHigh)] === 'TimeSamples') corrupt('time samples inside time samples');
      kept?.push(i);
      continue;
    }
    kept ??= Array.from({ length: i }, (_, k) => k);
    const reason =
      readable === 'arrayEdit'
        ? new UnreadableValue(`${describeType(sampleHigh)} array edit`, 'UC1409')
        : new UnreadableValue(describeType(sampleHigh), 'UC1407');
    leftOut(reason, `time ${times[i]}`);
  }
  const samples = kept;
  const keptTimes = samples ? Float64Array.from(samples, (i) => times[i]) : times;
  return {
    times: keptTimes,
    at(i) {
      if (!(Number.isInteger(i) && i >= 0 && i < keptTimes.length)) {
        throw new RangeError(`sample ${i} of ${keptTimes.length}`);
      }
      const at = 2 * (samples ? samples[i] : i);
      return decode(() => {
        try {
          return readValue(source, reps[at], reps[at + 1], leftOut);
        } catch (error) {
          // The sample is an indirection to a value that cannot be read. This is too rare to check for in advance.
          if (error instanceof UnreadableValue) throw new CrateFault(`a sample holds ${error.message}`, error.code);
          throw error;
        }
      });
    },
  };
}
