// The grammar of usda text, good and bad forms of each statement, and the specs and fields that they make (OpenUSD, sdf
// text file format; field names as the crate writer spells them).

import { describe, expect, it } from 'vitest';
import { SPEC_TYPE } from '../../../../src/importers/usd/layer.ts';
import { codes, errorInPrim, errorOf, errorOfBody, field, fields, readBody, readInPrim, readText } from './usdaText.ts';

const op = (lists: object) => ({
  isExplicit: false,
  explicit: [],
  added: [],
  prepended: [],
  appended: [],
  deleted: [],
  ordered: [],
  ...lists,
});
const explicit = (...items: unknown[]) => op({ isExplicit: true, explicit: items });
const arc = (assetPath: string, primPath = '', more: object = {}) => ({
  assetPath,
  primPath,
  offset: 0,
  scale: 1,
  customData: new Map(),
  ...more,
});

describe('header', () => {
  it('reads the version and makes the root', () => {
    const { layer, diagnostics } = readText('#usda 1.0');
    expect(layer).toMatchObject({ identifier: 'test.usda', format: 'usda', version: '1.0' });
    expect([...layer.specs.keys()]).toEqual(['/']);
    expect(layer.specs.get('/')).toMatchObject({ path: '/', type: SPEC_TYPE.pseudoRoot });
    expect(diagnostics).toEqual([]);
  });

  it.each([
    ['#usda 1.2\n', '1.2', ['UC1521']],
    ['#usda 1.0  \r\n', '1.0', []],
    ['\ufeff#usda 1.0\n', '1.0', ['UC1520']],
  ])('%j', (text, version, expected) => {
    const outcome = readText(text);
    expect(outcome.layer.version).toBe(version);
    expect(codes(outcome)).toEqual(expected);
  });

  it.each(['', 'usda 1.0', '#usda', '#usd 1.0', '#sdf 1.4.32', ' #usda 1.0', '\n#usda 1.0', '#USDA 1.0', 'PXR-USDC'])(
    '%j is not text',
    (text) => expect(errorOf(text)).toMatchObject({ code: 'UC1500', file: 'test.usda' }),
  );
});

describe('white space and comments', () => {
  it('takes every kind of line end and comment', () => {
    const text = [
      '#usda 1.0 ',
      '# a comment',
      '// another',
      '/* over',
      'lines */ (',
      '  upAxis = "Y" # after a statement',
      ')',
      'def /* inside */ Xform "A" // before metadata',
      '(',
      ')',
      '# before the brace',
      '{',
      '  int a = /* inline */ 1 // after',
      '  rel r = </A> /* x */ ; int b = 2 ; # both',
      '}',
      '# end',
    ];
    for (const end of ['\n', '\r\n', '\r']) {
      const outcome = readText(text.join(end));
      expect(codes(outcome)).toEqual([]);
      expect([...outcome.layer.specs.keys()]).toEqual(['/', '/A', '/A.a', '/A.r', '/A.b']);
    }
  });

  it.each([
    ['def "A" /* open', 'UC1502'],
    ['def "A" {', 'UC1502'],
    ['(', 'UC1502'],
    ['def', 'UC1501'],
    ['def "A"', 'UC1502'],
    ['def "A" }', 'UC1501'],
    ['}', 'UC1501'],
    ['int a = 1', 'UC1501'],
    ['def "A" {}\n)', 'UC1501'],
    ['( upAxis = "Y" ) ( upAxis = "Z" )', 'UC1501'],
    ['def "A" { / }', 'UC1501'],
    ['def "A" { int }', 'UC1501'],
    ['def "A" { int a = }', 'UC1501'],
    ['def "A" { int a = 1 int b = 2\n}', 'UC1501'],
    ['def "A" { int a =\n1\n}', 'UC1501'],
    ['def "A" { int\na = 1\n}', 'UC1501'],
    ['def A { }', 'UC1501'],
    ['def "A" { \u00a0 }', 'UC1504'],
  ])('%j is refused', (body, code) => {
    expect(errorOfBody(body)).toMatchObject({ code });
  });

  it('accepts with a warning what is clear, though OpenUSD refuses it', () => {
    const outcome = readBody('def "A" { int a = 1 }\ndef "B" {} def "C" {}');
    expect([...outcome.layer.specs.keys()]).toEqual(['/', '/A', '/A.a', '/B', '/C']);
    expect(codes(outcome)).toEqual(['UC1520', 'UC1520']);
    const commas = readBody('( upAxis = "Y", metersPerUnit = 1,\n doc = "d" )');
    expect(commas.layer.specs.get('/')?.fieldNames()).toEqual(['upAxis', 'metersPerUnit', 'documentation']);
    expect(codes(commas)).toEqual(['UC1520']);
  });
});

