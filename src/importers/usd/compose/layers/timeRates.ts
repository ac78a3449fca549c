// How many time codes of a layer make a second. Where arcs join layers of different rates, the seconds stay the same, so
// that the offset of the arc is scaled by the ratio of the rates (OpenUSD, Pcp layer stacks and reference arcs).

import type { Layer } from '../../layer.ts';
import type { Findings } from '../findings.ts';
import { numberOf } from '../values/values.ts';

/** SdfSchema's fallback of timeCodesPerSecond. */
const DEFAULT_RATE = 24;

/** By strength (OpenUSD SdfLayer::GetTimeCodesPerSecond). */
const FIELDS = ['timeCodesPerSecond', 'framesPerSecond'] as const;

/** Rates by layer. What is wrong with one is said once, and only of layers that an arc joins with another one. */
export class TimeRates {
  readonly #findings: Findings;
  readonly #byLayer = new Map<Layer, number>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /**
   * timeCodesPerSecond, else framesPerSecond, else 24. Negative rates count: the ratio is negative and time runs
   * backwards, as in OpenUSD. A rate of zero or one that is not finite has no defined result there; it counts as if it
   * were not authored.
   */
  of(layer: Layer): number {
    const known = this.#byLayer.get(layer);
    if (known !== undefined) return known;
    const rate = this.#read(layer);
    this.#byLayer.set(layer, rate);
    return rate;
  }

  #read(layer: Layer): number {
    const root = layer.specs.get('/');
    for (const field of FIELDS) {
      const rate = numberOf(root?.get(field));
      if (rate === null) continue;
      if (rate > 0 && rate < Infinity) return rate;
      const isNegative = rate < 0 && rate > -Infinity;
      const effect = isNegative ? 'time runs backwards' : 'it counts as if it were not authored';
      this.#findings.report('UC1727', layer, '/', `${field} is ${rate}: ${effect}`);
      if (isNegative) return rate;
    }
    return DEFAULT_RATE;
  }
}
