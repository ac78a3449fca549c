// Cosines and sines by arithmetic alone, whose last bit is the same on every machine.

/** Terms of the series: enough for float64 up to pi. */
const TERMS = 34;

/** The cosine and the sine of an angle in radians, of at most a few turns. */
export function angleOf(radians: number): readonly [number, number] {
  const turns = Math.floor(radians / (2 * Math.PI) + 0.5);
  const x = radians - turns * 2 * Math.PI;
  // Taylor: the terms are x^k / k!, in turn of the cosine and of the sine.
  let term = 1;
  let [cosine, sine] = [0, 0];
  for (let k = 0; k < TERMS; k++) {
    if (k % 2 === 0) cosine += k % 4 === 0 ? term : -term;
    else sine += k % 4 === 1 ? term : -term;
    term *= x / (k + 1);
  }
  return [cosine, sine];
}
