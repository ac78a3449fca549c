import { describe, expect, it } from 'vitest';
import type { Affine } from '../../src/textures/bake/affine.ts';
import { compose, fitAffine, IDENTITY, invert } from '../../src/textures/bake/affine.ts';
import { chooseUv } from '../../src/textures/bake/chooseUv.ts';
import { layoutAxis, type Placed } from '../../src/textures/bake/layout.ts';
import { material, quad, use } from './fixture.ts';

const placed = (map: Affine | null, wrap: Placed['wrapS'] = 'repeat', side = 64): Placed => ({
  map,
  wrapS: wrap,
  wrapT: wrap,
  width: side,
  height: side,
});

describe('chooseUv', () => {
  const uv = (uvSet: string) => use(0, { uvSet, transform: [2, 0, 0, 2, 0, 0] });
  it.each([
    [['emissive', 'baseColor', 'normal'], 'baseColor'],
    [['emissive', 'roughness', 'normal'], 'normal'],
    [['emissive', 'roughness', 'metallic'], 'metallic'],
    [['emissive', 'roughness', 'opacity'], 'roughness'],
    [['opacity', 'occlusion', 'emissive'], 'emissive'],
    [['opacity', 'occlusion'], 'occlusion'],
    [['opacity'], 'opacity'],
  ])('of %j takes %s', (slots, leader) => {
    const textures = Object.fromEntries(slots.map((slot) => [slot, uv(slot)]));
    expect(chooseUv(material(textures))).toEqual({ set: leader, transform: [2, 0, 0, 2, 0, 0] });
  });

  it('has no set without textures', () => {
    expect(chooseUv(material({}))).toEqual({ set: null, transform: null });
  });
});

describe('affine maps', () => {
  it('compose applies the second first; invert undoes', () => {
    const scale: Affine = [2, 0, 0, 3, 0, 0];
    const shift: Affine = [1, 0, 0, 1, 10, 20];
    expect(compose(scale, shift)).toEqual([2, 0, 0, 3, 20, 60]);
    expect(compose(shift, scale)).toEqual([2, 0, 0, 3, 10, 20]);
    expect(invert([0, 1, -1, 0, 5, 7])).toEqual([0, -1, 1, 0, -7, 5]);
    expect(invert([1, 2, 2, 4, 0, 0])).toBeNull();
  });

  it('fitAffine finds the one map that all corners obey, or none', () => {
    const from = Float64Array.from([...quad(0, 0, 1, 1), ...quad(3, 3, 4, 5)]);
    const turned = from.map((_, i) => (i % 2 === 0 ? -from[i + 1] + 2 : from[i - 1]));
    expect(fitAffine(from, turned)).toEqual([0, 1, -1, 0, 2, 0]);
    const bent = turned.slice();
    bent[bent.length - 1] += 0.01;
    expect(fitAffine(from, bent)).toBeNull();
    expect(fitAffine(new Float64Array(6), new Float64Array(6))).toBeNull();
  });
});

describe('layoutAxis', () => {
  const asIs = { scale: 1, offset: 0, fits: true };

  it('leaves UVs alone where everything repeats with a tile', () => {
    expect(layoutAxis([placed(IDENTITY), placed([2, 0, 0, -3, 0.3, 0])], 0, [-50, 50])).toMatchObject(asIs);
  });

  it('leaves UVs alone where they stay in one tile, whatever the maps', () => {
    const list = [placed(IDENTITY), placed([0.37, 0, 0, 0.37, 0, 0], 'mirror')];
    expect(layoutAxis(list, 0, [0, 1])).toEqual({ ...asIs, bounded: true });
  });

  it('puts two periods of a mirrored texture in a tile, more for a coarser one', () => {
    expect(layoutAxis([placed(IDENTITY, 'mirror')], 0, [-9, 9])).toMatchObject({ scale: 1 / 2, offset: 0, fits: true });
    expect(layoutAxis([placed(IDENTITY), placed([1 / 3, 0, 0, 1, 0, 0])], 0, [-9, 9])).toMatchObject({ scale: 1 / 3 });
    expect(layoutAxis([placed(IDENTITY), placed([1 / 3, 0, 0, 1, 0, 0])], 1, [-9, 9])).toMatchObject(asIs);
    expect(layoutAxis([placed([0.5, 0, 0, 1, 0, 0], 'mirror')], 0, [-9, 9])).toMatchObject({ scale: 1 / 4 });
  });

  it('opens a window on the texel grid around clamped UVs', () => {
    // -0.25 .. 1.5 of 64 texels: -16 - 0.5 down to -17, 96 + 0.5 up to 97.
    expect(layoutAxis([placed(IDENTITY, 'clamp')], 0, [-0.25, 1.5])).toEqual({
      scale: 64 / 114,
      offset: 17 / 114,
      bounded: true,
      fits: true,
    });
    // A second texture of 48: the common grid is 16.
    expect(layoutAxis([placed(IDENTITY, 'clamp'), placed(IDENTITY, 'repeat', 48)], 0, [-0.25, 1.5]).scale).toBe(
      16 / 30,
    );
  });

  it('gives up on clamped UVs over more than four tiles', () => {
    expect(layoutAxis([placed(IDENTITY, 'clamp')], 0, [-3, 3])).toEqual({ ...asIs, bounded: false, fits: false });
    // Out there a window of any number of texels has no width, and its scale would be infinite.
    expect(layoutAxis([placed(IDENTITY, 'clamp')], 0, [1e38, 1e38])).toEqual({ ...asIs, bounded: false, fits: false });
    expect(layoutAxis([placed(IDENTITY, 'clamp')], 1, [-1e17, -1e17])).toEqual({
      ...asIs,
      bounded: false,
      fits: false,
    });
  });
});
