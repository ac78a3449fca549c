// Layer offsets (OpenUSD SdfLayerOffset): time in the stronger layer = offset + scale * time in the weaker one.

import type { LayerOffset } from '../../layer.ts';

export const NO_OFFSET: LayerOffset = { offset: 0, scale: 1 };

/** The offset that applies `inner` first and `outer` second. */
export function composeOffsets(outer: LayerOffset, inner: LayerOffset): LayerOffset {
  if (outer === NO_OFFSET) return inner;
  if (inner === NO_OFFSET) return outer;
  return { offset: outer.offset + outer.scale * inner.offset, scale: outer.scale * inner.scale };
}

/** Finite and invertible. */
function isUsableOffset({ offset, scale }: LayerOffset): boolean {
  return Number.isFinite(offset) && Number.isFinite(scale) && scale !== 0 && Number.isFinite(1 / scale);
}

/** `offset` for a weaker layer with another rate of time codes. It keeps seconds equal, not time codes. */
function scaledByRate(offset: LayerOffset, rate: number, weakerRate: number): LayerOffset {
  if (rate === weakerRate && offset.offset === 0 && offset.scale === 1) return NO_OFFSET;
  return { offset: offset.offset, scale: (offset.scale * rate) / weakerRate };
}

/**
 * The offset of an arc, from the time of the weaker layer to the time of the stronger one, scaled by the ratio of their
 * rates of time codes. `isUsable` tells whether the authored offset is usable. If it is not, the result has the ratio
 * alone as its scale; if the ratio is out of range too, the result is the identity.
 */
export function arcOffset(
  authored: LayerOffset,
  rate: number,
  weakerRate: number,
): { readonly offset: LayerOffset; readonly isUsable: boolean } {
  const isAuthoredUsable = isUsableOffset(authored);
  const scaled = scaledByRate(isAuthoredUsable ? authored : NO_OFFSET, rate, weakerRate);
  const isScaledUsable = isUsableOffset(scaled);
  return { offset: isScaledUsable ? scaled : NO_OFFSET, isUsable: isAuthoredUsable && isScaledUsable };
}
