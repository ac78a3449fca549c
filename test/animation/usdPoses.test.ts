// Characters of USD: posed by UsdSkel's definition and, cooked, by the engine's rules; and the same character of glTF.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { diskFiles } from '../../src/importers/files.ts';
import { importSource } from '../../src/importers/index.ts';
import type { SceneCurve } from '../../src/scene/types.ts';
import { type Cooked, cookFiles } from '../cook/cooked.ts';
import { buildGlb } from '../importers/gltf/build.ts';
import { apply, I, inverted, type M, mul, slerped, trs, turn } from './arithmetic.ts';
import { character, type Key, LEG, tube } from './characters.ts';
import { apart, farthest, SHARES, sizeOf, tracks } from './compare.ts';
import { enginePose } from './engine.ts';
import { type Sample, tokensOf, type UsdOptions, usdCharacter, usdPose } from './usdCharacter.ts';

const TIMES = [0.5, 1, 2.5];

/** Hip sways, knee bends; the foot keeps its rest. */
const SAMPLES: readonly Sample[] = TIMES.map((time, k) => ({
  time,
  translations: [
    [
      [0, 2, 0],
      [0.25, 1.75, 0.5],
      [0, 2, 0],
    ][k],
    LEG[1].t,
    LEG[2].t,
  ],
  rotations: [turn([0, 1, 0.3], 35 * k), turn([1, 0, 0], [20, 75, -10][k]), LEG[2].q as number[]],
}));

const lerp = (a: readonly number[], b: readonly number[], share: number) => a.map((x, i) => x + (b[i] - x) * share);

/** A joint's local matrix at a time: SkelAnimation is linear, rotations by slerp. */
function localAt(samples: readonly Sample[], joints: typeof LEG, time: number): (joint: number) => M {
  const after = Math.max(
    1,
    samples.findIndex((sample) => sample.time >= time),
  );
  const [a, b] = [samples[after - 1], samples[after]];
  const share = (time - a.time) / (b.time - a.time);
  return (j) =>
    trs(
      lerp(a.translations[j], b.translations[j], share),
      slerped(a.rotations[j], b.rotations[j], share),
      joints[j].s ?? [1, 1, 1],
    );
}

const clipOf = ({ clips }: Cooked) => [...clips.values()][0].clips![0];

/** Cooks a character and compares all poses. `stage`: from the stage to metres with Y up. */
async function expectSamePoses(options: UsdOptions, stage: M = I): Promise<readonly string[]> {
  const out = await cookFiles({ 'hero.usda': new TextEncoder().encode(usdCharacter(options)) });
  expect(out.outcome.status).toBe('ok');
  const { samples = [], joints = LEG, place = I } = options;
  const [start, end] = [samples[0].time, samples[samples.length - 1].time];
  const clip = clipOf(out);
  expect(clip.duration).toBeCloseTo(end - start, 6);
  const world = mul(stage, place);
  const at = (share: number) => start + share * (end - start);
  const theirs = tracks(SHARES.map((share) => usdPose(options, localAt(samples, joints, at(share)), world)));
  const ours = tracks(SHARES.map((share) => enginePose(out.scene, clip, share * (end - start))));
  const size = sizeOf(theirs);
  expect(
    Math.max(
      ...theirs.map((track) =>
        apart(
          track,
          track.map(() => track[0]),
        ),
      ),
    ),
  ).toBeGreaterThan(size / 20);
  expect(farthest(ours, theirs)).toBeLessThan(Math.max(1e-4, 1e-4 * size));
  return out.codes;
}

