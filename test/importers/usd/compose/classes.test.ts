import { describe, expect, it } from 'vitest';
import { layer, primPaths, stageOf, valueAt } from '../importText.ts';

describe('inherits', () => {
  it('are weaker than the prim and stronger than its references', () => {
    const { stage } = stageOf(
      `class "_k" { int a = 2\n int b = 2\n def "c" { int x = 2\n int y = 2 } }
       def "r" { int a = 3\n int b = 3\n int d = 3\n over "c" { int y = 3\n int z = 3 } }
       def "p" (inherits = </_k>; references = </r>) { int a = 1\n over "c" { int x = 1 } }`,
    );
    expect(['a', 'b', 'd'].map((name) => valueAt(stage, `/p.${name}`))).toEqual([1, 2, 3]);
    expect(['x', 'y', 'z'].map((name) => valueAt(stage, `/p/c.${name}`))).toEqual([1, 2, 3]);
  });

  it('bring in classes of classes, and may name what does not exist', () => {
    const { stage, said } = stageOf(
      `class "_a" { int x = 1 }
       class "_b" (inherits = [</_a>, </_none>]) { int y = 2 }
       def "p" (inherits = </_b>) {}`,
    );
    expect([valueAt(stage, '/p.x'), valueAt(stage, '/p.y')]).toEqual([1, 2]);
    expect(said()).toEqual([]);
  });

  it('of a reference are looked for in the stronger layers: a scene says something about the class of an asset', () => {
    const files = {
      'tree.usda': layer(
        `class "_plant" { int a = 2\n int b = 2 }
         def "Tree" (inherits = </_plant>) { int b = 1\n int c = 1 }`,
        'defaultPrim = "Tree"',
      ),
      'wood.usda': layer(
        `over "_plant" { int a = 5\n int c = 5\n int d = 5 }
         def "Wood" { def "t" (references = @./tree.usda@) {} }`,
        'defaultPrim = "Wood"',
      ),
    };
    const { stage } = stageOf(
      'def "w" (references = @./wood.usda@) {}\nclass "_plant" { int d = 9 }',
      undefined,
      files,
    );
    // Strongest first: the stage's class, the wood's, the tree itself, the tree's class.
    expect(['a', 'b', 'c', 'd'].map((name) => valueAt(stage, `/w/t.${name}`))).toEqual([5, 1, 5, 9]);
  });

  it('of a class inside the asset are looked for where the asset is brought in', () => {
    const files = {
      'tree.usda': layer(
        `def "Tree" {
           class "_leaf" { int a = 2\n int b = 2 }
           def "l1" (inherits = </Tree/_leaf>) {}
           def "l2" (inherits = </Tree/_leaf>) { int b = 1 }
         }`,
        'defaultPrim = "Tree"',
      ),
    };
    const { stage, said } = stageOf(
      'def "t" (references = @./tree.usda@) { over "_leaf" { int b = 7 } }\nclass "Tree" { class "_leaf" { int a = 9 } }',
      undefined,
      files,
    );
    expect([valueAt(stage, '/t/l1.a'), valueAt(stage, '/t/l1.b'), valueAt(stage, '/t/l2.b')]).toEqual([2, 7, 7]);
    expect(said()).toEqual([]);
    expect(stage.prim('/t/_leaf')?.isAbstract).toBe(true);
    expect(stage.prim('/t/l1')?.specifier).toBe('def');
  });

  it('within a referenced prim keep its own opinions above those of its class', () => {
    // The implied class is a prim below a root prim that the reference brings in too: it must not lift the asset's class
    // above the asset's prim.
    const files = {
      'set.usda': layer(
        `def "Set" {
           class "_k" { int a = 2\n int b = 2 }
           def "m" (inherits = </Set/_k>) { int a = 1 }
         }`,
        'defaultPrim = "Set"',
      ),
    };
    const { stage } = stageOf('def "s" (references = @./set.usda@) {}', undefined, files);
    expect([valueAt(stage, '/s/m.a'), valueAt(stage, '/s/m.b')]).toEqual([1, 2]);
  });

  it('implied into a stronger layer stack follow what the class inherits', () => {
    const files = {
      'a.usda': layer(
        'class "_base" {}\nclass "_k" (inherits = </_base>) {}\ndef "A" (inherits = </_k>) {}',
        'defaultPrim = "A"',
      ),
    };
    const { stage } = stageOf(
      'def "p" (references = @./a.usda@) {}\nclass "_base" { int x = 1\n int y = 1 }\nclass "_k" { int y = 2 }',
      undefined,
      files,
    );
    expect([valueAt(stage, '/p.x'), valueAt(stage, '/p.y')]).toEqual([1, 2]);
  });

  it('authored in a variant of a referenced prim are implied too', () => {
    const files = {
      'a.usda': layer(
        `class "_k" { int x = 1 }
         def "A" (variants = { string v = "on" }; variantSets = "v") {
           variantSet "v" = { "on" ( inherits = </_k> ) { int y = 1 } }
         }`,
        'defaultPrim = "A"',
      ),
    };
    const { stage } = stageOf('def "p" (references = @./a.usda@) {}\nclass "_k" { int x = 5\n int y = 5 }', '', files);
    expect([valueAt(stage, '/p.x'), valueAt(stage, '/p.y')]).toEqual([5, 5]);
  });

  it('bring in a class once, however many classes lead to it', () => {
    const classes = Array.from({ length: 60 }, (_, i) => {
      return `class "_c${i}" (inherits = [</_c${i + 1}>, </_c${i + 2}>]) { int a${i} = ${i} }`;
    });
    const { stage, said } = stageOf(
      `${classes.join('\n')}
       class "_c60" { int a60 = 60\n int b = 60 }
       class "_c61" { int b = 61 }
       def "p" (inherits = </_c0>) {}`,
    );
    expect(stage.prim('/p')?.arcs()).toHaveLength(62);
    expect(['a0', 'a59', 'a60'].map((name) => valueAt(stage, `/p.${name}`))).toEqual([0, 59, 60]);
    expect(said()).toEqual([]);
  });

  it('carry targets inside the class to the prim, and leave those outside', () => {
    const { stage } = stageOf('class "_k" { rel r = [</_k/c>, </out>] }\ndef "out" {}\ndef "p" (inherits = </_k>) {}');
    expect(stage.prim('/p')?.relationship('r')?.targets()).toEqual(['/p/c', '/out']);
  });
});

