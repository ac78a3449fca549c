// What moves is bounded before it is sampled, and any number of prims may move.

import { describe, expect, it } from 'vitest';
import type { StageAttribute, StagePrim } from '../../../../src/importers/usd/compose/stage/stage.ts';
import { MovedXforms, spanOf } from '../../../../src/importers/usd/geom/movedXform.ts';
import type { Value } from '../../../../src/importers/usd/layer.ts';
import { importText, quad } from '../importText.ts';

/** A prim whose op `rotateY` has these samples, in degrees; `order`: how often it is named. */
function turning(times: Float64Array, degrees: (i: number) => number, order = 1): StagePrim {
  const names: Value = { type: 'Token', array: true, value: new Array(order).fill('xformOp:rotateY') };
  const still = { get: () => ({ value: names }), samples: () => null };
  const samples = {
    times,
    at: (i: number): Value => ({ type: 'Double', array: false, value: degrees(i) }),
  };
  const moving = { get: () => ({ value: samples.at(0) }), samples: () => samples };
  return {
    attribute: (name: string) => (name === 'xformOpOrder' ? still : moving) as unknown as StageAttribute,
  } as unknown as StagePrim;
}

const never = (): number => {
  throw new Error('a sample was read');
};

describe('samples of a turn', () => {
  it('are sixty a second, each with its parts', () => {
    const moved = new MovedXforms(() => 20);
    const prim = turning(Float64Array.of(0, 1, 2), (i) => [0, 90, 90][i]);
    expect(moved.take(prim, 7, null)).toBe(true);
    const [{ start, duration, channels }] = moved.clips();
    expect([start, duration, channels.length, channels[0].target]).toEqual([0, 0.1, 1, { kind: 'node', node: 7 }]);
    const { translation, rotation, scale } = channels[0];
    expect([...rotation!.times].map((time) => Math.round(time * 60 * 1e9) / 1e9)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const turned = [0, 30, 60, 90, 90, 90, 90].map((degrees) => (degrees * Math.PI) / 360);
    turned.forEach((half, i) => {
      expect(rotation!.values[i * 4 + 1]).toBeCloseTo(Math.sin(half), 12);
      expect(rotation!.values[i * 4 + 3]).toBeCloseTo(Math.cos(half), 12);
    });
    expect(rotation!.values).toHaveLength(28);
    expect(translation!.values).toEqual(new Float64Array(21));
    for (const value of scale!.values) expect(value).toBeCloseTo(1, 12);
    expect(scale!.values).toHaveLength(21);
  });
});

describe('samples that are too many', () => {
  it('are counted, and none of them is read', () => {
    const moved = new MovedXforms(() => 0.01);
    const times = (length: number) => Float64Array.from({ length }, (_, i) => i);
    expect(moved.take(turning(times(200_000), never), 0, null)).toBe(false);
    // Ten numbers a code: 600 codes of 2,797 gaps and one are 1,678,201 codes, and 2^24 numbers are fewer.
    expect(moved.take(turning(times(2798), never), 0, null)).toBe(false);
    expect(moved.clips()).toEqual([]);
    // What did not fit took nothing.
    const short = turning(times(3), (i) => i);
    expect(moved.take(short, 0, null)).toBe(true);
  });

  it('are not gathered where many ops have the same', () => {
    const times = Float64Array.from({ length: 4096 }, (_, i) => i);
    expect(new MovedXforms(() => 24).take(turning(times, never, 4097), 0, null)).toBe(false);
  });

  it('are said to be frozen', async () => {
    const samples = Array.from({ length: 9000 }, (_, i) => `${i}: ${i % 360}`).join();
    const turn = `float xformOp:rotateY.timeSamples = { ${samples} }\nuniform token[] xformOpOrder = ["xformOp:rotateY"]`;
    const slow = '(\n  metersPerUnit = 1\n  upAxis = "Y"\n  timeCodesPerSecond = 0.01\n)\n';
    const { scene, codes } = await importText(quad('m', turn), slow, {}, { keepsRigs: true });
    expect(codes()).toEqual(['UC1702']);
    expect([scene.nodes.length, scene.clips]).toEqual([1, undefined]);
  });
});

describe('prims that move', () => {
  it('may be more than a call has arguments', () => {
    const moved = new Array(300_000).fill({ times: Float64Array.of(0, 1) });
    moved[70_000] = { times: Float64Array.of(-1, 0.5) };
    moved[299_999] = { times: Float64Array.of(0, 1, 2) };
    expect(spanOf(moved)).toEqual([-1, 2]);
  });

  it('are in one clip from the first to the last time', () => {
    const moved = new MovedXforms(() => 60);
    const spans = [Float64Array.of(0, 1), Float64Array.of(-60, 0), Float64Array.of(30, 120)];
    const prims = spans.map((times) => turning(times, () => 0));
    expect(prims.map((prim, node) => moved.take(prim, node, null))).toEqual([true, true, true]);
    const [{ start, duration, channels }] = moved.clips();
    expect([start, duration]).toEqual([-1, 3]);
    expect(channels.map(({ rotation }) => rotation!.times[0])).toEqual([1, 0, 1.5]);
  });
});
