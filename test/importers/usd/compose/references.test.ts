import { describe, expect, it } from 'vitest';
import { layer, primPaths, stageOf, valueAt } from '../importText.ts';

const KIT = layer(
  `def Xform "Kit" {
    int a = 1
    int b = 1
    rel inside = [</Kit/Part>, </Kit/Part.c>]
    rel outside = [</Other>, </Kit/Part>]
    int linked.connect = </Kit/Part.c>
    def Scope "Part" { int c = 3 }
  }
  def "Other" { int a = 9 }`,
  'defaultPrim = "Kit"',
);
const KITS = { 'kit.usda': KIT };

describe('references', () => {
  it('bring in the default prim, or the one they name; their prim says what is stronger', () => {
    const { stage, said } = stageOf(
      `def "x" (references = @./kit.usda@) { int b = 2 }
       def "y" (references = @./kit.usda@</Other>) {}`,
      undefined,
      KITS,
    );
    expect(primPaths(stage)).toEqual(['/x', '/x/Part', '/y']);
    expect(stage.prim('/x')?.typeName).toBe('Xform');
    expect([
      valueAt(stage, '/x.a'),
      valueAt(stage, '/x.b'),
      valueAt(stage, '/x/Part.c'),
      valueAt(stage, '/y.a'),
    ]).toEqual([1, 2, 3, 9]);
    expect(said()).toEqual([]);
  });

  it('take a default prim that is a path', () => {
    const files = { 'k.usda': layer('def "A" { def "B" { int x = 4 } }', 'defaultPrim = "/A/B"') };
    expect(valueAt(stageOf('def "p" (references = @./k.usda@) {}', undefined, files).stage, '/p.x')).toBe(4);
  });

  it('carry targets and connections into their prim; those that lead outside are dropped aloud', () => {
    const { stage, diagnostics } = stageOf('def "x" (references = @./kit.usda@) {}', undefined, KITS);
    expect(stage.prim('/x')?.relationship('inside')?.targets()).toEqual(['/x/Part', '/x/Part.c']);
    expect(stage.prim('/x')?.attribute('linked')?.connections()).toEqual(['/x/Part.c']);
    expect(diagnostics.list).toEqual([]);
    expect(stage.prim('/x')?.relationship('outside')?.targets()).toEqual(['/x/Part']);
    expect(diagnostics.list.map((d) => `${d.code} ${d.severity} ${d.file} ${d.path}`)).toEqual([
      'UC1722 warning /scene/kit.usda /Kit.outside',
    ]);
    expect(diagnostics.list[0].message).toContain('</Other>');
  });

  it('within one layer keep targets outside of what they bring in', () => {
    const { stage, said } = stageOf(
      'def "a" { rel r = [</a/b>, </out>] }\ndef "out" {}\ndef "x" (references = </a>) {}',
    );
    expect(stage.prim('/x')?.relationship('r')?.targets()).toEqual(['/x/b', '/out']);
    expect(said()).toEqual([]);
  });

  it('are stronger in the order of their list; payloads are weaker than all of them', () => {
    const files = {
      'a.usda': layer('def "p" { int a = 1 }', 'defaultPrim = "p"'),
      'b.usda': layer('def "p" { int a = 2\n int b = 2 }', 'defaultPrim = "p"'),
      'c.usda': layer('def "p" { int a = 3\n int b = 3\n int c = 3 }', 'defaultPrim = "p"'),
    };
    const { stage } = stageOf(
      'def "p" (payload = @./c.usda@; references = [@./a.usda@, @./b.usda@]) {}',
      undefined,
      files,
    );
    expect(['a', 'b', 'c'].map((name) => valueAt(stage, `/p.${name}`))).toEqual([1, 2, 3]);
  });

  it('are edited layer by layer in one layer stack, by what they lead to', () => {
    const files = {
      'weak.usda': layer('def "p" (references = [@./sub/../a.usda@, @./b.usda@]) {}'),
      'mid.usda': layer('over "p" (append references = @./c.usda@) {}'),
      'a.usda': layer('def "p" { int a = 1 }', 'defaultPrim = "p"'),
      'b.usda': layer('def "p" { int a = 2\n int b = 2 }', 'defaultPrim = "p"'),
      'c.usda': layer('def "p" { int a = 3\n int b = 3 }', 'defaultPrim = "p"'),
    };
    const metadata = '(\n subLayers = [@./mid.usda@, @./weak.usda@]\n)\n';
    const of = (edit: string) => {
      const { stage } = stageOf(`over "p" (${edit}) {}`, metadata, files);
      return [valueAt(stage, '/p.a'), valueAt(stage, '/p.b')];
    };
    expect(of('')).toEqual([1, 2]);
    expect(of('delete references = @./a.usda@')).toEqual([2, 2]);
    expect(of('prepend references = @./c.usda@')).toEqual([3, 3]);
    expect(of('delete references = [@./a.usda@, @./b.usda@]')).toEqual([3, 3]);
    expect(of('references = None')).toEqual([undefined, undefined]);
  });

  it('of references nest: all that a reference brings in is weaker than the prim that has it', () => {
    const files = {
      'a.usda': layer('def "A" (references = @./b.usda@) { int x = 1 }', 'defaultPrim = "A"'),
      'b.usda': layer('def "B" { int x = 2\n int y = 2\n def "C" { int z = 2 } }', 'defaultPrim = "B"'),
    };
    const { stage } = stageOf('def "p" (references = @./a.usda@) { over "C" { int z = 1 } }', undefined, files);
    expect([valueAt(stage, '/p.x'), valueAt(stage, '/p.y'), valueAt(stage, '/p/C.z')]).toEqual([1, 2, 1]);
  });

  it('of a prim authored deeper in namespace are stronger than those of its ancestors', () => {
    const files = {
      'set.usda': layer('def "Set" { def "Tree" { int a = 1\n int b = 1 } }', 'defaultPrim = "Set"'),
      'tree.usda': layer('def "Tree" { int a = 2 }', 'defaultPrim = "Tree"'),
    };
    const { stage } = stageOf(
      'def "p" (references = @./set.usda@) { over "Tree" (references = @./tree.usda@) {} }',
      undefined,
      files,
    );
    expect([valueAt(stage, '/p/Tree.a'), valueAt(stage, '/p/Tree.b')]).toEqual([2, 1]);
  });

  it('to a prim below a root prim bring in what its ancestors bring in there', () => {
    const files = {
      'place.usda': layer(
        `def "Town" (references = @./base.usda@; variants = { string lod = "high" }; variantSets = "lod") {
          variantSet "lod" = { "high" { over "House" { int v = 5 } } "low" { over "House" { int v = 6 } } }
        }`,
      ),
      'base.usda': layer(
        'def "Base" { def "House" { int h = 1\n rel r = </Base/House/Door>\n rel o = </Base>\n def "Door" {} } }',
        'defaultPrim = "Base"',
      ),
    };
    const { stage, said } = stageOf('def "p" (references = @./place.usda@</Town/House>) {}', '', files);
    expect(primPaths(stage)).toEqual(['/p', '/p/Door']);
    expect([valueAt(stage, '/p.h'), valueAt(stage, '/p.v')]).toEqual([1, 5]);
    expect(stage.prim('/p')?.relationship('r')?.targets()).toEqual(['/p/Door']);
    expect(stage.prim('/p')?.relationship('o')?.targets()).toEqual([]);
    expect(said()).toEqual(['UC1722 /Base/House.o']);
  });

  it('offset the times of what they bring in, and keep its seconds', () => {
    const files = {
      'a.usda': layer(
        'def "A" { double x.timeSamples = { 0: 0, 10: 10 }\n double y.timeSamples = { 0: 0, 10: 10 } }',
        'defaultPrim = "A"\n timeCodesPerSecond = 48',
      ),
      's.usda': layer('def "p" (references = @./a.usda@ (offset = 10; scale = 2)) {}'),
    };
    const metadata = '(\n subLayers = [@./s.usda@ (offset = 100)]\n)\n';
    // Layer time t is at 100 + 10 + 2 * (24 / 48) * t in the stage.
    const { stage } = stageOf('over "p" { double y = 4 }', metadata, files, { time: 115 });
    expect(valueAt(stage, '/p.x')).toBe(5);
    // A default in a stronger layer hides the samples of weaker ones.
    expect(valueAt(stage, '/p.y')).toBe(4);
  });

  // The offsets are those of OpenUSD's composition museum (ReferenceListOpsWithOffsets): a sublayer of 48 time codes a
  // second in a layer of 24 has (0, 0.5); its reference with (200, 1) has (100, 1), the one with (10, 2) has (5, 2).
  it('scale by the rate of the sublayer that authors them, whose own offset is applied once', () => {
    const files = {
      'a.usda': layer('def "A" { double x.timeSamples = { 0: 0, 1000: 1000 } }', 'defaultPrim = "A"'),
      's.usda': layer(
        'def "p" (references = @./a.usda@ (offset = 200)) {}\ndef "q" (references = @./a.usda@ (offset = 10; scale = 2)) {}',
        'timeCodesPerSecond = 48',
      ),
    };
    const { stage } = stageOf('', '(\n subLayers = [@./s.usda@]\n)\n', files, { time: 105 });
    expect(valueAt(stage, '/p.x')).toBe(5);
    expect(valueAt(stage, '/q.x')).toBe(50);
  });

  it('are one item of a list where the authored offsets are equal, whatever those of their sublayers', () => {
    const files = {
      'a.usda': layer('def "A" { double x.timeSamples = { 0: 0, 1000: 1000 } }', 'defaultPrim = "A"'),
      's.usda': layer('over "p" (delete references = @./a.usda@ (offset = 10)) {}', 'timeCodesPerSecond = 48'),
      'base.usda': layer('def "p" (prepend references = @./a.usda@ (offset = 10)) {}'),
    };
    const { stage } = stageOf('', '(\n subLayers = [@./s.usda@, @./base.usda@]\n)\n', files);
    expect(stage.prim('/p')?.attribute('x')).toBeNull();
  });

  it('within a layer stack keep the offset of the sublayer alone', () => {
    const files = {
      's.usda': layer(
        'def "p" (references = </A>) {}\ndef "A" { double x.timeSamples = { 0: 0, 1000: 1000 } }',
        'timeCodesPerSecond = 48',
      ),
    };
    const { stage } = stageOf('', '(\n subLayers = [@./s.usda@]\n)\n', files, { time: 100 });
    expect(valueAt(stage, '/A.x')).toBe(200);
    // The arc has the 0.5 of the layer that authors it, the spec that of the layer that holds it.
    expect(valueAt(stage, '/p.x')).toBe(400);
  });

  it('anchor what their layers name at those layers', () => {
    const files = {
      'lib/kit.usda': layer('def "K" { asset f = @./a.png@ }', 'defaultPrim = "K"'),
    };
    const { stage } = stageOf('def "p" (references = @./lib/kit.usda@) {}', undefined, files);
    expect(stage.prim('/p')?.attribute('f')?.get()?.layer.identifier).toBe('/scene/lib/kit.usda');
  });

  it('read a layer once, however often it is named', () => {
    let reads = 0;
    const prims = Array.from({ length: 1000 }, (_, i) => `def "p${i}" (references = @./kit.usda@) {}`).join('\n');
    const bytes = KIT;
    const files = Object.defineProperty({}, 'kit.usda', {
      enumerable: true,
      get: () => {
        reads++;
        return bytes;
      },
    }) as Record<string, Uint8Array>;
    const { stage } = stageOf(prims, undefined, files);
    expect(stage.children).toHaveLength(1000);
    expect(new Set(stage.children.map((prim) => prim.children[0].attribute('c')?.get()?.layer)).size).toBe(1);
    expect(reads).toBe(1);
  });
});

