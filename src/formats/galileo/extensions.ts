// Extensions of a Galileo file: their names, their data, whose length the format leaves out, and the chains that lead to them.

import type { Findings } from '../findings.ts';
import type { Extension } from './layout.ts';
import { indexOrNull, type OpenGalileo } from './open.ts';
import type { GalileoExtension, GalileoMesh } from './types.ts';

/** Null for no name: it has 1 to 16 printable letters of ASCII, then NULs up to 16. */
export function extensionName(bytes: readonly number[]): string | null {
  const end = bytes.indexOf(0);
  const letters = end < 0 ? bytes : bytes.slice(0, end);
  if (letters.length === 0 || letters.some((letter) => letter < 0x20 || letter > 0x7e)) return null;
  if (bytes.slice(letters.length).some((letter) => letter !== 0)) return null;
  return String.fromCharCode(...letters);
}

/** How many of ascending numbers are not greater than `value`. */
function upTo(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The extensions with their data: from where it begins to where other data or a slice does, or the buffer ends. An
 * extension that begins inside of a slice has no data. Slices must not overlap.
 */
export function readExtensions({ extensions, groups, buffer }: OpenGalileo): GalileoExtension[] {
  const slices = groups.filter(({ sliceSize }) => sliceSize > 0);
  const sliceBegins = Float64Array.from(slices, ({ sliceBegin }) => sliceBegin).sort();
  const sliceEnds = Float64Array.from(slices, ({ sliceBegin, sliceSize }) => sliceBegin + sliceSize).sort();
  const begins = Float64Array.from(extensions, ({ dataBegin }) => dataBegin).sort();
  return extensions.map(({ name, version, dataBegin, nextExtension }) => {
    const slicesBefore = upTo(sliceBegins, dataBegin);
    const isInSlice = slicesBefore > upTo(sliceEnds, dataBegin);
    const next = [begins[upTo(begins, dataBegin)], sliceBegins[slicesBefore], buffer.length];
    const end = isInSlice ? dataBegin : Math.min(...next.filter((at) => at !== undefined));
    const data = buffer.subarray(dataBegin, end);
    return { name: extensionName(name) ?? '', version, data, next: indexOrNull(nextExtension) };
  });
}

/** The extensions of a chain of a sound mesh, from the first. */
export function* chain(mesh: GalileoMesh, first: number | null): Generator<GalileoExtension> {
  for (let at = first; at !== null; at = mesh.extensions[at].next) yield mesh.extensions[at];
}

/** Names, data and chains. Each extension is visited once, however many chains lead to it. */
export function checkExtensions({ manifest, groups, extensions, buffer }: OpenGalileo, findings: Findings): void {
  const checkNext = (next: number, place: string) => {
    if (next <= extensions.length) return;
    findings.report(
      'UC3513',
      place,
      `chain of extensions leads beyond their table: leads to extension ${next - 1} of ${extensions.length}`,
    );
  };
  for (const [i, { name, dataBegin, nextExtension }] of extensions.entries()) {
    const place = `extensions/${i}`;
    checkNext(nextExtension, place);
    if (extensionName(name) === null)
      findings.report(
        'UC3514',
        place,
        'extension of a Galileo file without a name: the name is empty or holds other bytes',
      );
    if (dataBegin > buffer.length) {
      findings.report(
        'UC3501',
        place,
        `data of an extension begins beyond the buffer: data from byte ${dataBegin} of a buffer of ${buffer.length}`,
      );
    }
  }
  /** Of each extension the chain that reached it first, counted from 1. */
  const reached = new Uint32Array(extensions.length);
  const heads = [manifest, ...groups].map(({ nextExtension }) => nextExtension);
  for (const [i, head] of heads.entries()) {
    const place = i === 0 ? 'manifest' : `groups/${i - 1}`;
    checkNext(head, place);
    walk(extensions, head, i + 1, place, reached, findings);
  }
  for (const [i, chainNumber] of reached.entries()) {
    if (chainNumber === 0)
      findings.report(
        'UC3530',
        `extensions/${i}`,
        'extension of a Galileo file that nothing leads to: neither the mesh nor a group leads to it',
      );
  }
}

/** Follows one chain to its end, to where it leads beyond the table, or to an extension that is known from an earlier one. */
function walk(
  extensions: readonly Extension[],
  head: number,
  number: number,
  from: string,
  reached: Uint32Array,
  findings: Findings,
): void {
  let place = from;
  for (let next = head; next !== 0; ) {
    const index = next - 1;
    if (index >= extensions.length) return;
    if (reached[index] === number)
      findings.report('UC3513', place, `chain of extensions runs in a circle: leads back to extension ${index}`);
    if (reached[index] !== 0) return;
    reached[index] = number;
    place = `extensions/${index}`;
    next = extensions[index].nextExtension;
  }
}
