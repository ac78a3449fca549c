// Decoding: 16-bit samples become the nearest byte, whatever else the image has.

import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { bake } from '../../src/textures/bake/bake.ts';
import { decodeImage } from '../../src/textures/decode/decode.ts';
import { ImageFault } from '../../src/textures/decode/fault.ts';
import type { Pixels } from '../../src/textures/decode/pixels.ts';
import { probeImage } from '../../src/textures/decode/probe.ts';

async function decoded(bytes: Uint8Array): Promise<Pixels> {
  const info = await probeImage(bytes);
  if (info instanceof ImageFault) throw info;
  const pixels = await decodeImage(bytes, info);
  if (pixels instanceof ImageFault) throw pixels;
  return pixels;
}

/** A 16-bit PNG of 256 x 256 pixels whose first channel is 0 to 65,535, each other one another order of them. */
async function everySample(channels: 1 | 2 | 3 | 4): Promise<{ png: Uint8Array; samples: Uint16Array }> {
  const samples = new Uint16Array(256 * 256 * channels);
  for (let i = 0; i < samples.length; i++) {
    const c = i % channels;
    samples[i] = Math.floor(i / channels) * (1 + 2 * c) + c;
  }
  const png = await sharp(samples, { raw: { width: 256, height: 256, channels } })
    .toColourspace(channels < 3 ? 'grey16' : 'rgb16')
    .png()
    .toBuffer();
  return { png, samples };
}

/** 65,535 / 255 = 257 steps a byte: half of them, rounded down, go to the byte below. */
const nearestByte = (sample: number): number => Math.round(sample / 257);

describe('16 bits a channel', () => {
  it.each([1, 2, 3, 4] as const)('%i channels: each sample is the nearest byte', async (channels) => {
    const { png, samples } = await everySample(channels);
    const { data } = await decoded(png);
    expect(data.length).toBe(256 * 256 * 4);
    const wrong: number[] = [];
    for (let p = 0; p < 256 * 256; p++) {
      const at = (c: number) => nearestByte(samples[p * channels + c]);
      const color = channels < 3 ? [at(0), at(0), at(0)] : [at(0), at(1), at(2)];
      const alpha = channels === 2 ? at(1) : channels === 4 ? at(3) : 255;
      [...color, alpha].forEach((value, c) => {
        if (data[p * 4 + c] !== value) wrong.push(p);
      });
    }
    expect(wrong).toEqual([]);
  });

  it('CMYK is converted with all its bits, then rounded', async () => {
    // No ink, then some of each.
    const tiff = cmykTiff([0, 0, 0, 0, 1000, 20_000, 33_333, 5]);
    const wide = await sharp(tiff, { ignoreIcc: true })
      .toColourspace('rgb16')
      .ensureAlpha()
      .raw({ depth: 'ushort' })
      .toBuffer();
    const samples = new Uint16Array(wide.buffer, wide.byteOffset, 8);
    const { data } = await decoded(tiff);
    expect([...data.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
    expect([...data]).toEqual([...samples].map(nearestByte));
  });
});

/** An uncompressed little-endian TIFF 6.0 of one row of 16-bit CMYK pixels. */
function cmykTiff(samples: readonly number[]): Uint8Array {
  const SHORT = 3;
  const LONG = 4;
  const entries = [
    [256, SHORT, 1, samples.length / 4],
    [257, SHORT, 1, 1],
    [258, SHORT, 4, 0],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 5],
    [273, LONG, 1, 0],
    [277, SHORT, 1, 4],
    [278, SHORT, 1, 1],
    [279, LONG, 1, samples.length * 2],
  ];
  const bits = 8 + 2 + entries.length * 12 + 4;
  const pixels = bits + 8;
  const view = new DataView(new ArrayBuffer(pixels + samples.length * 2));
  view.setUint32(0, 0x002a4949, true);
  view.setUint32(4, 8, true);
  view.setUint16(8, entries.length, true);
  entries.forEach(([tag, type, count, value], i) => {
    const at = 10 + i * 12;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, count, true);
    view.setUint32(at + 8, tag === 258 ? bits : tag === 273 ? pixels : value, true);
  });
  for (let c = 0; c < 4; c++) view.setUint16(bits + c * 2, 16, true);
  samples.forEach((sample, i) => {
    view.setUint16(pixels + i * 2, sample, true);
  });
  return new Uint8Array(view.buffer);
}

describe('a recipe that changes nothing', () => {
  const image: Pixels = { width: 1, height: 1, data: Uint8Array.of(10, 20, 30, 40) };
  const part = { image: 0, map: [1, 0, 0, 1, 0, 0], wrapS: 'repeat', wrapT: 'repeat', srgb: true } as const;
  const channel = (c: number, scale = 1) => ({ part: 0, channel: c, scale, bias: 0 });
  const recipe = { parts: [part], srgb: true, normals: false, width: 1, height: 1 };

  it('gives the texels of the image without a copy', () => {
    const channels = [channel(0), channel(1), channel(2), channel(3)];
    expect(bake({ ...recipe, channels }, [image], null).data).toBe(image.data);
  });

  it('is none where a channel is scaled, moved or left out', () => {
    const scaled = [channel(0), channel(1), channel(2), channel(3, 0.5)];
    expect([...bake({ ...recipe, channels: scaled }, [image], null).data]).toEqual([10, 20, 30, 20]);
    const moved = [channel(1), channel(0), channel(2), channel(3)];
    expect([...bake({ ...recipe, channels: moved }, [image], null).data]).toEqual([20, 10, 30, 40]);
    const fewer = [channel(0), channel(1), channel(2)];
    expect([...bake({ ...recipe, channels: fewer }, [image], null).data]).toEqual([10, 20, 30]);
  });
});
