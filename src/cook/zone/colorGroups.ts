// Which parts of a material can be one mesh although they have colours of their own: the engine draws colours of vertices from a
// palette, which has room for so many. Parts beyond that are meshes of their own.

import { type ColorUse, type Palette, unitePalettes } from '../../geometry/mesh/colors.ts';
import type { Vec4 } from '../../scene/types.ts';

/** What a part without colours of its own is drawn with. */
const WHITE: Vec4 = [1, 1, 1, 1];

export class ColorGroups {
  /** Of each material its last group, and the colours of that. */
  readonly #last = new Map<number, { readonly group: number; readonly palette: Palette }>();

  /** The name of the group that a part joins: parts of one name are merged. Parts are asked for in their order. */
  join(material: number, colors: ColorUse): string {
    // Colours that change within triangles fit into no palette.
    if (colors === 'varying') return `${material} varying`;
    const own = colors === 'none' ? WHITE : 'constant' in colors ? colors.constant : colors.palette;
    const { group, palette } = this.#last.get(material) ?? { group: 0, palette: { colors: new Float32Array(0) } };
    const united = unitePalettes([palette, own]);
    const next = united
      ? { group, palette: united }
      : { group: group + 1, palette: unitePalettes([own]) ?? { colors: new Float32Array(0) } };
    this.#last.set(material, next);
    return next.group === 0 ? String(material) : `${material} ${next.group}`;
  }
}

/** The material of the parts of a group. */
export const materialOfGroup = (name: string): number => Number.parseInt(name, 10);
