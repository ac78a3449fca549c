import { describe, expect, it } from 'vitest';
import { compareInDictionary } from '../../../../src/importers/usd/compose/stage/names.ts';
import type { Value } from '../../../../src/importers/usd/layer.ts';
import { layer, stageOf, valueAt } from '../importText.ts';

const sub = (name: string) => `(\n subLayers = [@./${name}@]\n)\n`;

describe('values over several layers', () => {
  const files = {
    'weak.usda': layer(
      `def "p" {
         int a.timeSamples = { 1: 10 }
         int b = 20
         int blocked = 30
         int d.timeSamples = { 0: 40 }
         rel r = [</w1>, </w2>]
         int c.connect = </w.x>
         int typed = 1 ( interpolation = "uniform" )
       }`,
    ),
  };
  const { stage } = stageOf(
    `over "p" {
       int a = 1
       int b.timeSamples = { 3: 2 }
       int blocked = None
       append rel r = </s>
       delete rel r = </w1>
       prepend int c.connect = </s.x>
       float typed
     }`,
    sub('weak.usda'),
    files,
  );

  it('a stronger default hides weaker samples, stronger samples a weaker default, and a block everything', () => {
    expect(['a', 'b', 'blocked', 'd'].map((name) => valueAt(stage, `/p.${name}`))).toEqual([1, 2, undefined, 40]);
  });

  it('targets and connections are edited by the stronger layer', () => {
    expect(stage.prim('/p')?.relationship('r')?.targets()).toEqual(['/w2', '/s']);
    expect(stage.prim('/p')?.attribute('c')?.connections()).toEqual(['/s.x', '/w.x']);
  });

  it('each metadatum has its own strongest opinion', () => {
    const attribute = stage.prim('/p')?.attribute('typed');
    expect(attribute?.typeName).toBe('float');
    expect(attribute?.metadata('interpolation')?.value).toBe('uniform');
    expect(attribute?.get()?.value.value).toBe(1);
  });

  it('dictionaries are merged key by key, list ops are composed', () => {
    const opened = stageOf(
      `over "p" (
         customData = { int a = 1\n dictionary d = { int x = 1 } }
         append apiSchemas = ["C"]
         delete apiSchemas = ["A"]
         kind = "group"
       ) {}`,
      sub('w.usda'),
      {
        'w.usda': layer(
          `def "p" (
             customData = { int a = 9\n int b = 2\n dictionary d = { int x = 9\n int y = 2 } }
             apiSchemas = ["A", "B"]
             kind = "component"
           ) {}`,
        ),
      },
    );
    const prim = opened.stage.prim('/p');
    const plain = (value: Value): unknown =>
      value.type === 'Dictionary'
        ? Object.fromEntries([...(value.value as ReadonlyMap<string, Value>)].map(([k, v]) => [k, plain(v)]))
        : value.value;
    expect(plain(prim!.metadata('customData')!)).toEqual({ a: 1, b: 2, d: { x: 1, y: 2 } });
    expect(prim?.metadata('apiSchemas')?.value).toMatchObject({ isExplicit: true, explicit: ['B', 'C'] });
    expect(prim?.metadata('kind')?.value).toBe('group');
    expect(prim?.metadata('documentation')).toBeUndefined();
  });

  it('a property that the stronger layer makes a relationship is no attribute', () => {
    const opened = stageOf('over "p" { rel b = </x> }', sub('weak.usda'), files);
    expect(opened.stage.prim('/p')?.attribute('b')).toBeNull();
    expect(opened.stage.prim('/p')?.relationship('b')?.targets()).toEqual(['/x']);
  });

  it('properties are listed in dictionary order, then as propertyOrder has them', () => {
    const body = 'def "p" { reorder properties = ["b", "a1"]\n int b\n int a10\n int A2\n int a1 }';
    expect(stageOf(body).stage.prim('/p')?.propertyNames()).toEqual(['b', 'a1', 'A2', 'a10']);
    const names = ['a10', 'b', 'A2', 'a2', 'a:b', 'a_b', 'ab', '10', '9', 'a'];
    expect(names.sort(compareInDictionary)).toEqual(['9', '10', 'a', 'A2', 'a2', 'a10', 'a:b', 'a_b', 'ab', 'b']);
  });

  it('value clips and splines are named', () => {
    const opened = stageOf('def "p" ( clips = { dictionary default = { string primPath = "/x" } } ) { int a = 1 }');
    expect(valueAt(opened.stage, '/p.a')).toBe(1);
    expect(opened.said()).toEqual(['UC1717 /p']);
  });
});

describe('values at a time', () => {
  const body = `def "p" {
    double d.timeSamples = { 0: 0, 10: 100, 20: None, 30: 5 }
    float3 v.timeSamples = { 0: (0, 0, 0), 10: (10, 20, 30) }
    quatf q.timeSamples = { 0: (1, 0, 0, 0), 10: (0, 0, 0, 1) }
    float[] same.timeSamples = { 0: [0, 2], 10: [10, 4] }
    float[] other.timeSamples = { 0: [0, 2], 10: [10] }
    token t.timeSamples = { 0: "a", 10: "b" }
    int i.timeSamples = { 0: 1, 10: 2 }
    timecode c.timeSamples = { 0: 7 }
    double plain = 3
  }`;
  const at = (time: number, name: string) => {
    const value = valueAt(stageOf(body, undefined, {}, { time }).stage, `/p.${name}`);
    return ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value;
  };

  it('are interpolated where their type allows, held elsewhere and outside', () => {
    expect([-1, 0, 2.5, 10].map((time) => at(time, 'd'))).toEqual([0, 0, 25, 100]);
    expect(at(5, 'v')).toEqual([5, 10, 15]);
    expect(at(5, 'same')).toEqual([5, 3]);
    expect(at(5, 'other')).toEqual([0, 2]);
    expect([at(9, 't'), at(10, 't'), at(9, 'i'), at(99, 'i')]).toEqual(['a', 'b', 1, 2]);
    expect(at(5, 'plain')).toBe(3);
  });

  it('turn by the shorter way', () => {
    // Half way from no turn to half a turn about z: a quarter turn, (i, j, k, real).
    const q = at(5, 'q') as number[];
    const half = Math.SQRT1_2;
    [0, 0, half, half].forEach((n, i) => {
      expect(q[i]).toBeCloseTo(n, 6);
    });
  });

  it('are held before a block, and gone after it until the next sample', () => {
    expect([15, 20, 25, 30].map((time) => at(time, 'd'))).toEqual([100, undefined, undefined, 5]);
  });

  it('time codes run as their layer does', () => {
    const files = { 'w.usda': layer('def "p" { timecode c = 5\n timecode[] cs = [1, 2] }') };
    const { stage } = stageOf('', '(\n subLayers = [@./w.usda@ (offset = 10; scale = 2)]\n)\n', files);
    expect(valueAt(stage, '/p.c')).toBe(20);
    expect(Array.from(valueAt(stage, '/p.cs') as Float64Array)).toEqual([12, 14]);
  });
});
