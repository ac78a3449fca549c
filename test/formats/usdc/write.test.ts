// The crate writer: bytes by hand from the format, and layers that our reader and an independent one read again.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Diagnostics } from '../../../src/diagnostics/diagnostic.ts';
import { SPEC_TYPE, type SpecType, type Value } from '../../../src/formats/usdc/values.ts';
import { type CrateSpec, writeUsdc } from '../../../src/formats/usdc/write.ts';
import { memoryContent } from '../../../src/importers/content.ts';
import { readCrate } from '../../../src/importers/usd/crate/readCrate.ts';
import type { Layer } from '../../../src/importers/usd/layer.ts';
import { plainLayer } from '../../importers/usd/crate/plainLayer.ts';

const scalar = (type: Value['type'], value: unknown): Value => ({ type, array: false, value });

const spec = (path: string, type: SpecType, fields: Readonly<Record<string, Value>>): CrateSpec => ({
  path,
  type,
  fields: Object.entries(fields),
});

function read(bytes: Uint8Array): Layer {
  const diagnostics = new Diagnostics();
  const layer = readCrate(memoryContent(bytes), 'a.usdc', diagnostics);
  expect(diagnostics.list).toEqual([]);
  return layer;
}

/** The specs of a layer as the writer takes them. */
const specsOf = (layer: Layer): CrateSpec[] =>
  [...layer.specs.values()].map((own) => ({
    path: own.path,
    type: own.type,
    fields: own.fieldNames().map((name) => [name, own.get(name)!] as const),
  }));

describe('round trip of every value type', () => {
  test.each(['0.8.0', '0.9.0', '0.11.0'])('of a layer that OpenUSD wrote as %s', (version) => {
    const file = resolve(import.meta.dirname, `../../fixtures/crate/sink-${version}.usdc`);
    const layer = read(new Uint8Array(readFileSync(file)));
    const written = writeUsdc(specsOf(layer), 'b.usdc');
    const again = read(written);
    expect(plainLayer(again)).toEqual(plainLayer(layer));
    expect(again.version).toBe(version);
    expect(writeUsdc(specsOf(again), 'b.usdc')).toEqual(written);
  });
});
