// Whether an output fits a device, in words: each measure with its bound, then what makes the tightest place heavy.

import { type CheckAllDocument, type CheckDocument, type CheckedMeasure, formatBytes } from '../../index.ts';
import { printable } from '../terminal/terminal.ts';
import { count, plural, table } from '../terminal/words.ts';
import { warningTable } from './warningTable.ts';

const value = ({ unit }: CheckedMeasure, number: number): string =>
  unit === 'bytes' ? formatBytes(number) : count(number);

const place = (at: readonly number[] | null): string =>
  at === null ? '' : `(${at.map((number) => Math.round(number * 100) / 100).join(' ')})`;

function measureLines(measures: readonly CheckedMeasure[]): string[] {
  const rows = measures.map((one) => {
    const { title, limit, kind, at, file } = one;
    const share = limit === null ? '' : `${Math.round((one.value / limit) * 100)} %`;
    const bound = limit === null ? 'not known' : `${value(one, limit)}${kind === 'advice' ? ' advised' : ''}`;
    return [`  ${title}`, value(one, one.value), bound, share, file === null ? place(at) : printable(file)];
  });
  return table([['', 'worst', 'bound', 'share', 'where'], ...rows], new Set([1, 2, 3]));
}

/** Rows of the tightest place: its largest payloads, textures and materials. */
const SHOWN = 5;

function worstLines({ worst, measures }: CheckDocument): string[] {
  const [tightest] = worst;
  if (tightest === undefined) return [];
  const title = measures.find(({ measure }) => measure === tightest.measure)?.title ?? '';
  const payloads = tightest.payloads
    .slice(0, SHOWN)
    .map(({ tile, level, geometry, triangles, draws }) => [
      `  ${printable(tile)} ${level}`,
      formatBytes(geometry),
      count(triangles),
      count(draws),
    ]);
  const textures = tightest.textures
    .slice(0, SHOWN)
    .map(({ path, bytes, payloads: named }) => [`  ${printable(path)}`, formatBytes(bytes), count(named)]);
  const materials = tightest.materials.slice(0, SHOWN).map(({ name, draws }) => [`  ${printable(name)}`, count(draws)]);
  const head = `most ${title}${tightest.at === null ? '' : ` at ${place(tightest.at)}`}`;
  return [
    '',
    ...table([[head, 'geometry', 'triangles', 'draws'], ...payloads], new Set([1, 2, 3])),
    ...(textures.length > 0
      ? ['', ...table([['textures there', 'on the GPU', 'payloads'], ...textures], new Set([1, 2]))]
      : []),
    ...(materials.length > 0 ? ['', ...table([['materials there', 'draws'], ...materials], new Set([1]))] : []),
  ];
}

/** The document in lines. */
export function checkLines(document: CheckDocument): string[] {
  const { output, line, measures, places, estimates } = document;
  const { secondsToFull, batchedDraws, drawSeconds } = estimates;
  const cpu =
    drawSeconds === null
      ? ''
      : `; ${(drawSeconds * 1000).toFixed(1)} ms of CPU a frame to encode all draws for one eye`;
  return [
    `${printable(output)}: ${line}`,
    ...measureLines(measures),
    '',
    `estimates, from ${count(places.simulated)} of ${count(places.looked)} places`,
    `  ${secondsToFull.toFixed(1)} s until all full detail near the slowest place is there`,
    `  ${count(batchedDraws)} draws where the engine merges meshes of a tile that share a material${cpu}`,
    ...worstLines(document),
  ];
}

/** Several outputs: a line each, which warnings there are, and the sum. */
export function checkAllLines({ outputs, device, diagnostics }: CheckAllDocument, room: number): string[] {
  const over = outputs.filter(({ fits }) => !fits).length;
  const lacking = diagnostics.filter(({ severity }) => severity === 'error').length;
  const fit = outputs.length - over;
  const sum = [
    `${count(fit)} of ${plural(outputs.length, 'output')} ${fit === 1 ? 'fits' : 'fit'} ${device}`,
    ...(over > 0 ? [`${count(over)} over`] : []),
    ...(lacking > 0 ? [`${plural(lacking, 'error')}: not all could be checked`] : []),
  ];
  return [
    ...outputs.map(({ output, line }) => `${printable(output)}: ${line}`),
    ...warningTable(outputs, room, 'output'),
    sum.join(', '),
  ];
}
