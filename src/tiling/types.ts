// The plan of a cook: which object goes to which payload, and from how far each is seen. Made from bounds and counts
// alone.

import type { CutPlanes, PlaneCell } from '../scene/planes.ts';
import type { NodeTags, SemanticTier } from '../scene/tags.ts';
import type { Bounds } from '../scene/types.ts';
import type { StreamingRange } from './streaming/radii.ts';

export { SEMANTIC_TIERS, type SemanticTier } from '../scene/tags.ts';

/** One placement of one mesh, or a piece of one that is cut. */
export interface PlannedObject {
  /** Index into Scene.nodes. */
  readonly node: number;
  /** World bounds, never too small. */
  readonly bounds: Bounds;
  readonly triangles: number;
  /** Expected once stored. */
  readonly vertices: number;
  /** Names of the node and its mesh, for the rules that go by words. */
  readonly name: string;
  readonly materialNames: readonly string[];
  /** Keys of the entities it needs: objects of one payload share those with equal keys. */
  readonly draws: readonly string[];
  /** The author's tags; absent or null: none. */
  readonly tags?: NodeTags | null;
  /** The piece of a cut object; absent or null: the whole object. */
  readonly piece?: (PlaneCell & { readonly planes: CutPlanes }) | null;
}

/** An object that is cut, and how finely. */
export interface CutObject {
  /** All of it. */
  readonly object: PlannedObject;
  /** How many pieces its bounds are cut into; the mesh itself may leave some empty. */
  readonly pieces: number;
  /** 0: cut at the borders of cells; 1, 2 …: at planes half, a quarter … as far apart; -1, -2 …: twice, four times … */
  readonly fineness: number;
  /** The borders of its cells would have been too many, or too close together (cellPlanes.ts). */
  readonly limited: boolean;
  /** The planes that it is cut at, then coarser and coarser ones that would still cut it into useful pieces. */
  readonly planes: readonly CutPlanes[];
}

/** The node and tier of a tile in a tree. */
export interface TreeTile {
  /** Counted from 1. */
  readonly floor: number;
  readonly nodeId: string;
  readonly tier: SemanticTier;
  /** The node's rectangle and the objects' heights; the objects' bounds where they reach beyond the node. */
  readonly cellBounds: Bounds;
  /** Holds objects that lie across the borders of the node's children. */
  readonly spanning: boolean;
  /** Arms the engine's floor gate. */
  readonly interior: boolean;
}

export interface PlannedTile {
  readonly id: string;
  /** Name of its file inside the payload folder, without an extension. */
  readonly stem: string;
  /** Cell numbers (x, y, z) as the manifest spells them; null for what lies in no cell of a grid. */
  readonly cell: readonly [number, number, number] | null;
  /** Null in grid mode and for the shared bucket. */
  readonly tree: TreeTile | null;
  /** In order of their nodes, pieces of one by row and column. */
  readonly objects: readonly PlannedObject[];
  /** Contain the objects' bounds; not tight. */
  readonly bounds: Bounds;
  readonly priority: number;
  readonly range: StreamingRange;
  readonly estimate: Estimate;
  /** The budgets that it is expected to break, and why it was not cut; null: none. */
  readonly over: OverBudget | null;
}

export interface Estimate {
  readonly triangles: number;
  readonly vertices: number;
  readonly meshes: number;
  /** The size of the file before compression. */
  readonly bytes: number;
}

/** Why a group over budget was not cut (further). */
export type WhyWhole = 'one object' | 'same materials' | 'shared bucket';

export interface OverBudget {
  /** One text for each exceeded budget: "31,000,000 bytes of 15,000,000". */
  readonly broken: readonly string[];
  readonly why: WhyWhole;
}

export type PartitioningMode = 'uniform_grid' | 'quadtree_floor' | 'kdtree_floor';

export interface ScenePlan {
  readonly mode: PartitioningMode;
  readonly profile: 'indoor' | 'outdoor';
  /** Contain the bounds of all objects; not tight. */
  readonly bounds: Bounds;
  /** Edge of a cell in metres: of the grid, or what radii refer to in a tree. */
  readonly tileSize: number;
  readonly tileSizeMode: 'manual' | 'auto';
  /** The reach in the manifest's defaults, from which the engine takes its texture distances. */
  readonly defaultRange: StreamingRange;
  /** Floors that the scene's height was cut into; 1 in grid mode. */
  readonly floors: number;
  /** Grid: in order of (z, y, x) of their cells, then what spans. Trees: in order of their ids. */
  readonly tiles: readonly PlannedTile[];
  /** The objects that were cut, in the order of their nodes. The tiles hold their pieces, not the objects. */
  readonly cut: readonly CutObject[];
  /** Objects too wide for any cell; null when there are none, or they were cut or became tiles. */
  readonly shared: PlannedTile | null;
  /** Bounds of the exterior shell in the shared bucket: the interior zone if no tile has a shell. Null: none is there. */
  readonly sharedShell: Bounds | null;
}

/** What a set says of a planned tile and its objects: plain data, which the cook of another machine can give as well. */
export interface TileSummary extends Pick<PlannedTile, 'id' | 'cell' | 'tree' | 'bounds' | 'priority' | 'range'> {
  readonly objects: readonly { readonly bounds: Bounds; readonly piece?: object | null }[];
  readonly estimate: Pick<Estimate, 'triangles'>;
}

/** What a set says of its plan as a whole. */
export interface PlanSummary
  extends Pick<
    ScenePlan,
    'mode' | 'profile' | 'bounds' | 'tileSize' | 'tileSizeMode' | 'defaultRange' | 'floors' | 'sharedShell'
  > {
  readonly cut: readonly Pick<CutObject, 'pieces'>[];
}

/** The result of one partitioning mode, before spanning objects are assigned to tiles or to the shared bucket. */
export interface Partitioned {
  readonly mode: ScenePlan['mode'];
  readonly floors: number;
  readonly tiles: readonly PlannedTile[];
  readonly cut: readonly CutObject[];
  readonly spanning: readonly PlannedObject[];
  /** The node of the tree that tiles of spanning objects get; null in a grid. */
  readonly root: string | null;
}
