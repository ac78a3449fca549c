// The panel of what was clicked: entity, material, textures with their mips, tile and bytes.

import { formatBytes } from '../../../bytes/units.ts';
import type { CookedTile } from '../../../formats/manifest/tiles.ts';
import { storedTexture } from '../../../formats/untold/materialRecord.ts';
import { NONE } from '../../../formats/untold/types.ts';
import { FILE_SLOTS, slotKind } from '../../../scene/materialSlots.ts';
import { engineBaseColor, engineEmission } from '../drawing/materials.ts';
import type { Drawn } from '../drawing/payloads.ts';
import type { ShownTexture } from '../drawing/textures.ts';
import { count, element, metres, table, terms } from './element.ts';

const CHANNELS = ['R', 'G', 'B', 'A'];
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
const fixed = (values: readonly number[]): string => values.map((value) => Number(value.toFixed(3))).join(', ');

/** How linear light looks on a screen. */
const screenByte = (value: number): number => {
  const clamped = Math.min(1, Math.max(0, value));
  return Math.round(255 * (clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * clamped ** (1 / 2.4) - 0.055));
};

function colored(values: readonly number[]): HTMLElement {
  const swatch = element('span', { class: 'swatch' });
  swatch.style.background = `rgb(${values.slice(0, 3).map(screenByte).join(' ')})`;
  return element('span', {}, swatch, ` ${fixed(values)}`);
}

function textureRows(slot: string, texture: ShownTexture | null | undefined): HTMLElement[] {
  if (!texture) return [];
  const { path, read } = texture;
  return [
    element('h2', {}, `Texture: ${slot}`),
    terms([
      ['File', path],
      ['Format', `${read.format}${read.isPackedNormal ? ', X and Y in green and alpha' : ''}`],
      ['Size', `${read.width} × ${read.height}`],
      ['Bytes', formatBytes(read.bytes)],
    ]),
    table(
      ['Mip', 'Texels', 'Bytes'],
      read.mips.map((mip, level) => [level, `${mip.width} × ${mip.height}`, count(mip.bytes)]),
      [2],
    ),
  ];
}

export function showSelection(
  panel: HTMLElement,
  { payload, entity, material: index, name }: Drawn,
  tile: CookedTile | null,
  level: string,
  point: readonly number[],
  triangles: number,
): void {
  const { facts, surfaces, path } = payload;
  const surface = surfaces[index];
  const { material, textures } = surface;
  const packed = material.metallicTexture === NONE && material.roughnessTexture === NONE;
  const emission = engineEmission(surface);
  panel.replaceChildren(
    element('h2', {}, 'Entity'),
    terms([
      ['Name', facts.entities[entity].name],
      ['Mesh', name],
      ['Triangles', count(triangles)],
      ['At', fixed(point)],
      ['Tile', tile ? `${tile.id}, ${level}` : level],
      ...(tile?.tier ? [['Tier', tile.tier] as const] : []),
      ...(tile?.distances
        ? [
            ['Loads within', metres(tile.distances.streaming)] as const,
            ['Unloads beyond', metres(tile.distances.unload)] as const,
          ]
        : []),
      ['File', path],
      ['Bytes', `${formatBytes(facts.bytes)}, geometry ${formatBytes(facts.gpuBytes)}`],
      ['In the file', `${count(facts.meshes.length)} meshes, ${count(facts.triangles)} triangles`],
    ]),
    element('h2', {}, 'Material'),
    terms([
      ['Name', material.name],
      ['Base colour', colored([...engineBaseColor(material), material.baseColorFactor[3]])],
      [
        'Metallic',
        `${fixed([material.metallicFactor])}${packed ? '' : `, channel ${CHANNELS[material.metallicChannel]}`}`,
      ],
      [
        'Roughness',
        `${fixed([material.roughnessFactor])}${packed ? '' : `, channel ${CHANNELS[material.roughnessChannel]}`}`,
      ],
      ['Emission', emission.some((value) => value > 0) ? colored(emission) : 'none'],
      ['Transmission', material.transmissionFactor > 0 ? fixed([material.transmissionFactor]) : 'none'],
      ['Alpha', material.alphaMode === 'mask' ? `cut at ${fixed([material.alphaCutoff])}` : material.alphaMode],
      ...FILE_SLOTS.flatMap((slot) =>
        slotKind(slot).drawn || storedTexture(material, slot) === NONE
          ? []
          : [[capital(slotKind(slot).title), 'stored, not drawn here'] as const],
      ),
    ]),
    ...FILE_SLOTS.flatMap((slot) => {
      // Metallic and roughness are often channels of one texture.
      const isKnown = slot === 'roughness' && textures.roughness?.path === textures.metallic?.path;
      return isKnown ? [] : textureRows(slotKind(slot).title, textures[slot]);
    }),
  );
}
