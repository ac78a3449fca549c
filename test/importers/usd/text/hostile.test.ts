// Hostile and real text: deep nesting, cut and flipped bytes, and the text layers of other people.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Diagnostics, SourceError } from '../../../../src/diagnostics/diagnostic.ts';
import { isUsda, readUsda } from '../../../../src/importers/usd/text/readUsda.ts';
import { errorInPrim, errorOf, errorOfBody, field, readBody, readInPrim } from './usdaText.ts';

const DEEP = 100_000;

describe('nesting', () => {
  it('reads prims thousands deep and refuses a hundred thousand', () => {
    const nest = (depth: number) => 'def "a" {\n'.repeat(depth) + '}\n'.repeat(depth);
    const { layer } = readBody(nest(5000));
    expect(layer.specs.size).toBe(5001);
    expect(layer.specs.has('/a'.repeat(5000))).toBe(true);
    expect(errorOfBody(nest(DEEP))?.code).toBe('UC1506');
  });

  it('refuses paths that outgrow memory, however shallow', () => {
    const prim = (length: number, children: number) =>
      `def "${'a'.repeat(length)}" {\n${Array.from({ length: children }, (_, i) => `int x${i}`).join('\n')}\n}`;
    expect(errorOfBody(prim(20_000, 0))?.code).toBe('UC1506');
    expect(readBody(prim(15_000, 100)).layer.specs.size).toBe(102);
    expect(errorOfBody(prim(15_000, 6000))?.code).toBe('UC1506');
  });

  it('refuses endless keys, and keeps endless list items', () => {
    const long = 'k'.repeat(20_000);
    expect(errorOfBody(`( customLayerData = { int "${long}" = 1 } )`)?.code).toBe('UC1506');
    expect(errorOfBody(`( ${long} = 1 )`)?.code).toBe('UC1506');
    expect(errorOfBody(`def "A" ( prefixSubstitutions = { "${long}" : "a" } ) {}`)?.code).toBe('UC1506');
    const { layer } = readBody(`def "A" ( apiSchemas = ["${long}", "${long}"] ) {}`);
    expect(layer.specs.get('/A')?.get('apiSchemas')?.value).toMatchObject({ explicit: [long, long] });
  });

  it('refuses dictionaries nested without end', () => {
    const nest = (depth: number) => `( customLayerData = ${'{ dictionary a = '.repeat(depth)}{}${' }'.repeat(depth)} )`;
    expect(errorOfBody(nest(DEEP))?.code).toBe('UC1506');
    expect(field(readBody(nest(50)), '/', 'customLayerData')).toBeInstanceOf(Map);
  });

  it('needs no call stack for untyped values, splines and brackets', () => {
    const brackets = '['.repeat(DEEP);
    const closed = `${brackets}1${']'.repeat(DEEP)}`;
    expect(readBody(`( foo = ${closed} )`).layer.specs.get('/')?.has('foo')).toBe(true);
    expect(errorOfBody(`( foo = ${brackets}`)?.code).toBe('UC1502');
    expect(errorInPrim(`float[] x = ${closed}`)?.code).toBe('UC1503');
    expect(errorInPrim(`matrix4d x = ${'('.repeat(DEEP)}`)?.code).toBe('UC1503');
    const spline = `double x.spline = ${'{'.repeat(DEEP)}${'}'.repeat(DEEP)}`;
    expect(readInPrim(spline).layer.specs.get('/P.x')?.has('spline')).toBe(true);
    expect(errorInPrim(`int x = ${'/* */'.repeat(DEEP)} y`)?.code).toBe('UC1503');
    expect(errorInPrim(`rel x = </${'A/'.repeat(DEEP)}>`)?.code).toBe('UC1504');
    expect(errorInPrim(`rel x = <${'../'.repeat(DEEP)}A>`)?.code).toBe('UC1504');
    expect(errorInPrim(`rel x = </A.b${'['.repeat(DEEP)}>`)?.code).toBe('UC1504');
  });

  it('reads long numbers and integers without harm', () => {
    const digits = '9'.repeat(DEEP);
    expect(errorInPrim(`int64 x = ${digits}`)?.code).toBe('UC1503');
    expect(field(readInPrim(`double x = 0.${digits}`), '/P.x', 'default')).toBe(1);
    expect(field(readInPrim(`double x = 1e${digits}`), '/P.x', 'default')).toBe(Infinity);
    expect(field(readInPrim(`double[] x = [1e-${digits}, ${digits}]`), '/P.x', 'default')).toEqual(
      Float64Array.of(0, Infinity),
    );
  });
});

