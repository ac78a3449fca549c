// The structure of crates beyond what the fixtures hold: path trees, runs, specs that are left out, newer versions.

import { describe, expect, it } from 'vitest';
import { type Diagnostic, Diagnostics, SourceError } from '../../../../src/diagnostics/diagnostic.ts';
import { memoryContent } from '../../../../src/importers/content.ts';
import { CrateBytes } from '../../../../src/importers/usd/crate/coding/crateBytes.ts';
import { Cursor } from '../../../../src/importers/usd/crate/coding/cursor.ts';
import { CrateFault } from '../../../../src/importers/usd/crate/fault.ts';
import { readPaths } from '../../../../src/importers/usd/crate/paths.ts';
import { readCrate } from '../../../../src/importers/usd/crate/readCrate.ts';
import type { Layer, ListOp, Reference, TimeSamples } from '../../../../src/importers/usd/layer.ts';
import {
  attribute,
  type CrateOptions,
  dictionary,
  double,
  int,
  type LayerSpecs,
  listOp,
  prim,
  raw,
  reference,
  scalar,
  string,
  timeSamples,
  token,
  writeCrate,
} from '../crateWriter.ts';

const read = (bytes: Uint8Array, diagnostics = new Diagnostics()): { layer: Layer; said: readonly Diagnostic[] } => ({
  layer: readCrate(memoryContent(bytes), 'test.usdc', diagnostics),
  said: diagnostics.list,
});
const roundTrip = (specs: LayerSpecs, options?: CrateOptions) => read(writeCrate(specs, options));

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof SourceError) return error.diagnostics[0].code;
    throw error;
  }
  return 'none';
}

/** Where a section lies, by the table of contents. */
function section(bytes: Uint8Array, name: string): { start: number; size: number; entry: number } {
  const view = new DataView(bytes.buffer);
  const toc = Number(view.getBigInt64(16, true));
  const n = Number(view.getBigUint64(toc, true));
  for (let entry = toc + 8; entry < toc + 8 + n * 32; entry += 32) {
    const found = new TextDecoder().decode(bytes.subarray(entry, entry + 16)).replaceAll('\0', '');
    if (found === name) {
      const start = Number(view.getBigInt64(entry + 16, true));
      return { start, size: Number(view.getBigInt64(entry + 24, true)), entry };
    }
  }
  throw new Error(`no section ${name}`);
}

const setU64 = (bytes: Uint8Array, at: number, value: bigint) =>
  new DataView(bytes.buffer).setBigUint64(at, value, true);

const SMALL: LayerSpecs = { '/A': prim('Xform'), '/A.size': attribute('double', double(2)) };

