// Layer offsets (OpenUSD SdfLayerOffset): time in the stronger layer = offset + scale * time in the weaker one.

import type { LayerOffset } from '../layer.ts';

export const NO_OFFSET: LayerOffset = { offset: 0, scale: 1 };

/** `outer` after `inner`. */
export function composeOffsets(outer: LayerOffset, inner: LayerOffset): LayerOffset {
  if (outer === NO_OFFSET) return inner;
  if (inner === NO_OFFSET) return outer;
  return { offset: outer.offset + outer.scale * inner.offset, scale: outer.scale * inner.scale };
}

/** Finite and invertible. */
function isUsableOffset({ offset, scale }: LayerOffset): boolean {
  return Number.isFinite(offset) && Number.isFinite(scale) && scale !== 0 && Number.isFinite(1 / scale);
}

/** `offset` for a weaker layer whose time codes run at another rate: the second is what stays the same. */
function scaledByRate(offset: LayerOffset, rate: number, weakerRate: number): LayerOffset {
  if (rate === weakerRate && offset.offset === 0 && offset.scale === 1) return NO_OFFSET;
  return { offset: offset.offset, scale: (offset.scale * rate) / weakerRate };
}

/**
 * What an arc with the authored offset does to times, from the weaker layer's to the stronger one's, and whether it can be
 * used as authored. Where it cannot, the identity stands for the authored offset, and for the whole where even the ratio
 * of the rates is out of range.
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