const FIXTURES = resolve(import.meta.dirname, '../../../fixtures/crate');
const SINKS = ['sink.usda', 'sink-before-0.9.usda', 'sink-before-0.8.usda', 'sink-before-0.2.usda'];

/** Reads to the end or to a coded error; gives the code, or '' for a layer whose fields can all be asked for. */
function outcomeOf(bytes: Uint8Array): string {
  try {
    const { specs } = readUsda(bytes, 'fuzz.usda', new Diagnostics());
    for (const spec of specs.values()) for (const name of spec.fieldNames()) spec.peek(name);
    return '';
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics[0]?.code ?? 'none';
    throw error;
  }
}

describe('damaged text', () => {
  let state = 20_240_801;
  const next = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };

  it.each(SINKS)('%s with flipped bytes ends in a layer or a coded error', (name) => {
    const bytes = new Uint8Array(readFileSync(resolve(FIXTURES, name)));
    const seen = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const damaged = bytes.slice();
      for (let k = 1 + next(4); k > 0; k--) {
        damaged[next(damaged.length)] =
          next(3) === 0 ? next(256) : ('()[]{}<>"\'@=.,;:#/\\\n'.charCodeAt(next(20)) as number);
      }
      seen.add(outcomeOf(damaged));
    }
    for (const code of seen) expect(code).toMatch(/^(|UC15\d\d)$/);
    expect(seen.size).toBeGreaterThan(2);
  });

  it.each(SINKS)('%s cut anywhere ends in a coded error', (name) => {
    const bytes = new Uint8Array(readFileSync(resolve(FIXTURES, name)));
    const body = bytes.lastIndexOf(125);
    for (let i = 0; i < 60; i++) {
      const code = outcomeOf(bytes.subarray(0, 10 + next(body - 10)));
      expect(code).toMatch(/^(|UC150[0-6])$/);
    }
    expect(outcomeOf(bytes.subarray(0, body))).toBe('UC1502');
  });

  it('says that binary data is no text', () => {
    expect(errorOf(Uint8Array.from({ length: 1000 }, (_, i) => (i * 37) & 255))?.code).toBe('UC1500');
    const noise = Uint8Array.from({ length: 1000 }, (_, i) => (i * 37) & 255);
    noise.set(new TextEncoder().encode('#usda 1.0\n'));
    expect(errorOf(noise)?.code).toBe('UC1501');
  });
});

const ASSETS = resolve(import.meta.dirname, '../../../../../shared/assets/usd');

/** Text that OpenUSD refuses too: a frame rate that is not positive. */
const INVALID = new Set(['framesPerSecond_-1.usda', 'framesPerSecond_0.usda']);

describe('text layers of other people', () => {
  if (!existsSync(ASSETS)) {
    it.skip('the asset folder is not here', () => {});
    return;
  }
  const layers = (readdirSync(ASSETS, { recursive: true }) as string[])
    .filter((name) => /\.usda?$/.test(name))
    .sort()
    .filter((name) => isUsda(readFileSync(resolve(ASSETS, name))));

  it('are many', () => expect(layers.length).toBeGreaterThan(140));

  it.each(layers)('%s', (name) => {
    const diagnostics = new Diagnostics();
    const bytes = new Uint8Array(readFileSync(resolve(ASSETS, name)));
    if (INVALID.has(name.slice(name.lastIndexOf('/') + 1))) {
      expect(() => readUsda(bytes, name, diagnostics)).toThrow(/UC1503.*framesPerSecond/);
      return;
    }
    const layer = readUsda(bytes, name, diagnostics);
    expect(layer.specs.size).toBeGreaterThan(0);
    expect(diagnostics.list).toEqual([]);
  });
});