describe('path trees', () => {
  const none = new Cursor(new CrateBytes(memoryContent(new Uint8Array())), 0, 0);
  const walk = (n: number, tokens: readonly string[], nodes: readonly (readonly [number, number, number])[]) =>
    readPaths(none, n, tokens, 0, {
      indexes: Uint32Array.from(nodes, ([index]) => index),
      elements: Int32Array.from(nodes, ([, element]) => element),
      jumps: Int32Array.from(nodes, ([, , jump]) => jump),
    });
  const TOKENS = ['', 'A', 'B', 'p', '{s=}', '{s=v}', '[/T]', 'ns:q'];

  it('spell every kind of element', () => {
    const nodes = [
      [1, 0, -1], // /
      [2, 1, 8], // /A, sibling /B
      [3, -3, 0], // .p
      [4, 4, 0], // {s=}
      [5, 5, 3], // {s=v}, then its children, then /A/A
      [6, 2, 0], // {s=v}B
      [7, -7, -2], // {s=v}.ns:q
      [8, 1, -2], // /A/A
      [0, 0, 0], // never reached
      [9, 2, -1], // /B
      [10, -3, -1], // /B.p
      [11, 6, -1], // [/T]
      [12, -3, -2], // .p of the target
    ] as const;
    expect(walk(13, TOKENS, nodes)).toEqual([
      '',
      '/',
      '/A',
      '/A.p',
      '/A{s=}',
      '/A{s=v}',
      '/A{s=v}B',
      '/A{s=v}.ns:q',
      '/A/A',
      '/B',
      '/B.p',
      '/B.p[/T]',
      '/B.p[/T].p',
    ]);
  });

  it('may have fewer nodes than the table has entries: the empty path is not encoded', () => {
    // The reference to a default prim and the internal payload put the empty path into the table.
    const arcs = listOp<Reference>('ReferenceListOp', { prepended: [reference('b.usd'), reference('', '/A')] });
    const bytes = writeCrate({ '/A': prim('Xform', { references: arcs }), '/B': prim() });
    const { start } = section(bytes, 'PATHS');
    const view = new DataView(bytes.buffer);
    expect(view.getBigUint64(start, true)).toBe(view.getBigUint64(start + 8, true) + 1n);
    const { layer } = read(bytes);
    expect([...layer.specs.keys()]).toEqual(['/', '/A', '/B']);
    const value = layer.specs.get('/A')?.get('references')?.value as ListOp<Reference>;
    expect(value.prepended.map((item) => item.primPath)).toEqual(['', '/A']);
  });

  it('may be 100,000 siblings wide and 10,000 levels deep', () => {
    const wide = walk(
      100_001,
      TOKENS,
      Array.from({ length: 100_001 }, (_, i) => [i, 1, i === 0 ? -1 : i === 100_000 ? -2 : 0] as const),
    );
    expect(wide.every((path, i) => path === (i === 0 ? '/' : '/A'))).toBe(true);
    const deep = walk(
      10_001,
      TOKENS,
      Array.from({ length: 10_001 }, (_, i) => [i, 1, i === 10_000 ? -2 : -1] as const),
    );
    expect(deep[10_000]).toBe('/A'.repeat(10_000));
  });

  it('refuse jumps that loop, leave the tree or have no meaning', () => {
    const bad: [string, (readonly [number, number, number])[]][] = [
      [
        'sibling inside its own subtree',
        [
          [0, 0, -1],
          [1, 1, 1],
          [2, 1, 1],
          [3, 1, 1],
          [4, 1, 1],
          [5, 1, -2],
        ],
      ],
      [
        'jump beyond the end',
        [
          [0, 0, -1],
          [1, 1, 9],
          [2, 1, -2],
        ],
      ],
      [
        'no end',
        [
          [0, 0, -1],
          [1, 1, 0],
        ],
      ],
      [
        'unknown jump',
        [
          [0, 0, -1],
          [1, 1, -3],
        ],
      ],
      [
        'root with sibling',
        [
          [0, 0, 0],
          [1, 1, -2],
        ],
      ],
      [
        'token beyond the table',
        [
          [0, 0, -1],
          [1, 99, -2],
        ],
      ],
      [
        'token of all bits',
        [
          [0, 0, -1],
          [1, -2147483648, -2],
        ],
      ],
      [
        'path beyond the table',
        [
          [0, 0, -1],
          [50, 1, -2],
        ],
      ],
    ];
    for (const [what, nodes] of bad) expect(() => walk(6, TOKENS, nodes), what).toThrow(CrateFault);
  });

  it('of 0.3 and earlier may not loop either', () => {
    const u32 = (v: number) => [v & 0xff, v >> 8, 0, 0];
    const record = (index: number, token: number, bits: number) => [...u32(index), ...u32(token), bits, 0, 0, 0];
    const from = (bytes: readonly number[]) => {
      const data = Uint8Array.from(bytes);
      return readPaths(new Cursor(new CrateBytes(memoryContent(data)), 0, data.length), 3, TOKENS, 0, null);
    };
    // /, /A with child .p and sibling /B at byte 44.
    const sibling = [44, 0, 0, 0, 0, 0, 0, 0];
    const sound = [...record(0, 0, 1), ...record(1, 1, 3), ...sibling, ...record(2, 3, 4), ...record(0, 2, 0)];
    expect(() => from(sound)).toThrow(CrateFault); // four nodes for three entries
    expect(from([...record(0, 0, 1), ...record(1, 1, 2), ...record(2, 2, 0)])).toEqual(['/', '/A', '/B']);
    const looping = [...record(0, 0, 1), ...record(1, 1, 3), 12, 0, 0, 0, 0, 0, 0, 0, ...record(2, 1, 0)];
    expect(() => from(looping)).toThrow(CrateFault);
    expect(() => from([...record(0, 0, 1), ...record(1, 1, 3), ...Array(7).fill(255), 127])).toThrow(CrateFault);
  });
});

