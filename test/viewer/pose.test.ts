// Poses by the engine's rules, with numbers worked out by hand.

import { expect, test } from 'vitest';
import type { UntoldClip, UntoldJoint, UntoldKeys } from '../../src/formats/untold/types.ts';
import { NONE } from '../../src/formats/untold/types.ts';
import { identity, multiply, scaling, translation } from '../../src/scene/matrix.ts';
import { Poser, sampled } from '../../src/viewer/page/animation/pose.ts';

const keys = (times: number[], values: number[]): UntoldKeys => ({
  times: Float32Array.from(times),
  values: Float32Array.from(values),
});
const NOTHING = keys([], []);
const close = (values: ArrayLike<number> | null) =>
  Array.from(values ?? [], (value) => Math.round(value * 1e6) / 1e6 + 0);
const HALF = Math.SQRT1_2;

test('a channel blends its keys, holds before the first, and begins anew at its own last one', () => {
  const moves = keys([0.5, 1, 2], [0, 0, 0, 4, 0, 0, 4, 2, 0]);
  expect(sampled(moves, 3, 0)).toEqual([0, 0, 0]);
  expect(sampled(moves, 3, 0.75)).toEqual([2, 0, 0]);
  expect(sampled(moves, 3, 1)).toEqual([4, 0, 0]);
  expect(sampled(moves, 3, 1.5)).toEqual([4, 1, 0]);
  // At the last key exactly it is at the beginning.
  expect(sampled(moves, 3, 2)).toEqual([0, 0, 0]);
  expect(sampled(moves, 3, 2.75)).toEqual([2, 0, 0]);
});

test('a single key holds until its time and falls to rest; no keys and no time are rest', () => {
  const single = keys([1], [7, 8, 9]);
  expect(sampled(single, 3, 0.5)).toEqual([7, 8, 9]);
  expect(sampled(single, 3, 1)).toBe(null);
  expect(sampled(keys([0], [7, 8, 9]), 3, 0)).toBe(null);
  expect(sampled(NOTHING, 3, 0)).toBe(null);
  expect(sampled(keys([0, 1], [0, 0, 0, 1, 0, 0]), 3, Number.NaN)).toBe(null);
});

test('rotations take the shorter way', () => {
  // Half of a quarter turn about Y is an eighth; a quaternion and its negative are one rotation.
  const eighth = [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)];
  expect(close(sampled(keys([0, 1], [0, 0, 0, 1, 0, -HALF, 0, -HALF]), 4, 0.5))).toEqual(close(eighth));
  expect(close(sampled(keys([0, 1], [0, 0, 0, 1, 0, HALF, 0, HALF]), 4, 0.5))).toEqual(close(eighth));
});

/** A hip a metre up, and a knee half a metre below it. */
const HIP: UntoldJoint = { parent: NONE, path: '/Hip', bind: translation(0, 1, 0), rest: translation(0, 1, 0) };
const KNEE: UntoldJoint = { parent: 0, path: '/Hip/Knee', bind: translation(0, 0.5, 0), rest: translation(0, -0.5, 0) };
const clipOf = (channels: UntoldClip['channels'], duration = 2): UntoldClip => ({ name: 'Kick', duration, channels });
const place = (m: Float64Array) => close([m[12], m[13], m[14]]);

test('joints follow their parents; one that no channel names keeps its rest', () => {
  const poser = new Poser([HIP, KNEE]);
  // A quarter turn about X within a second, and back.
  const turns = keys([0, 1, 2], [0, 0, 0, 1, HALF, 0, 0, HALF, 0, 0, 0, 1]);
  const clip = clipOf([{ path: '/Hip', translations: NOTHING, rotations: turns }]);
  const { worlds, skins } = poser.at(clip, 1);
  expect([place(worlds[0]), place(worlds[1])]).toEqual([
    [0, 1, 0],
    [0, 1, -0.5],
  ]);
  // What lay at the knee goes with it.
  const m = skins[1];
  expect(close([0, 1, 2].map((k) => m[4 + k] * 0.5 + m[12 + k]))).toEqual([0, 1, -0.5]);
  // The clip begins anew at its end, and before it plays nothing moves.
  expect(poser.at(clip, 3).worlds.map(place)).toEqual(worlds.map(place));
  expect(poser.at(clip, 2).worlds.map(place)).toEqual(poser.at(clip, 0).worlds.map(place));
  expect(poser.stored().skins.map((skin) => [...skin])).toEqual([[...identity()], [...identity()]]);
});

test('scale stays that of rest, paths are exact, and a clip without a length is rest', () => {
  const wide = { ...HIP, rest: multiply(translation(0, 1, 0), scaling(2, 2, 2)) };
  const poser = new Poser([wide, KNEE]);
  const moves = keys([0, 2], [0, 3, 0, 0, 3, 0]);
  const own = clipOf([{ path: '/Hip', translations: moves, rotations: NOTHING }]);
  expect(poser.at(own, 0.5).worlds.map(place)).toEqual([
    [0, 3, 0],
    [0, 2, 0],
  ]);
  const rest = [
    [0, 1, 0],
    [0, 0, 0],
  ];
  expect(poser.at(clipOf([{ path: '/hip', translations: moves, rotations: NOTHING }]), 0.5).worlds.map(place)).toEqual(
    rest,
  );
  expect(poser.at(clipOf(own.channels, 0), 0.5).worlds.map(place)).toEqual(rest);
});

test('a child that stands before its parent has none', () => {
  const poser = new Poser([{ ...KNEE, parent: 1 }, HIP]);
  const { worlds } = poser.at(clipOf([]), 0);
  expect(worlds.map(place)).toEqual([
    [0, -0.5, 0],
    [0, 1, 0],
  ]);
});
