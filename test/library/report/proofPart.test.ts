// What the page of a report says of the proof of a zone.

import { expect, test } from 'vitest';
import { proofPart } from '../../../src/library/report/proofPart.ts';

const pictures = {
  pictures: 64,
  ssimMean: 0.99871,
  ssimMin: 0.98,
  colorMean: 0.0013,
  worst: [{ eye: [1, 1.7, -2.25], direction: [0, 0, -1], ssim: 0.98, color: 0.01 }],
} as const;

test('holes, likeness and the pairs that differ most', () => {
  const pair = { ...pictures.worst[0], source: Uint8Array.of(1, 2), result: Uint8Array.of(3), width: 480, height: 480 };
  const { text } = proofPart('s0', { eyes: 64, holes: 3, largestHole: 17, pictures }, [pair]);
  for (const shown of [
    '<dd>64 places</dd>',
    '<dd>3, the largest of 17 pixels</dd>',
    '<dd>0.9987, at worst 0.9800</dd>',
    '<dd>0.0013</dd>',
    'src="data:image/png;base64,AQI="',
    'src="data:image/png;base64,Aw=="',
    'The output from (1.00, 1.70, -2.25) towards (0.00, 0.00, -1.00): SSIM 0.9800.',
  ]) {
    expect(text).toContain(shown);
  }
});

test('nothing of pictures that were not drawn in this call', () => {
  const { text } = proofPart('s0', { eyes: 1, holes: 0, largestHole: 0 }, []);
  expect(text).toContain('<dd>1 place</dd>');
  expect(text).toContain('<dd>none</dd>');
  expect(text).not.toContain('SSIM');
  expect(text).not.toContain('<img');
});
