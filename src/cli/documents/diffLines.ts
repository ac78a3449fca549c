// The differences of two outputs in words: totals side by side, then settings, tiles and textures, a line each.

import {
  type DiffDocument,
  type DiffFact,
  type DiffLevel,
  type DiffSet,
  type DiffSetsDocument,
  type DiffTile,
  type DiffTotals,
  formatBytes,
} from '../../index.ts';
import { printable, type Style, styled } from '../terminal/terminal.ts';
import { count, plural, shortened, table, wrapped } from '../terminal/words.ts';

interface Look {
  /** Characters of a line. */
  readonly width: number;
  readonly colored: boolean;
}

const SIGNS = { added: '+', removed: '-', changed: '~', unknown: '?' } as const;
const STYLES = { added: 'cyan', removed: 'red', changed: 'yellow', unknown: 'red' } as const satisfies Record<
  string,
  Style
>;

const ROWS: readonly (readonly [name: keyof DiffTotals, words: string, isBytes: boolean])[] = [
  ['tiles', 'tiles', false],
  ['clusters', 'HLOD clusters', false],
  ['levels', 'levels', false],
  ['triangles', 'triangles', false],
  ['vertices', 'vertices', false],
  ['levelTriangles', 'triangles of levels', false],
  ['morphTargets', 'morph targets', false],
  ['textures', 'textures', false],
  ['geometryBytes', 'geometry', true],
  ['textureBytes', 'texture files', true],
];

const number = (value: number, isBytes: boolean): string => (isBytes ? formatBytes(value) : count(value));

function change(a: number, b: number, isBytes: boolean): string {
  if (a === b) return '';
  const sign = b > a ? '+' : '-';
  const share = a === 0 ? '' : `  ${sign}${Math.round((Math.abs(b - a) / a) * 1000) / 10}%`;
  return `${sign}${number(Math.abs(b - a), isBytes)}${share}`;
}

function totalLines({ a, b }: DiffDocument['totals']): string[] {
  const rows = ROWS.filter(([name]) => a[name] !== 0 || b[name] !== 0).map(([name, words, isBytes]) => [
    `  ${words}`,
    number(a[name], isBytes),
    number(b[name], isBytes),
    change(a[name], b[name], isBytes),
  ]);
  return table([['', 'A', 'B', ''], ...rows], new Set([1, 2]));
}

const metres = (value: number): string => `${Math.round(value * 100) / 100} m`;

/** Two values that may be equal. */
const pair = (a: string, b: string): string => (a === b ? a : `${a} -> ${b}`);

function levelWords({ level, a, b, content }: DiffLevel): string {
  const one = a ?? b;
  if (one === null) return level;
  const distance =
    one.distance === null ? '' : ` from ${pair(metres((a ?? one).distance ?? 0), metres((b ?? one).distance ?? 0))}`;
  const triangles = `${pair(count((a ?? one).triangles), count((b ?? one).triangles))} triangles`;
  const bytes = pair(formatBytes((a ?? one).bytes), formatBytes((b ?? one).bytes));
  const name = level === 'full' ? 'full detail' : level;
  if (a === null) return `${name} added${distance}: ${triangles}, ${bytes}`;
  if (b === null) return `${name} removed${distance}: ${triangles}, ${bytes}`;
  if (!content) return `${name}${distance}: same file`;
  const looksSame = a.triangles === b.triangles && formatBytes(a.bytes) === formatBytes(b.bytes);
  return `${name}${distance}: ${triangles}, ${bytes}${looksSame ? ', other content' : ''}`;
}

const MAX_DIGITS = 12;
/** A value in a line; a hash or a list is shortened. */
const shownValue = (value: string | null): string =>
  value === null ? 'none' : printable(/^[0-9a-f]{64}$/.test(value) ? value.slice(0, MAX_DIGITS) : shortened(value, 40));

const factWords = ({ name, a, b }: DiffFact): string => {
  const [was, is] = [shownValue(a), shownValue(b)];
  return was === is ? `${name} differs` : `${name} ${was} -> ${is}`;
};

const point = (values: readonly number[]): string =>
  values.map((value) => String(Math.round(value * 1000) / 1000)).join(' ');

function boundsWords(bounds: DiffTile['bounds']): string[] {
  if (bounds === null) return [];
  const words = (box: typeof bounds.a) => (box ? `(${point(box.min)}) to (${point(box.max)})` : 'none');
  return [`bounds ${words(bounds.a)} -> ${words(bounds.b)}`];
}

function tileWords({ change: what, levels, bounds, facts }: DiffTile): string[] {
  const words = levels.map(levelWords);
  return what === 'changed' ? [...words, ...boundsWords(bounds), ...facts.map(factWords)] : words;
}

