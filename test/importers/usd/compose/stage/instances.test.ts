import { describe, expect, it } from 'vitest';
import { layer, primPaths, stageOf, valueAt } from '../../importText.ts';

const FILES = {
  'lamp.usda': layer(
    `class "_bulb" {}
     def "Lamp" {
       int a = 1
       def "Bulb" (inherits = </_bulb>) { int b = 1\n rel r = [</Lamp>, </Lamp/Stand>] }
       def "Stand" {}
     }`,
    'defaultPrim = "Lamp"',
  ),
};

describe('instances', () => {
  const { stage, said } = stageOf(
    `def "l1" (instanceable = true; references = @./lamp.usda@) { int a = 5\n over "Bulb" { int b = 5 }\n def "Mine" {} }
     def "l2" (instanceable = true; references = @./lamp.usda@) { over "Bulb" (active = false) {} }
     def "l3" (references = @./lamp.usda@) { over "Bulb" { int b = 5 } }
     def "l4" (instanceable = true) { def "x" {} }
     class "_bulb" { int c = 7 }`,
    undefined,
    FILES,
  );

  it('take opinions on themselves, none on their descendants', () => {
    expect(valueAt(stage, '/l1.a')).toBe(5);
    expect(valueAt(stage, '/l1/Bulb.b')).toBe(1);
    expect(valueAt(stage, '/l3/Bulb.b')).toBe(5);
    expect(primPaths(stage).filter((path) => /^.l[12]/.test(path))).toEqual([
      '/l1',
      '/l1/Bulb',
      '/l1/Stand',
      '/l2',
      '/l2/Bulb',
      '/l2/Stand',
    ]);
  });

  it('need an arc that brings something in', () => {
    expect(['/l1', '/l2', '/l3', '/l4'].map((path) => stage.prim(path)?.isInstance)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(stage.prim('/l4/x')).toBeDefined();
  });

  it('with the same arcs share a prototype, each with paths of its own', () => {
    const [one, two] = ['/l1/Bulb', '/l2/Bulb'].map((path) => stage.prim(path)!);
    expect(one.prototype).not.toBeNull();
    expect(one.prototype).toBe(two.prototype);
    expect(one.prototype).not.toBe(stage.prim('/l1/Stand')?.prototype);
    expect(stage.prim('/l1')?.prototype).toBeNull();
    expect(stage.prim('/l3/Bulb')?.prototype).toBeNull();
    expect(two.relationship('r')?.targets()).toEqual(['/l2', '/l2/Stand']);
    expect(two.attribute('b')?.path).toBe('/l2/Bulb.b');
    expect(two.parent).toBe(stage.prim('/l2'));
  });

  it('still hear of the classes that a scene refines', () => {
    expect(valueAt(stage, '/l2/Bulb.c')).toBe(7);
    expect(said()).toEqual([]);
  });

  it('differ by variants, references and time', () => {
    const files = {
      'k.usda': layer(
        `def "K" (variantSets = "v") { variantSet "v" = { "x" { def "X" {} } "y" { def "Y" {} } }\n def "c" { double t.timeSamples = { 0: 0, 10: 10 } } }`,
        'defaultPrim = "K"',
      ),
    };
    const opened = stageOf(
      `def "a" (instanceable = true; references = @./k.usda@; variants = { string v = "x" }) {}
       def "b" (instanceable = true; references = @./k.usda@; variants = { string v = "y" }) {}
       def "c" (instanceable = true; references = @./k.usda@ (offset = 4); variants = { string v = "x" }) {}
       def "d" (instanceable = true; references = @./k.usda@; variants = { string v = "x" }) {}`,
      undefined,
      files,
      { time: 5 },
    );
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => opened.stage.prim(`/${name}/c`)?.prototype);
    expect(a).toBe(d);
    expect(new Set([a, b, c]).size).toBe(3);
    expect(primPaths(opened.stage).filter((path) => /[XY]$/.test(path))).toEqual(['/a/X', '/b/Y', '/c/X', '/d/X']);
    expect([valueAt(opened.stage, '/a/c.t'), valueAt(opened.stage, '/c/c.t')]).toEqual([5, 1]);
  });

  it('nest: targets reach the instance that they are in', () => {
    const files = {
      ...FILES,
      'room.usda': layer(
        `def "Room" {
           def "lamp" (instanceable = true; references = @./lamp.usda@) { rel wall = </Room/wall> }
           def "desk" (instanceable = true; references = </Room/wood>) {}
           def "wood" { def "top" { rel finish = [</Room/wall>, </Room/wood/top>] } }
           def "wall" {}
         }`,
        'defaultPrim = "Room"',
      ),
    };
    const opened = stageOf(
      `def "r1" (instanceable = true; references = @./room.usda@) {}
       def "r2" (instanceable = true; references = @./room.usda@) {}`,
      undefined,
      files,
    );
    const targets = (path: string, name: string) => opened.stage.prim(path)?.relationship(name)?.targets();
    expect(targets('/r2/lamp', 'wall')).toEqual(['/r2/wall']);
    expect(targets('/r2/lamp/Bulb', 'r')).toEqual(['/r2/lamp', '/r2/lamp/Stand']);
    expect(targets('/r2/desk/top', 'finish')).toEqual(['/r2/wall', '/r2/desk/top']);
    expect(targets('/r1/desk/top', 'finish')).toEqual(['/r1/wall', '/r1/desk/top']);
    expect(opened.stage.prim('/r1/lamp/Bulb')?.prototype).toBe(opened.stage.prim('/r2/lamp/Bulb')?.prototype);
    expect(opened.said()).toEqual([]);
  });

  it('below a choice of variants from outside stand alone', () => {
    const files = {
      'k.usda': layer(
        `def "K" { def "p" (variantSets = "v") { variantSet "v" = { "x" { def "X" {} } } } }`,
        'defaultPrim = "K"',
      ),
    };
    const opened = stageOf(
      `def "a" (instanceable = true; references = @./k.usda@) {}\ndef "b" (instanceable = true; references = @./k.usda@) {}`,
      undefined,
      files,
      { variants: [{ prim: '/b/p', set: 'v', name: 'x' }] },
    );
    expect(primPaths(opened.stage)).toEqual(['/a', '/a/p', '/b', '/b/p', '/b/p/X']);
  });

  it('that multiply end at a limit', () => {
    const body = Array.from({ length: 12 }, (_, i) => {
      const child = (n: number) => `def "c${n}" (instanceable = true; references = </p${i + 1}>) {}`;
      return `class "p${i}" { ${[0, 1, 2, 3, 4, 5].map(child).join('\n')}\n}`;
    });
    const opened = stageOf(`${body.join('\n')}\nclass "p12" { def "leaf" {} }`);
    expect(() => primPaths(opened.stage)).toThrow('UC1714');
  });
});
