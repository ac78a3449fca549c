// A cursor over the bytes of a usda file. It reads white space, comments and names, and reports errors with line and
// column. It works on bytes and decodes only text that is kept. Strings, paths and numbers are in values/literals.ts.

import { type Code, type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { isIdentifier } from './paths.ts';

/** Bytes by name. */
export const CH = {
  tab: 9,
  newline: 10,
  return: 13,
  space: 32,
  quote: 34,
  hash: 35,
  apostrophe: 39,
  open: 40,
  close: 41,
  star: 42,
  plus: 43,
  comma: 44,
  minus: 45,
  dot: 46,
  slash: 47,
  zero: 48,
  nine: 57,
  colon: 58,
  semicolon: 59,
  less: 60,
  equals: 61,
  greater: 62,
  at: 64,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  underscore: 95,
  openBrace: 123,
  closeBrace: 125,
} as const;

/** 1 for bytes that can be part of an identifier. All bytes of UTF-8 sequences are; `word` checks the decoded text. */
const WORD = new Uint8Array(256);
for (let c = 0; c < 256; c++) {
  const letter = (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === CH.underscore || c >= 128;
  if (letter || (c >= CH.zero && c <= CH.nine)) WORD[c] = 1;
}

export const isDigit = (c: number | undefined): boolean => c !== undefined && c >= CH.zero && c <= CH.nine;

/**
 * The greatest length of a text used as a key (path, dictionary key), in characters. V8 hashes strings of more than
 * 16,383 characters by their length alone, so with many long keys of equal length each look-up would compare all of
 * them.
 */
export const MAX_KEY = 16_000;

export class UsdaCursor {
  readonly bytes: Uint8Array;
  readonly identifier: string;
  readonly diagnostics: Diagnostics;
  pos = 0;
  /** The element that is being read, for messages. */
  element = '';
  readonly #text: Buffer;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #warned = new Set<string>();
  #linePos = 0;
  #line = 1;
  #lineStart = 0;

  constructor(bytes: Uint8Array, identifier: string, diagnostics: Diagnostics) {
    this.bytes = bytes;
    this.identifier = identifier;
    this.diagnostics = diagnostics;
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** `line L, column C`, both from 1; columns count characters. Calls in ascending order of `at` are cheap. */
  lineAndColumn(at: number): string {
    const { bytes } = this;
    if (at < this.#linePos) {
      this.#linePos = 0;
      this.#line = 1;
      this.#lineStart = 0;
    }
    for (let i = this.#linePos; i < at; i++) {
      const c = bytes[i];
      if (c === CH.newline || (c === CH.return && bytes[i + 1] !== CH.newline)) {
        this.#line++;
        this.#lineStart = i + 1;
      }
    }
    this.#linePos = at;
    let column = 1;
    for (let i = this.#lineStart; i < at; i++) if (((bytes[i] as number) & 0xc0) !== 0x80) column++;
    return `line ${this.#line}, column ${column}`;
  }

  /** Throws a coded error with the line and column of `at`, by default the position of the cursor. */
  fail(code: Code, message: string, at: number = this.pos): never {
    return fail(
      code,
      this.identifier,
      this.element,
      `${this.lineAndColumn(Math.min(at, this.bytes.length))}: ${message}`,
    );
  }

  /**
   * Throws a syntax error that names what was expected and what was found: UC1502 at the end of the file, else UC1501.
   */
  expected(what: string): never {
    const { bytes, pos } = this;
    if (pos >= bytes.length) return this.fail('UC1502', `expected ${what}, but the file ends`);
    return this.fail('UC1501', `expected ${what}, found ${this.#found(pos)}`);
  }

  #found(at: number): string {
    const c = this.bytes[at] as number;
    if (c === CH.newline || c === CH.return) return 'the end of the line';
    let end = at + 1;
    if (WORD[c]) while (end < this.bytes.length && end - at < 32 && WORD[this.bytes[end] as number]) end++;
    const text = this.#text.toString('utf8', at, end);
    return c < 32 || c === 127 ? `the control character 0x${c.toString(16).padStart(2, '0')}` : `'${text}'`;
  }

  /** Warns once per layer for each `kind`; the message has the line and column of the first occurrence. */
  warnOnce(kind: string, code: Code, message: string, at: number = this.pos): void {
    if (this.#warned.has(kind)) return;
    this.#warned.add(kind);
    this.diagnostics.report(code, this.identifier, this.element, `${this.lineAndColumn(at)}: ${message}`);
  }

  /** Warns, once per layer and kind, about text that OpenUSD refuses and that is accepted here. */
  lenient(kind: string, message: string, at: number = this.pos): void {
    this.warnOnce(`lenient ${kind}`, 'UC1520', message, at);
  }

  get ended(): boolean {
    return this.pos >= this.bytes.length;
  }

  /** The byte under the cursor, or -1 at the end. */
  get byte(): number {
    return this.pos < this.bytes.length ? (this.bytes[this.pos] as number) : -1;
  }

  #blockComment(): void {
    const start = this.pos;
    const end = this.#text.indexOf('*/', start + 2, 'latin1');
    if (end < 0) {
      this.pos = this.bytes.length;
      this.fail('UC1502', 'a comment is opened with /* and never closed', start);
    }
    this.pos = end + 2;
  }

  #lineComment(): void {
    const { bytes } = this;
    let i = this.pos;
    while (i < bytes.length && bytes[i] !== CH.newline && bytes[i] !== CH.return) i++;
    this.pos = i;
  }

  /** Skips blanks and block comments, which may be inside of one logical line. */
  skipInline(): void {
    const { bytes } = this;
    for (;;) {
      const c = bytes[this.pos];
      if (c === CH.space || c === CH.tab) this.pos++;
      else if (c === CH.slash && bytes[this.pos + 1] === CH.star) this.#blockComment();
      else return;
    }
  }

  /** Skips to the end of the line: blanks and every kind of comment. */
  skipLine(): void {
    for (;;) {
      this.skipInline();
      const c = this.bytes[this.pos];
      if (c === CH.hash || (c === CH.slash && this.bytes[this.pos + 1] === CH.slash)) this.#lineComment();
      else return;
    }
  }

  /** Skips white space, line ends and comments. Returns whether a line end was among them. */
  skipLines(): boolean {
    const { bytes } = this;
    let lines = false;
    for (;;) {
      const c = bytes[this.pos];
      if (c === CH.space || c === CH.tab) this.pos++;
      else if (c === CH.newline || c === CH.return) {
        this.pos++;
        lines = true;
      } else if (c === CH.hash) this.#lineComment();
      else if (c === CH.slash && bytes[this.pos + 1] === CH.slash) this.#lineComment();
      else if (c === CH.slash && bytes[this.pos + 1] === CH.star) this.#blockComment();
      else return lines;
    }
  }

  /** Steps over the byte if it is the next one. Returns whether it was. */
  accept(c: number): boolean {
    if (this.bytes[this.pos] !== c) return false;
    this.pos++;
    return true;
  }

  /** Steps over the byte or fails. */
  expect(c: number, what = `'${String.fromCharCode(c)}'`): void {
    if (!this.accept(c)) this.expected(what);
  }

  /** Text of a byte range. ASCII is copied without the UTF-8 decoder. */
  slice(start: number, end: number): string {
    for (let i = start; i < end; i++) {
      if ((this.bytes[i] as number) >= 128) return this.decode(this.bytes.subarray(start, end), start);
    }
    return this.#text.toString('latin1', start, end);
  }

  /** Decodes UTF-8. Bytes that are not UTF-8 are replaced, with a warning. */
  decode(bytes: Uint8Array, at: number): string {
    try {
      return this.#utf8.decode(bytes);
    } catch {
      this.warnOnce('utf8', 'UC1526', 'bytes that are not UTF-8 were replaced', at);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    }
  }

  /** Whether an identifier starts at the cursor. A digit starts none. */
  get atWord(): boolean {
    const c = this.bytes[this.pos];
    return c !== undefined && WORD[c] === 1 && !isDigit(c);
  }

  /**
   * Reads an identifier, or gives '' and does not move if none starts here. Non-ASCII names must follow Unicode XID.
   */
  word(): string {
    if (!this.atWord) return '';
    const { bytes } = this;
    const start = this.pos;
    let i = start;
    while (i < bytes.length && WORD[bytes[i] as number]) i++;
    this.pos = i;
    const text = this.slice(start, i);
    if (!isIdentifier(text)) this.fail('UC1504', `'${text}' is not a valid name`, start);
    return text;
  }

  /** Steps over `text` if it is the next word. Returns whether it was. */
  acceptWord(text: string): boolean {
    const start = this.pos;
    if (this.bytes[start] !== text.charCodeAt(0)) return false;
    for (let i = 1; i < text.length; i++) if (this.bytes[start + i] !== text.charCodeAt(i)) return false;
    const next = this.bytes[start + text.length];
    if (next !== undefined && WORD[next]) return false;
    this.pos = start + text.length;
    return true;
  }

  /** Reads `name` or `name::name…`; fails if no name starts here. */
  typeIdentifier(what: string): string {
    let name = this.word();
    if (name === '') this.expected(what);
    while (this.byte === CH.colon && this.bytes[this.pos + 1] === CH.colon) {
      this.pos += 2;
      const part = this.word();
      if (part === '') this.expected('a name after ::');
      name += `::${part}`;
    }
    return name;
  }

  /** Reads `name` or `name:name…`; fails if no name starts here. */
  propertyName(): string {
    let name = this.word();
    if (name === '') this.expected('a property name');
    while (this.byte === CH.colon) {
      this.pos++;
      const part = this.word();
      if (part === '') this.expected("a name after ':'");
      name += `:${part}`;
    }
    return name;
  }

  /** Text of bytes that are known to be ASCII. */
  ascii(start: number, end: number): string {
    return this.#text.toString('latin1', start, end);
  }

  /** The offset of the next such byte from the cursor on; -1 if there is none. */
  find(c: number): number {
    return this.#text.indexOf(c, this.pos);
  }

  get atString(): boolean {
    const c = this.bytes[this.pos];
    return c === CH.quote || c === CH.apostrophe;
  }
}
