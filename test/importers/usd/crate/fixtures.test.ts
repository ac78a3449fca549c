// One layer in every crate version, written by OpenUSD: equal content in all, and the values that its text holds.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../../src/importers/content.ts';
import { isCrate, readCrate } from '../../../../src/importers/usd/crate/readCrate.ts';
import { type Layer, SPEC_TYPE } from '../../../../src/importers/usd/layer.ts';
import { type LayerSpecs, writeCrate } from '../crateWriter.ts';
import { type PlainSpec, plainLayer } from './plainLayer.ts';

const VERSIONS = ['0.0.1', '0.1.0', '0.2.0', '0.4.0', '0.5.0', '0.6.0', '0.7.0', '0.8.0', '0.9.0', '0.10.0', '0.11.0'];
const folder = resolve(import.meta.dirname, '../../../fixtures/crate');
const bytesOf = (version: string) => new Uint8Array(readFileSync(resolve(folder, `sink-${version}.usdc`)));

function open(version: string): Layer {
  const diagnostics = new Diagnostics();
  const layer = readCrate(memoryContent(bytesOf(version)), `sink-${version}.usdc`, diagnostics);
  expect(diagnostics.list).toEqual([]);
  return layer;
}

const sink = open('0.11.0');
const fieldOf = (path: string, field = 'default', layer = sink) => layer.specs.get(path)?.get(field)?.value;
const range = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
const cycle = (values: readonly number[], n: number) => Array.from({ length: n }, (_, i) => values[i % values.length]);
/** The distinct values of the `…Lut` arrays: not quite π. */
const LUT = [0.25, 0.5, -1.75, 31415927e-7];
const lists = { explicit: [], added: [], prepended: [], appended: [], deleted: [], ordered: [] };

/** A plain layer without time codes, which crates before 0.9 do not have. */
function withoutTimeCodes(layer: Record<string, PlainSpec>): Record<string, PlainSpec> {
  const { '/Sink.tc': _tc, '/Sink.tcs': _tcs, ...rest } = structuredClone(layer);
  const names = rest['/Sink'].fields.properties as { value: string[] };
  names.value = names.value.filter((name) => name !== 'tc' && name !== 'tcs');
  return rest;
}

/** Turns prepended into added items, as the text of the layer for 0.1 and earlier has them. */
function withAdded(layer: Record<string, PlainSpec>): Record<string, PlainSpec> {
  const copy = structuredClone(layer);
  for (const [path, name] of [
    ['/Sink', 'apiSchemas'],
    ['/Sink', 'variantSetNames'],
    ['/Sink.listed', 'targetPaths'],
    ['/Sink/Inheritor', 'inheritPaths'],
    ['/Sink/Refs', 'references'],
  ]) {
    const field = copy[path].fields[name] as { value?: Record<string, unknown> } & Record<string, unknown>;
    const op = field.value ?? field;
    op.added = op.prepended;
    op.prepended = [];
  }
  return copy;
}

describe('the same layer in every version', () => {
  const newest = plainLayer(sink);

  it.each(VERSIONS)('%s', (version) => {
    const layer = open(version);
    expect([layer.format, layer.version]).toEqual(['usdc', version]);
    const minor = Number(version.split('.')[1]);
    let expected = newest;
    if (minor < 9) expected = withoutTimeCodes(expected);
    if (minor < 8) {
      // A single payload there, which has no list position and no layer offset.
      const payload = { assetPath: 'heavy.usdc', primPath: '/Heavy', offset: 0, scale: 1, customData: {} };
      const op = { type: 'PayloadListOp', ...lists, isExplicit: true, explicit: [payload] };
      expected['/Sink/Refs'].fields.payload = op;
    }
    if (minor < 2) expected = withAdded(expected);
    expect(plainLayer(layer)).toEqual(expected);
  });

  it('reads inside a package too, where views may not align', () => {
    for (const shift of [1, 4]) {
      const bytes = bytesOf('0.7.0');
      const package_ = new Uint8Array(bytes.length + shift + 7);
      package_.set(bytes, shift);
      const layer = readCrate(
        memoryContent(package_.subarray(shift, shift + bytes.length)),
        'a.usdz[b.usdc]',
        new Diagnostics(),
      );
      expect(plainLayer(layer)).toEqual(plainLayer(open('0.7.0')));
    }
  });

  it('is recognised by its first bytes', () => {
    expect(isCrate(bytesOf('0.0.1'))).toBe(true);
    expect(isCrate(new TextEncoder().encode('#usda 1.0'))).toBe(false);
    expect(isCrate(new Uint8Array())).toBe(false);
  });
});

