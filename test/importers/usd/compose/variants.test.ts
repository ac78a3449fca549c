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
      'UC1721 /p variant set "color" has no variant "green", only red, blue',
    ]);
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