describe('layer metadata', () => {
  it('reads each registered field by its type', () => {
    const outcome = readBody(`(
      """Comment"""
      doc = 'Documentation'
      defaultPrim = "World"
      upAxis = "Z"
      metersPerUnit = 0.01 ; kilogramsPerUnit = 1
      startTimeCode = 1
      endTimeCode = 24.5
      timeCodesPerSecond = 24
      framesPerSecond = 30
      framePrecision = 3
      customLayerData = { string "quoted key" = "v" }
      expressionVariables = { string VAR = "x" }
      owner = "o"
    )`);
    expect(codes(outcome)).toEqual([]);
    expect(fields(outcome, '/')).toEqual({
      comment: { type: 'String', array: false, value: 'Comment' },
      documentation: { type: 'String', array: false, value: 'Documentation' },
      defaultPrim: { type: 'Token', array: false, value: 'World' },
      upAxis: { type: 'Token', array: false, value: 'Z' },
      metersPerUnit: { type: 'Double', array: false, value: 0.01 },
      kilogramsPerUnit: { type: 'Double', array: false, value: 1 },
      startTimeCode: { type: 'Double', array: false, value: 1 },
      endTimeCode: { type: 'Double', array: false, value: 24.5 },
      timeCodesPerSecond: { type: 'Double', array: false, value: 24 },
      framesPerSecond: { type: 'Double', array: false, value: 30 },
      framePrecision: { type: 'Int', array: false, value: 3 },
      customLayerData: {
        type: 'Dictionary',
        array: false,
        value: new Map([['quoted key', { type: 'String', array: false, value: 'v' }]]),
      },
      expressionVariables: {
        type: 'Dictionary',
        array: false,
        value: new Map([['VAR', { type: 'String', array: false, value: 'x' }]]),
      },
      owner: { type: 'String', array: false, value: 'o' },
    });
  });

  it('reads sublayers with their offsets', () => {
    const outcome = readBody(`(
      subLayers = [
        @a.usd@,
        @./b.usda@ (offset = 10; scale = 2),
        @@@c@d.usd@@@ (
          scale = 0.5
        ), @e.usd@ (),
      ]
    )`);
    expect(fields(outcome, '/')).toEqual({
      subLayers: { type: 'StringVector', array: false, value: ['a.usd', './b.usda', 'c@d.usd', 'e.usd'] },
      subLayerOffsets: {
        type: 'LayerOffsetVector',
        array: false,
        value: [
          { offset: 0, scale: 1 },
          { offset: 10, scale: 2 },
          { offset: 0, scale: 0.5 },
          { offset: 0, scale: 1 },
        ],
      },
    });
    expect(field(readBody('( subLayers = [] )'), '/', 'subLayers')).toEqual([]);
  });

  it('reads relocates', () => {
    const outcome = readBody('( relocates = { </A/B> : </A/C>, <X>: <>, } )');
    expect(fields(outcome, '/')).toEqual({
      layerRelocates: {
        type: 'Relocates',
        array: false,
        value: [
          ['/A/B', '/A/C'],
          ['/X', ''],
        ],
      },
    });
  });

  it('reads the order of root prims', () => {
    const outcome = readBody('def "A" {}\ndef "B" {}\nreorder rootPrims = ["B", "A"]');
    expect(field(outcome, '/', 'primOrder')).toEqual(['B', 'A']);
    expect(field(outcome, '/', 'primChildren')).toEqual(['A', 'B']);
  });

  it.each([
    ['( upAxis = Y )', 'UC1503'],
    ['( upAxis = ["Y"] )', 'UC1503'],
    ['( metersPerUnit = "1" )', 'UC1503'],
    ['( metersPerUnit = None )', 'UC1503'],
    ['( framesPerSecond = 0 )', 'UC1503'],
    ['( framesPerSecond = -24 )', 'UC1503'],
    ['( framePrecision = 1e10 )', 'UC1503'],
    ['( customLayerData = 1 )', 'UC1501'],
    ['( primChildren = ["A"] )', 'UC1501'],
    ['( comment = "c" )', 'UC1501'],
    ['( prepend upAxis = "Y" )', 'UC1501'],
    ['( upAxis "Y" )', 'UC1501'],
    ['( upAxis = "Y" metersPerUnit = 1 )', 'UC1501'],
    ['( = 1 )', 'UC1501'],
    ['( 1 )', 'UC1501'],
    ['( upAxis = )', 'UC1503'],
    ['( subLayers = @a@ )', 'UC1501'],
    ['( subLayers = [ "a.usd" ] )', 'UC1501'],
    ['( subLayers = [ @@ ] )', 'UC1504'],
    ['( subLayers = [ @a@ (offset = "1") ] )', 'UC1501'],
    ['( subLayers = [ @a@ (start = 1) ] )', 'UC1501'],
    ['( subLayers = [ @a@ @b@ ] )', 'UC1501'],
    ['( relocates = { </A>, </B> } )', 'UC1501'],
    ['( relocates = { </>: </B> } )', 'UC1504'],
    ['( relocates = { <>: </B> } )', 'UC1504'],
    ['reorder rootPrims = [A]', 'UC1501'],
    ['reorder rootPrims = ["a b"]', 'UC1504'],
    ['reorder nameChildren = ["A"]', 'UC1501'],
  ])('%j is refused', (body, code) => {
    expect(errorOfBody(body)).toMatchObject({ code });
  });
});