describe('arcs that lead nowhere', () => {
  it.each([
    ['UC1711', 'references = @./none.usda@', '@./none.usda@'],
    ['UC1711', 'references = @./kit.usda@</Nope>', '</Nope>'],
    ['UC1711', 'references = @./plain.usda@', 'defaultPrim'],
    ['UC1711', 'references = </nope>', '</nope>'],
    ['UC1711', 'references = @../../etc.usda@', 'UC1203'],
    ['UC1711', 'references = @/abs.usda@', 'UC1205'],
    ['UC1711', 'references = @./broken.usda@', 'UC1501'],
    ['UC1711', 'references = @./text.usd@', 'UC1201'],
    ['UC1712', 'payload = @./none.usda@', '@./none.usda@'],
    ['UC1712', 'payload = @./kit.usda@</Kit/Nope>', '</Kit/Nope>'],
    ['UC1716', 'references = @./cloth.abc@', '.abc'],
    ['UC1716', 'payload = @./mesh.OBJ@', '.obj'],
    ['UC1715', 'inherits = </q{v=x}>', '</q{v=x}>'],
  ])('%s: %s', (code, metadata, message) => {
    const files = {
      ...KITS,
      'plain.usda': layer('def "p" {}'),
      'broken.usda': layer('def def'),
      'text.usd': new TextEncoder().encode('hello'),
      'cloth.abc': new Uint8Array(4),
    };
    const { stage, diagnostics } = stageOf(`def "p" (${metadata}) { int a = 1 }`, undefined, files);
    expect(primPaths(stage)).toEqual(['/p']);
    expect(valueAt(stage, '/p.a')).toBe(1);
    expect(diagnostics.list.filter((d) => d.code === code).map((d) => `${d.severity} ${d.path}`)).toEqual(['error /p']);
    expect(diagnostics.list[0].message).toContain(message);
  });

  it('variable expressions are named and left out', () => {
    const { stage, said } = stageOf('def "p" (references = @`"$' + '{KIT}.usda"`@) {}');
    expect(primPaths(stage)).toEqual(['/p']);
    expect(said()).toEqual(['UC1718 /p']);
  });

  it('another unit or up axis in what is referenced is a warning', () => {
    const files = { 'k.usda': layer('def "K" {}', 'defaultPrim = "K"\n metersPerUnit = 0.01\n upAxis = "Z"') };
    const { stage, diagnostics } = stageOf('def "p" (references = @./k.usda@) {}', undefined, files);
    expect(primPaths(stage)).toEqual(['/p']);
    expect(diagnostics.list.map((d) => `${d.code} ${d.file} ${d.message}`)).toEqual([
      'UC1706 /scene/k.usda here Z is up and a unit is 0.01 m instead of 1 m',
    ]);
  });
});

