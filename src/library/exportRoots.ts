// exportRoots(): the scene of a source, and how many root objects it draws, which decides whether it becomes a file or a pack.

import { authoredLevels } from '../cook/steps/read/authoredLevels.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Scene } from '../scene/types.ts';
import { importScene, type ReadOptions } from './importScene.ts';

export interface ExportRoots {
  readonly scene: Scene;
  /** Root nodes with something drawn at them or below; coarser levels made by hand do not count. */
  readonly roots: number;
}

/** Null for a source with errors. */
export async function exportRoots(file: string, options: ReadOptions): Promise<ExportRoots | null> {
  const { scene } = await importScene(file, options, true);
  if (scene === null) return null;
  const { nodes, meshes } = scene;
  // Groups that are not in order are for the cook to report.
  const { hidden } = authoredLevels(scene, new Diagnostics());
  const draws = meshes.map(({ primitives }) => primitives.some(({ triangleCount }) => triangleCount > 0));
  const roots = new Set<number>();
  for (const [i, { mesh }] of nodes.entries()) {
    if (mesh < 0 || !draws[mesh] || hidden.has(i)) continue;
    let root = i;
    while (nodes[root].parent >= 0) root = nodes[root].parent;
    roots.add(root);
  }
  return { scene, roots: roots.size };
}
