// What reading and planning make of a source: plain values that later steps work from.

import type { RiggedScene } from '../animation/rig.ts';
import type { FileType } from '../formats/format.ts';
import type { Neighbour } from '../geometry/lod/borders.ts';
import type { NodeTree } from '../scene/nodeTree.ts';
import type { Bounds, Mat4, Scene } from '../scene/types.ts';
import type { HlodCluster } from '../tiling/streaming/hlodClusters.ts';
import type { PlannedObject, PlannedTile, ScenePlan } from '../tiling/types.ts';
import type { InstanceLimits } from '../workers/jobs.ts';
import type { PlanOutcome } from './steps/plan/planOutcome.ts';
import type { WantedChains, WantedLevels } from './steps/plan/wantedLevels.ts';
import type { AuthoredObject } from './steps/read/authoredLevels.ts';
import type { SeenScene } from './zone/figures.ts';

/** A source as it was read, with its surfaces refined. */
export interface ReadScene {
  readonly scene: Scene;
  /** Null: no skeleton moves anything. */
  readonly rig: RiggedScene | null;
  /** One for each placement of a mesh that has triangles, without coarser levels of others. */
  readonly objects: readonly PlannedObject[];
  /** Those with levels made by hand that are to be used. */
  readonly authored: readonly AuthoredObject[];
  /** Nodes with meshes that are coarser levels of others. */
  readonly hidden: ReadonlySet<number>;
  /** What became of it for the eyes of a zone; null: it is cooked for any. */
  readonly zone: SeenScene | null;
}

/** What becomes one file, before its levels. */
export interface PlannedPayload {
  readonly fileType: FileType;
  /** Relative to the set's base; a hash of its content comes before the extension of a tile's when it is written. */
  readonly path: string;
  readonly objects: readonly PlannedObject[];
  /** Null for a single file: nothing is merged. */
  readonly tile: PlannedTile | null;
  /** The nodes that the file keeps; absent: none. */
  readonly tree?: NodeTree;
  /** As PayloadJob.joins. */
  readonly joins?: true;
}

/** A root object of a pack where it stands. */
export interface Placement {
  /** The name that the source gives it. */
  readonly displayName: string;
  /** Of its model's file. */
  readonly path: string;
  readonly transform: Mat4;
  /** Keys of a pack as a source that are not known here. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The objects of a scene, distributed over payloads. */
export interface PayloadPlan {
  /** The scene that payloads are cooked from: nodes may have moved into the spaces of models. */
  readonly scene: Scene;
  readonly objects: readonly PlannedObject[];
  readonly payloads: readonly PlannedPayload[];
  /** Null: the payloads are no tiles. */
  readonly tiles: ScenePlan | null;
  /** The name of the scene, or of a single file without its extension. */
  readonly name: string;
  /** The folder of payloads relative to the set's base, with `/` at its end; '': the base itself. */
  readonly folder: string;
  /** Of models in the order of the scene; absent: payloads stand where their objects do. */
  readonly placements?: readonly Placement[];
  /** Nodes whose objects are in no payload because an equal model stands for theirs. */
  readonly repeated?: ReadonlySet<number>;
  /** What a dry run says of it: the payloads that it lists, and the bounds of the scene. */
  readonly shown: {
    readonly mode: PlanOutcome['mode'];
    readonly bounds: Bounds;
    readonly payloads: readonly PlannedPayload[];
  };
}

/** The objects whose levels, of tiles or of models of packs, are made by hand. */
export interface AuthoredPayloads {
  readonly objectsOf: ReadonlyMap<PlannedPayload, readonly AuthoredObject[]>;
  /** By node of full detail, how many coarser levels its object has. */
  readonly countOf: ReadonlyMap<number, number>;
}

/** What of a plan one cook makes. */
export interface Selection {
  /** The payloads that are written. */
  readonly written: ReadonlySet<PlannedPayload>;
  /** Payloads that are cooked with every neighbour that they touch, as in a full cook: the written ones, and those that HLODs are made from. */
  readonly whole: ReadonlySet<PlannedPayload>;
  readonly clusters: readonly HlodCluster[];
  /** Those that totals count. */
  readonly objects: readonly PlannedObject[];
  /** Other machines cook the rest: that nothing at all is drawn is found when the parts are merged. */
  readonly isPart: boolean;
}

/** A payload to be cooked. */
export interface WantedPayload {
  readonly payload: PlannedPayload;
  /** Payloads that it may touch; empty where no levels are made. */
  readonly neighbours: readonly Neighbour[];
  readonly instances: InstanceLimits | null;
  /** It is cooked only for the vertices that its neighbours share: nothing of it is written or reported. */
  readonly silent: boolean;
}

/** All that a cook is going to make. */
export interface CookPlan extends PayloadPlan {
  readonly rig: RiggedScene | null;
  readonly zone: SeenScene | null;
  /** Null: none are made. */
  readonly levels: WantedLevels | null;
  readonly authored: AuthoredPayloads;
  /** Of the models of a pack; null: none are made. */
  readonly chains: WantedChains | null;
  /** Of the whole scene; null: nobody asks for HLODs of clusters. */
  readonly clusters: readonly HlodCluster[] | null;
  readonly selection: Selection;
  readonly wanted: readonly WantedPayload[];
  /** For how many threads there is work. */
  readonly threads: number;
}
