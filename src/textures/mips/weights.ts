// The weights of resampling filters. They are made with sums, products and quotients alone, which are the same on every
// machine; Math.sin may differ between versions of Node.

/** A filter: its weight at a distance, and how far it reaches; both in outputs, or in inputs where there are more outputs. */
export interface FilterShape {
  readonly reach: number;
  readonly weight: (distance: number) => number;
}

/** 1 / 3!, 1 / 5!, ... 1 / 23!: beyond them terms do not change a float64. */
const SINE = Array.from({ length: 11 }, (_, i) => 1 / factorial(2 * i + 3));

function factorial(n: number): number {
  return n <= 1 ? 1 : n * factorial(n - 1);
}

/** The sine of pi times x; exactly 0 for whole numbers. */
function sinOfPi(x: number): number {
  let turn = x - 2 * Math.round(x / 2);
  if (turn > 0.5) turn = 1 - turn;
  else if (turn < -0.5) turn = -1 - turn;
  const angle = turn * Math.PI;
  const square = angle * angle;
  let sum = 0;
  for (let i = SINE.length - 1; i >= 0; i--) sum = SINE[i] - square * sum;
  return angle - angle * square * sum;
}

function sinc(x: number): number {
  return x === 0 ? 1 : sinOfPi(x) / (Math.PI * x);
}

/** A sinc windowed by a wider sinc (Duchon, "Lanczos Filtering in One and Two Dimensions", 1979). */
export const LANCZOS3: FilterShape = {
  reach: 3,
  weight: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0),
};

/**
 * A triangle, and a flat one below it that reaches as far as Lanczos: its part is so small that it counts only where alpha
 * is 0 all over the first one, whose colours would then be those of texels that are not seen. All weights are positive.
 */
export const SOFT: FilterShape = {
  reach: 3,
  weight: (x) => Math.max(0, 1 - Math.abs(x)) + Math.max(0, 1 - Math.abs(x) / 3) / 1024,
};

/** For each output its first input, and `taps` weights whose sum is 1. */
export interface WindowWeights {
  readonly taps: number;
  readonly starts: Uint32Array;
  readonly weights: Float64Array;
}

/**
 * Weights for resampling `inputs` to `outputs`. `taps` is a multiple of four; a window that needs fewer inputs has zeros, and
 * only one with more taps than there are inputs reaches beyond the last of them, with zeros. At the ends, where inputs are
 * missing, the others share their weight.
 */
export function windowWeights(inputs: number, outputs: number, { reach, weight }: FilterShape): WindowWeights {
  const scale = inputs / outputs;
  const stretch = Math.max(1, scale);
  const support = reach * stretch;
  const beginOf = (center: number) => Math.max(0, Math.trunc(center - support + 0.5));
  const endOf = (center: number) => Math.min(inputs, Math.trunc(center + support + 0.5));
  let longest = 1;
  for (let i = 0; i < outputs; i++) {
    const center = (i + 0.5) * scale;
    longest = Math.max(longest, endOf(center) - beginOf(center));
  }
  // At equal sizes each output is its own input.
  const taps = inputs === outputs ? 4 : Math.ceil(longest / 4) * 4;
  const starts = new Uint32Array(outputs);
  const weights = new Float64Array(outputs * taps);
  const window = new Float64Array(longest);
  for (let i = 0; i < outputs; i++) {
    const center = (i + 0.5) * scale;
    const begin = inputs === outputs ? i : beginOf(center);
    const end = inputs === outputs ? i + 1 : endOf(center);
    let sum = 0;
    for (let k = begin; k < end; k++) {
      window[k - begin] = weight((k - center + 0.5) / stretch);
      sum += window[k - begin];
    }
    starts[i] = Math.min(begin, Math.max(0, inputs - taps));
    for (let k = begin; k < end; k++) weights[i * taps + k - starts[i]] = window[k - begin] / sum;
  }
  return { taps, starts, weights };
}
