// Roughness of what normal maps lose in their smaller levels.

/**
 * Widens one channel of a level, perceptual roughness, by the spread of the normals below each texel. `lengths`: uint16 for
 * each texel of a grid of another or the same size, the length of the averaged normal there, 65535 for 1.
 *
 * Toksvig, "Mipmapping Normal Maps" (2005): an average of length r belongs to normals with a variance of (1 - r) / r along
 * each axis. A Beckmann or GGX lobe of width a = roughness^2 has slopes with a variance of a^2 / 2, and variances add
 * (Dupuy et al., "Linear Efficient Antialiased Displacement and Reflectance Mapping", 2013): a'^2 = a^2 + 2 (1 - r) / r.
 */
export function widenRoughness(
  texels: usize,
  width: u32,
  height: u32,
  channel: u32,
  lengths: usize,
  columns: u32,
  rows: u32,
): void {
  const across = <f32>columns / <f32>width;
  const down = <f32>rows / <f32>height;
  let at = texels + <usize>channel;
  for (let y: u32 = 0; y < height; y++) {
    const top = placeOf(y, down, rows);
    const upper = <u32>top;
    const lower = min(upper + 1, rows - 1);
    const above = lengths + ((<usize>upper * <usize>columns) << 1);
    const below = lengths + ((<usize>lower * <usize>columns) << 1);
    for (let x: u32 = 0; x < width; x++, at += 4) {
      const left = placeOf(x, across, columns);
      const first = <usize>left;
      const second = min(first + 1, <usize>columns - 1);
      const share = left - <f32>first;
      const over = between(above, first, second, share);
      const length = over + (between(below, first, second, share) - over) * (top - <f32>upper);
      if (length >= 65535) continue;
      const spread: f32 = length > 0 ? (2 * (65535 - length)) / length : 1;
      const squared = (<f32>load<u8>(at) * <f32>load<u8>(at)) / 65025;
      const wider = sqrt<f32>(sqrt<f32>(min<f32>(1, squared * squared + spread)));
      store<u8>(at, <u8>(wider * 255 + 0.5));
    }
  }
}

/** Where the middle of texel i lies on a grid of `count` middles. */
function placeOf(i: u32, scale: f32, count: u32): f32 {
  return min<f32>(<f32>(count - 1), max<f32>(0, (<f32>i + 0.5) * scale - 0.5));
}

function between(row: usize, first: usize, second: usize, share: f32): f32 {
  const a = <f32>load<u16>(row + (first << 1));
  const b = <f32>load<u16>(row + (second << 1));
  return a + (b - a) * share;
}