describe('specializes', () => {
  it('are weaker than references, whatever they are weaker than in turn', () => {
    const { stage } = stageOf(
      `def "base" (references = </deep>) { int a = 4\n int b = 4\n int c = 4 }
       def "deep" { int c = 5\n int d = 5 }
       def "r" { int a = 2\n int b = 2 }
       def "p" (specializes = </base>; references = </r>) { int a = 1 }`,
    );
    expect(['a', 'b', 'c', 'd'].map((name) => valueAt(stage, `/p.${name}`))).toEqual([1, 2, 4, 5]);
  });

  it('of a reference are weaker than everything that brings the reference in', () => {
    const files = {
      'metal.usda': layer(
        `def "Metal" { int a = 9\n int b = 9\n int c = 9 }
         def "Steel" (specializes = </Metal>) { int a = 3 }`,
      ),
      'more.usda': layer('def "More" { int b = 5 }', 'defaultPrim = "More"'),
    };
    const { stage } = stageOf('def "p" (references = [@./metal.usda@</Steel>, @./more.usda@]) {}', undefined, files);
    // b: the second reference is stronger than what the first one specializes.
    expect(['a', 'b', 'c'].map((name) => valueAt(stage, `/p.${name}`))).toEqual([3, 5, 9]);
  });

  it('are implied in stronger layers, where they stay the weakest but stronger than the original', () => {
    const files = {
      'metal.usda': layer('def "Metal" { int a = 9\n int b = 9 }\ndef "Steel" (specializes = </Metal>) { int a = 3 }'),
    };
    const { stage } = stageOf(
      'over "Metal" { int a = 7\n int b = 7 }\ndef "p" (references = @./metal.usda@</Steel>) {}',
      undefined,
      files,
    );
    expect([valueAt(stage, '/p.a'), valueAt(stage, '/p.b')]).toEqual([3, 7]);
  });

  it('against inherits of the same prim: the inherited opinion is refined, the specialized one is not', () => {
    const body = `def "scene" {
        def "source" { int x = 1 }
        def "i" (inherits = </scene/source>) { int x = 2 }
        def "s" (specializes = </scene/source>) { int x = 3 }
        def "n" (specializes = </scene/source>) {}
      }
      def "again" (references = </scene>) { over "source" { int x = 9 } }`;
    const { stage, said } = stageOf(body);
    // `again/source` is an inherited class of `again/i` in the stronger place, above the 2 of the referenced prim.
    expect(['i', 's', 'n'].map((name) => valueAt(stage, `/again/${name}.x`))).toEqual([9, 3, 9]);
    expect(said()).toEqual([]);
  });

  it('nest in the order of the tree', () => {
    const { stage } = stageOf(
      `def "a" (specializes = </b>) { int x = 1 }
       def "b" { int x = 2\n int y = 2 }
       def "c" { int x = 3\n int y = 3\n int z = 3 }
       def "p" (specializes = [</a>, </c>]) {}`,
    );
    expect(['x', 'y', 'z'].map((name) => valueAt(stage, `/p.${name}`))).toEqual([1, 2, 3]);
  });
});