describe('a character of USD', () => {
  test('walks', async () => {
    expect(await expectSamePoses({ samples: SAMPLES })).toEqual([]);
  });

  test('of centimetres with Z up, below a Skeleton that is turned', async () => {
    const stage: M = mul(
      [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1],
      trs([0, 0, 0], [0, 0, 0, 1], [0.01, 0.01, 0.01]),
    );
    const options = { samples: SAMPLES, place: trs([30, 4, 5], turn([1, 2, 3], 80), [90, 90, 90]) };
    const metadata = 'metersPerUnit = 0.01\n  upAxis = "Z"';
    expect(await expectSamePoses({ ...options, metadata }, stage)).toEqual([]);
  });

  test('whose mesh is bound elsewhere (geomBindTransform), in another pose than that at rest', async () => {
    const binds = [0, 1, 2].map((j) => trs([0, 2 - j, 0], turn([0, 0, 1], 30 * j), [1, 1, 1]));
    const geomBind = trs([0.1, -0.2, 0.3], turn([1, 0, 0], 25), [1.5, 1.5, 1.5]);
    expect(await expectSamePoses({ samples: SAMPLES, binds, geomBind })).toEqual(['UC2070']);
  });

  test('below a Skeleton that mirrors', async () => {
    const place = trs([1, 0, 0], turn([0, 1, 0], 40), [1, 1, -1]);
    expect(await expectSamePoses({ samples: SAMPLES, place })).toEqual([]);
  });

  test('with eight influences a vertex', async () => {
    const mesh = tube(3);
    const count = mesh.positions.length / 3;
    const joints = Array.from({ length: count }, () => [0, 1, 2, 0, 1, 2, 0, 1]).flat();
    const weights = Array.from({ length: count }, (_, v) => [0.3, 0.1, 0.05, 0.2, 0.001 * v, 0.1, 0, 0.05]).flat();
    const eight = { samples: SAMPLES, mesh: { ...mesh, joints, weights }, perVertex: 8 };
    // There are three joints only: equal ones count together, and none is dropped.
    const summed = Array.from({ length: count }, (_, v) => {
      const own = [0, 0, 0];
      for (let k = 0; k < 8; k++) own[joints[v * 8 + k]] += weights[v * 8 + k];
      return own;
    });
    const three = { ...mesh, joints: summed.flatMap(() => [0, 1, 2]), weights: summed.flat() };
    const out = await cookFiles({ 'hero.usda': new TextEncoder().encode(usdCharacter(eight)) });
    expect(out.codes).toEqual([]);
    const clip = clipOf(out);
    const theirs = tracks(
      SHARES.map((share) =>
        usdPose({ ...eight, mesh: three, perVertex: 3 }, localAt(SAMPLES, LEG, 0.5 + 2 * share), I),
      ),
    );
    const ours = tracks(SHARES.map((share) => enginePose(out.scene, clip, 2 * share)));
    expect(farthest(ours, theirs)).toBeLessThan(3e-4);
  });

  test('with a joint whose parent is not in the list: it is a root', async () => {
    const joints = LEG.map((joint, j) => (j === 1 ? { ...joint, parent: -1, t: [0, 1, 0] } : joint));
    const tokens = ['Hip', 'Ghost/Knee', 'Ghost/Knee/Foot'];
    const samples = SAMPLES.map((sample) => ({
      ...sample,
      translations: [sample.translations[0], [0, 1, 0], sample.translations[2]],
    }));
    expect(await expectSamePoses({ joints, tokens, samples })).toEqual([]);
  });

  test('and of glTF gives equal files', async () => {
    const color = { baseColorFactor: [0.5, 0.25, 0.125, 1], metallicFactor: 0, roughnessFactor: 0.5 };
    const keys: Key[] = [
      { node: 1, path: 'translation', times: TIMES, values: SAMPLES.map(({ translations }) => translations[0]) },
      { node: 1, path: 'rotation', times: TIMES, values: SAMPLES.map(({ rotations }) => rotations[0]) },
      { node: 2, path: 'rotation', times: TIMES, values: SAMPLES.map(({ rotations }) => rotations[1]) },
    ];
    const scene = character({ keys });
    const material = { name: 'Skin', pbrMetallicRoughness: color };
    const gltf = await cookFiles({ 'hero.glb': buildGlb({ ...scene, materials: [material] }) });
    const usd = await cookFiles({ 'hero.usda': new TextEncoder().encode(usdCharacter({ samples: SAMPLES })) });
    expect([gltf.codes, usd.codes]).toEqual([[], []]);
    expect([...usd.files.keys()]).toEqual(['out.untold', 'Animations/Walk/Walk.untoldanim']);
    expect([...usd.files.keys()]).toEqual([...gltf.files.keys()]);
    expect(tokensOf(LEG).map((token) => `/${token}`)).toEqual(gltf.scene.skeletons?.[0].joints.map(({ path }) => path));
    for (const [name, bytes] of usd.files)
      expect([name, Buffer.compare(bytes, gltf.files.get(name)!)]).toEqual([name, 0]);
  });
});

