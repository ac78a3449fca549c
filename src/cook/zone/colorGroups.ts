// Groups parts of one material, each of which becomes one mesh. The engine does not draw vertex colours, so the cook puts the colours
// of a mesh into a palette texture, which has room for 256. Parts whose colours do not fit begin another group.

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
