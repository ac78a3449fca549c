// File name patterns, for shells that do not expand them and for quoted patterns: `*` and `?` within a name, `**` over
// folders, `[a-z]`, `[!a]`, `{a,b}`, and `\` before a character that is meant literally. As in shells, a wildcard does
// not match a dot at the start of a name.
//
// Packages for this compile a pattern to one regular expression, whose time to refuse a name grows with a power of the
// number of stars; matching here takes |name| x |pattern| steps at most.

/** Whether the text holds a wildcard. */
export function isPattern(text: string): boolean {
  return /[*?[{]/.test(text);
}

/** Most alternatives of a pattern; no person writes more. */
const MAX_ALTERNATIVES = 1024;

/** The texts that braces stand for: `a.{glb,gltf}` gives two; braces may nest. A brace without comma is literal. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    const text = open.pop()!;
    const group = firstGroup(text);
    if (group === null) {
      done.push(text);
    } else {
      for (const part of [...group.parts].reverse()) {
        open.push(text.slice(0, group.start) + part + text.slice(group.end));
      }
    }
    if (done.length + open.length > MAX_ALTERNATIVES) return [pattern];
  }
  return done;
}

/** The first brace group with a comma at its own level. */
function firstGroup(text: string): { start: number; end: number; parts: string[] } | null {
  for (let start = 0; start < text.length; start++) {
    if (text[start] === '\\') start++;
    else if (text[start] === '{') {
      const parts: string[] = [];
      let depth = 0;
      let from = start + 1;
      for (let at = start; at < text.length; at++) {
        const c = text[at];
        if (c === '\\') at++;
        else if (c === '{') depth++;
        else if (c === ',' && depth === 1) {
          parts.push(text.slice(from, at));
          from = at + 1;
        } else if (c === '}' && --depth === 0) {
          if (parts.length === 0) break;
          parts.push(text.slice(from, at));
          return { start, end: at + 1, parts };
        }
      }
    }
  }
  return null;
}

/** One segment of a pattern: a literal name, any number of folders, or a test for names. */
export type Segment =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'folders' }
  | { readonly type: 'match'; matches(name: string): boolean };

type Piece = { readonly one: ((c: string) => boolean) | null };

function parseClass(text: string, start: number): { test: (c: string) => boolean; end: number } | null {
  let at = start + 1;
  const negated = text[at] === '!' || text[at] === '^';
  if (negated) at++;
  const ranges: [string, string][] = [];
  const first = at;
  for (; at < text.length && (text[at] !== ']' || at === first); at++) {
    if (text[at] === '\\' && at + 1 < text.length) at++;
    const from = text[at];
    if (text[at + 1] === '-' && at + 2 < text.length && text[at + 2] !== ']') {
      at += 2;
      if (text[at] === '\\' && at + 1 < text.length) at++;
      ranges.push([from, text[at]]);
    } else ranges.push([from, from]);
  }
  if (at >= text.length) return null;
  return { test: (c) => ranges.some(([a, b]) => c >= a && c <= b) !== negated, end: at + 1 };
}

/** Greedy matching that goes back to the last star only: no pattern takes more than |name| × |pattern| steps. */
function matchPieces(pieces: readonly Piece[], name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    const piece = pieces[p];
    if (piece?.one?.(name[n])) {
      p++;
      n++;
    } else if (piece && piece.one === null) {
      star = p++;
      mark = n;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else return false;
  }
  while (pieces[p]?.one === null) p++;
  return p === pieces.length;
}

/** A segment of a pattern between slashes. */
export function parseSegment(text: string): Segment {
  if (text === '**') return { type: 'folders' };
  const pieces: Piece[] = [];
  let literal = '';
  let wild = false;
  for (let at = 0; at < text.length; ) {
    const c = text[at];
    const group = c === '[' ? parseClass(text, at) : null;
    if (c === '*' || c === '?' || group) {
      wild = true;
      pieces.push({ one: c === '*' ? null : group ? group.test : () => true });
      at = group ? group.end : at + 1;
      continue;
    }
    if (c === '\\' && at + 1 < text.length) at++;
    const own = text[at++];
    literal += own;
    pieces.push({ one: (other) => other === own });
  }
  if (!wild) return { type: 'name', name: literal };
  const dotted = text.startsWith('.') || text.startsWith('\\.');
  return { type: 'match', matches: (name) => (dotted || !name.startsWith('.')) && matchPieces(pieces, name) };
}
