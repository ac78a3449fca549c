// USD composition and stages: codes UC1700-UC1799.

import type { CodeEntry } from '../entry.ts';

export const USD_STAGE = {
  UC1700: {
    severity: 'error',
    title: 'layer has composition arcs',
    cause:
      'This build reads single layers. The prim or the layer brings in content through sublayers, references, payloads, inherits, specializes, variant sets, value clips or relocates, which would be missing from the result.',
    remedy: 'flatten the stage to one layer first: `usdcat --flatten in.usd -o flat.usdc`',
  },
  UC1701: {
    severity: 'warning',
    title: 'spline ignored',
    cause: 'The attribute is animated by a spline, which is not evaluated; its default value is used.',
    remedy: 'bake the animation to time samples, or author a default value',
  },
  UC1702: {
    severity: 'warning',
    title: 'animation frozen',
    cause:
      'The prim has attributes with time samples. Static geometry is cooked at the earliest time: the first sample of each.',
    remedy: 'remove the animation, or author the pose you want as the first sample',
  },
  UC1703: {
    severity: 'warning',
    title: 'metersPerUnit is not authored',
    cause:
      'USD then means centimetres (0.01), but many files that leave it out were modelled in metres: the result may be 100 times too small.',
    remedy: 'author metersPerUnit in the root layer',
  },
  UC1704: {
    severity: 'warning',
    title: 'metersPerUnit cannot be used',
    cause:
      'The authored scale is not a positive number, or is not stored as a double, which OpenUSD does not read either; the fallback of 0.01 (centimetres) is taken.',
    remedy:
      'author metersPerUnit as a positive double in the root layer; old files: `usdcat in.usdc -o out.usda`, then correct it',
  },
  UC1705: {
    severity: 'warning',
    title: 'upAxis is neither Y nor Z',
    cause: 'USD knows two up axes only; the fallback Y is taken.',
    remedy: 'author upAxis as "Y" or "Z" in the root layer',
  },
} as const satisfies Record<string, CodeEntry>;
