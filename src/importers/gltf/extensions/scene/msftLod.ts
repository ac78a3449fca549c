// MSFT_lod: the coarser levels of a node, finest first. Their nodes stand where the node does, and a scene need not list them.

import type { Element } from '../../document/element.ts';
import type { Notes } from '../../document/notes.ts';
import type { Extension } from '../extension.ts';

const NAME = 'MSFT_lod';
const COVERAGE = 'MSFT_screencoverage';

export const MSFT_LOD: Extension = {
  name: NAME,
  support: 'partial',
  effect:
    'Full detail is the node itself; its coarser levels are those of its tile or of its model in a pack, from where MSFT_screencoverage says, else from where pictures look alike. Levels of materials are left out.',
  codes: ['UC1352', 'UC2098'],
};

/** The coarser levels of a node. */
export interface NodeLevels {
  /** Indices of nodes, finest first. */
  readonly ids: readonly number[];
  /**
   * MSFT_screencoverage as it is written: the share of the screen that the node and each level cover at least where they are shown. NaN
   * for what is no number.
   */
  readonly coverage: readonly number[] | null;
}

/** The levels of one of `count` nodes; null: it has none. */
export function nodeLevels(node: Element, count: number): NodeLevels | null {
  const ids = [...new Set(node.extension(NAME)?.indices('ids', count, 'nodes') ?? [])];
  if (ids.length === 0) return null;
  const coverage = node.extras().find(([key]) => key === COVERAGE)?.[1];
  return { ids, coverage: coverage === undefined ? null : numbersOf(coverage) };
}

function numbersOf(value: unknown): number[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map((one) => (Array.isArray(value) && typeof one === 'number' ? one : Number.NaN));
}

/** Reports UC1352 for materials with levels. */
export function noteMaterialLevels(root: Element, notes: Notes): void {
  for (const material of root.elements('materials')) {
    if (material.extension(NAME) === null) continue;
    notes.add('UC1352', '', material.path, material.name, (names) => `drawn as the finest level: ${names}`);
  }
}
