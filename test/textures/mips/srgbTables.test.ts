import { expect, it } from 'vitest';
import { srgbToLinear } from '../../../src/textures/bake/color.ts';
import { byteTable, linearTable, minLight } from '../../../src/textures/mips/srgbTables.ts';

const bits = (x: number) => new Uint32Array(Float32Array.of(x).buffer)[0];
const float = (word: number) => new Float32Array(Uint32Array.of(word).buffer)[0];

const table = byteTable();
/** What the kernel does with the table. */
function byteOf(light: number): number {
  const clamped = Math.min(1, Math.max(2 ** -13, light));
  const at = ((bits(clamped) >>> 16) - ((127 - 13) << 7)) * 2;
  return table[at + 1] + (clamped >= float(table[at]) ? 1 : 0);
}

it('rounds light to the nearest byte, on both sides of each border', () => {
  minLight().forEach((min, byte) => {
    if (byte === 0) return;
    expect([float(bits(min) - 1), min, float(bits(min) + 1)].map(byteOf)).toEqual([byte - 1, byte, byte]);
    expect(min).toBeGreaterThanOrEqual(srgbToLinear((byte - 0.5) / 255));
  });
  expect([-1, 0, 2 ** -14, 1, 7].map(byteOf)).toEqual([0, 0, 0, 255, 255]);
  expect([...linearTable()].map(byteOf)).toEqual(Array.from({ length: 256 }, (_, i) => i));
});

it('has numbers that no version of Node rounds differently', () => {
  // Math.pow may be off by some last bits of a float64; none of these numbers is so near to where float32 rounds otherwise.
  const halfway = (x: number) => {
    const low = Math.fround(x) <= x ? Math.fround(x) : float(bits(x) - 1);
    return (low + float(bits(low) + 1)) / 2;
  };
  for (let byte = 1; byte < 256; byte++) {
    const light = srgbToLinear(byte / 255);
    if (light < 1) expect(Math.abs(light - halfway(light)) / light).toBeGreaterThan(1e-14);
    const border = srgbToLinear((byte - 0.5) / 255);
    expect(Math.abs(border - Math.fround(border)) / border).toBeGreaterThan(1e-14);
  }
});
