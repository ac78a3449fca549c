// Arrays of uint32 by index.

export function word(array: usize, i: u32): u32 {
  return load<u32>(array + ((<usize>i) << 2));
}

export function setWord(array: usize, i: u32, value: u32): void {
  store<u32>(array + ((<usize>i) << 2), value);
}
