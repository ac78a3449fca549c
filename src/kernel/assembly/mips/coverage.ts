// Alpha of cut-outs: levels keep the share of texels that pass the cutoff (Castaño, "Computing Alpha Mipmaps", 2010).

/** Whether all of `count` texels have an alpha byte of 255. */
export function isOpaque(texels: usize, count: usize): bool {
  const end = texels + (count << 2);
  let all = i32x4.splat(-1);
  for (; texels + 16 <= end; texels += 16) all = v128.and(all, v128.load(texels));
  let word = i32x4.extract_lane(all, 0) & i32x4.extract_lane(all, 1) & i32x4.extract_lane(all, 2);
  word &= i32x4.extract_lane(all, 3);
  for (; texels < end; texels += 4) word &= load<i32>(texels);
  return <u32>word >= 0xff000000;
}

/** How many texels have an alpha byte of at least `lowest`. */
export function countPassing(texels: usize, count: usize, lowest: u32): u32 {
  let passing: u32 = 0;
  for (const end = texels + (count << 2); texels < end; texels += 4) passing += load<u8>(texels, 3) >= lowest ? 1 : 0;
  return passing;
}

/** Adds the numbers of texels with each alpha, which are uint16, to a histogram of 65536 uint32. */
export function countAlphas(alphas: usize, count: usize, histogram: usize): void {
  for (const end = alphas + (count << 1); alphas < end; alphas += 2) {
    const entry = histogram + ((<usize>load<u16>(alphas)) << 2);
    store<u32>(entry, load<u32>(entry) + 1);
  }
}

/**
 * Stores alphas, which are uint16, multiplied by one factor, as bytes. Those from `threshold` on, and only those, get a byte
 * of at least `lowest`, which is not 0.
 */
export function scaleAlphas(
  alphas: usize,
  count: usize,
  threshold: u32,
  factor: f32,
  lowest: u32,
  texels: usize,
): void {
  for (const end = alphas + (count << 1); alphas < end; alphas += 2, texels += 4) {
    const alpha = <u32>load<u16>(alphas);
    const byte = <u32>min<f32>(255, <f32>alpha * factor + 0.5);
    store<u8>(texels, <u8>(alpha >= threshold ? max(byte, lowest) : min(byte, lowest - 1)), 3);
  }
}