describe('specs of the layer', () => {
  it('have the paths and types of its text', () => {
    const prims = [...sink.specs.values()].filter((spec) => !spec.path.includes('.')).map((s) => [s.path, s.type]);
    expect(new Map(prims as [string, number][])).toEqual(
      new Map([
        ['/', SPEC_TYPE.pseudoRoot],
        ['/Sink', SPEC_TYPE.prim],
        ['/Sink/Child', SPEC_TYPE.prim],
        ['/Sink/Other', SPEC_TYPE.prim],
        ['/Sink/_Class', SPEC_TYPE.prim],
        ['/Sink/Inheritor', SPEC_TYPE.prim],
        ['/Sink/Refs', SPEC_TYPE.prim],
        ['/Sink{lod=}', SPEC_TYPE.variantSet],
        ['/Sink{lod=high}', SPEC_TYPE.variant],
        ['/Sink{lod=high}Ball', SPEC_TYPE.prim],
        ['/Sink{lod=low}', SPEC_TYPE.variant],
        ['/Sink{lod=low}Ball', SPEC_TYPE.prim],
        ['/Große_Ünïcode', SPEC_TYPE.prim],
      ]),
    );
    expect(sink.specs.get('/Sink{lod=high}Ball.radius')?.type).toBe(SPEC_TYPE.attribute);
    expect(sink.specs.get('/Sink.one')?.type).toBe(SPEC_TYPE.relationship);
    expect(sink.specs.size).toBe(112);
  });

  it('have the metadata of its text', () => {
    expect(fieldOf('/', 'comment')).toBe('Kitchen sink: one of each value that a crate file can hold');
    expect(fieldOf('/', 'documentation')).toBe('Several\nlines, with "quotes" and a # hash.');
    expect(fieldOf('/', 'metersPerUnit')).toBe(0.01);
    expect(fieldOf('/', 'upAxis')).toBe('Z');
    expect(fieldOf('/', 'primChildren')).toEqual(['Sink', 'Große_Ünïcode']);
    expect(fieldOf('/Sink', 'kind')).toBe('component');
    expect(fieldOf('/Sink', 'variantSelection')).toEqual(new Map([['lod', 'high']]));
    expect(fieldOf('/Sink{lod=}', 'variantChildren')).toEqual(['high', 'low']);
    expect(['/Sink', '/Sink/Other', '/Sink/_Class'].map((p) => fieldOf(p, 'specifier'))).toEqual([
      'def',
      'over',
      'class',
    ]);
    expect(fieldOf('/Sink.xformOpOrder', 'variability')).toBe('uniform');
    expect(fieldOf('/Sink/Child', 'active')).toBe(true);
    expect(fieldOf('/Sink/Child', 'hidden')).toBe(false);
    const data = fieldOf('/', 'customLayerData') as Map<string, { type: string; value: unknown }>;
    expect(data.get('answer')).toEqual({ type: 'Int', array: false, value: 42 });
    expect(data.get('nested')?.value).toEqual(
      new Map<string, unknown>([
        ['pi', { type: 'Double', array: false, value: Math.PI }],
        ['yes', { type: 'Bool', array: false, value: true }],
        ['words', { type: 'String', array: true, value: ['a', 'b', ''] }],
        ['tok', { type: 'Token', array: false, value: 't' }],
        ['big', { type: 'Int64', array: false, value: 1099511627776n }],
      ]),
    );
  });

  it('have the arcs of its text', () => {
    const arc = (assetPath: string, primPath: string, offset = 0, scale = 1) => ({
      assetPath,
      primPath,
      offset,
      scale,
      customData: new Map(),
    });
    expect(fieldOf('/Sink/Refs', 'references')).toEqual({
      ...lists,
      isExplicit: false,
      prepended: [arc('other.usda', '/Root', 10, 2), arc('', '/Sink/Child'), arc('default.usdz', '')],
      deleted: [arc('gone.usda', '')],
    });
    expect(fieldOf('/Sink/Refs', 'payload')).toEqual({
      ...lists,
      isExplicit: false,
      appended: [arc('heavy.usdc', '/Heavy', 1)],
    });
    expect(fieldOf('/Sink/Inheritor', 'specializes')).toEqual({
      ...lists,
      isExplicit: true,
      explicit: ['/Sink/Other'],
    });
    expect(fieldOf('/Sink.many', 'targetPaths')).toEqual({
      ...lists,
      isExplicit: true,
      explicit: ['/Sink/Child', '/Sink/Child.size'],
    });
    expect(fieldOf('/Sink.none', 'targetPaths')).toEqual({ ...lists, isExplicit: true });
    expect(fieldOf('/Sink.size', 'connectionPaths')).toEqual({
      ...lists,
      isExplicit: true,
      explicit: ['/Sink/Child.size'],
    });
  });
});