describe('prims', () => {
  it('makes specs with specifier, type, children and properties', () => {
    const outcome = readBody(`def Xform "A" {
      def Some.Dotted . Type "B" { }
      over "C" { }
      class "_D" { }
      int x
      rel y
    }
    def "größe漢" { }`);
    expect(codes(outcome)).toEqual([]);
    expect([...outcome.layer.specs.keys()]).toEqual(['/', '/A', '/A/B', '/A/C', '/A/_D', '/A.x', '/A.y', '/größe漢']);
    expect(fields(outcome, '/')).toEqual({
      primChildren: { type: 'TokenVector', array: false, value: ['A', 'größe漢'] },
    });
    expect(fields(outcome, '/A')).toEqual({
      specifier: { type: 'Specifier', array: false, value: 'def' },
      typeName: { type: 'Token', array: false, value: 'Xform' },
      primChildren: { type: 'TokenVector', array: false, value: ['B', 'C', '_D'] },
      properties: { type: 'TokenVector', array: false, value: ['x', 'y'] },
    });
    expect(field(outcome, '/A/B', 'typeName')).toBe('Some.Dotted.Type');
    expect(field(outcome, '/A/C', 'specifier')).toBe('over');
    expect(field(outcome, '/A/_D', 'specifier')).toBe('class');
    expect(outcome.layer.specs.get('/A/C')).toMatchObject({ type: SPEC_TYPE.prim });
    expect(outcome.layer.specs.get('/A/C')?.fieldNames()).toEqual(['specifier']);
  });

  it('reads metadata', () => {
    const outcome = readBody(`def "A" (
      'Comment'
      doc = "d"
      active = false
      hidden = 1
      instanceable = true
      kind = "component"
      typeName = "Mesh"
      assetInfo = { asset identifier = @a.usd@ }
      customData = { }
      displayGroupOrder = ["x", "y"]
      permission = private
      symmetryFunction =
      prefixSubstitutions = { "$A": "b", 'c' : 'd' }
      clips = { dictionary default = { double2[] times = [(0, 0)] } }
      prepend apiSchemas = ["X", "Y"]
      append apiSchemas = ["Z"]
      clipSets = ["default"]
      inactiveIds = [1, -2]
    ) { }`);
    expect(codes(outcome)).toEqual([]);
    const value = (name: string) => field(outcome, '/A', name);
    expect(value('comment')).toBe('Comment');
    expect(value('documentation')).toBe('d');
    expect(value('active')).toBe(false);
    expect(value('hidden')).toBe(true);
    expect(value('instanceable')).toBe(true);
    expect(value('kind')).toBe('component');
    expect(value('typeName')).toBe('Mesh');
    expect(value('assetInfo')).toEqual(new Map([['identifier', { type: 'AssetPath', array: false, value: 'a.usd' }]]));
    expect(value('customData')).toEqual(new Map());
    expect(fields(outcome, '/A')?.displayGroupOrder).toEqual({ type: 'String', array: true, value: ['x', 'y'] });
    expect(fields(outcome, '/A')?.permission).toEqual({ type: 'Permission', array: false, value: 'private' });
    expect(fields(outcome, '/A')?.symmetryFunction).toBeUndefined();
    expect(value('prefixSubstitutions')).toEqual(
      new Map([
        ['$A', { type: 'String', array: false, value: 'b' }],
        ['c', { type: 'String', array: false, value: 'd' }],
      ]),
    );
    expect(fields(outcome, '/A')?.apiSchemas).toEqual({
      type: 'TokenListOp',
      array: false,
      value: op({ prepended: ['X', 'Y'], appended: ['Z'] }),
    });
    expect(fields(outcome, '/A')?.clipSets).toEqual({ type: 'StringListOp', array: false, value: explicit('default') });
    expect(fields(outcome, '/A')?.inactiveIds).toEqual({ type: 'Int64ListOp', array: false, value: explicit(1n, -2n) });
  });

  it('keeps what no schema registers as unregistered values', () => {
    const outcome = readBody(
      `def "A" (
      foo = "text"
      bar = [1, ( 2.50 , "x" ),
        @a@, word ]
      dict = { int a = 1 }
      none = None
      path = </A.b>
      add = 1
      prepend list = ["a", 2]
    ) { }`,
    );
    const text = (value: string) => ({
      type: 'UnregisteredValue',
      array: false,
      value: { type: 'String', array: false, value },
    });
    const found = fields(outcome, '/A');
    expect(found?.foo).toEqual(text('"text"'));
    expect(found?.bar).toEqual(text('[1, (2.5, "x"), @a@, word]'));
    expect(found?.dict).toEqual({
      type: 'UnregisteredValue',
      array: false,
      value: { type: 'Dictionary', array: false, value: new Map([['a', { type: 'Int', array: false, value: 1 }]]) },
    });
    expect(found?.none).toEqual(text('None'));
    expect(found?.path).toEqual(text('</A.b>'));
    expect(found?.add).toEqual(text('1'));
    expect(found?.list).toEqual({
      type: 'UnregisteredValue',
      array: false,
      value: { type: 'UnregisteredValueListOp', array: false, value: op({ prepended: [text('"a", 2')] }) },
    });
  });

  it('holds any number of fields', () => {
    const names = Array.from({ length: 40 }, (_, i) => `field${i}`);
    const outcome = readBody(`def "A" (\n${names.map((name, i) => `${name} = ${i}`).join('\n')}\nfield7 = 700\n) {}`);
    const spec = outcome.layer.specs.get('/A');
    expect(spec?.fieldNames()).toEqual(['specifier', ...names]);
    expect(spec?.get('field7')?.value).toEqual({ type: 'String', array: false, value: '700' });
    expect(spec?.get('field39')?.value).toEqual({ type: 'String', array: false, value: '39' });
    expect(spec?.has('field40')).toBe(false);
  });

  it('reads the orders of children and properties', () => {
    const outcome = readInPrim('reorder nameChildren = ["B", "A"]\nreorder properties = ["x:y", "z"]');
    expect(fields(outcome, '/P')?.primOrder).toEqual({ type: 'TokenVector', array: false, value: ['B', 'A'] });
    expect(fields(outcome, '/P')?.propertyOrder).toEqual({ type: 'TokenVector', array: false, value: ['x:y', 'z'] });
  });

  it.each([
    ['def "1A" {}', 'UC1504'],
    ['def "a b" {}', 'UC1504'],
    ['def "" {}', 'UC1504'],
    ['def "a:b" {}', 'UC1504'],
    ['def "A" {}\ndef "A" {}', 'UC1505'],
    ['def "A" {\n over "B" {}\n def "B" {}\n}', 'UC1505'],
    ['def "A" ( active = maybe ) {}', 'UC1503'],
    ['def "A" ( permission = secret ) {}', 'UC1503'],
    ['def "A" ( specifier = "def" ) {}', 'UC1501'],
    ['def "A" ( customData = { int } ) {}', 'UC1501'],
    ['def "A" ( customData = { int a } ) {}', 'UC1501'],
    ['def "A" ( customData = { int a = 1 int b = 2 } ) {}', 'UC1501'],
    ['def "A" ( customData = { a = 1 } ) {}', 'UC1501'],
    ['def "A" ( customData = { int a = None } ) {}', 'UC1503'],
    ['def "A" ( customData = { int a = 1', 'UC1502'],
    ['def "A" ( prepend apiSchemas = [] ) {}', 'UC1501'],
    ['def "A" ( prepend apiSchemas = None ) {}', 'UC1501'],
    ['def "A" ( apiSchemas = 1 ) {}', 'UC1503'],
    ['def "A" ( foo = [1, 2 ) {}', 'UC1501'],
    ['def "A" ( foo = (1, [2) ] ) {}', 'UC1501'],
    ['def "A" ( foo = [1,, 2] ) {}', 'UC1501'],
    ['def "A" ( prefixSubstitutions = { "a" = "b" } ) {}', 'UC1501'],
  ])('%j is refused', (body, code) => {
    expect(errorOfBody(body)).toMatchObject({ code });
  });

  it('reads dictionaries with nested ones, arrays and any key', () => {
    const outcome = readBody(`def "A" ( customData = {
      dictionary inner = {
        int[] list = [1, 2] ; bool flag = true
      }
      token default = "t"
      double3 "with space" = (1, 2, 3)
      string "" = "empty"
      int a = 1
      int a = 2
      strange b = (1, 2)
    } ) {}`);
    expect(field(outcome, '/A', 'customData')).toEqual(
      new Map<string, unknown>([
        [
          'inner',
          {
            type: 'Dictionary',
            array: false,
            value: new Map<string, unknown>([
              ['list', { type: 'Int', array: true, value: Int32Array.of(1, 2) }],
              ['flag', { type: 'Bool', array: false, value: true }],
            ]),
          },
        ],
        ['default', { type: 'Token', array: false, value: 't' }],
        ['with space', { type: 'Vec3d', array: false, value: [1, 2, 3] }],
        ['', { type: 'String', array: false, value: 'empty' }],
        ['a', { type: 'Int', array: false, value: 2 }],
      ]),
    );
    expect(codes(outcome)).toEqual(['UC1525']);
  });
});

