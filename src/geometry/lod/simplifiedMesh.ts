// What levels are made from: a mesh of a tile, and how it may be simplified.

import type { CellColors } from '../hlod/cellColors.ts';
import type { Float32Mesh } from '../mesh/mesh.ts';

/** One mesh of a tile. */
export interface SimplifiedMesh {
  readonly mesh: Float32Mesh;
  /** Foliage cards (cards.ts): thinned, not simplified. Those of full detail, whatever the level before has of them. */
  readonly cards: boolean;
  /** How many times their size the cards may have; absent: as often as those of full detail. */
  readonly maxGrowth?: number;
  /** Whether its UVs reach a texture at all. */
  readonly textured: boolean;
  /** Triangles whose UVs only say which cell of a palette they have (hlod/cells.ts); for LevelMaker. */
  readonly cells?: CellColors | undefined;
}
