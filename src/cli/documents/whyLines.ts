// What makes an output large, in words: tables of the largest, then what would change it.

import { formatBytes, type WhyDocument } from '../../index.ts';
import { printable } from '../terminal/terminal.ts';
import { count, plural, table } from '../terminal/words.ts';
import { savingWords } from './savingWords.ts';

/** A heading and its table, after an empty line; nothing for no rows. */
function section(head: readonly string[], rows: readonly (readonly string[])[], right: readonly number[]): string[] {
  if (rows.length === 0) return [];
  const shown = rows.map(([first, ...rest]) => [`  ${printable(first)}`, ...rest.map(printable)]);
  return ['', ...table([[...head], ...shown], new Set(right))];
}

function payloadLines({ payloads }: WhyDocument): string[] {
  const metres = (value: number | null) => (value === null ? '' : `${Math.round(value)} m`);
  const isSet = payloads.some(({ loading }) => loading !== null);
  const rows = payloads.map(({ tile, level, bytes, geometry, triangles, draws, loading }) => [
    `${tile} ${level}`,
    formatBytes(bytes),
    formatBytes(geometry),
    count(triangles),
    count(draws),
    ...(isSet
      ? loading
        ? [metres(loading.from), metres(loading.streaming), metres(loading.unload), count(loading.priority)]
        : ['', '', '', '']
      : []),
  ]);
  const loading = isSet ? ['shown from', 'loads at', 'goes at', 'priority'] : [];
  const head = ['payloads', 'file', 'geometry', 'triangles', 'draws', ...loading];
  return section(head, rows, [1, 2, 3, 4, 5, 6, 7, 8]);
}

function tableLines(document: WhyDocument): string[] {
  const { textures, meshes, materials, attributes } = document;
  return [
    ...payloadLines(document),
    ...section(
      ['textures', 'on the GPU', 'file', 'size', 'payloads', 'materials'],
      textures.map(({ path, gpuBytes, bytes, width, height, payloads, materials: named }) => [
        path,
        formatBytes(gpuBytes),
        formatBytes(bytes),
        `${width} x ${height}`,
        count(payloads),
        named.slice(0, 3).join(', ') + (named.length > 3 ? ` and ${named.length - 3} more` : ''),
      ]),
      [1, 2, 3, 4],
    ),
    ...section(
      ['meshes', 'geometry', 'vertices', 'triangles', 'placed', 'in'],
      meshes.map(({ name, entity, tile, level, bytes, vertices, triangles, placements }) => [
        name || entity,
        formatBytes(bytes),
        count(vertices),
        count(triangles),
        count(placements),
        `${tile} ${level}`,
      ]),
      [1, 2, 3, 4],
    ),
    ...section(
      ['materials', 'draws', 'triangles', 'payloads', 'textures'],
      materials.map(({ name, draws, triangles, payloads, gpuBytes }) => [
        name || '(none)',
        count(draws),
        count(triangles),
        count(payloads),
        formatBytes(gpuBytes),
      ]),
      [1, 2, 3, 4],
    ),
    ...section(
      ['attributes', 'in memory'],
      attributes.map(({ name, bytes }) => [name, formatBytes(bytes)]),
      [1],
    ),
  ];
}

/** The document in lines. */
export function whyLines(document: WhyDocument): string[] {
  const { output, subject, totals, others, changes } = document;
  const { payloads, bytes, geometry, triangles, draws, textures, gpuBytes } = totals;
  const what =
    subject === null ? printable(output) : `${printable(output)}, ${subject.kind} ${printable(subject.name)}`;
  const files = bytes > 0 ? `${formatBytes(bytes)} on the disk, ` : '';
  const held = `${formatBytes(geometry)} of geometry, ${formatBytes(gpuBytes)} of ${plural(textures, 'texture')}`;
  const lines = [
    `${what}: ${plural(payloads, 'payload')}, ${files}${held}, ${plural(triangles, 'triangle')}, ${plural(draws, 'draw')}`,
    ...tableLines(document),
  ];
  if (others.length > 0) lines.push('', 'also named by', ...others.map((file) => `  ${printable(file)}`));
  if (changes.length === 0) return lines;
  lines.push('', 'what would change it');
  for (const { option, what: does, saves, savesHere } of changes) {
    const here = savesHere ? `${savingWords(savesHere)} here, ` : '';
    lines.push(`  ${printable(option)}: ${here}${savingWords(saves)}${savesHere ? ' in all' : ''}`, `    ${does}`);
  }
  return lines;
}
