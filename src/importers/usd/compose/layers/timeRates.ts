// The number of time codes per second of each layer. An arc between layers of different rates keeps seconds equal: its
// offset is scaled by the ratio of the rates (OpenUSD, Pcp layer stacks and reference arcs).

import type { Layer } from '../../layer.ts';
import type { Findings } from '../findings.ts';
import { numberOf } from '../values/values.ts';

/** SdfSchema's fallback of timeCodesPerSecond. */
const DEFAULT_RATE = 24;

/** The fields that give the rate, strongest first (OpenUSD SdfLayer::GetTimeCodesPerSecond). */
const FIELDS = ['timeCodesPerSecond', 'framesPerSecond'] as const;

/** Rates by layer. A bad rate is reported once, and only for a layer that an arc joins with another layer. */
export class TimeRates {
  readonly #findings: Findings;
  readonly #byLayer = new Map<Layer, number>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /**
   * timeCodesPerSecond, else framesPerSecond, else 24. A negative rate is used as it is: the ratio is negative and time
   * runs backwards, as in OpenUSD. OpenUSD defines no result for a rate that is zero or not finite; here such a rate
   * counts as not authored.
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
      const effect = isNegative ? 'time runs backwards' : 'it counts as not authored';
      this.#findings.report('UC1727', layer, '/', `${field} is ${rate}: ${effect}`);
      if (isNegative) return rate;
    }
    return DEFAULT_RATE;
  }
}
