// Clips of UsdSkel: SkelAnimation prims for the skeletons that they move.

import { describe, expect, it } from 'vitest';
import { layer } from '../importText.ts';
import { BOUND, CHAIN, importText, keysOf, PLAIN, rig, skeleton } from './skelText.ts';

const WALK = `def SkelAnimation "Walk" {
  uniform token[] joints = ["Hip/Leg", "Ghost", "Hip"]
  float3[] translations.timeSamples = {
    12: [(0, 2, 0), (9, 9, 9), (0, 1, 0)],
    36: [(0, 2.5, 0), (9, 9, 9), (3, 1, 0)],
  }
  quatf[] rotations.timeSamples = {
    24: [(0.5, 0.5, -0.5, 0.5), (1, 0, 0, 0), (1, 0, 0, 0)],
    48: [(0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1)],
  }
  half3[] scales = [(1, 2, 3), (1, 1, 1), (1, 1, 1)]
}`;
const ANIMATED = 'rel skel:animationSource = </R/Walk>';
const RATE = '(\nmetersPerUnit = 1\nupAxis = "Y"\ntimeCodesPerSecond = 24\n)\n';

const animated = (walk = WALK, mesh = `${BOUND}\n${PLAIN}`, own = ANIMATED, root = '') =>
  rig(mesh, skeleton(CHAIN, 'S', own), walk, root);

describe('a SkelAnimation', () => {
  it('becomes a clip with seconds from its first key, and quaternions with their real part last', async () => {
    const { scene, codes } = await importText(animated(), RATE);
    expect(codes()).toEqual([]);
    expect(scene.clips?.map(({ name, path, start, duration }) => [name, path, start, duration])).toEqual([
      ['Walk', '/R/Walk', 0.5, 1.5],
    ]);
    const channels = scene.clips?.[0].channels ?? [];
    expect(channels.map(({ target }) => target)).toEqual([
      { kind: 'joint', skeleton: 0, joint: 0 },
      { kind: 'joint', skeleton: 0, joint: 1 },
    ]);
    const [hip, leg] = channels;
    expect(keysOf(hip.translation)).toEqual([
      [0, 1],
      [0, 1, 0, 3, 1, 0],
    ]);
    expect(keysOf(hip.rotation)).toEqual([
      [0.5, 1.5],
      [0, 0, 0, 1, 0, 0, 1, 0],
    ]);
    expect(keysOf(leg.rotation)).toEqual([
      [0.5, 1.5],
      [0.5, -0.5, 0.5, 0.5, 1, 0, 0, 0],
    ]);
    expect(keysOf(leg.scale)).toEqual([[0], [1, 2, 3]]);
    expect([leg.rotation?.interpolation, leg.rotation?.size, leg.scale?.size]).toEqual(['linear', 4, 3]);
  });

  it('is inherited by skeletons below its source, and needs no mesh', async () => {
    const { scene } = await importText(animated(WALK, '', '', ANIMATED), RATE);
    expect(scene.skeletons?.map(({ path }) => path)).toEqual(['/R/S']);
    expect(scene.clips?.length).toBe(1);
    expect(scene.skins).toBeUndefined();
  });

  it('makes a clip for each skeleton that it moves, and none where an empty list hides it', async () => {
    const more = `${WALK}\n${skeleton(CHAIN, 'T')}\n${skeleton(CHAIN, 'U', 'rel skel:animationSource = []')}`;
    const { scene } = await importText(rig(undefined, skeleton(), more, ANIMATED), RATE);
    expect(scene.clips?.map(({ path, channels }) => [path, channels[0].target])).toEqual([
      ['/R/Walk', { kind: 'joint', skeleton: 0, joint: 0 }],
      ['/R/Walk', { kind: 'joint', skeleton: 1, joint: 0 }],
    ]);
    expect(scene.skeletons?.map(({ path }) => path)).toEqual(['/R/S', '/R/T']);
  });

  it('without samples is a pose at time 0', async () => {
    const pose = 'def SkelAnimation "Walk" {\nuniform token[] joints = ["Hip"]\nfloat3[] translations = [(1, 2, 3)]\n}';
    const { scene } = await importText(animated(pose), RATE);
    const [{ start, duration, channels }] = scene.clips ?? [];
    expect([start, duration, channels.length]).toEqual([0, 0, 1]);
    expect(keysOf(channels[0].translation)).toEqual([[0], [1, 2, 3]]);
    expect([channels[0].rotation, channels[0].scale]).toEqual([null, null]);
  });

  it('of another layer keeps its seconds, with the offset of the reference', async () => {
    const files = {
      '/scene/walk.usda': layer(WALK, 'defaultPrim = "Walk"\ntimeCodesPerSecond = 48'),
    };
    const reference = (offset: string) => animated(`def "Walk" (\nreferences = @./walk.usda@ (${offset})\n) {\n}`);
    const shifted = await importText(reference('offset = 12; scale = 1'), RATE, files);
    // 12 of 48 codes in a second and 12 of 24: 0.25 + 0.5 seconds.
    expect([shifted.scene.clips?.[0].start, shifted.scene.clips?.[0].duration]).toEqual([0.75, 0.75]);
    const reversed = await importText(reference('offset = 0; scale = -2'), RATE, files);
    expect([reversed.scene.clips?.[0].start, reversed.scene.clips?.[0].duration]).toEqual([-2, 1.5]);
    const [hip] = reversed.scene.clips?.[0].channels ?? [];
    expect(keysOf(hip.translation)).toEqual([
      [0.5, 1.5],
      [3, 1, 0, 0, 1, 0],
    ]);
  });

  it('runs backwards where the rate is negative', async () => {
    const { scene, codes } = await importText(animated(), RATE.replace('24', '-24'));
    expect(codes().sort()).toEqual(['UC1727']);
    const [{ start, duration, channels }] = scene.clips ?? [];
    expect([start, duration]).toEqual([-2, 1.5]);
    expect(keysOf(channels[0].translation)).toEqual([
      [0.5, 1.5],
      [3, 1, 0, 0, 1, 0],
    ]);
  });

  it('has 24 time codes a second where the stage does not say', async () => {
    const { scene } = await importText(animated());
    expect([scene.clips?.[0].start, scene.clips?.[0].duration]).toEqual([0.5, 1.5]);
  });

  it('leaves out samples that are blocked', async () => {
    const walk =
      'def SkelAnimation "Walk" {\nuniform token[] joints = ["Hip"]\nfloat3[] translations.timeSamples = { 0: [(1, 0, 0)], 24: None, 48: [(2, 0, 0)] }\n}';
    const { scene } = await importText(animated(walk), RATE);
    expect(keysOf(scene.clips?.[0].channels[0].translation)).toEqual([
      [0, 2],
      [1, 0, 0, 2, 0, 0],
    ]);
  });

  it('of blend shapes alone is no clip', async () => {
    const walk =
      'def SkelAnimation "Walk" {\nuniform token[] blendShapes = ["a"]\nfloat[] blendShapeWeights = [0.5]\n}';
    const { scene, codes } = await importText(animated(walk), RATE);
    expect(scene.clips).toBeUndefined();
    expect(codes()).toEqual([]);
  });
});

