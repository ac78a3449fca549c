import { describe, expect, it } from 'vitest';
import { blackbodyColor } from '../../../../src/importers/usd/lux/blackbody.ts';

describe('the colour of a temperature', () => {
  it.each([
    // Knots of the table over their luminance, 0.2126 r + 0.7152 g + 0.0722 b.
    [1000, 1 / 0.23226085, 0.02749 / 0.23226085, 0],
    [3000, 1 / 0.5646437, 0.476725 / 0.5646437, 0.153601 / 0.5646437],
    [6500, 1 / 0.9584664, 0.942771 / 0.9584664, 0.991642 / 0.9584664],
    [10000, 0.609681 / 0.6993027, 0.695588 / 0.6993027, 1 / 0.6993027],
  ])('%i K', (kelvin, r, g, b) => {
    const color = blackbodyColor(kelvin);
    expect(color[0]).toBeCloseTo(r, 5);
    expect(color[1]).toBeCloseTo(g, 5);
    expect(color[2]).toBeCloseTo(b, 5);
  });

  it('halfway between knots: Catmull-Rom, (9 (b + c) - a - d) / 16', () => {
    const [r, g, b] = blackbodyColor(3250);
    const green = (9 * (0.476725 + 0.570376) - 0.372033 - 0.65348) / 16;
    const blue = (9 * (0.153601 + 0.259196) - 0.06745 - 0.377155) / 16;
    expect(g / r).toBeCloseTo(green, 9);
    expect(b / r).toBeCloseTo(blue, 9);
  });

  it('ends at 1000 and 10000 K, has the luminance of white and no negative component', () => {
    expect(blackbodyColor(-5)).toEqual(blackbodyColor(1000));
    expect(blackbodyColor(1e9)).toEqual(blackbodyColor(10000));
    for (let kelvin = 1000; kelvin <= 10000; kelvin += 50) {
      const [r, g, b] = blackbodyColor(kelvin);
      expect(Math.min(r, g, b)).toBeGreaterThanOrEqual(0);
      // What the clamp at 0 adds is far below what anyone sees.
      expect(0.2126 * r + 0.7152 * g + 0.0722 * b).toBeCloseTo(1, 2);
    }
  });
});