describe('specifiers', () => {
  it('are the strongest that is no over; a class that is inherited directly makes no class', () => {
    const files = { 'k.usda': layer('class "K" { def "x" {} }\ndef "D" {}') };
    const { stage } = stageOf(
      `class "_k" {}
       over "inherits" (inherits = </_k>) {}
       over "both" (inherits = </_k>; references = @./k.usda@</D>) {}
       over "class" (references = @./k.usda@</K>) {}
       over "def" (references = @./k.usda@</D>) {}
       over "none" { def "x" {} }`,
      undefined,
      files,
    );
    const of = (path: string) => {
      const prim = stage.prim(path);
      return [prim?.specifier, prim?.isDefined, prim?.isAbstract];
    };
    expect(of('/inherits')).toEqual(['class', true, true]);
    expect(of('/both')).toEqual(['def', true, false]);
    expect(of('/class')).toEqual(['class', true, true]);
    expect(of('/class/x')).toEqual(['def', true, true]);
    expect(of('/def')).toEqual(['def', true, false]);
    expect(of('/none/x')).toEqual(['def', false, false]);
    expect(primPaths(stage)).toContain('/class/x');
  });

  it('of a class that a direct inherit brings in by another arc make no class either', () => {
    const { stage } = stageOf(
      `class "_base" { int a = 1\n class "c" { int x = 1 } }
       over "_k" (references = </_base>) {}
       over "_v" (add variantSets = "v"; variants = { string v = "on" }) {
         variantSet "v" = { "on" (payload = </_base>) { } }
       }
       def "r" { def "c" {} }
       over "byReference" (inherits = </_k>; references = </r>) {}
       over "byVariant" (inherits = </_v>; references = </r>) {}
       over "alone" (inherits = </_k>) {}`,
    );
    const of = (path: string) => [stage.prim(path)?.specifier, stage.prim(path)?.isAbstract];
    expect([of('/byReference'), valueAt(stage, '/byReference.a')]).toEqual([['def', false], 1]);
    expect([of('/byVariant'), valueAt(stage, '/byVariant.a')]).toEqual([['def', false], 1]);
    expect(of('/alone')).toEqual(['class', true]);
  });

  it('of a class that comes by an arc of the prim above stay, although that arc inherits', () => {
    const { stage } = stageOf(
      `class "_base" { class "c" { int x = 1 } }
       over "_k" (references = </_base>) {}
       def "r" { def "c" {} }
       def "p" (inherits = </_k>; references = </r>) {}`,
    );
    expect([stage.prim('/p/c')?.specifier, valueAt(stage, '/p/c.x')]).toEqual(['class', 1]);
  });

  it('active is the strongest opinion', () => {
    const { stage } = stageOf(
      'def "a" { def "x" (active = false) {}\n def "y" {} }\ndef "p" (references = </a>) { over "x" (active = true) {}\n over "y" (active = false) {} }',
    );
    expect(primPaths(stage)).toEqual(['/a', '/a/y', '/p', '/p/x']);
  });
});