describe('arcs', () => {
  const prim = (metadata: string) => readBody(`def "A" (\n${metadata}\n) {}`);
  const error = (metadata: string) => errorOfBody(`def "A" (\n${metadata}\n) {}`);

  it.each<[string, string, unknown]>([
    ['references = @a.usd@', 'references', explicit(arc('a.usd'))],
    ['references = @a.usd@</B>', 'references', explicit(arc('a.usd', '/B'))],
    ['references = @a.usd@ </B/C>', 'references', explicit(arc('a.usd', '/B/C'))],
    ['references = @a.usd@<>', 'references', explicit(arc('a.usd'))],
    ['references = </B>', 'references', explicit(arc('', '/B'))],
    ['references = <>', 'references', explicit(arc(''))],
    ['references = None', 'references', explicit()],
    ['references = []', 'references', explicit()],
    [
      'prepend references = [ @a@ (offset = 1; scale = -2), </B> (\noffset = .5\n), @c@</D>, ]',
      'references',
      op({ prepended: [arc('a', '', { offset: 1, scale: -2 }), arc('', '/B', { offset: 0.5 }), arc('c', '/D')] }),
    ],
    [
      'references = @a@ (customData = { int x = 1 }; offset = 3)',
      'references',
      explicit(arc('a', '', { offset: 3, customData: new Map([['x', { type: 'Int', array: false, value: 1 }]]) })),
    ],
    [
      'add references = @a@\ndelete references = [@b@]\nreorder references = [@c@, @d@]',
      'references',
      op({ added: [arc('a')], deleted: [arc('b')], ordered: [arc('c'), arc('d')] }),
    ],
    ['prepend references = @a@\nreferences = @b@', 'references', explicit(arc('b'))],
    ['references = @b@\nappend references = @a@', 'references', op({ appended: [arc('a')] })],
    ['payload = @a.usd@</B> (offset = 2)', 'payload', explicit(arc('a.usd', '/B', { offset: 2 }))],
    ['payload = None', 'payload', explicit()],
    ['append payload = [@a@, <>]', 'payload', op({ appended: [arc('a'), arc('')] })],
    ['inherits = </_C>', 'inheritPaths', explicit('/_C')],
    ['prepend inherits = [</_C>, <../D>, <E>]', 'inheritPaths', op({ prepended: ['/_C', '/D', '/A/E'] })],
    ['inherits = None', 'inheritPaths', explicit()],
    ['append specializes = </_C>', 'specializes', op({ appended: ['/_C'] })],
    ['variantSets = "lod"', 'variantSetNames', explicit('lod')],
    ['prepend variantSets = ["lod", "x-1|2"]', 'variantSetNames', op({ prepended: ['lod', 'x-1|2'] })],
    [
      'variants = { string lod = "high"; string x = "" }\nvariants = { string y = "1" }',
      'variantSelection',
      new Map([
        ['lod', 'high'],
        ['x', ''],
        ['y', '1'],
      ]),
    ],
    ['relocates = { <B>: <C> }', 'relocates', [['/A/B', '/A/C']]],
  ])('%j', (metadata, name, value) => {
    const outcome = prim(metadata);
    expect(codes(outcome)).toEqual([]);
    expect(field(outcome, '/A', name)).toEqual(value);
  });

  it.each([
    ['references = @@', 'UC1504'],
    ['references = @@</B>', 'UC1504'],
    ['references = "a.usd"', 'UC1501'],
    ['references = @a@<B>', 'UC1504'],
    ['references = @a@</B.c>', 'UC1504'],
    ['references = @a@</>', 'UC1504'],
    ['references = @a@</B', 'UC1501'],
    ['references = @a@</1B>', 'UC1504'],
    ['references = [@a@ @b@]', 'UC1501'],
    ['references = @a@ (offset = 1 scale = 2)', 'UC1501'],
    ['references = @a@ (offset = 1', 'UC1501'],
    ['references = @a@ (start = 1)', 'UC1501'],
    ['references = @a@ (offset = x)', 'UC1501'],
    ['references = @a@ (customData = 1)', 'UC1501'],
    ['payload = @a@ (customData = { })', 'UC1501'],
    ['prepend references = None', 'UC1501'],
    ['append payload = []', 'UC1501'],
    ['delete inherits = []', 'UC1501'],
    ['inherits = @a@', 'UC1501'],
    ['inherits = </A.b>', 'UC1504'],
    ['inherits = <>', 'UC1504'],
    ['inherits = </>', 'UC1504'],
    ['inherits = <../..>', 'UC1504'],
    ['specializes = <A//B>', 'UC1504'],
    ['variantSets = [lod]', 'UC1501'],
    ['variantSets = ["a b"]', 'UC1504'],
    ['variantSets = [""]', 'UC1504'],
    ['variants = { int lod = 1 }', 'UC1503'],
    ['variants = { string lod = "a b" }', 'UC1504'],
    ['prepend variants = { string lod = "a" }', 'UC1501'],
    ['prepend kind = "x"', 'UC1501'],
  ])('%j is refused', (metadata, code) => {
    expect(error(metadata)).toMatchObject({ code, path: '/A' });
  });

  it('keeps equal items once, with a warning', () => {
    const outcome = prim('prepend apiSchemas = ["A", "B", "A"]\nreferences = [@a@, @a@, @a@ (offset = 1)]');
    expect(field(outcome, '/A', 'apiSchemas')).toEqual(op({ prepended: ['A', 'B'] }));
    expect(field(outcome, '/A', 'references')).toEqual(explicit(arc('a'), arc('a', '', { offset: 1 })));
    expect(codes(outcome)).toEqual(['UC1520']);
  });
});

