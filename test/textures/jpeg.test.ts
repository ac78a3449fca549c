import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ImageFault } from '../../src/textures/decode/fault.ts';
import { dropJpegProfiles, type JpegHeader, readJpeg } from '../../src/textures/decode/jpeg.ts';

/** The smallest sequence of markers that is walked: SOI, a frame of 7 x 5 with three components, a scan, EOI. */
const FRAME = [0xff, 0xc0, 0, 17, 8, 0, 5, 0, 7, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0];
const SCAN = [0xff, 0xda, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0];
const jpeg = (...parts: number[][]) => Uint8Array.from([0xff, 0xd8, ...parts.flat()]);
const EOI = [0xff, 0xd9];

function header(bytes: Uint8Array): JpegHeader {
  const read = readJpeg(bytes);
  if (read instanceof ImageFault) throw new Error(read.message);
  return read;
}

describe('readJpeg', () => {
  it('walks frame, stuffed zeros, restarts, fill bytes and further scans to EOI', () => {
    const entropy = [1, 0xff, 0x00, 2, 0xff, 0xd3, 4];
    const bytes = jpeg(FRAME, [0xff], SCAN, entropy, SCAN, entropy, EOI);
    expect(header(bytes)).toMatchObject({
      width: 7,
      height: 5,
      precision: 8,
      components: 3,
      frame: 0xc0,
      end: bytes.length,
    });
  });

  it('reads what an encoder writes, and finds it cut anywhere', async () => {
    const bytes = await sharp({ create: { width: 20, height: 9, channels: 3, background: '#345' } })
      .jpeg({ progressive: true })
      .toBuffer();
    expect(header(bytes)).toMatchObject({ width: 20, height: 9, components: 3, frame: 0xc2 });
    for (let n = 3; n < bytes.length; n++) {
      const read = readJpeg(bytes.subarray(0, n));
      expect(read).toBeInstanceOf(ImageFault);
      expect((read as ImageFault).kind).toBe('cut');
    }
  });

  it.each([
    ['EOI without an image', jpeg(EOI)],
    ['a frame without a scan', jpeg(FRAME, EOI)],
    ['bytes that are no marker', jpeg([1, 2, 3])],
    ['a segment without length', jpeg([0xff, 0xe0, 0, 1, 0, 0])],
    ['a frame header that is too short', jpeg([0xff, 0xc0, 0, 4, 8, 0], EOI)],
    ['a second SOI', jpeg([0xff, 0xd8], FRAME, SCAN, EOI)],
  ])('finds %s damaged', (_, bytes) => {
    expect((readJpeg(bytes) as ImageFault).kind).toBe('damaged');
  });
});

describe('dropJpegProfiles', () => {
  const profile = [0xff, 0xe2, 0, 18, ...Buffer.from('ICC_PROFILE\0'), 1, 2, 9, 9];
  const other = [0xff, 0xe2, 0, 8, ...Buffer.from('MPF\0'), 9, 9];

  it('takes profile segments out and leaves everything else', () => {
    const bytes = jpeg(profile, FRAME, other, profile, SCAN, [5, 6], EOI);
    expect([...dropJpegProfiles(bytes, header(bytes))]).toEqual([...jpeg(FRAME, other, SCAN, [5, 6], EOI)]);
  });

  it('gives the same array when there is none', () => {
    const bytes = jpeg(FRAME, other, SCAN, EOI);
    expect(dropJpegProfiles(bytes, header(bytes))).toBe(bytes);
  });
});
