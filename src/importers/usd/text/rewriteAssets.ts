// Puts other asset paths into the text of a layer that the reader has accepted. All else stays, byte for byte: comments,
// spaces, the form of numbers.

const AT = 0x40;
const HASH = 0x23;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const QUOTES = new Set([0x22, 0x27]);
const TRIPLE = 3;

/** How many times the byte at `at` stands there, 3 at most. */
function run(bytes: Uint8Array, at: number): number {
  let count = 1;
  while (count < TRIPLE && bytes[at + count] === bytes[at]) count++;
  return count;
}

/** The end of a string that begins at `at`. A string of one line that has no end reaches to the end of the line. */
function endOfString(bytes: Uint8Array, at: number): number {
  const quote = bytes[at];
  const isTriple = run(bytes, at) === TRIPLE;
  let i = at + (isTriple ? TRIPLE : 1);
  for (; i < bytes.length; i++) {
    if (bytes[i] === BACKSLASH) i++;
    else if (!isTriple && bytes[i] === NEWLINE) return i;
    else if (bytes[i] === quote && (!isTriple || run(bytes, i) === TRIPLE)) return i + (isTriple ? TRIPLE : 1);
  }
  return bytes.length;
}

/** The end of a path that begins at `at`, and its text. */
function pathAt(bytes: Uint8Array, at: number): { readonly end: number; readonly text: string } {
  const decode = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  if (run(bytes, at) === TRIPLE) {
    for (let i = at + TRIPLE; i < bytes.length; i++) {
      if (bytes[i] !== AT || run(bytes, i) < TRIPLE) continue;
      if (bytes[i - 1] === BACKSLASH) {
        i += TRIPLE - 1;
        continue;
      }
      // A path may end in at signs: the last three of them close it.
      while (bytes[i + TRIPLE] === AT) i++;
      return { end: i + TRIPLE, text: decode(at + TRIPLE, i).replaceAll('\\@@@', '@@@') };
    }
    return { end: bytes.length, text: '' };
  }
  const close = bytes.indexOf(AT, at + 1);
  return close < 0 ? { end: bytes.length, text: '' } : { end: close + 1, text: decode(at + 1, close) };
}

/** A path as text of a layer has it. */
function written(path: string): string {
  return path.includes('@') ? `@@@${path.replaceAll('@@@', '\\@@@')}@@@` : `@${path}@`;
}

/** The text with each path that `changes` has replaced by what it says. */
export function rewriteAssets(bytes: Uint8Array, changes: ReadonlyMap<string, string>): Uint8Array {
  const parts: Uint8Array[] = [];
  let copied = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === HASH) {
      const end = bytes.indexOf(NEWLINE, at);
      at = end < 0 ? bytes.length : end;
    } else if (QUOTES.has(byte)) at = endOfString(bytes, at);
    else if (byte === AT) {
      const { end, text } = pathAt(bytes, at);
      const change = changes.get(text);
      if (change !== undefined) {
        parts.push(bytes.subarray(copied, at), new TextEncoder().encode(written(change)));
        copied = end;
      }
      at = end;
    } else at++;
  }
  return Uint8Array.from(Buffer.concat([...parts, bytes.subarray(copied)]));
}