describe('values of the layer, as its text has them', () => {
  it.each([
    ['b', true],
    ['uc', 200],
    ['i', -7],
    ['u', 4000000000],
    ['l', -5000000000n],
    ['lSmall', -5n],
    ['ul', 18446744073709551615n],
    ['ulSmall', 7n],
    ['h', 0.333251953125],
    ['f', Math.fround(0.1)],
    ['d', 0.1],
    ['dFloat', 0.5],
    ['tc', 12.5],
    ['s', 'héllo "w" \\ \n end'],
    ['multi', 'line one\nline "two"\n'],
    ['t', 'tok'],
    ['a', 'tex/albedo.png'],
    ['f2n', [1.5, 2]],
    ['h2', [0.5, -2]],
    ['i2big', [1000, -100000]],
    ['d3', [0, 1, 0]],
    ['d3neg', [-128, 127, 0]],
    ['d3n', [0.1, 0.2, 0.3]],
    ['d4', [1, -2, 3, 4.5]],
    ['qh', [0, 0, 0, 1]],
    ['qf', [0.5, -0.5, 0.5, 0.5]],
    ['qd', [0.2, 0.3, 0.4, 0.1]],
    ['m2', [1, 2, 3, 4]],
    ['m3', [2, 0, 0, 0, 3, 0, 0, 0, 4]],
    ['m4', [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 10.5, 20, 30, 1]],
    ['blocked', null],
  ])('%s', (name, value) => {
    expect(fieldOf(`/Sink.${name}`)).toEqual(value);
  });

  it.each([
    ['bs', Uint8Array.of(1, 0, 1)],
    ['ucs', Uint8Array.of(0, 127, 255)],
    ['isShort', Int32Array.of(3, -1, 4)],
    ['isEmpty', new Int32Array(0)],
    ['hsInt', Float32Array.from(range(-10, 59, 1))],
    ['hsLut', Float32Array.from(cycle([0.5, 0.25, 1.5], 60))],
    ['fsInt', Float32Array.from(range(-20, 199, 3))],
    ['fsLut', Float32Array.from(cycle(LUT, 120))],
    ['dsInt', Float64Array.from(range(-20, 199, 3))],
    ['dsLut', Float64Array.from(cycle(LUT, 120))],
    ['fsSpecial', Float32Array.of(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 0, -0)],
    ['tcs', Float64Array.of(1, 2, 3.5)],
    ['ss', ['', 'two', 'three']],
    ['ts', ['x', 'y:z', '']],
    ['as', ['a.png', 'b@c.png', '']],
    ['h2s', Float32Array.of(0.5, -2, 1, 1)],
    ['i3s', Int32Array.of(1, 2, 3, 70000, -1, 0)],
    ['d3s', Float64Array.of(1, 2, 3, 0.1, 0.2, 0.3)],
    ['qfs', Float32Array.of(0, 0, 0, 1, 0.5, -0.5, 0.5, 0.5)],
    ['qds', Float64Array.of(0.2, 0.3, 0.4, 0.1)],
  ])('%s', (name, value) => {
    expect(fieldOf(`/Sink.${name}`)).toEqual(value);
  });

  it('of long packed arrays, at both ends', () => {
    const ends = (name: string) => {
      const data = fieldOf(`/Sink.${name}`) as Int32Array;
      return [data.length, ...data.subarray(0, 12), ...data.subarray(-3)] as unknown[];
    };
    const is = [
      0, 1, 2, 3, -5, 100, 70000, -70000, 2147483647, -2147483648, 0, 7, -574733303, -2108492267, -1303429503,
    ];
    expect(ends('is')).toEqual([108, ...is]);
    const us = [0, 1, 4294967295, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008];
    expect(ends('us')).toEqual([233, ...us, 3628104474, 1266211901, 3660397373]);
    const ls = [0n, -1n, 9223372036854775807n, -9223372036854775808n, 0n, 3n, 6n, 9n, 12n, 15n, 18n, 21n];
    expect(ends('ls')).toEqual([54, ...ls, 716222786854660962n, 1965881224286254808n, 440427938258548116n]);
    const uls = [0n, 18446744073709551615n, 5n, 8n, 11n, 14n, 17n, 20n, 23n, 26n, 29n, 32n];
    expect(ends('uls')).toEqual([51, ...uls, 3057464580497934564n, 2044431186820780401n, 8903539987903537367n]);
    const raw = [-613.2798, -928.6849, -69.3397, -239.4023, 223.5879, 180.3288, -524.3072, 806.3646, -998.6788];
    const more = [-189.2485, -442.9439, -179.9154, -16.4906, -427.2033, -46.1286];
    expect(ends('dsRaw')).toEqual([60, ...raw, ...more]);
    expect(ends('fsRaw')).toEqual([60, ...[...raw, ...more].map(Math.fround)]);
  });

  it('of a mesh', () => {
    const points = fieldOf('/Große_Ünïcode.points') as Float32Array;
    expect(points.length).toBe(72);
    expect([...points.subarray(0, 3)]).toEqual([-3.78114, 1.21687, -0.56532].map(Math.fround));
    expect([...points.subarray(69)]).toEqual([3.19594, 2.91751, 1.63601].map(Math.fround));
    expect(fieldOf('/Große_Ünïcode.faceVertexCounts')).toEqual(Int32Array.of(3, 4, 5, 12));
    expect(fieldOf('/Große_Ünïcode.faceVertexIndices')).toEqual(Int32Array.from(range(0, 23, 1)));
  });

  it('of time samples', () => {
    const samples = fieldOf('/Sink.xformOp:translate', 'timeSamples') as {
      times: Float64Array;
      at(i: number): { type: string; value: unknown };
    };
    expect(samples.times).toEqual(Float64Array.of(1, 12.5, 24, 48));
    expect([0, 1, 2, 3].map((i) => samples.at(i).value)).toEqual([[0, 0, 0], [0.5, 0, 0], null, [1, 2, 3]]);
    expect(samples.at(2).type).toBe('ValueBlock');
  });
});

