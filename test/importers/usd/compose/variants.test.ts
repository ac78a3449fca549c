import { describe, expect, it } from 'vitest';
import { layer, primPaths, stageOf, valueAt } from '../importText.ts';

const SETS = `variantSet "color" = {
    "red" { int c = 1\n def "Red" {} }
    "blue" { int c = 2\n def "Blue" {} }
  }`;

describe('variants', () => {
  it('are weaker than the prim and inherits, stronger than references', () => {
    const { stage } = stageOf(
      `class "_k" { int b = 2 }
       def "r" { int a = 9\n int b = 9\n int c = 9\n int d = 9 }
       def "p" (inherits = </_k>; references = </r>; variants = { string v = "x" }; variantSets = "v") {
         int a = 1
         variantSet "v" = { "x" { int a = 3\n int b = 3\n int c = 3 } }
       }`,
    );
    expect(['a', 'b', 'c', 'd'].map((name) => valueAt(stage, `/p.${name}`))).toEqual([1, 2, 3, 9]);
  });

  it('are selected by the strongest opinion, wherever the set is; without any, none is applied', () => {
    const files = {
      'a.usda': layer(`def "A" (variants = { string color = "red" }; variantSets = "color") { ${SETS} }`),
    };
    const { stage } = stageOf(
      `def "asset" (references = @./a.usda@</A>) {}
       def "scene" (references = @./a.usda@</A>; variants = { string color = "blue" }) {}
       def "none" (references = @./a.usda@</A>; variants = { string color = "" }) {}
       def "unset" (variantSets = "color") { ${SETS} }`,
      undefined,
      files,
    );
    expect(primPaths(stage)).toEqual(['/asset', '/asset/Red', '/scene', '/scene/Blue', '/none', '/unset']);
  });

  it('of sets listed earlier are stronger', () => {
    const set = (name: string, value: number) => `variantSet "${name}" = { "on" { int x = ${value} } }`;
    const of = (sets: string) =>
      valueAt(
        stageOf(
          `def "p" (variants = { string a = "on"\n string b = "on" }; variantSets = ${sets}) { ${set('a', 1)}\n${set('b', 2)} }`,
        ).stage,
        '/p.x',
      );
    expect(of('["a", "b"]')).toBe(1);
    expect(of('["b", "a"]')).toBe(2);
    expect(of('["b"]')).toBe(2);
  });

  it('nest, and an outer variant selects an inner one', () => {
    const body = (outer: string) => `def "p" (variants = { string shape = "${outer}" }; variantSets = "shape") {
      variantSet "shape" = {
        "round" ( variants = { string size = "big" }; variantSets = "size" ) {
          variantSet "size" = { "big" { int s = 10\n def "BigRound" { int deep = 4 } } "small" { int s = 1 } }
        }
        "flat" { int s = 0 }
      }
    }`;
    const round = stageOf(body('round')).stage;
    expect([valueAt(round, '/p.s'), valueAt(round, '/p/BigRound.deep')]).toEqual([10, 4]);
    expect(valueAt(stageOf(body('flat')).stage, '/p.s')).toBe(0);
  });

  it('bring in references, whose layers may select further variants', () => {
    const files = {
      'body.usda': layer(`def "B" (variantSets = "color") { ${SETS} }`, 'defaultPrim = "B"'),
    };
    const { stage } = stageOf(
      `def "car" (variants = { string kind = "van" }; variantSets = "kind") {
         variantSet "kind" = {
           "van" ( references = @./body.usda@\n variants = { string color = "blue" } ) {}
         }
       }`,
      undefined,
      files,
    );
    expect(primPaths(stage)).toEqual(['/car', '/car/Blue']);
  });

  it('may be split over layers: each site adds what it has', () => {
    const files = {
      'a.usda': layer(`def "A" (variants = { string color = "blue" }; variantSets = "color") { ${SETS} }`),
    };
    const { stage, said } = stageOf(
      `def "p" (references = @./a.usda@</A>; prepend variantSets = "color") {
         variantSet "color" = { "blue" { int d = 5 } "green" { int d = 6 } }
       }
       def "q" (references = @./a.usda@</A>; variants = { string color = "green" }; prepend variantSets = "color") {
         variantSet "color" = { "green" { int d = 6 } }
       }`,
      undefined,
      files,
    );
    expect([valueAt(stage, '/p.c'), valueAt(stage, '/p.d')]).toEqual([2, 5]);
    expect([valueAt(stage, '/q.c'), valueAt(stage, '/q.d')]).toEqual([undefined, 6]);
    expect(said()).toEqual([]);
  });

  it('that are selected but do not exist are named', () => {
    const { stage, diagnostics } = stageOf(
      `def "p" (variants = { string color = "green" }; variantSets = "color") { ${SETS} }`,
    );
    expect(primPaths(stage)).toEqual(['/p']);
    expect(diagnostics.list.map((d) => `${d.code} ${d.path} ${d.message}`)).toEqual([
      'UC1721 /p variant set "color" has no variant "green"; it has red, blue',
    ]);
  });
});

