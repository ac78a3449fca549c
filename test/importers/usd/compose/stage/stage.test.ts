import { describe, expect, it } from 'vitest';
import { animatedAttributes } from '../../../../../src/importers/usd/compose/stage/stage.ts';
import { stageOf } from '../../importText.ts';

describe('prims of a stage', () => {
  it('keep namespace order, and primOrder where it is authored', () => {
    const { stage } = stageOf(
      'def "b" {}\ndef "a" { reorder nameChildren = ["y", "x"]\n def "x" {} def "y" {} def "z" {} }',
    );
    expect(stage.children.map((p) => p.path)).toEqual(['/b', '/a']);
    // y first with z that follows it, then x.
    expect(stage.prim('/a')?.children.map((p) => p.name)).toEqual(['y', 'z', 'x']);
    expect(stage.prim('/a/y')?.parent).toBe(stage.prim('/a'));
  });

  it('are cut off where they are inactive', () => {
    const { stage } = stageOf('def "a" ( active = false ) { def "b" {} }\ndef "c" ( active = true ) {}');
    expect(stage.prim('/a')).toBeUndefined();
    expect(stage.prim('/a/b')).toBeUndefined();
    expect(stage.children.map((p) => p.path)).toEqual(['/c']);
  });

  it('are undefined below an over and abstract below a class', () => {
    const { stage } = stageOf('over "o" { def "d" {} }\nclass "k" { def "d" {} }\ndef Xform "x" {}');
    expect(stage.prim('/o/d')).toMatchObject({ specifier: 'def', isDefined: false, isAbstract: false });
    expect(stage.prim('/k/d')).toMatchObject({ specifier: 'def', isDefined: true, isAbstract: true });
    expect(stage.prim('/x')).toMatchObject({ typeName: 'Xform', isDefined: true, isAbstract: false });
  });
});

describe('attribute values at the earliest time', () => {
  const { stage, diagnostics } = stageOf(`def "p" {
    double a = 1
    double a.timeSamples = { 5: 50, 3: 30 }
    double b.timeSamples = { 1: None, 2: 20 }
    double c = None
    double d
    double once = 7
    double once.timeSamples = { 9: 90 }
    float3[] e = [(1, 2, 3), (4, 5, 6)]
    float3[] f.timeSamples = { 1: [(1, 2, 3)], 2: [] }
    asset g = @x/y.png@
    rel r = [</q>, </q.a>]
    double h.connect = </q.outputs:h>
  }
  def "q" {
    prepend rel r = </p>\n append rel r = </q>\n delete rel r = </p>
  }`);
  const prim = stage.prim('/p')!;
  const value = (name: string) => prim.attribute(name)?.get()?.value.value;

  it('the first time sample wins over the default, whatever the order it was written in', () => {
    expect(value('a')).toBe(30);
    expect(value('once')).toBe(90);
  });

  it('a block, as sample or default, reads as unauthored', () => {
    for (const name of ['b', 'c', 'd']) {
      expect(prim.attribute(name)).not.toBeNull();
      expect(prim.attribute(name)?.get()).toBeNull();
      expect(prim.attribute(name)?.peek()).toBeNull();
    }
  });

  it('peek tells type and count without a value', () => {
    expect(prim.attribute('e')?.peek()).toEqual({ type: 'Vec3f', count: 2 });
    expect(prim.attribute('f')?.peek()).toEqual({ type: 'Vec3f', count: 1 });
    expect(prim.attribute('a')?.peek()).toEqual({ type: 'Double', count: -1 });
  });

  it('names the layer that authored an opinion', () => {
    expect(prim.attribute('g')?.get()?.layer.identifier).toBe('/scene/town.usda');
  });

  it('two samples or more are an animation, one is not', () => {
    expect(animatedAttributes(prim)).toEqual(['a', 'b', 'f']);
  });

  it('attributes and relationships are told apart; targets and connections follow their list ops', () => {
    expect(prim.attribute('r')).toBeNull();
    expect(prim.relationship('a')).toBeNull();
    expect(prim.relationship('r')?.targets()).toEqual(['/q', '/q.a']);
    expect(prim.attribute('h')?.connections()).toEqual(['/q.outputs:h']);
    expect(stage.prim('/q')?.relationship('r')?.targets()).toEqual(['/p', '/q']);
    expect(diagnostics.list).toEqual([]);
  });
});
