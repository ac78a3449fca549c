// One scene as text and as crate in every version, both written by OpenUSD's own writers: the two readers must give the
// same specs, fields, value types and values.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { readCrate } from '../../../src/importers/usd/crate/readCrate.ts';
import type { Layer, ListOp, Reference, TimeSamples, Value } from '../../../src/importers/usd/layer.ts';
import { readUsda } from '../../../src/importers/usd/text/readUsda.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/crate');

/** Specs: the root, 9 prims, a variant set with 2 variants, 4 relationships, 95 attributes (2 of them time codes). */
const PAIRS: [text: string, crates: string[], specs: number][] = [
  ['sink.usda', ['0.9.0', '0.10.0', '0.11.0'], 112],
  ['sink-before-0.9.usda', ['0.8.0'], 110],
  ['sink-before-0.8.usda', ['0.2.0', '0.4.0', '0.5.0', '0.6.0', '0.7.0'], 110],
  ['sink-before-0.2.usda', ['0.0.1', '0.1.0'], 110],
];

/** A value as plain data: typed arrays by kind and content, samples decoded, maps as sorted pairs. */
function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    return { kind: value.constructor.name, items: Array.from(value as Float64Array) };
  }
  if (value instanceof Map) {
    return [...value].map(([key, item]) => [key, plain(item)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  }
  if (Array.isArray(value)) return value.map(plain);
  if (value !== null && typeof value === 'object') {
    const samples = value as TimeSamples;
    if (samples.times instanceof Float64Array) {
      return { times: plain(samples.times), values: Array.from(samples.times, (_, i) => plain(samples.at(i))) };
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
  }
  return value;
}

/** Before crate 0.8 a prim had one payload: it means an explicit list of that payload. */
function payloadAsList(value: Value): Value {
  if (value.type !== 'Payload') return value;
  const op: ListOp<Reference> = {
    isExplicit: true,
    explicit: [value.value as Reference],
    added: [],
    prepended: [],
    appended: [],
    deleted: [],
    ordered: [],
  };
  return { type: 'PayloadListOp', array: false, value: op };
}

function contents(layer: Layer): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [path, spec] of layer.specs) {
    const fields: Record<string, unknown> = {};
    for (const name of spec.fieldNames()) fields[name] = plain(payloadAsList(spec.get(name) as Value));
    out[path] = { path: spec.path, type: spec.type, fields };
  }
  return out;
}

const read = (name: string): Uint8Array => new Uint8Array(readFileSync(resolve(FIXTURES, name)));

describe('text and crate of one scene', () => {
  for (const [text, versions, specs] of PAIRS) {
    for (const version of versions) {
      it(`${text} equals sink-${version}.usdc`, () => {
        const diagnostics = new Diagnostics();
        const fromText = readUsda(read(text), text, diagnostics);
        const fromCrate = readCrate(memoryContent(read(`sink-${version}.usdc`)), version, diagnostics);
        expect(diagnostics.list).toEqual([]);
        expect(contents(fromText)).toEqual(contents(fromCrate));
        expect(fromText.specs.size).toBe(specs);
      });

      it(`${text} peeks as sink-${version}.usdc does`, () => {
        const fromText = readUsda(read(text), text, new Diagnostics());
        const fromCrate = readCrate(memoryContent(read(`sink-${version}.usdc`)), version, new Diagnostics());
        for (const [path, spec] of fromText.specs) {
          for (const name of spec.fieldNames()) {
            if (spec.peek(name)?.type === 'PayloadListOp') continue;
            expect(fromCrate.specs.get(path)?.peek(name), `${path} ${name}`).toEqual(spec.peek(name));
          }
        }
      });
    }
  }
});