describe('variants', () => {
  it('makes sets, variants, and what is in them', () => {
    const outcome = readBody(`def "A" (
      variantSets = "lod"
    ) {
      int x = 0
      variantSet "lod" = {
        "high" ( doc = "d" ) {
          int x = 1
          def "B" {
            rel r = <../C>
            int y.connect = <.x>
          }
          variantSet "inner" =
          {
            "1" { over "B" { } }
          }
        }
        "low" { }
      }
      variantSet "late" = { "only" { } }
    }`);
    expect(codes(outcome)).toEqual(['UC1520']);
    expect([...outcome.layer.specs.keys()]).toEqual([
      '/',
      '/A',
      '/A{lod=}',
      '/A.x',
      '/A{lod=high}',
      '/A{lod=high}.x',
      '/A{lod=high}B',
      '/A{lod=high}B.r',
      '/A{lod=high}B.y',
      '/A{lod=high}{inner=}',
      '/A{lod=high}{inner=1}',
      '/A{lod=high}{inner=1}B',
      '/A{lod=low}',
      '/A{late=}',
      '/A{late=only}',
    ]);
    expect(field(outcome, '/A', 'variantSetChildren')).toEqual(['lod', 'late']);
    expect(field(outcome, '/A{lod=}', 'variantChildren')).toEqual(['high', 'low']);
    expect(outcome.layer.specs.get('/A{lod=}')?.type).toBe(SPEC_TYPE.variantSet);
    expect(outcome.layer.specs.get('/A{lod=high}')?.type).toBe(SPEC_TYPE.variant);
    expect(field(outcome, '/A{lod=high}', 'documentation')).toBe('d');
    expect(field(outcome, '/A{lod=high}', 'primChildren')).toEqual(['B']);
    expect(field(outcome, '/A{lod=high}', 'variantSetChildren')).toEqual(['inner']);
    // Relative paths start at the prim: variant selections of the place do not enter them.
    expect(field(outcome, '/A{lod=high}B.r', 'targetPaths')).toEqual(explicit('/A/C'));
    expect(field(outcome, '/A{lod=high}B.y', 'connectionPaths')).toEqual(explicit('/A/B.x'));
  });

  it('merges a set that is written twice', () => {
    const outcome = readInPrim('variantSet "s" = { "a" { } }\nvariantSet "s" = {\n"b" {\nint x\n}\n}');
    expect(field(outcome, '/P', 'variantSetChildren')).toEqual(['s']);
    expect(field(outcome, '/P{s=}', 'variantChildren')).toEqual(['a', 'b']);
  });

  it.each([
    ['variantSet lod = { }', 'UC1501'],
    ['variantSet "a b" = { }', 'UC1504'],
    ['variantSet "" = { }', 'UC1504'],
    ['variantSet "lod" { }', 'UC1501'],
    ['variantSet "lod" = { high { } }', 'UC1501'],
    ['variantSet "lod" = { "a b" { } }', 'UC1504'],
    ['variantSet "lod" = { "" { } }', 'UC1504'],
    ['variantSet "lod" = { int x = 1 }', 'UC1501'],
    ['variantSet "lod" = { "a" }', 'UC1501'],
  ])('%j is refused', (statement, code) => {
    expect(errorInPrim(statement)).toMatchObject({ code });
  });
});