describe('specs', () => {
  it('share runs of fields', () => {
    const { layer } = roundTrip({ '/A': prim('Xform'), '/B': prim('Xform'), '/C': prim('Mesh') });
    const value = (path: string) => layer.specs.get(path)?.get('typeName');
    expect(value('/A')).toBe(value('/B'));
    expect(value('/C')).toEqual(token('Mesh'));
    expect(layer.specs.get('/A')?.get('absent')).toBe(undefined);
    expect(layer.specs.get('/A')?.has('constructor')).toBe(false);
  });

  it('without a type are stored as __AnyType__', () => {
    const { layer } = roundTrip({ '/A': prim('__AnyType__'), '/A.t': attribute('token', token('__AnyType__')) });
    expect(layer.specs.get('/A')?.has('typeName')).toBe(false);
    expect(layer.specs.get('/A')?.fieldNames()).not.toContain('typeName');
    expect(layer.specs.get('/A.t')?.get('default')?.value).toBe('__AnyType__');
  });

  it('of obsolete kinds are left out, with a warning when they say something', () => {
    const specs: LayerSpecs = {
      '/A': prim(),
      '/A.r': { targetPaths: listOp<string>('PathListOp', { explicit: ['/T'] }) },
      '/A.r[/T]': {},
      '/A.r[/T].weight': attribute('double', double(1)),
      '/A.r[/S]': {},
    };
    const quiet = roundTrip({ '/A': specs['/A'], '/A.r': specs['/A.r'], '/A.r[/T]': {} }, { types: { '/A.r[/T]': 9 } });
    expect([...quiet.layer.specs.keys()]).toEqual(['/', '/A', '/A.r']);
    expect(quiet.said).toEqual([]);
    const { layer, said } = roundTrip(specs, { types: { '/A.r[/T]': 9, '/A.r[/S]': 4 } });
    expect([...layer.specs.keys()]).toEqual(['/', '/A', '/A.r']);
    expect(said.map((d) => [d.code, d.path])).toEqual([['UC1412', '/A.r[/T]']]);
  });

  it('of unknown kinds are left out with a warning', () => {
    const { layer, said } = roundTrip({ '/A': prim(), '/B': prim() }, { types: { '/B': 12 } });
    expect([...layer.specs.keys()]).toEqual(['/', '/A']);
    expect(said.map((d) => [d.code, d.path])).toEqual([['UC1411', '/B']]);
  });

  it('and fields that stand twice count once, the first time', () => {
    /** Renames a token of one letter where the token text holds it literally. */
    const rename = (bytes: Uint8Array, from: string, to: string): Uint8Array => {
      const { start, size } = section(bytes, 'TOKENS');
      const places = [...bytes.subarray(start, start + size).keys()].filter(
        (i) => bytes[start + i] === from.charCodeAt(0),
      );
      expect(places.length).toBe(1);
      bytes[start + places[0]] = to.charCodeAt(0);
      return bytes;
    };
    const twice = read(rename(writeCrate({ '/Q': prim('Xform'), '/Z': prim('Mesh') }), 'Z', 'Q'));
    expect([...twice.layer.specs.keys()]).toEqual(['/', '/Q']);
    expect(twice.layer.specs.get('/Q')?.get('typeName')?.value).toBe('Xform');
    expect(twice.said.map((d) => [d.code, d.path])).toEqual([['UC1410', '/Q']]);

    const diagnostics = new Diagnostics();
    const { layer } = read(rename(writeCrate({ '/W': { Q: int(1), Z: int(2) } }), 'Z', 'Q'), diagnostics);
    expect(layer.specs.get('/W')?.get('Q')?.value).toBe(1);
    expect(diagnostics.list.map((d) => [d.code, d.path])).toEqual([['UC1413', '/W Q']]);
  });

  it('must include the layer itself', () => {
    expect(codeOf(() => roundTrip({ '/A': prim() }, { types: { '/': 6 } }))).toBe('UC1404');
  });
});

