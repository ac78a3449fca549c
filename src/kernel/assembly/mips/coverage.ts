// Alpha of cut-outs: levels keep the share of texels that pass the cutoff (Castaño, "Computing Alpha Mipmaps", 2010).

/** Entries of the histogram, uint32 each: 11 bits of a float32. */
const ENTRIES: usize = 2048;
const LOWEST: u32 = 2047;

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

/** How many texels have an alpha byte of at least `least`. */
export function countPassing(texels: usize, count: usize, least: u32): u32 {
  let passing: u32 = 0;
  for (const end = texels + (count << 2); texels < end; texels += 4) passing += load<u8>(texels, 3) >= least ? 1 : 0;
  return passing;
}

/** How many float32 are greater than `value`, or equal to it if `orEqual` is not 0. */
export function countAbove(numbers: usize, count: usize, value: f32, orEqual: u32): u32 {
  let greater: u32 = 0;
  let equal: u32 = 0;
  for (const end = numbers + (count << 2); numbers < end; numbers += 4) {
    const number = load<f32>(numbers);
    greater += number > value ? 1 : 0;
    equal += number === value ? 1 : 0;
  }
  return orEqual !== 0 ? greater + equal : greater;
}

/**
 * The number that is at place `rank`, from 1 on, when `count` float32 from 0 to 1 are sorted from the greatest on. Bits of
 * numbers that are not negative sort like the numbers; eleven of them are found at a time. `histogram`: 2048 uint32.
 */
export function numberOfRank(numbers: usize, count: usize, rank: u32, histogram: usize): f32 {
  let found: u32 = 0;
  let known: u32 = 0;
  // 3 x 11 bits are one more than there are: the last step finds bit 10 again.
  for (let step: u32 = 0; step < 3; step++) {
    const shift: u32 = step === 0 ? 21 : step === 1 ? 10 : 0;
    memory.fill(histogram, 0, ENTRIES << 2);
    for (let from = numbers, end = numbers + (count << 2); from < end; from += 4) {
      const word = load<u32>(from);
      if ((word & known) !== found) continue;
      const entry = histogram + ((<usize>((word >> shift) & LOWEST)) << 2);
      store<u32>(entry, load<u32>(entry) + 1);
    }
    let digit = LOWEST;
    for (; digit > 0; digit--) {
      const here = load<u32>(histogram + ((<usize>digit) << 2));
      if (here >= rank) break;
      rank -= here;
    }
    found |= digit << shift;
    known |= LOWEST << shift;
  }
  return reinterpret<f32>(found);
}

/**
 * Stores alphas multiplied by one factor, so that those from `threshold` on, and only those, get a byte of at least `least`,
 * which is not 0. With a threshold above 1 none does, and alphas that passed get the byte below it.
 */
export function scaleAlphas(alphas: usize, count: usize, threshold: f32, least: u32, texels: usize): void {
  const factor: f32 = threshold > 1 ? 255 : (<f32>least - 0.5) / threshold;
  for (const end = alphas + (count << 2); alphas < end; alphas += 4, texels += 4) {
    const alpha = load<f32>(alphas);
    const byte = <u32>min<f32>(255, alpha * factor + 0.5);
    store<u8>(texels, <u8>(alpha >= threshold ? max(byte, least) : min(byte, least - 1)), 3);
  }
}