describe('attributes', () => {
  it('merges statements into one spec', () => {
    const outcome = readInPrim(`float x
      custom float x = 1 ( doc = "d" )
      float x.timeSamples = { 2: 20, -1.5: 10, 0: None, 2: 21, }
      float x.connect = </Q.y>
      prepend float x.connect = [</Q.z>]`);
    const samples = field(outcome, '/P.x', 'timeSamples') as { times: Float64Array; at(i: number): unknown };
    expect(outcome.layer.specs.get('/P.x')?.fieldNames()).toEqual([
      'custom',
      'typeName',
      'variability',
      'default',
      'documentation',
      'timeSamples',
      'connectionPaths',
    ]);
    expect(field(outcome, '/P', 'properties')).toEqual(['x']);
    expect(field(outcome, '/P.x', 'custom')).toBe(true);
    expect(field(outcome, '/P.x', 'default')).toBe(1);
    expect(samples.times).toEqual(Float64Array.of(-1.5, 0, 2));
    expect([0, 1, 2].map((i) => samples.at(i))).toEqual([
      { type: 'Float', array: false, value: 10 },
      { type: 'ValueBlock', array: false, value: null },
      { type: 'Float', array: false, value: 21 },
    ]);
    expect(field(outcome, '/P.x', 'connectionPaths')).toEqual(op({ prepended: ['/Q.z'] }));
  });

  it('knows variability and legal names', () => {
    const outcome = readInPrim(`uniform token a
      config int b
      varying int c
      custom uniform int d
      int def
      int rel = 2
      float default
      token doc:kind:scale
      int [ ] list
      Ns::Type e`);
    expect(field(outcome, '/P.a', 'variability')).toBe('uniform');
    expect(field(outcome, '/P.b', 'variability')).toBe('uniform');
    expect(field(outcome, '/P.c', 'variability')).toBe('varying');
    expect(field(outcome, '/P.d', 'variability')).toBe('uniform');
    expect(field(outcome, '/P.d', 'custom')).toBe(true);
    expect(field(outcome, '/P.rel', 'default')).toBe(2);
    expect(field(outcome, '/P.list', 'typeName')).toBe('int[]');
    expect(outcome.layer.specs.has('/P.doc:kind:scale')).toBe(true);
    expect(field(outcome, '/P.e', 'typeName')).toBe('Ns::Type');
    expect(codes(outcome)).toEqual(['UC1525']);
  });

  it('reads metadata by type', () => {
    const outcome = readInPrim(`float[] primvars:x = [1] (
        interpolation = "vertex"
        elementSize = 3
        unauthoredValuesIndex = -1
        colorSpace = "raw"
        allowedTokens = ["a"]
        customData = { string s = "x" }
        displayUnit = cm
        displayName = "X"
        weight = 0.1
        limits = { int a = 1 }
        permission = public
        symmetryFunction = mirror
      )`);
    const value = (name: string) => fields(outcome, '/P.primvars:x')?.[name];
    expect(value('interpolation')).toEqual({ type: 'Token', array: false, value: 'vertex' });
    expect(value('elementSize')).toEqual({ type: 'Int', array: false, value: 3 });
    expect(value('unauthoredValuesIndex')).toEqual({ type: 'Int', array: false, value: -1 });
    expect(value('allowedTokens')).toEqual({ type: 'Token', array: true, value: ['a'] });
    expect(value('displayUnit')).toEqual({ type: 'Token', array: false, value: 'cm' });
    expect(value('weight')).toEqual({ type: 'Float', array: false, value: Math.fround(0.1) });
    expect(value('limits')?.type).toBe('UnregisteredValue');
    expect(value('symmetryFunction')).toEqual({ type: 'Token', array: false, value: 'mirror' });
  });

  it('reads time samples of arrays, strings and odd times', () => {
    const outcome = readInPrim('int[] x.timeSamples = { -inf: [1], inf: [], 1e1: [2, 3] }\nstring s.timeSamples = {}');
    const samples = field(outcome, '/P.x', 'timeSamples') as { times: Float64Array; at(i: number): { value: unknown } };
    expect(samples.times).toEqual(Float64Array.of(-Infinity, 10, Infinity));
    expect(samples.at(1).value).toEqual(Int32Array.of(2, 3));
    expect(() => samples.at(3)).toThrow(RangeError);
    expect((field(outcome, '/P.s', 'timeSamples') as { times: Float64Array }).times.length).toBe(0);
  });

  it('steps over splines with a warning', () => {
    const outcome = readInPrim(`double x = 1
      double x.spline = {
        bezier,
        pre: linear,
        post: sloped(0.5),
        loop: (1, 2, 0, 1, 5.5),
        1: 5; pre (1, 2); post held { string note = "} not the end" },
        2 : 6 & 7,
      }
      int y = 2`);
    expect(fields(outcome, '/P.x')?.spline).toEqual({ type: 'Spline', array: false, value: null });
    expect(field(outcome, '/P.x', 'default')).toBe(1);
    expect(field(outcome, '/P.y', 'default')).toBe(2);
    expect(outcome.diagnostics).toMatchObject([{ code: 'UC1522', path: '/P' }]);
  });

  it.each([
    ['float x\ndouble x', 'UC1505'],
    ['float x\nfloat[] x', 'UC1505'],
    ['float x\nuniform float x', 'UC1505'],
    ['float x\nrel x', 'UC1505'],
    ['prepend float x = 1', 'UC1501'],
    ['prepend float x', 'UC1501'],
    ['append float x.timeSamples = {}', 'UC1501'],
    ['float x.foo = 1', 'UC1501'],
    ['float x. = 1', 'UC1501'],
    ['float 1x', 'UC1501'],
    ['float x:', 'UC1501'],
    ['float x:1', 'UC1501'],
    ['float x = 1 (', 'UC1501'],
    ['float x = 1 ( typeName = "a" )', 'UC1501'],
    ['float x.timeSamples = { a: 1 }', 'UC1501'],
    ['float x.timeSamples = { nan: 1 }', 'UC1503'],
    ['float x.timeSamples = { 1 = 1 }', 'UC1501'],
    ['float x.timeSamples = { 1: 1 2: 2 }', 'UC1501'],
    ['float x.timeSamples = { 1: "a" }', 'UC1503'],
    ['float x.timeSamples = [1]', 'UC1501'],
    ['float x.connect = @a@', 'UC1501'],
    ['prepend float x.connect = None', 'UC1501'],
    ['float x.connect = [</A.b> </A.c>]', 'UC1501'],
    ['float x.connect = <a b>', 'UC1504'],
    ['float x.connect = <>', 'UC1504'],
    ['float x.spline = { ( }', 'UC1501'],
    ['float x.spline = 1', 'UC1501'],
    ['float[ x', 'UC1501'],
    ['uniform rel x', 'UC1501'],
  ])('%j is refused', (statements, code) => {
    expect(errorInPrim(statements)).toMatchObject({ code });
  });
});

