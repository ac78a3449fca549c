// What applications have noted in a source, and which of that an output does not keep.

import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import { TAG_KEYS } from '../../../scene/tags.ts';
import type { Scene } from '../../../scene/types.ts';

/** Properties that the cook itself acts on. */
const KNOWN = new Set([...TAG_KEYS, 'MSFT_screencoverage']);

const isNote = (extras: unknown): boolean =>
  extras !== undefined && (typeof extras !== 'object' || Object.keys(extras as object).some((key) => !KNOWN.has(key)));

/** Reports UC2468 once for what is lost. `kept`: nodes whose notes the output has; null: it has none, and no copyright. */
export function reportNotes(
  { source, nodes, asset = {} }: Scene,
  kept: ReadonlySet<number> | null,
  diagnostics: Diagnostics,
): void {
  const lost = [...nodes.keys()].filter((node) => !kept?.has(node) && isNote(nodes[node].extras));
  const { copyright, extras, lost: others = [] } = asset;
  const parts = [
    ...(kept === null && copyright !== undefined ? ['asset.copyright'] : []),
    ...(kept === null && extras !== undefined ? ['extras of asset'] : []),
    ...(lost.length > 0 ? [`extras of ${lost.length === 1 ? '1 node' : `${lost.length} nodes`}`] : []),
    ...others.map((what) => `extras of ${what}`),
  ];
  if (parts.length === 0) return;
  diagnostics.report('UC2468', source, lost.length > 0 ? nodes[lost[0]].path : '', parts.join(', '));
}
