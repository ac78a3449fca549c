// Which textures --fit makes smaller, from which places they are seen, and what is lost of them.

import { expect, test } from 'vitest';
import { encodeUtex } from '../../../src/formats/utex/encode.ts';
import type { OutputFacts } from '../../../src/library/check/facts.ts';
import type { MeasuredPlace } from '../../../src/library/check/measure.ts';
import { FamilyMembers, familiesOf, type TextureFamily } from '../../../src/library/fit/families.ts';
import { Originals } from '../../../src/library/fit/likeness.ts';
import { type Box, NearestPlaces } from '../../../src/library/fit/nearestPlaces.ts';
import { type SeenTexture, texelsADegree } from '../../../src/library/fit/seen.ts';
import { limitsOf, lowerTextures } from '../../../src/library/fit/textureLimits.ts';
import type { Vec3 } from '../../../src/scene/types.ts';
import { KEPT_TEXTURES } from '../../../src/textures/types.ts';

/** The same numbers on every machine, from 0 to 1. */
function lots(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test('the nearest of many places is found as by looking at each', () => {
  const lot = lots(7);
  for (const count of [1, 2, 17, 400]) {
    const places = Array.from({ length: count }, (): Vec3 => [lot() * 100, lot() * 3, count === 17 ? 5 : lot() * 40]);
    const nearest = new NearestPlaces(places);
    for (let i = 0; i < 200; i++) {
      const [x, y, z] = [lot() * 160 - 30, lot() * 6 - 2, lot() * 80 - 20];
      const box: Box = [x, y, z, x + lot() * 12, y + lot(), z + lot() * 12];
      const distances = places.map((place) =>
        Math.hypot(...[0, 1, 2].map((k) => Math.max(box[k] - place[k], 0, place[k] - box[k + 3]))),
      );
      expect(nearest.distanceTo(box)).toBeCloseTo(Math.min(...distances), 9);
    }
  }
});

/** A texture of so many texels a side, with a byte a texel. */
function family(path: string, side: number): TextureFamily {
  const sizes = [];
  for (let at = side; at >= 16; at /= 2) {
    sizes.push({ sha256: `${path} ${at}`, width: at, height: at, bytes: at * at });
  }
  return { path, sizes };
}

const FACTS = { textureBytes: (path: string) => (path === 'painted' ? 1000 : 0) } as unknown as OutputFacts;

/** Names of files are those of textures, with the number of mips that they lack. */
function membersOf(families: readonly TextureFamily[]): FamilyMembers {
  const of = (name: string) => {
    const [path, dropped = '0'] = name.split('-');
    const found = families.find((one) => one.path === path);
    return found ? { family: found, dropped: Number(dropped) } : null;
  };
  return { of } as unknown as FamilyMembers;
}

const place = (...textures: string[]): MeasuredPlace =>
  ({ looks: [{ held: [{ facts: { textures } }] }] }) as unknown as MeasuredPlace;

const sees = (rows: readonly (readonly [TextureFamily, number])[]) =>
  new Map<TextureFamily, SeenTexture>(rows.map(([one, repeats]) => [one, { repeats, nearest: 1 }]));

test('first what nobody sees, then the one with most bytes for each pixel, and what is not in memory is left alone', () => {
  const [far, near, other] = [family('far', 1024), family('near', 1024), family('other', 1024)];
  const members = membersOf([far, near, other]);
  // Of 1024 texels a degree shows 100 of `far`, 40 of `near`.
  const seen = sees([
    [far, 100 / 1024],
    [near, 40 / 1024],
    [other, 1000],
  ]);
  const lowered = (limit: number, places: readonly MeasuredPlace[]) => {
    const dropped = lowerTextures(places, new Map(), members, FACTS, { limit, pixelsADegree: 34, seen });
    return [...dropped].map(([{ path }, count]) => [path, count]);
  };
  const both = place('far', 'near', 'painted');
  const M = 1024 * 1024;
  expect(lowered(2 * M + 1000, [both])).toEqual([]);
  // 50 texels are still more than 34 pixels.
  expect(lowered(2 * M + 999, [both])).toEqual([['far', 1]]);
  // Nothing is unseen any more: `far` has 50 texels for 34 pixels, `near` 40.
  expect(lowered(1.1 * M, [both])).toEqual([['far', 2]]);
  expect(lowered(M / 2 + 1000, [both])).toEqual([
    ['far', 2],
    ['near', 1],
  ]);
  // A place that cannot fit keeps no other from being fitted; 64 texels a side are the least.
  expect(lowered(1500, [both])).toEqual([
    ['far', 4],
    ['near', 4],
  ]);
  expect(lowered(M, [place('far'), place('near', 'painted')])).toEqual([['near', 1]]);
});

test('files that become equal count once, and levels keep files that are smaller anyway', () => {
  const one = family('one', 256);
  const members = membersOf([one]);
  const wishes = { pixelsADegree: 1, seen: sees([[one, 1]]) };
  const held = place('one', 'one-1', 'one-2');
  // 256² + 128² + 64² texels; without the largest the file of the first level is that of full detail.
  const dropped = (limit: number) => lowerTextures([held], new Map(), members, FACTS, { limit, ...wishes }).get(one);
  expect([dropped(86016), dropped(86015), dropped(20480), dropped(20479)]).toEqual([undefined, 1, 1, 2]);
  expect(limitsOf(new Map([[one, 2]]))).toEqual({ 'one 256': 64 });
});

test('texels a degree are those of a metre at the nearest place', () => {
  // One repeat covers a metre, 1.7 m away: a degree shows 0.02967 of it.
  const seen = { repeats: (1.7 * Math.PI) / 180, nearest: 1.7 };
  expect(texelsADegree(seen, { width: 2048, height: 512 })).toBeCloseTo(1024 * 0.02967, 2);
});

test('a smaller texture is compared in the size that is seen of the whole one', async () => {
  const lot = lots(3);
  const data = Uint8Array.from({ length: 256 * 256 * 3 }, () => Math.floor(lot() * 256));
  const use = { role: 'color', alphaCutoff: null, split: false, roughness: null } as const;
  const image = { width: 256, height: 256, data, channels: 3, alpha: false } as const;
  const { bytes } = await encodeUtex(image, use, { ...KEPT_TEXTURES, mode: 'utex' });
  const facts = { textureFile: () => bytes } as unknown as OutputFacts;
  const [found] = familiesOf(['a', 'a', 'b'], facts);
  expect([found.path, found.sizes.map(({ width }) => width)]).toEqual(['a', [256, 128, 64, 32, 16]]);
  const members = new FamilyMembers([found]);
  expect(members.of('b', facts)).toEqual({ family: found, dropped: 0 });
  const originals = new Originals([found], facts);
  originals.leave(new Map([[found, 1]]), () => 256);
  const half = originals.compare(found, 1, 256);
  const quarter = originals.compare(found, 2, 256);
  expect(half.ssim).toBeLessThan(0.9);
  expect(quarter.ssim).toBeLessThan(half.ssim as number);
  expect(quarter.psnr).toBeLessThan(half.psnr as number);
  expect(originals.compare(found, 2, 64)).toEqual({ ssim: 1, psnr: null });
});

test('of a large texture the middle is compared; what is decided once it is gone is not, where too little of it was kept', async () => {
  // Grain in the middle, one colour around it.
  const [width, height] = [8192, 64];
  const lot = lots(5);
  const data = new Uint8Array(width * height * 3).fill(90);
  for (let y = 0; y < height; y++) {
    for (let x = 9000; x < 15_576; x++) data[y * width * 3 + x] = Math.floor(lot() * 256);
  }
  const use = { role: 'height', alphaCutoff: null, split: false, roughness: null } as const;
  const image = { width, height, data, channels: 3, alpha: false } as const;
  const { bytes } = await encodeUtex(image, use, { ...KEPT_TEXTURES, mode: 'utex' });
  const facts = { textureFile: () => bytes } as unknown as OutputFacts;
  const [found] = familiesOf(['a'], facts);
  const originals = new Originals([found], facts);
  originals.leave(new Map([[found, 1]]), () => width);
  // All that is compared is grain, though three quarters of the texture are not.
  expect(originals.compare(found, 1, width).ssim).toBeLessThan(0.6);
  expect(originals.compare(found, 2, width)).toEqual({ ssim: null, psnr: null });
  expect(originals.compare(found, 4, 1024).ssim).toBeLessThan(0.95);
});
