// What differs by kind of output: a set of tiles, a part of one, one tile of it, a single file, a pack. Steps ask an Output and
// never which kind it is. outputOf.ts chooses it by the target of a job.

import type { HeldNodes } from '../../animation/heldNodes.ts';
import type { CookSettings, SharedFolder } from '../../config/types.ts';
import type { Authored } from '../../formats/format.ts';
import type { FormatId } from '../../formats/registry.ts';
import type { Scene } from '../../scene/types.ts';
import type { HlodCluster } from '../../tiling/streaming/hlodClusters.ts';
import type { FinishedOutput, KeptTiles, MadeScene, Workshop } from '../made.ts';
import type { CookPlan, PayloadPlan, ReadScene, Selection } from '../planned.ts';
import type { Session } from '../session.ts';

export interface Output {
  /** The folder of the set, absolute, and the file in it that it is known by. */
  readonly base: string;
  readonly main: string;
  /** Whether files of other outputs may lie in its folders under the names of its own. */
  readonly sharesFiles: boolean;
  /** What it says of skeletons and clips that have no place in it; null: it keeps them. */
  readonly still: string | null;
  /** Whether threads may start before its source is read. */
  readonly startsEarly: boolean;
  /** Whether its payloads are kept from cook to cook, each for itself. */
  readonly keepsUnits: boolean;
  /** The folder of its textures, if other files share it. */
  readonly textures: SharedFolder | undefined;

  /** The files that an earlier cook may have left there, with their SHA-256. */
  earlier(): ReadonlyMap<string, string | null>;
  /** The names of the textures in a shared folder that its files of an earlier cook name. */
  texturesBefore(folder: string, format: FormatId | undefined): Promise<readonly string[]>;

  /** How its files hold the nodes of a scene, of which some are hidden; null or absent: none that move. */
  held?(scene: Scene, hidden: ReadonlySet<number>, settings: CookSettings): HeldNodes | null;
  /** Distributes the objects over payloads. */
  plan(read: ReadScene, session: Session): Promise<PayloadPlan>;
  /** What of a plan is made. `clusters`: all of the scene. */
  select(plan: PayloadPlan, clusters: readonly HlodCluster[], session: Session): Selection;
  /** What each payload carries by itself, with clips if files hold theirs; null: the main file carries it. */
  authored(scene: Pick<CookPlan, 'scene' | 'rig' | 'payloads'>, isWhole: boolean): Authored | null;
  /** Takes what stays of an earlier cook into the set. */
  keep(plan: CookPlan, workshop: Workshop, session: Session): Promise<KeptTiles>;
  /** Writes all that is not written yet: textures, main file, clips. */
  finish(made: MadeScene, workshop: Workshop, session: Session): Promise<FinishedOutput>;
}

/** Nothing of an earlier cook stays. */
export const NOTHING_KEPT: KeptTiles = {
  tiles: new Map(),
  textures: new Set(),
  sharedTextures: new Map(),
  hlodOf: async () => undefined,
};

/** All of a plan is made. */
export function allOf({ payloads, objects }: PayloadPlan, clusters: readonly HlodCluster[]): Selection {
  const all = new Set(payloads);
  return { written: all, whole: all, clusters, objects, isPart: false };
}