describe('a selection from outside', () => {
  // The part is empty but for what the variant "parts" says of it.
  const files = {
    'model.usda': layer(
      `def "Model" (variants = { string vset = "none" }; variantSets = "vset") {
         class "_Part" {}
         def "Inherits" (inherits = </Model/_Part>) {}
         variantSet "vset" = {
           "none" {}
           "parts" { over "_Part" { int n = 1\n def "geo" { int g = 2 } } }
         }
       }`,
      'defaultPrim = "Model"',
    ),
    'kit.usda': layer(
      `def "Kit" (variants = { string vset = "none" }; variantSets = "vset") {
         def "Refers" (references = </Kit/Part>) {}
         def "Deeper" (references = </Kit/Part/geo>) {}
         variantSet "vset" = {
           "none" { def "Part" { def "geo" {} } }
           "parts" { def "Part" { int n = 3\n def "geo" { int g = 4\n def "bolt" {} } } }
         }
       }`,
      'defaultPrim = "Kit"',
    ),
  };

  it('reaches the class that a prim of the model inherits', () => {
    const { stage, said } = stageOf(
      `def "bare" (references = @./model.usda@) {}
       def "full" (references = @./model.usda@; variants = { string vset = "parts" }) {}`,
      undefined,
      files,
    );
    const seen = primPaths(stage).filter((path) => !path.includes('_Part'));
    expect(seen).toEqual(['/bare', '/bare/Inherits', '/full', '/full/Inherits', '/full/Inherits/geo']);
    expect([valueAt(stage, '/full/Inherits.n'), valueAt(stage, '/full/Inherits/geo.g')]).toEqual([1, 2]);
    expect(valueAt(stage, '/bare/Inherits.n')).toBeUndefined();
    expect(said()).toEqual([]);
  });

  it('reaches what the model references in itself, each time by its own selection', () => {
    const { stage, said } = stageOf(
      `def "full" (references = @./kit.usda@; variants = { string vset = "parts" }) {}
       def "bare" (references = @./kit.usda@) {}`,
      undefined,
      files,
    );
    expect(primPaths(stage).filter((path) => path.startsWith('/full'))).toEqual([
      '/full',
      '/full/Part',
      '/full/Part/geo',
      '/full/Part/geo/bolt',
      '/full/Refers',
      '/full/Refers/geo',
      '/full/Refers/geo/bolt',
      '/full/Deeper',
      '/full/Deeper/bolt',
    ]);
    expect(['Refers.n', 'Refers/geo.g', 'Deeper.g'].map((name) => valueAt(stage, `/full/${name}`))).toEqual([3, 4, 4]);
    expect(primPaths(stage).filter((path) => path.startsWith('/bare/'))).toEqual([
      '/bare/Part',
      '/bare/Part/geo',
      '/bare/Refers',
      '/bare/Refers/geo',
      '/bare/Deeper',
    ]);
    expect(said()).toEqual([]);
  });

  it('says that a target is missing only when no variant has it', () => {
    const kit = layer(
      `def "Kit" (variantSets = "vset") {
         def "Refers" (references = </Kit/Part>) {}
         variantSet "vset" = { "parts" { def "Part" {} } "none" {} }
       }`,
      'defaultPrim = "Kit"',
    );
    const open = (name: string) =>
      stageOf(`def "k" (references = @./k.usda@; variants = { string vset = "${name}" }) {}`, undefined, {
        'k.usda': kit,
      });
    const parts = open('parts');
    expect([primPaths(parts.stage), parts.said()]).toEqual([['/k', '/k/Part', '/k/Refers'], []]);
    const none = open('none');
    expect([primPaths(none.stage), none.said()]).toEqual([['/k', '/k/Refers'], ['UC1711 /Kit/Refers']]);
  });

  it('on a class of the model holds for all that inherit it, down to what they bring in', () => {
    const rig = {
      'leg.usda': layer(
        `def "Leg" (variantSets = "style") {
           variantSet "style" = { "one" { def "foot" { int n = 1 } } "two" { def "foot" { int n = 2 } } }
         }`,
        'defaultPrim = "Leg"',
      ),
      'rig.usda': layer(
        `def "Rig" {
           class "Sym" (references = @./leg.usda@) {}
           def "left" (inherits = </Rig/Sym>) {}
           def "foot" (references = </Rig/left/foot>) {}
         }`,
        'defaultPrim = "Rig"',
      ),
    };
    const { stage, said } = stageOf(
      'def "r" (references = @./rig.usda@) { over "Sym" (variants = { string style = "two" }) {} }',
      undefined,
      rig,
    );
    expect([valueAt(stage, '/r/left/foot.n'), valueAt(stage, '/r/foot.n')]).toEqual([2, 2]);
    expect(said()).toEqual([]);
  });

  it('of the command line does the same, at a prim and as a fallback', () => {
    const body = 'def "m" (references = @./model.usda@) {}\ndef "o" (references = @./open.usda@) {}';
    const open = layer(
      `def "Open" (variantSets = "vset") {
         def "Refers" (references = </Open/Part/geo>) {}
         variantSet "vset" = { "parts" { def "Part" { def "geo" { int g = 7 } } } }
       }`,
      'defaultPrim = "Open"',
    );
    const all = { ...files, 'open.usda': open };
    const atPrim = stageOf(body, undefined, all, {
      missingAsset: 'drop',
      variants: [{ prim: '/m', set: 'vset', name: 'parts' }],
    });
    expect(valueAt(atPrim.stage, '/m/Inherits/geo.g')).toBe(2);
    expect(valueAt(atPrim.stage, '/o/Refers.g')).toBeUndefined();
    const fallback = stageOf(body, undefined, all, { variants: [{ prim: null, set: 'vset', name: 'parts' }] });
    expect(valueAt(fallback.stage, '/m/Inherits/geo.g')).toBeUndefined();
    expect(valueAt(fallback.stage, '/o/Refers.g')).toBe(7);
    fallback.stage.finish();
    expect(fallback.said()).toEqual([]);
  });
});

