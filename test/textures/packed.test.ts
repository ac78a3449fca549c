import { describe, expect, it } from 'vitest';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import type { SceneTextures } from '../../src/scene/types.ts';
import { prepareMaterials } from '../../src/textures/prepare.ts';
import { image, material, quad, rgb, rgba, scene, slotPixels, triangles, use } from './fixture.ts';

const inverted = (channel: 'r' | 'g' | 'b' | 'a', one: readonly number[]) => ({
  channel,
  scale: one.map((x) => (x === 1 ? -1 : 1)) as never,
  bias: one as never,
});

async function prepare(textures: SceneTextures, file = rgb([[10, 20, 30]]), second = rgb([[40, 50, 60]])) {
  const diagnostics = new Diagnostics();
  const images = [image('packed', file), image('other', second)];
  const prepared = await prepareMaterials(
    scene([material(textures)], images),
    { missingTexture: 'error' },
    triangles({ st: quad(0, 0, 1, 1) }),
    diagnostics,
  );
  const [{ slots }] = prepared.materials;
  return { prepared, slots, reports: diagnostics.list.map(({ code, message }) => `${code} ${message}`) };
}

describe('slots of a packed map', () => {
  const occlusion = use(0, { channel: 'r' });
  const roughness = use(0, inverted('g', [0, 1, 0, 0]));
  const metallic = use(0, { channel: 'b' });

  it('read one new file where one of them needs new texels', async () => {
    const { prepared, slots, reports } = await prepare({ occlusion, roughness, metallic });
    expect(prepared.textures).toHaveLength(1);
    expect([slots.occlusion, slots.roughness, slots.metallic]).toEqual([0, 0, 0]);
    expect(await slotPixels(prepared, 'metallic')).toEqual([[10, 235, 30]]);
    expect(prepared.materials[0]).toMatchObject({ roughnessChannel: 1, metallicChannel: 2 });
    expect(prepared.textures[0].flags).toBe(128);
    expect(reports).toEqual([]);
  });

  it('read one new file where each needs its own texels', async () => {
    const { prepared } = await prepare({
      occlusion: use(0, inverted('r', [1, 0, 0, 0])),
      roughness,
      metallic: use(0, inverted('b', [0, 0, 1, 0])),
    });
    expect(prepared.textures).toHaveLength(1);
    expect(await slotPixels(prepared, 'occlusion')).toEqual([[245, 235, 225]]);
  });

  it('read the occlusion where the engine does, if nothing else is there', async () => {
    const moved = use(0, { channel: 'b' });
    const { prepared, slots } = await prepare({ occlusion: moved, roughness });
    expect(prepared.textures).toHaveLength(1);
    expect(await slotPixels(prepared, 'occlusion')).toEqual([[30, 235, 30]]);
    // Red holds the metallic: the occlusion needs a file of its own.
    const both = await prepare({ occlusion: moved, roughness, metallic: use(0, { channel: 'r' }) });
    expect(both.prepared.textures).toHaveLength(2);
    expect(both.slots.metallic).toBe(both.slots.roughness);
    expect(await slotPixels(both.prepared, 'roughness')).toEqual([[10, 235, 30]]);
    expect((await slotPixels(both.prepared, 'occlusion'))[0][0]).toBe(30);
    expect(slots.metallic).toBe(-1);
  });

  it('read the alpha too', async () => {
    const { prepared } = await prepare({ roughness, metallic: use(0, { channel: 'a' }) }, rgba([[10, 20, 30, 40]]));
    expect(prepared.textures).toHaveLength(1);
    expect(await slotPixels(prepared, 'metallic')).toEqual([[10, 235, 30, 40]]);
  });

  it('read two files where they want one channel in two ways', async () => {
    const { prepared, slots } = await prepare({ roughness, metallic: use(0, { channel: 'g' }) });
    expect(prepared.textures).toHaveLength(2);
    expect(await slotPixels(prepared, 'roughness')).toEqual([[10, 235, 30]]);
    expect((await slotPixels(prepared, 'metallic'))[0][1]).toBe(20);
    expect(slots.metallic).not.toBe(slots.roughness);
  });

  it('read two files where their images, UVs or colour spaces differ', async () => {
    for (const changes of [{ image: 1 }, { transform: [2, 0, 0, 2, 0, 0] }, { colorSpace: 'srgb' }] as const) {
      const { prepared } = await prepare({ roughness, metallic: use(0, { channel: 'b', ...changes }) });
      expect(prepared.textures, JSON.stringify(changes)).toHaveLength(2);
    }
  });

  it('read the source itself where none needs new texels', async () => {
    const file = rgb([[10, 20, 30]]);
    const { prepared } = await prepare({ occlusion, roughness: use(0, { channel: 'g' }), metallic }, file);
    expect(prepared.textures.map(({ bytes }) => bytes)).toEqual([file]);
  });

  it('report clipped values for the slot alone whose values they are', async () => {
    const bright = use(0, { channel: 'g', scale: [1, 20, 1, 1] });
    const { prepared, reports } = await prepare({ occlusion, roughness: bright, metallic });
    expect(prepared.textures).toHaveLength(1);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatch(/^UC2114 roughness/);
  });
});