describe('UC1848', () => {
  const said = async (walk: string, own?: string) => {
    const { scene, diagnostics } = await importText(animated(walk, undefined, own), RATE);
    const items = diagnostics.list.filter(({ code }) => code !== 'UC1837');
    return { clips: scene.clips ?? [], items: items.map(({ code, path, message }) => `${code} ${path} ${message}`) };
  };

  it.each([
    ['float3[] translations', '[(1, 0, 0)]', 'has 1 values for 2 joints'],
    ['float3[] translations', '[(1, 0, 0), (nan, 0, 0)]', 'is not finite'],
    ['float2[] translations', '[(1, 0), (0, 0)]', 'is of the type Vec2f[]'],
    ['float3[] scales', '[]', 'has 0 values for 2 joints'],
    ['quatf[] rotations', '[(1, 0, 0, 0), (0, 0, 0, 0)]', 'has a quaternion of zeros'],
  ])('%s = %s is left out, and the rest kept', async (declaration, value, why) => {
    const other = declaration.includes('rotations')
      ? 'float3[] translations = [(1, 0, 0), (1, 0, 0)]'
      : 'quatf[] rotations = [(1, 0, 0, 0), (1, 0, 0, 0)]';
    const body = (text: string) =>
      `def SkelAnimation "Walk" {\nuniform token[] joints = ["Hip", "Hip/Leg"]\n${text}\n${other}\n}`;
    const name = declaration.split(' ')[1];
    const constant = await said(body(`${declaration} = ${value}`));
    expect(constant.items).toEqual([`UC1848 /R/Walk left out: ${name} ${why}`]);
    const curves = (channel: (typeof constant.clips)[0]['channels'][0]) =>
      [channel.translation, channel.rotation, channel.scale].filter((curve) => curve !== null).length;
    expect(constant.clips[0].channels.map(curves)).toEqual([1, 1]);
    const sampled = await said(body(`${declaration}.timeSamples = { 1: ${value} }`));
    expect(sampled.items).toEqual([`UC1848 /R/Walk left out: ${name} at time 1 ${why}`]);
  });

  it('is said of a source that is no animation, and of joints that are not those of the skeleton', async () => {
    const none = await said(WALK, 'rel skel:animationSource = </R/m>');
    expect(none.items).toEqual(['UC1848 /R/S its animation </R/m> is no active SkelAnimation']);
    const ghost = await said(
      'def SkelAnimation "Walk" {\nuniform token[] joints = ["Ghost"]\nfloat3[] translations = [(1, 2, 3)]\n}',
    );
    expect(ghost.items).toEqual(['UC1848 /R/Walk it has no values for joints of the skeleton </R/S>']);
    const twice = await said(
      'def SkelAnimation "Walk" {\nuniform token[] joints = ["Hip", "Hip"]\nfloat3[] translations = [(1, 2, 3), (1, 2, 3)]\n}',
    );
    expect(twice.items).toEqual(['UC1848 /R/Walk the animation is left out: the joint "Hip" is there twice']);
    expect([none.clips, ghost.clips, twice.clips]).toEqual([[], [], []]);
  });
});