describe('values of newer versions', () => {
  const SPLINE = raw(0x003b0000, 88);
  const EDIT = raw(0x90180000, 88);
  const UNKNOWN = raw(0x00630000, 0);
  const specs: LayerSpecs = {
    '/A': prim('Xform'),
    '/A.x': attribute('double', double(2), { spline: SPLINE }),
    '/A.y': attribute('double', undefined, { spline: SPLINE }),
    '/A.points': attribute('point3f[]', EDIT, { interpolation: token('vertex') }),
    '/A.z': attribute('double', UNKNOWN),
    '/A.blocked': attribute('double', scalar('AnimationBlock', null)),
  };

  it('are left out one by one, each kind with one warning', () => {
    const { layer, said } = roundTrip(specs, { version: '0.14.0' });
    expect(layer.version).toBe('0.14.0');
    expect(said.map((d) => [d.code, d.path, d.message])).toEqual([
      ['UC1408', '/A.x', 'spline has an animation that is not evaluated (Spline), here and in 1 more spec'],
      ['UC1409', '/A.points', 'default has an array edit and is left out (Vec3f[])'],
      ['UC1407', '/A.z', 'default has a value of an unknown type and is left out (type 99)'],
      ['UC1408', '/A.blocked', 'default has an animation that is not evaluated (AnimationBlock)'],
    ]);
    expect(layer.specs.get('/A.x')?.get('default')?.value).toBe(2);
    expect(layer.specs.get('/A.x')?.get('spline')).toEqual({ type: 'Spline', array: false, value: null });
    expect(layer.specs.get('/A.points')?.has('default')).toBe(false);
    expect(layer.specs.get('/A.points')?.peek('default')).toBe(null);
    expect(layer.specs.get('/A.points')?.get('interpolation')?.value).toBe('vertex');
    expect(layer.specs.get('/A.z')?.get('default')).toBe(undefined);
    expect(layer.specs.get('/A.blocked')?.get('default')?.type).toBe('AnimationBlock');
  });

  it('open with a warning when the version itself is unknown', () => {
    expect(roundTrip(SMALL, { version: '0.14.0' }).said).toEqual([]);
    expect(roundTrip(SMALL, { version: '0.15.0' }).said.map((d) => d.code)).toEqual(['UC1402']);
    expect(codeOf(() => roundTrip(SMALL, { version: '1.0.0' }))).toBe('UC1401');
  });

  it('inside dictionaries and samples are left out when these are read', () => {
    const diagnostics = new Diagnostics();
    const bytes = writeCrate({
      '/A': prim('Xform', { customData: dictionary({ good: int(1), bad: UNKNOWN as never }) }),
      '/A.x': attribute('int', undefined, {
        timeSamples: timeSamples([
          [1, int(5)],
          [2, EDIT as never],
        ]),
      }),
    });
    const { layer } = read(bytes, diagnostics);
    expect(diagnostics.list).toEqual([]);
    expect(layer.specs.get('/A')?.get('customData')?.value).toEqual(new Map([['good', int(1)]]));
    const samples = layer.specs.get('/A.x')?.get('timeSamples')?.value as TimeSamples;
    expect(samples.times).toEqual(Float64Array.of(1));
    expect(diagnostics.list.map((d) => [d.code, d.path])).toEqual([
      ['UC1407', '/A customData'],
      ['UC1409', '/A.x timeSamples'],
    ]);
  });
});

