// What a source could do without, in words.

import type { AdviseDocument } from '../../index.ts';
import { printable } from '../terminal/terminal.ts';
import { plural } from '../terminal/words.ts';
import { savingWords } from './savingWords.ts';

/** Paths that are named of each advice. */
const SHOWN = 3;

/** The document in lines. */
export function adviseLines({ source, totals, advice }: AdviseDocument): string[] {
  const { objects, meshes, triangles, materials, images } = totals;
  const counts = [
    plural(objects, 'object'),
    plural(meshes, 'mesh', 'meshes'),
    plural(triangles, 'triangle'),
    plural(materials, 'material'),
    plural(images, 'image'),
  ];
  const lines = [`${printable(source)}: ${counts.join(', ')}`];
  if (advice.length === 0) lines.push('nothing was found that it could do without');
  for (const { what, count, where, saves, option, isDefault } of advice) {
    const does =
      option === null
        ? isDefault
          ? 'a cook does it'
          : 'to be done in the source'
        : `${printable(option)}${isDefault ? ', which is the default' : ''}`;
    lines.push('', printable(what), `  saves ${savingWords(saves)}: ${does}`);
    const shown = where.slice(0, SHOWN).map(printable);
    const more = count > shown.length && shown.length > 0 ? ' …' : '';
    if (shown.length > 0) lines.push(`  ${shown.join(', ')}${more}`);
  }
  return lines;
}
