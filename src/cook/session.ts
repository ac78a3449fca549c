// What a cook has at hand from start to end.

import type { Diagnostics } from '../diagnostics/diagnostic.ts';
import type { Cache } from '../output/cache/cache.ts';
import type { SharedTexture, SharedTextures } from '../output/sharedTextures.ts';
import type { FolderSyncs } from '../output/syncs.ts';
import type { RememberedFiles } from '../textures/rememberedFiles.ts';
import { WorkerPool } from '../workers/workerPool.ts';
import { throwIfAborted } from './interruption.ts';
import { OpenSource } from './openSource.ts';
import type { CookJob, OnProgress } from './types.ts';

export interface Session {
  /** The source, its target and the settings. */
  readonly job: CookJob;
  readonly opened: OpenSource;
  readonly diagnostics: Diagnostics;
  /** Throws UC1098 once the signal is aborted, and UC1097 when the time of --timeout is over. */
  readonly progress: OnProgress;
  readonly pool: WorkerPool;
  readonly signal: AbortSignal | undefined;
  /** Where products are kept from cook to cook; null: nowhere. */
  readonly cache: Cache | null;
  /** What it shares with the other sources of its call. */
  readonly call: CallShares;
  /** As CookMeans has it. */
  readonly accept: AcceptSet | undefined;
}

/** A complete set in its staging folder. */
export interface StagedFiles {
  /** The main file, absolute. The others lie around it as they will around the set's. */
  readonly main: string;
  /** Textures that go into a folder which other sets share, and that are not in the staging folder. */
  readonly shared: readonly SharedTexture[];
}

/** Called before a set is moved in. What it throws ends the cook, and nothing has changed at the target. */
export type AcceptSet = (staged: StagedFiles) => Promise<void>;

export interface CallShares {
  /** Null: the next source begins when this one has its outcome. */
  readonly beside: SourcesBeside | null;
  /** The folder of the target's textures, if it names one. */
  readonly textures: SharedTextures | null;
  /** Texture files that its sources have made, and where the cache is asked for others; null: it has one source. */
  readonly made: RememberedFiles | null;
}

/** What cooks of small sets share with those of the sources that follow. */
export interface SourcesBeside {
  /** Called when the set only waits for the disk: the pool is free for the next source. */
  readonly onStaged: () => void;
  readonly folders: FolderSyncs;
  /** A source with work for more threads than this throws LargeSource; absent: none does. */
  readonly maxThreads?: number;
}

/** The source is too large for a caller that gave `maxThreads`. */
export class LargeSource extends Error {}

/** What a caller may give to a cook. None of it shows in any byte. */
export interface CookMeans {
  readonly onProgress?: OnProgress;
  /** Lasts for as many sources as its owner likes; absent: one thread. */
  readonly pool?: WorkerPool | undefined;
  /** Once it is aborted the cook fails with UC1098. */
  readonly signal?: AbortSignal | undefined;
  /** Its owner closes it. */
  readonly cache?: Cache | null;
  readonly beside?: SourcesBeside | null;
  readonly textures?: SharedTextures | null;
  /** As CallShares has it. */
  readonly made?: RememberedFiles | null;
  /** Absent: every set is moved in. */
  readonly accept?: AcceptSet | undefined;
}

/** Opens the source of a job. Throws SourceError when an asset root cannot be followed. */
export function openSession(job: CookJob, means: CookMeans, diagnostics: Diagnostics): Session {
  const { onProgress = () => {}, pool = new WorkerPool(1), signal, cache = null } = means;
  const opened = new OpenSource(job);
  const progress: OnProgress = (step) => {
    throwIfAborted(signal);
    opened.limits.checkTime();
    onProgress(step);
  };
  const call = { beside: means.beside ?? null, textures: means.textures ?? null, made: means.made ?? null };
  return { job, opened, diagnostics, progress, pool, signal, cache, call, accept: means.accept };
}