describe('the values that the fixtures do not hold', () => {
  it('are read back as written', () => {
    const unregistered = scalar('UnregisteredValue', string('text'));
    const fields = {
      layerRelocates: scalar('Relocates', [['/A', '/B']]),
      subLayers: scalar('StringVector', ['a.usd', 'b.usd']),
      subLayerOffsets: scalar('LayerOffsetVector', [{ offset: 10, scale: 0.5 }]),
      inactiveIds: listOp<bigint>('Int64ListOp', { explicit: [1n, -5000000000n] }),
      ids: listOp<bigint>('UInt64ListOp', { deleted: [18446744073709551615n] }),
      small: listOp<number>('IntListOp', { appended: [-1] }),
      unsigned: listOp<number>('UIntListOp', { ordered: [4294967295] }),
      names: listOp<string>('StringListOp', { added: ['x'] }),
      odd: unregistered,
      odds: listOp('UnregisteredValueListOp', { explicit: [unregistered] }),
      boxed: scalar('Value', int(3)),
      paths: scalar('PathVector', ['/A', '/B.c']),
      expression: scalar('PathExpression', '/A//*'),
      permission: scalar('Permission', 'private'),
    };
    const { layer, said } = roundTrip({ '/': fields, '/A': prim() }, { version: '0.11.0' });
    for (const [name, value] of Object.entries(fields)) expect(layer.specs.get('/')?.get(name)).toEqual(value);
    expect(said).toEqual([]);
  });

  it('are lone payloads, which mean an explicit list of one, or of none without an asset', () => {
    const { layer } = roundTrip({
      '/A': prim('', { payload: scalar('Payload', reference('a.usd', '/X', 2, 3)) }),
      '/B': prim('', { payload: scalar('Payload', reference('', '')) }),
    });
    const none = { added: [], prepended: [], appended: [], deleted: [], ordered: [], isExplicit: true };
    expect(layer.specs.get('/A')?.get('payload')).toEqual(
      scalar('PayloadListOp', { ...none, explicit: [reference('a.usd', '/X', 2, 3)] }),
    );
    expect(layer.specs.get('/B')?.get('payload')).toEqual(scalar('PayloadListOp', { ...none, explicit: [] }));
  });
});

describe('broken structure', () => {
  const bytes = () => writeCrate(SMALL);

  it('is told apart: no crate, cut off, section missing, content broken', () => {
    expect(codeOf(() => read(new TextEncoder().encode('#usda 1.0\n')))).toBe('UC1400');
    expect(codeOf(() => read(bytes().subarray(0, 60)))).toBe('UC1400');
    const whole = bytes();
    expect(codeOf(() => read(whole.subarray(0, whole.length - 200)))).toBe('UC1400');
    const noStrings = bytes();
    noStrings[section(noStrings, 'STRINGS').entry] = 0x58;
    expect(codeOf(() => read(noStrings))).toBe('UC1403');
    const beyond = bytes();
    setU64(beyond, section(beyond, 'SPECS').entry + 24, 1n << 40n);
    expect(codeOf(() => read(beyond))).toBe('UC1404');
  });

  it('is found in every count before anything is allocated', () => {
    for (const name of ['TOKENS', 'STRINGS', 'FIELDS', 'FIELDSETS', 'PATHS', 'SPECS']) {
      for (const count of [0n, 7777n, 1n << 24n, 1n << 40n, (1n << 63n) + 5n]) {
        const broken = bytes();
        setU64(broken, section(broken, name).start, count);
        const code = codeOf(() => read(broken));
        // No strings are in use here, so that an empty table of them is sound; so are some paths that nobody uses.
        if (name === 'STRINGS' && count === 0n) expect(code).toBe('none');
        else if (name === 'PATHS' && count === 7777n) expect(code).toBe('none');
        else expect(['UC1404', 'UC1406'], `${name} ${count}`).toContain(code);
      }
    }
    const sections = bytes();
    setU64(sections, Number(new DataView(sections.buffer).getBigInt64(16, true)), 1n << 50n);
    expect(codeOf(() => read(sections))).toBe('UC1404');
  });

  it('names file, prim and field of a broken value, and spares the others', () => {
    const { layer } = roundTrip({ '/A': prim('Xform'), '/A.p': attribute('float[]', raw(0x80080000, 0x7fffffff)) });
    expect(layer.specs.get('/A.p')?.get('typeName')?.value).toBe('float[]');
    for (const action of ['get', 'peek'] as const) {
      try {
        layer.specs.get('/A.p')?.[action]('default');
        expect.unreachable();
      } catch (error) {
        const [said] = (error as SourceError).diagnostics;
        expect([said.code, said.file, said.path]).toEqual(['UC1405', 'test.usdc', '/A.p default']);
      }
    }
  });
});
