// What the page says of a proof that was made from the eyes of a zone: holes, likeness, and the pictures that differ most.

import type { ZonePair, ZoneProof } from '../../cook/zone/figures.ts';
import { figure } from './figure.ts';
import { html, type Markup } from './markup.ts';
import { factsPart } from './table.ts';

const placeOf = (numbers: readonly number[]): string => numbers.map((value) => value.toFixed(2)).join(', ');

/** `pairs`: none of a cook that was done before. */
export function proofPart(
  id: string,
  { eyes, holes, largestHole, pictures }: ZoneProof,
  pairs: readonly ZonePair[],
): Markup {
  const facts: (readonly [string, string])[] = [
    ['Looked at from', eyes === 1 ? '1 place' : `${eyes} places`],
    ['Holes', holes === 0 ? 'none' : `${holes}, the largest of ${largestHole} pixels`],
  ];
  if (pictures) {
    const { ssimMean, ssimMin, colorMean } = pictures;
    facts.push(['SSIM (1 is equal)', `${ssimMean.toFixed(4)}, at worst ${ssimMin.toFixed(4)}`]);
    facts.push(['Distance of colours (black to white is 1)', colorMean.toFixed(4)]);
  }
  const shown = ({ source, result, width, height, eye, direction, ssim }: ZonePair): Markup => {
    const where = `from (${placeOf(eye)}) towards (${placeOf(direction)})`;
    const like = `SSIM ${ssim.toFixed(4)}`;
    return html`<div class="pair">${figure({ png: source, width, height, caption: `The source ${where}.` })}
${figure({ png: result, width, height, caption: `The output ${where}: ${like}.` })}</div>`;
  };
  return html`<h3 id="${id}-proof">Source and output from the zone</h3>
${factsPart(facts)}
${pairs.length > 0 && html`<p>The pictures that differ most:</p>`}
${pairs.map(shown)}`;
}