describe('connections and relationships', () => {
  it.each<[string, unknown]>([
    ['rel r = </A>', explicit('/A')],
    ['rel r = </A.b:c>', explicit('/A.b:c')],
    ['rel r = <../Q>', explicit('/Q')],
    ['rel r = <C/D.x>', explicit('/P/C/D.x')],
    ['rel r = <.x>', explicit('/P.x')],
    ['rel r = <.>', explicit('/P')],
    ['rel r = [</A>,\n </B>,]', explicit('/A', '/B')],
    ['rel r = []', explicit()],
    ['rel r = None', explicit()],
    ['add rel r = </A>', op({ added: ['/A'] })],
    ['prepend rel r = </A>\ndelete rel r = [</B>, </C>]', op({ prepended: ['/A'], deleted: ['/B', '/C'] })],
    ['reorder rel r = [</A>, </B>]', op({ ordered: ['/A', '/B'] })],
    ['rel r = </A.rel[/B].attr>', explicit('/A.rel[/B].attr')],
  ])('%j', (statement, targets) => {
    const outcome = readInPrim(statement);
    expect(codes(outcome)).toEqual([]);
    expect(outcome.layer.specs.get('/P.r')?.type).toBe(SPEC_TYPE.relationship);
    expect(fields(outcome, '/P.r')).toEqual({
      variability: { type: 'Variability', array: false, value: 'uniform' },
      targetPaths: { type: 'PathListOp', array: false, value: targets },
    });
  });

  it('reads qualifiers and metadata', () => {
    const outcome = readInPrim(`custom varying rel r (
      bindMaterialAs = "strongerThanDescendants"
    )
    varying rel s = </A>`);
    expect(fields(outcome, '/P.r')).toEqual({
      variability: { type: 'Variability', array: false, value: 'varying' },
      custom: { type: 'Bool', array: false, value: true },
      bindMaterialAs: { type: 'Token', array: false, value: 'strongerThanDescendants' },
    });
    expect(field(outcome, '/P.s', 'variability')).toBe('varying');
  });

  it('reads the legacy forms and says that they mean nothing', () => {
    const outcome = readInPrim(`rel a[</A>]
      rel b.default = </A>
      rel c.timeSamples = { 1: </A>, 2: [</B>, </C>] }
      rel d = </D>`);
    expect(codes(outcome)).toEqual(['UC1523', 'UC1523', 'UC1523']);
    for (const name of 'abc') expect(outcome.layer.specs.get(`/P.${name}`)?.fieldNames()).toEqual(['variability']);
    expect(field(outcome, '/P.d', 'targetPaths')).toEqual(explicit('/D'));
  });

  it('takes variant selections out of targets, with a warning', () => {
    const outcome = readInPrim('rel r = </A{v=x}B.c>\nint y.connect = </A{v=x}.c>');
    expect(field(outcome, '/P.r', 'targetPaths')).toEqual(explicit('/A/B.c'));
    expect(field(outcome, '/P.y', 'connectionPaths')).toEqual(explicit('/A.c'));
    expect(codes(outcome)).toEqual(['UC1524']);
  });

  it.each([
    ['rel r = @a@', 'UC1501'],
    ['rel r = "x"', 'UC1501'],
    ['rel r = </A', 'UC1501'],
    ['rel r = <A//B>', 'UC1504'],
    ['rel r = </A/>', 'UC1504'],
    ['rel r = </>', 'UC1504'],
    ['rel r = <>', 'UC1504'],
    ['rel r = <../../Q>', 'UC1504'],
    ['rel r = <../>', 'UC1504'],
    ['rel r = <...>', 'UC1504'],
    ['rel r = </A.b.1c>', 'UC1504'],
    ['rel r = </A{v>', 'UC1504'],
    ['rel r = </A{v=a b}>', 'UC1504'],
    ['rel r = </A.b[>', 'UC1504'],
    ['rel r = </.a>', 'UC1504'],
    ['append rel r = None', 'UC1501'],
    ['rel r.foo = </A>', 'UC1501'],
    ['rel', 'UC1501'],
    ['rel r = </A> ( targetPaths = </A> )', 'UC1501'],
  ])('%j is refused', (statement, code) => {
    expect(errorInPrim(statement)).toMatchObject({ code });
  });
});
