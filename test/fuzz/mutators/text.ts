// Damage to texts: their words are replaced, swapped, repeated and nested, so that most of them still parse.

import { pick, type Random } from '../random.ts';
import { damageBytes, type Mutator } from './bytes.ts';

const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1',
  '2',
  '3',
  '255',
  '65536',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967295',
  '4294967296',
  '9007199254740993',
  '18446744073709551616',
  '1e38',
  '-3.4e38',
  '3.5e38',
  '1e308',
  '1e999',
  '1e-45',
  '1e-320',
  '0.5',
  '1e7',
  '-1e12',
];

const NUMBER = /^[-+]?(?:\d|\.\d)/;
const WORD = /"(?:[^"\\\n]|\\.)*"|@[^@\n]*@|<[^>\n]*>|[A-Za-z_][\w:]*|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\S/g;

interface Token {
  readonly from: number;
  readonly text: string;
}

const kindOf = (text: string): string =>
  NUMBER.test(text) ? 'number' : /^[A-Za-z_]/.test(text) ? 'word' : /^["@<]/.test(text) ? text[0] : 'sign';

const known = new WeakMap<Uint8Array, { readonly text: string; readonly tokens: readonly Token[] }>();

function read(bytes: Uint8Array) {
  const before = known.get(bytes);
  if (before) return before;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  const tokens = Array.from(text.matchAll(WORD), (match): Token => ({ from: match.index, text: match[0] }));
  const found = { text, tokens };
  known.set(bytes, found);
  return found;
}

interface Edit extends Token {
  readonly by: string;
}

function applied(text: string, edits: readonly Edit[]): Uint8Array {
  const ordered = [...edits].sort((a, b) => a.from - b.from);
  let out = '';
  let at = 0;
  for (const { from, text: old, by } of ordered) {
    if (from < at) continue;
    out += text.slice(at, from) + by;
    at = from + old.length;
  }
  return new TextEncoder().encode(out + text.slice(at));
}

/** `words`: what may stand anywhere in a text of this format. */
export function damageText(words: readonly string[]): Mutator {
  const replacement = ({ text }: Token, tokens: readonly Token[], random: Random): string => {
    const kind = kindOf(text);
    const way = random(10);
    if (kind === 'number' && way < 5) return pick(random, NUMBERS);
    if (kind === 'number' && way === 5) return pick(random, ['nan', 'inf', '-inf', 'None', '"1"']);
    if (way < 9) {
      // A word of the same kind from elsewhere keeps the text well formed and changes what it means.
      for (let tries = 0; tries < 8; tries++) {
        const other = pick(random, tokens).text;
        if (kindOf(other) === kind) return other;
      }
    }
    return way === 9 ? pick(random, words) : pick(random, tokens).text;
  };

  /** Values rather than signs and keywords: without these most texts are refused before anything is made of them. */
  const chosen = (tokens: readonly Token[], random: Random): Token => {
    let token = pick(random, tokens);
    const isAny = random(6) === 0;
    for (let tries = 0; tries < 6 && !isAny && /word|sign/.test(kindOf(token.text)); tries++)
      token = pick(random, tokens);
    return token;
  };

  return (bytes, random) => {
    if (bytes.length === 0 || random(8) === 0) return damageBytes(bytes, random);
    const { text, tokens } = read(bytes);
    if (tokens.length === 0) return damageBytes(bytes, random);
    const way = random(16);
    if (way === 0) {
      // A run of words once more, or gone.
      const first = random(tokens.length);
      const last = Math.min(tokens.length - 1, first + random(pick(random, [4, 20, 100])));
      const from = tokens[first].from;
      const run = text.slice(from, tokens[last].from + tokens[last].text.length);
      const times = random(2) === 0 ? 0 : 2 + (random(10) === 0 ? random(30) : 0);
      return applied(text, [{ from, text: run, by: Array(times).fill(run).join(' ') }]);
    }
    if (way === 1) {
      // Brackets in brackets.
      const token = pick(random, tokens);
      const [open, close] = pick(random, ['()', '[]', '{}']);
      const depth = pick(random, [1, 2, 100, 5000]);
      return applied(text, [{ ...token, by: open.repeat(depth) + token.text + close.repeat(depth) }]);
    }
    if (way === 2) {
      // Two words change places.
      const [a, b] = [chosen(tokens, random), chosen(tokens, random)];
      return applied(text, [
        { ...a, by: b.text },
        { ...b, by: a.text },
      ]);
    }
    const edits = Array.from({ length: 1 + random(3) }, () => chosen(tokens, random));
    return applied(
      text,
      edits.map((token) => ({ ...token, by: replacement(token, tokens, random) })),
    );
  };
}
