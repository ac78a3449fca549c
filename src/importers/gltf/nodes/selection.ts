// The part of a scene to import: the selected nodes and all below them, without the excluded ones. The other nodes stay, because
// transforms and joints may need them, but place nothing.

import type { ImportOptions } from '../../importer.ts';
import type { Element } from '../document/element.ts';
import type { NodeDef, NodeGraph } from './nodes.ts';

type Part = Pick<ImportOptions, 'select' | 'exclude'>;

/** The index in the path of a node; -1 for another path. */
const indexOf = (path: string): number => Number(/^nodes\/(\d{1,9})$/.exec(path)?.[1] ?? -1);

/** What places nothing, with its transform. */
function emptied(node: NodeDef): NodeDef {
  return { ...node, mesh: -1, skin: -1, camera: -1, light: -1, instancing: null, levels: null };
}

/** Nodes with all below them and their coarser levels. */
function withAllBelow({ nodes }: NodeGraph, from: readonly number[]): ReadonlySet<number> {
  const found = new Set(from);
  for (const node of found) {
    const { children, levels } = nodes[node];
    for (const next of children) found.add(next);
    for (const next of levels?.ids ?? []) found.add(next);
  }
  return found;
}

/**
 * The graph of what is selected; an absent or empty selection takes everything. Throws UC1726 for a path at which the file has no
 * node.
 */
export function selectedNodes(root: Element, graph: NodeGraph, { select = [], exclude = [] }: Part): NodeGraph {
  if (select.length + exclude.length === 0) return graph;
  const { nodes } = graph;
  const indices = (paths: readonly string[], flag: string) =>
    paths.map((path) => {
      const index = indexOf(path);
      if (index >= 0 && index < nodes.length) return index;
      return root.fail(
        'UC1726',
        `${flag} ${path}: the file has no such node; it has nodes/0 to nodes/${nodes.length - 1}`,
      );
    });
  const taken = select.length === 0 ? null : withAllBelow(graph, indices(select, '--select'));
  const left = withAllBelow(graph, indices(exclude, '--exclude'));
  const isTaken = (i: number) => (taken === null || taken.has(i)) && !left.has(i);
  return { ...graph, nodes: nodes.map((node, i) => (isTaken(i) ? node : emptied(node))) };
}
