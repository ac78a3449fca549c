// Sorts numbers in place.

/** Up to so many numbers are sorted by insertion. */
const FEW: u32 = 48;

/** Sorts unsigned numbers of eight bytes: by insertion where they are few, else as a heap. */
export function sortNumbers(numbers: usize, count: u32): void {
  if (count <= FEW) {
    const end = numbers + ((<usize>count) << 3);
    for (let at = numbers + 8; at < end; at += 8) {
      const x = load<u64>(at);
      let to = at;
      for (; to > numbers && load<u64>(to - 8) > x; to -= 8) store<u64>(to, load<u64>(to - 8));
      store<u64>(to, x);
    }
    return;
  }
  for (let i = count >>> 1; i-- > 0; ) sink(numbers, i, count);
  for (let last = count; --last > 0; ) {
    const at = numbers + ((<usize>last) << 3);
    const x = load<u64>(at);
    store<u64>(at, load<u64>(numbers));
    store<u64>(numbers, x);
    sink(numbers, 0, last);
  }
}

/** Moves the number at `i` of a heap down to its place. */
function sink(heap: usize, i: u32, count: u32): void {
  const x = load<u64>(heap + ((<usize>i) << 3));
  for (;;) {
    let child = i * 2 + 1;
    if (child >= count) break;
    const at = heap + ((<usize>child) << 3);
    if (child + 1 < count && load<u64>(at, 8) > load<u64>(at)) child++;
    const greater = load<u64>(heap + ((<usize>child) << 3));
    if (greater <= x) break;
    store<u64>(heap + ((<usize>i) << 3), greater);
    i = child;
  }
  store<u64>(heap + ((<usize>i) << 3), x);
}

/** The bits of a number so that they sort as it does; -0 as 0. */
export function sortableBits(x: f32): u32 {
  const bits = reinterpret<u32>(x + 0);
  return bits & 0x80000000 ? ~bits : bits | 0x80000000;
}
