// Where a text stops being JSON. The engine's own parser says it in words that change with its version, or not at all;
// this runs only after it has refused a text, so that the message is the same everywhere. No recursion.

/** RFC 8259; escapes, numbers and words are matched whole from where the scan stands. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
const SPACE = /[ \t\n\r]*/y;

export interface JsonFault {
  /** In UTF-16 units from the start. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly expected: string;
}

/** The first place at which `text` breaks the grammar of JSON; null when it does not. */
export function findJsonFault(text: string): JsonFault | null {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  // By hand: a pattern that repeats over the length of a data URI would exhaust the stack of the matcher.
  const skipString = (): boolean => {
    if (text[at] !== '"') return false;
    at++;
    for (;;) {
      const c = text.charCodeAt(at);
      if (c === 0x22) {
        at++;
        return true;
      }
      if (c === 0x5c ? !skip(ESCAPE) : !(c >= 0x20)) return false;
      if (c !== 0x5c) at++;
    }
  };
  const fault = (expected: string): JsonFault => {
    let line = 1;
    let start = 0;
    for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) {
      line++;
      start = i + 1;
    }
    return { offset: at, line, column: at - start + 1, expected };
  };
  const key = (): string | null => {
    skip(SPACE);
    if (!skipString()) return 'a property name in quotes';
    skip(SPACE);
    if (text[at] !== ':') return "':'";
    at++;
    return null;
  };
  const open: ('{' | '[')[] = [];
  for (;;) {
    // A value stands here.
    skip(SPACE);
    const c = text[at];
    let closed = false;
    if (c === '{' || c === '[') {
      at++;
      skip(SPACE);
      if (text[at] === (c === '{' ? '}' : ']')) {
        at++;
        closed = true;
      } else {
        open.push(c);
        const wrong = c === '{' ? key() : null;
        if (wrong) return fault(wrong);
      }
    } else if (c === '"' ? skipString() : skip(NUMBER) || skip(WORD)) {
      closed = true;
    } else {
      return fault(c === '"' ? 'a string that ends' : 'a value');
    }
    // After a value: a comma and the next one, or the end of what holds it.
    while (closed) {
      skip(SPACE);
      const container = open[open.length - 1];
      if (container === undefined) return at === text.length ? null : fault('the end of the text');
      if (text[at] === ',') {
        at++;
        const wrong = container === '{' ? key() : null;
        if (wrong) return fault(wrong);
        break;
      }
      if (text[at] !== (container === '{' ? '}' : ']')) return fault(container === '{' ? "',' or '}'" : "',' or ']'");
      at++;
      open.pop();
    }
  }
}
