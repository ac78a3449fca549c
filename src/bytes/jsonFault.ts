// Finds the first error in JSON text. JSON.parse describes errors in words that change with the version of Node, or not at
// all. This runs only after JSON.parse has refused a text, and gives the same message everywhere. It does not recurse, so
// that deep nesting cannot exhaust the stack.

/** The grammar of RFC 8259. The patterns are sticky: each matches at the position of the scan only. */
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

/** The first position at which `text` breaks the grammar of JSON; null when it is JSON. */
export function findJsonFault(text: string): JsonFault | null {
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  // A loop instead of a pattern: matching a data URI of some megabytes would exhaust the stack of the regular expression.
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
    // A value.
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
    // After a value: a comma and the next one, or the end of the array or object around it.
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

/** Characters of what stands in the wrong place. */
const SHOWN = 12;

/** What is wrong with a text that JSON.parse refuses, with its place; `withOffset`: for texts of one long line. */
export function jsonFaultWords(text: string, { withOffset = false } = {}): string {
  const fault = findJsonFault(text);
  // JSON.parse and the grammar agree; a text that is too deep for the former is none of its.
  if (fault === null) return 'the JSON cannot be parsed';
  const { offset, line, column, expected } = fault;
  const found =
    offset >= text.length ? 'the text ends' : `there is ${JSON.stringify(text.slice(offset, offset + SHOWN))}`;
  return `line ${line}, column ${column}${withOffset ? ` (offset ${offset})` : ''}: ${found} where ${expected} should be`;
}