describe('circles of arcs', () => {
  it.each([
    'def "a" (references = </a>) {}',
    'def "a" (references = </b>) {}\ndef "b" (references = </a>) {}',
    'def "a" (references = </a/b>) { def "b" {} }',
    'def "a" { def "b" (references = </a>) {} }',
    'def "a" (inherits = </b>) {}\nclass "b" (inherits = </a>) {}',
    'def "a" (specializes = </b>) {}\nclass "b" (references = </a>) {}',
    'def "a" (references = @./town.usda@</b>) {}\ndef "b" (references = @./loop.usda@) {}',
    'def "a" { def "x" (references = </b/y>) {} }\ndef "b" { def "y" (references = </a/x>) {} }',
    'def "a" (references = </b/y>) {}\ndef "b" (references = </a/x>) {}',
  ])('%s ends in UC1713', (body) => {
    const files = { 'loop.usda': layer('def "c" (references = @./town.usda@</a>) {}', 'defaultPrim = "c"') };
    const { stage, diagnostics } = stageOf(body, undefined, files);
    expect(primPaths(stage).length).toBeLessThan(20);
    const circles = diagnostics.list.filter((d) => d.code === 'UC1713');
    expect(circles.length).toBeGreaterThan(0);
    expect(circles.every((d) => d.severity === 'error' && d.path !== '')).toBe(true);
  });

  it('and long chains end at a limit, short ones do not', () => {
    const chain = (length: number) =>
      Array.from({ length }, (_, i) => `def "p${i}" (references = </p${i + 1}>) {}`).join('\n') +
      `\ndef "p${length}" { int end = 1 }`;
    const short = stageOf(chain(90));
    expect(valueAt(short.stage, '/p0.end')).toBe(1);
    expect(short.said()).toEqual([]);
    const long = stageOf(chain(300));
    expect(valueAt(long.stage, '/p0.end')).toBeUndefined();
    expect(long.said()).toContain('UC1714 /p0');
  });

  it('through prims below root prims end at a limit too', () => {
    const body =
      Array.from({ length: 300 }, (_, i) => `def "p${i}" { def "c" (references = </p${i + 1}/c>) {} }`).join('\n') +
      '\ndef "p300" { def "c" {} }';
    expect(() => primPaths(stageOf(body).stage)).toThrow('UC1714');
  });

  it('that multiply prims end before those are composed', () => {
    // Each level has twice the prims of the one above: 2^41 - 1 in all.
    const files = Object.fromEntries(
      Array.from({ length: 41 }, (_, i) => {
        const child = (name: string) => `def "${name}" (references = @./l${i + 1}.usda@) {}`;
        const inner = i < 40 ? `${child('a')}\n${child('b')}` : '';
        return [`l${i}.usda`, layer(`def "A" { ${inner} }`, 'defaultPrim = "A"')];
      }),
    );
    const { stage } = stageOf('def "top" (references = @./l0.usda@) {}', undefined, files);
    expect(() => primPaths(stage)).toThrow(
      'arcs multiply the prims of the stage to 2199023255551; --max-prims allows 1000000',
    );
  });

  it('deep namespaces do not end the stack', () => {
    const depth = 2000;
    const body = `${'def "x" {\n'.repeat(depth)}${'}\n'.repeat(depth)}def "y" (references = </x>) {}`;
    expect(primPaths(stageOf(body).stage)).toHaveLength(2 * depth);
  });
});
