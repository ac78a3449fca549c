// The two colours that the values of a partition stand for (Khronos Data Format Specification 1.3, chapter 23: "LDR Endpoint
// Decoding"). Colours are four int32 from 0 to 255: red, green, blue, alpha.

/** Each channel of a colour within 0 and 255. */
function clamped(color: v128): v128 {
  return i32x4.min_s(i32x4.max_s(color, i32x4.splat(0)), i32x4.splat(255));
}

function rgba(red: i32, green: i32, blue: i32, alpha: i32): v128 {
  return i32x4.replace_lane(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(red), 1, green), 2, blue), 3, alpha);
}

/** A colour whose red and green are stored as their difference to blue. */
function contracted(red: i32, green: i32, blue: i32, alpha: i32): v128 {
  return rgba((red + blue) >> 1, (green + blue) >> 1, blue, alpha);
}

function storeBoth(to: usize, first: v128, second: v128): void {
  v128.store(to, clamped(first));
  v128.store(to, clamped(second), 16);
}

/** A base of 8 bits: 7 of its own value, the top one of its offset. */
function baseOf(base: i32, offset: i32): i32 {
  return (base >> 1) | (offset & 0x80);
}

/** The signed 6 bits of an offset. */
function offsetOf(offset: i32): i32 {
  return (((offset >> 1) & 0x3f) << 26) >> 26;
}

/** Writes the two end points of an LDR mode. `values`: its unquantised colours, a byte each. */
export function decodeEndpoints(mode: u32, values: usize, to: usize): void {
  const v0 = <i32>load<u8>(values);
  const v1 = <i32>load<u8>(values, 1);
  if (mode === 0) {
    storeBoth(to, rgba(v0, v0, v0, 255), rgba(v1, v1, v1, 255));
    return;
  }
  if (mode === 1) {
    const lowest = (v0 >> 2) | (v1 & 0xc0);
    const highest = lowest + (v1 & 0x3f);
    storeBoth(to, rgba(lowest, lowest, lowest, 255), rgba(highest, highest, highest, 255));
    return;
  }
  const v2 = <i32>load<u8>(values, 2);
  const v3 = <i32>load<u8>(values, 3);
  if (mode === 4) {
    storeBoth(to, rgba(v0, v0, v0, v2), rgba(v1, v1, v1, v3));
    return;
  }
  if (mode === 5) {
    const base = baseOf(v0, v1);
    const alpha = baseOf(v2, v3);
    const highest = base + offsetOf(v1);
    storeBoth(to, rgba(base, base, base, alpha), rgba(highest, highest, highest, alpha + offsetOf(v3)));
    return;
  }
  if (mode === 6) {
    storeBoth(to, rgba((v0 * v3) >> 8, (v1 * v3) >> 8, (v2 * v3) >> 8, 255), rgba(v0, v1, v2, 255));
    return;
  }
  const v4 = <i32>load<u8>(values, 4);
  const v5 = <i32>load<u8>(values, 5);
  if (mode === 10) {
    storeBoth(to, rgba((v0 * v3) >> 8, (v1 * v3) >> 8, (v2 * v3) >> 8, v4), rgba(v0, v1, v2, v5));
    return;
  }
  const hasAlpha = mode > 11;
  const v6 = hasAlpha ? <i32>load<u8>(values, 6) : 255;
  const v7 = hasAlpha ? <i32>load<u8>(values, 7) : 255;
  // 8 and 12: both end points, in an order that says whether they are contracted.
  if ((mode & 3) === 0) {
    if (v1 + v3 + v5 >= v0 + v2 + v4) storeBoth(to, rgba(v0, v2, v4, v6), rgba(v1, v3, v5, v7));
    else storeBoth(to, contracted(v1, v3, v5, v7), contracted(v0, v2, v4, v6));
    return;
  }
  // 9 and 13: a base and an offset, whose sign says the same.
  const red = baseOf(v0, v1);
  const green = baseOf(v2, v3);
  const blue = baseOf(v4, v5);
  const alpha = hasAlpha ? baseOf(v6, v7) : 255;
  const redOffset = offsetOf(v1);
  const greenOffset = offsetOf(v3);
  const blueOffset = offsetOf(v5);
  const otherAlpha = hasAlpha ? alpha + offsetOf(v7) : 255;
  const otherRed = red + redOffset;
  const otherGreen = green + greenOffset;
  const otherBlue = blue + blueOffset;
  if (redOffset + greenOffset + blueOffset >= 0) {
    storeBoth(to, rgba(red, green, blue, alpha), rgba(otherRed, otherGreen, otherBlue, otherAlpha));
  } else {
    storeBoth(to, contracted(otherRed, otherGreen, otherBlue, otherAlpha), contracted(red, green, blue, alpha));
  }
}