describe('variants chosen from outside', () => {
  const body = `def "car" (variants = { string color = "red" }; variantSets = "color") { ${SETS} }
    def "bus" (variantSets = "color") { ${SETS} }
    def "set" { def "cart" (references = </bus>) {} }`;
  const open = (...variants: { prim: string | null; set: string; name: string }[]) => {
    const opened = stageOf(body, undefined, {}, { variants });
    const paths = primPaths(opened.stage).filter((path) => /Red|Blue/.test(path));
    opened.stage.finish();
    return { paths, said: opened.diagnostics.list.map((d) => `${d.code} ${d.severity} ${d.path}`) };
  };

  it('at a prim win over what is authored', () => {
    expect(open({ prim: '/car', set: 'color', name: 'blue' })).toEqual({ paths: ['/car/Blue'], said: [] });
    expect(open({ prim: '/set/cart', set: 'color', name: 'blue' }).paths).toEqual(['/car/Red', '/set/cart/Blue']);
  });

  it('for all prims are fallbacks where nothing is selected', () => {
    const blue = { prim: null, set: 'color', name: 'blue' };
    expect(open(blue)).toEqual({ paths: ['/car/Red', '/bus/Blue', '/set/cart/Blue'], said: [] });
    // The first that a set has.
    expect(open({ ...blue, name: 'pink' }, blue).paths).toEqual(['/car/Red', '/bus/Blue', '/set/cart/Blue']);
  });

  it('that name nothing are errors of the command line', () => {
    expect(open({ prim: '/car', set: 'color', name: 'pink' }).said).toEqual([
      'UC1721 warning /car',
      'UC1720 error /car',
    ]);
    expect(open({ prim: '/nope', set: 'color', name: 'red' }).said).toEqual(['UC1720 error /nope']);
    expect(open({ prim: '/car', set: 'size', name: 'red' }).said).toEqual(['UC1720 error /car']);
    expect(open({ prim: null, set: 'color', name: 'pink' }).said).toEqual(['UC1720 error /']);
  });

  it('are found where nobody looked', () => {
    const { stage, said } = stageOf(body, undefined, {}, { variants: [{ prim: null, set: 'color', name: 'blue' }] });
    stage.finish();
    expect(said()).toEqual([]);
  });
});
