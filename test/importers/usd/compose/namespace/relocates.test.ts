import { describe, expect, it } from 'vitest';
import { layer, primPaths, stageOf, valueAt } from '../../importText.ts';

const FILES = {
  'rig.usda': layer(
    `def "Rig" {
       def "arm" { int a = 1\n def "hand" { int h = 1\n rel r = [</Rig/arm/hand>, </Rig/arm>, </Rig/leg>] } }
       def "leg" { rel r = </Rig/arm/hand> }
     }`,
    'defaultPrim = "Rig"',
  ),
};
const moved = (relocates: string) => `(\n relocates = { ${relocates} }\n)\n`;

describe('relocates', () => {
  it('move what a reference brings in, with its opinions and targets; the layer adds to it at the new place', () => {
    const { stage, said } = stageOf(
      'def "x" (references = @./rig.usda@) { over "grip" { int mine = 2\n over "hand" { int h = 5 } } }',
      moved('</x/arm>: </x/grip>'),
      FILES,
    );
    // A renamed child keeps its place among the others.
    expect(primPaths(stage)).toEqual(['/x', '/x/grip', '/x/grip/hand', '/x/leg']);
    expect([valueAt(stage, '/x/grip.a'), valueAt(stage, '/x/grip.mine'), valueAt(stage, '/x/grip/hand.h')]).toEqual([
      1, 2, 5,
    ]);
    expect(stage.prim('/x/grip/hand')?.relationship('r')?.targets()).toEqual(['/x/grip/hand', '/x/grip', '/x/leg']);
    expect(stage.prim('/x/leg')?.relationship('r')?.targets()).toEqual(['/x/grip/hand']);
    expect(stage.prim('/x/arm')).toBeUndefined();
    expect(said()).toEqual([]);
  });

  it('move to another parent, from where another one moved to, and away', () => {
    const { stage, said } = stageOf(
      'def "x" (references = @./rig.usda@) {}\ndef "y" (references = @./rig.usda@) {}',
      moved('</x/arm>: </x/grip>, </x/grip/hand>: </x/leg/foot>, </y/leg>: <>'),
      FILES,
    );
    expect(primPaths(stage)).toEqual(['/x', '/x/grip', '/x/leg', '/x/leg/foot', '/y', '/y/arm', '/y/arm/hand']);
    expect(stage.prim('/x/leg/foot')?.relationship('r')?.targets()).toEqual(['/x/leg/foot', '/x/grip', '/x/leg']);
    expect(stage.prim('/x/leg')?.relationship('r')?.targets()).toEqual(['/x/leg/foot']);
    // Targets in what is deleted keep their paths: nothing is there.
    expect(stage.prim('/y/arm/hand')?.relationship('r')?.targets()).toEqual(['/y/arm/hand', '/y/arm', '/y/leg']);
    expect(said()).toEqual([]);
  });

  it('of a referenced layer hold where it is referenced', () => {
    const files = {
      ...FILES,
      'set.usda': layer(
        'def "Set" (references = @./rig.usda@) {}',
        'defaultPrim = "Set"\n relocates = { </Set/arm>: </Set/grip> }',
      ),
    };
    const { stage } = stageOf('def "s" (references = @./set.usda@) { over "grip" { int a = 7 } }', undefined, files);
    expect(primPaths(stage)).toEqual(['/s', '/s/grip', '/s/grip/hand', '/s/leg']);
    expect([valueAt(stage, '/s/grip.a'), valueAt(stage, '/s/grip/hand.h')]).toEqual([7, 1]);
    expect(stage.prim('/s/leg')?.relationship('r')?.targets()).toEqual(['/s/grip/hand']);
  });

  it('take the name away for all that is brought in beside', () => {
    const files = {
      ...FILES,
      'set.usda': layer(
        'def "Set" (references = @./rig.usda@) {}',
        'defaultPrim = "Set"\n relocates = { </Set/arm>: </Set/grip> }',
      ),
      'other.usda': layer('def "O" { def "arm" { int a = 3 } }', 'defaultPrim = "O"'),
    };
    const { stage } = stageOf('def "s" (references = [@./set.usda@, @./other.usda@]) {}', undefined, files);
    expect(primPaths(stage)).toEqual(['/s', '/s/grip', '/s/grip/hand', '/s/leg']);
  });

  it('hide opinions of their own layer at the source, aloud', () => {
    const { stage, said } = stageOf(
      'def "x" (references = @./rig.usda@) { over "arm" { int a = 9 } }',
      moved('</x/arm>: </x/grip>'),
      FILES,
    );
    expect(valueAt(stage, '/x/grip.a')).toBe(1);
    expect(primPaths(stage)).toEqual(['/x', '/x/grip', '/x/grip/hand', '/x/leg']);
    expect(said()).toEqual(['UC1724 /x/arm']);
  });

  it('from below the source of another one are not possible', () => {
    const { stage, said } = stageOf(
      'def "x" (references = @./rig.usda@) {}',
      moved('</x/arm>: </x/one>, </x/arm/hand>: </x/two>'),
      FILES,
    );
    expect(primPaths(stage)).toEqual(['/x', '/x/one', '/x/one/hand', '/x/leg']);
    expect(said()).toEqual(['UC1723 /']);
  });

  it('to one target are none of them possible, nor are those that follow each other', () => {
    const both = stageOf(
      'def "x" (references = @./rig.usda@) {}',
      moved('</x/leg>: </x/one>, </x/arm>: </x/one>'),
      FILES,
    );
    expect(primPaths(both.stage)).toEqual(['/x', '/x/arm', '/x/arm/hand', '/x/leg']);
    expect(both.diagnostics.list.map((d) => d.message)).toEqual([
      'the relocate of </x/leg> to </x/one> is not valid and is ignored',
      'the relocate of </x/arm> to </x/one> is not valid and is ignored',
    ]);
    const chained = stageOf(
      'def "x" (references = @./rig.usda@) {}',
      moved('</x/arm>: </x/one>, </x/one>: </x/two>, </x/leg>: </x/foot>'),
      FILES,
    );
    expect(primPaths(chained.stage)).toEqual(['/x', '/x/arm', '/x/arm/hand', '/x/foot']);
    expect(chained.said()).toEqual(['UC1723 /', 'UC1723 /']);
  });

  it('may make a root prim of one that an arc brings in', () => {
    const { stage, said } = stageOf('def "x" (references = @./rig.usda@) {}', moved('</x/arm>: </y>'), FILES);
    expect(primPaths(stage)).toEqual(['/y', '/y/hand', '/x', '/x/leg']);
    expect([valueAt(stage, '/y.a'), valueAt(stage, '/y/hand.h')]).toEqual([1, 1]);
    expect(stage.prim('/x/leg')?.relationship('r')?.targets()).toEqual(['/y/hand']);
    expect(said()).toEqual([]);
  });

  it('of a child that has moved with its parent name it where it is then', () => {
    const { stage, said } = stageOf(
      'def "x" (references = @./rig.usda@) {}\ndef "z" {}',
      moved('</x/arm>: </x/grip>, </x/grip/hand>: </z/claw>'),
      FILES,
    );
    expect(primPaths(stage)).toEqual(['/x', '/x/grip', '/x/leg', '/z', '/z/claw']);
    expect(valueAt(stage, '/z/claw.h')).toBe(1);
    // Both moves together change the paths that the reference brings in.
    expect(stage.prim('/z/claw')?.relationship('r')?.targets()).toEqual(['/z/claw', '/x/grip', '/x/leg']);
    expect(said()).toEqual([]);
  });

  it('give nothing to arcs that name a prim where it was', () => {
    const { stage } = stageOf(
      `def "x" (references = @./rig.usda@) {}
       def "new" (references = </x/grip>) {}
       def "old" (references = </x/arm>) {}
       def "below" (references = </x/arm/hand>) {}`,
      moved('</x/arm>: </x/grip>'),
      FILES,
    );
    expect(primPaths(stage)).toEqual([
      '/x',
      '/x/grip',
      '/x/grip/hand',
      '/x/leg',
      '/new',
      '/new/hand',
      '/old',
      '/below',
    ]);
    expect([valueAt(stage, '/new.a'), valueAt(stage, '/old.a'), valueAt(stage, '/below.h')]).toEqual([
      1,
      undefined,
      undefined,
    ]);
  });

  it('leave classes of the prim that had the child: they are looked for from its new place', () => {
    const files = {
      'rig.usda': layer(
        `def "Rig" {
           class "Sym" { def "anim" { int a = 2\n int b = 2 } }
           def "left" (inherits = </Rig/Sym>) {}
           def "right" (inherits = </Rig/Sym>) { over "anim" { int b = 3 } }
         }`,
        'defaultPrim = "Rig"',
      ),
    };
    const { stage, said } = stageOf(
      'def "x" (references = @./rig.usda@) { over "Sym" { over "anim" { int a = 5 } }\n def "ui" {} }',
      moved('</x/left/anim>: </x/ui/l>, </x/right/anim>: </x/ui/r>'),
      files,
    );
    expect(primPaths(stage).filter((path) => !path.startsWith('/x/Sym'))).toEqual([
      '/x',
      '/x/left',
      '/x/right',
      '/x/ui',
      '/x/ui/l',
      '/x/ui/r',
    ]);
    expect(['l.a', 'l.b', 'r.a', 'r.b'].map((name) => valueAt(stage, `/x/ui/${name}`))).toEqual([5, 2, 5, 3]);
    expect(said()).toEqual([]);
  });

  it('order the children that they bring by their names, after those that are there', () => {
    const { stage } = stageOf(
      'def "x" (references = @./rig.usda@) {}\ndef "z" (references = </k>) {}\ndef "k" { def "b" {} }',
      moved('</x/leg>: </z/c>, </x/arm>: </z/a>'),
      FILES,
    );
    expect(primPaths(stage)).toEqual(['/x', '/z', '/z/b', '/z/a', '/z/a/hand', '/z/c', '/k', '/k/b']);
  });

  it.each(['</x>: </y/z>', '</x/arm>: </x/arm/new>', '</x/arm/hand>: </x/arm>', '</x/a>: </x/a>'])(
    '%s is not possible',
    (relocates) => {
      const { stage, said } = stageOf('def "x" (references = @./rig.usda@) {}', moved(relocates), FILES);
      expect(primPaths(stage)).toContain('/x/arm');
      expect(said()).toEqual(['UC1723 /']);
    },
  );
});