describe('laziness', () => {
  it('peeks types and counts without decoding', () => {
    const peek = (path: string, field = 'default') => sink.specs.get(path)?.peek(field);
    expect(peek('/Große_Ünïcode.points')).toEqual({ type: 'Vec3f', count: 24 });
    expect(peek('/Sink.is')).toEqual({ type: 'Int', count: 108 });
    expect(peek('/Sink.isEmpty')).toEqual({ type: 'Int', count: 0 });
    expect(peek('/Sink.i')).toEqual({ type: 'Int', count: -1 });
    expect(peek('/Sink.noValue')).toBe(null);
    expect(peek('/Sink/Refs', 'payload')).toEqual({ type: 'PayloadListOp', count: -1 });
    expect(open('0.7.0').specs.get('/Sink/Refs')?.peek('payload')).toEqual({ type: 'PayloadListOp', count: -1 });
  });

  it('gives raw arrays as views of the file and small values once', () => {
    const bytes = bytesOf('0.9.0');
    const layer = readCrate(memoryContent(bytes), 'sink.usdc', new Diagnostics());
    const points = fieldOf('/Große_Ünïcode.points', 'default', layer) as Float32Array;
    expect(points.buffer).toBe(bytes.buffer);
    // `points` and `f3s` hold the same value, stored once.
    expect((fieldOf('/Sink.f3s', 'default', layer) as Float32Array).byteOffset).toBe(points.byteOffset);
    expect(layer.specs.get('/')?.get('customLayerData')).toBe(layer.specs.get('/')?.get('customLayerData'));
  });
});

describe('the crate writer of these tests', () => {
  it.each([false, true])('writes the layer so that it reads the same (packed: %s)', (compressArrays) => {
    const specs = Object.fromEntries(
      [...sink.specs].map(([path, spec]) => [
        path,
        Object.fromEntries(spec.fieldNames().map((f) => [f, spec.get(f)!])),
      ]),
    ) as LayerSpecs;
    const bytes = writeCrate(specs, { version: '0.9.0', compressArrays });
    const diagnostics = new Diagnostics();
    expect(plainLayer(readCrate(memoryContent(bytes), 'written.usdc', diagnostics))).toEqual(plainLayer(sink));
    expect(diagnostics.list).toEqual([]);
  });
});