/** The lines of a document. */
export function diffLines(document: DiffDocument, { width, colored }: Look): string[] {
  const { a, b, equal, totals, settings, tiles, textures, bounds } = document;
  const paint = (style: Style, text: string) => (colored ? styled(style, text) : text);
  const lines: string[] = [];
  /** `begin`: before the first line; `indent`: before the others. */
  const put = (begin: string, text: string, indent: string) => {
    const [first, ...rest] = wrapped(text, width, indent, begin.length);
    lines.push(begin + first, ...rest);
  };
  put('A: ', printable(a.path), '   ');
  put('B: ', printable(b.path), '   ');
  if (equal) return [...lines, 'nothing differs'];
  lines.push('', ...totalLines(totals));
  const heading = (text: string) => lines.push('', paint('bold', text));
  if (settings.length > 0 || bounds) {
    heading('as a whole');
    for (const fact of settings) put('  ', factWords(fact), '    ');
    for (const words of boundsWords(bounds)) put('  ', words, '    ');
  }
  if (tiles.length > 0) {
    heading(plural(tiles.length, 'tile'));
    for (const tile of tiles) {
      const kind = tile.kind === 'cluster' ? ', HLOD cluster' : tile.kind === 'shared' ? ', shared bucket' : '';
      lines.push(
        `  ${paint(STYLES[tile.change], `${SIGNS[tile.change]} ${printable(tile.id)}`)} ${tile.change}${kind}`,
      );
      for (const words of tileWords(tile)) put('      ', words, '        ');
    }
  }
  if (textures.length > 0) {
    heading(plural(textures.length, 'texture'));
    const rows = textures.map(({ name, change: what, a: was, b: is }) => [
      `${SIGNS[what]} ${shortened(printable(name), Math.max(16, width - 40))}`,
      what,
      was === null ? '' : formatBytes(was),
      was !== null && is !== null ? '->' : '',
      is === null ? '' : formatBytes(is),
    ]);
    for (const [i, line] of table(rows, new Set([2, 4])).entries()) {
      lines.push(`  ${paint(STYLES[textures[i].change], line)}`);
    }
  }
  return lines;
}

/** What an output holds, or what of that has changed. */
function setWords({ change: what, totals: { a, b }, difference }: DiffSet): string {
  if (what === 'unknown') return 'cannot be compared';
  const one = b ?? a;
  if (a === null || b === null) {
    const bytes = one === null ? 0 : one.geometryBytes + one.textureBytes;
    return `${what}: ${plural(one?.tiles ?? 0, 'tile')}, ${plural(one?.triangles ?? 0, 'triangle')}, ${formatBytes(bytes)}`;
  }
  const bytes = [a, b].map(({ geometryBytes, textureBytes }) => formatBytes(geometryBytes + textureBytes));
  const words = [
    ...(difference && difference.settings.length > 0 ? [plural(difference.settings.length, 'setting')] : []),
    ...(difference && difference.tiles.length > 0 ? [plural(difference.tiles.length, 'tile')] : []),
    ...(difference && difference.textures.length > 0 ? [plural(difference.textures.length, 'texture')] : []),
  ];
  const sizes = `triangles ${pair(count(a.triangles), count(b.triangles))}, ${pair(bytes[0], bytes[1])}`;
  return `changed: ${[...words, sizes].join(', ')}`;
}

/** Two folders with several outputs: a line for each that differs; `isWhole`: all that differs in each. */
export function diffSetsLines(document: DiffSetsDocument, look: Look, isWhole: boolean): string[] {
  const { a, b, equal, counts, sets } = document;
  const paint = (style: Style, text: string) => (look.colored ? styled(style, text) : text);
  const lines = [
    `A: ${printable(a.path)}, ${plural(a.outputs, 'output')}`,
    `B: ${printable(b.path)}, ${plural(b.outputs, 'output')}`,
  ];
  if (equal) return [...lines, 'nothing differs'];
  for (const set of sets) {
    const { path, change: what, difference } = set;
    lines.push(`${paint(STYLES[what], `${SIGNS[what]} ${printable(path)}`)} ${setWords(set)}`);
    if (isWhole && difference)
      lines.push(...diffLines(difference, look).map((line) => (line === '' ? '' : `  ${line}`)));
  }
  const unknown = sets.filter((set) => set.change === 'unknown').length;
  const sums = [
    ...(counts.added > 0 ? [`${count(counts.added)} added`] : []),
    ...(counts.removed > 0 ? [`${count(counts.removed)} removed`] : []),
    ...(counts.changed > 0 ? [`${count(counts.changed)} changed`] : []),
    ...(unknown > 0 ? [`${count(unknown)} cannot be compared`] : []),
    `${count(counts.equal)} equal`,
  ];
  const all = counts.equal + sets.length;
  lines.push(
    `${count(sets.length)} of ${plural(all, 'output')} ${sets.length === 1 ? 'differs' : 'differ'}: ${sums.join(', ')}`,
  );
  if (counts.changed > 0 && !isWhole) lines.push('--verbose shows what differs in each');
  return lines;
}