const MAN = resolve(import.meta.dirname, '../../../shared/assets/usd/usdz/CesiumMan/CesiumMan.usdz');

describe('CesiumMan', () => {
  test.skipIf(!existsSync(MAN))('walks as UsdSkel says (needs the scene from outside of the repository)', async () => {
    const context = { files: diskFiles(null), diagnostics: new Diagnostics(), options: { keepsRigs: true } };
    const scene = await importSource(MAN, MAN, context);
    const [clip] = scene.clips!;
    const skeleton = scene.skeletons![0];
    const node = scene.nodes.find(({ mesh }) => mesh >= 0 && scene.meshes[mesh].primitives[0].bound)!;
    const { bound } = scene.meshes[node.mesh].primitives[0];
    const { points, skinning } = await bound!.read();
    const skin = scene.skins![bound!.skin];
    const valueAt = (curve: SceneCurve | null, rest: number[], time: number): number[] => {
      if (curve === null) return rest;
      const { times, values, size } = curve;
      const row = (k: number) => [...values.subarray(k * size, (k + 1) * size)];
      const after = times.findIndex((key) => key >= time);
      if (after <= 0) return row(after < 0 ? times.length - 1 : 0);
      const share = (time - times[after - 1]) / (times[after] - times[after - 1]);
      return (size === 4 ? slerped : lerp)(row(after - 1), row(after), share);
    };
    const pose = (time: number): number[][] => {
      const worlds: M[] = [];
      skeleton.joints.forEach(({ parent, rest }, j) => {
        const channel = clip.channels.find(({ target }) => target.kind === 'joint' && target.joint === j);
        const local = channel
          ? trs(
              valueAt(channel.translation, [rest[12], rest[13], rest[14]], time),
              valueAt(channel.rotation, [0, 0, 0, 1], time),
              valueAt(channel.scale, [1, 1, 1], time),
            )
          : [...rest];
        worlds.push(mul(parent < 0 ? [...skeleton.root] : worlds[parent], local));
      });
      const matrices = [...skin.joints].map((joint, j) =>
        mul(mul(worlds[joint], inverted([...skin.bind.subarray(j * 16, j * 16 + 16)])), [...skin.meshBind]),
      );
      const { influences, joints, weights } = skinning!;
      return Array.from({ length: points.length / 3 }, (_, v) => {
        const p = [...points.subarray(v * 3, v * 3 + 3)];
        const out = [0, 0, 0];
        let sum = 0;
        for (let k = v * influences; k < (v + 1) * influences; k++) {
          sum += weights[k];
          const q = apply(matrices[joints[k]], p);
          for (let c = 0; c < 3; c++) out[c] += weights[k] * q[c];
        }
        return out.map((x) => x / sum);
      });
    };
    const out = await cookFiles({ 'man.usdz': new Uint8Array(readFileSync(MAN)) });
    expect(out.outcome.status).toBe('ok');
    const written = clipOf(out);
    const theirs = tracks(SHARES.map((share) => pose(share * clip.duration)));
    const ours = tracks(SHARES.map((share) => enginePose(out.scene, written, share * clip.duration)));
    // Each stored vertex is one of the source's.
    const grid = new Map<string, typeof theirs>();
    const cell = (p: readonly number[]) => p.map((x) => Math.round(x * 100));
    for (const track of theirs) {
      const key = cell(track[0]).join();
      grid.set(key, [...(grid.get(key) ?? []), track]);
    }
    let max = 0;
    for (const track of ours) {
      const [x, y, z] = cell(track[0]);
      let min = Infinity;
      for (const dx of [-1, 0, 1])
        for (const dy of [-1, 0, 1])
          for (const dz of [-1, 0, 1])
            for (const other of grid.get([x + dx, y + dy, z + dz].join()) ?? [])
              min = Math.min(min, apart(track, other));
      max = Math.max(max, min);
    }
    expect(ours.length).toBeGreaterThan(2000);
    expect(max).toBeLessThan(Math.max(1e-4, 1e-4 * sizeOf(theirs)));
    expect(out.codes.filter((code) => code !== 'UC1015')).toEqual([]);
  });
});
