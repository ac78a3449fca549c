import { describe, expect, it } from 'vitest';
import { layer, primPaths, stageOf, valueAt } from '../importText.ts';

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
    expect(primPaths(stage)).toEqual(['/x', '/x/leg', '/x/grip', '/x/grip/hand']);
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
    expect(primPaths(stage)).toEqual(['/x', '/x/leg', '/x/leg/foot', '/x/grip', '/y', '/y/arm', '/y/arm/hand']);
    expect(stage.prim('/x/leg/foot')?.relationship('r')?.targets()).toEqual(['/x/leg/foot', '/x/grip', '/x/leg']);
    expect(stage.prim('/x/leg')?.relationship('r')?.targets()).toEqual(['/x/leg/foot']);
    expect(said()).toEqual([]);
    expect(stage.prim('/y/arm/hand')?.relationship('r')?.targets()).toEqual(['/y/arm/hand', '/y/arm']);
    expect(said()).toEqual(['UC1722 /Rig/arm/hand.r']);
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
    expect(primPaths(stage)).toEqual(['/s', '/s/leg', '/s/grip', '/s/grip/hand']);
    expect([valueAt(stage, '/s/grip.a'), valueAt(stage, '/s/grip/hand.h')]).toEqual([7, 1]);
    expect(stage.prim('/s/leg')?.relationship('r')?.targets()).toEqual(['/s/grip/hand']);
  });

  it('take away only what their own layer brings in', () => {
    const files = {
      ...FILES,
      'set.usda': layer(
        'def "Set" (references = @./rig.usda@) {}',
        'defaultPrim = "Set"\n relocates = { </Set/arm>: </Set/grip> }',
      ),
      'other.usda': layer('def "O" { def "arm" { int a = 3 } }', 'defaultPrim = "O"'),
    };
    const { stage } = stageOf('def "s" (references = [@./set.usda@, @./other.usda@]) {}', undefined, files);
    expect(primPaths(stage).sort()).toEqual(['/s', '/s/arm', '/s/grip', '/s/grip/hand', '/s/leg']);
    expect(valueAt(stage, '/s/arm.a')).toBe(3);
  });

  it('hide opinions of their own layer at the source, aloud', () => {
    const { stage, said } = stageOf(
      'def "x" (references = @./rig.usda@) { over "arm" { int a = 9 } }',
      moved('</x/arm>: </x/grip>'),
      FILES,
    );
    expect(valueAt(stage, '/x/grip.a')).toBe(1);
    expect(primPaths(stage)).toEqual(['/x', '/x/leg', '/x/grip', '/x/grip/hand']);
    expect(said()).toEqual(['UC1724 /x/arm']);
  });

  it.each(['</x/arm>: </x/one>, </x/arm/hand>: </x/two>', '</x/leg>: </x/one>, </x/arm>: </x/one>'])(
    '%s: the second is not possible',
    (relocates) => {
      const { stage, said } = stageOf('def "x" (references = @./rig.usda@) {}', moved(relocates), FILES);
      expect(stage.prim('/x/one')).toBeDefined();
      expect(stage.prim('/x/two')).toBeUndefined();
      expect(said()).toEqual(['UC1723 /']);
    },
  );

  it.each(['</x>: </y/z>', '</x/arm>: </y>', '</x/arm>: </x/arm/new>', '</x/arm/hand>: </x/arm>', '</x/a>: </x/a>'])(
    '%s is not possible',
    (relocates) => {
      const { stage, said } = stageOf('def "x" (references = @./rig.usda@) {}', moved(relocates), FILES);
      expect(primPaths(stage)).toContain('/x/arm');
      expect(said()).toEqual(['UC1723 /']);
    },
  );
});
