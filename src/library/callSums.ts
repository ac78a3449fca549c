// The sums of a call, as its result, its documents and its reports have them.

/** So many files with so many bytes. */
export interface FileSum {
  readonly files: number;
  readonly bytes: number;
}

/** The outputs of a call, whether this call has written them or an earlier one. */
export interface CallTotals {
  /** Sources; of those that are cooked as one, each. */
  readonly sources: number;
  /** Of these: their outputs are in place, or planned by a dry run. */
  readonly ok: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of sets and of parts of sets, with shared buckets. */
  readonly tiles: number;
  /** Of packs. */
  readonly models: number;
  /** Outputs that are one file, without what lies beside it. */
  readonly singleFiles: number;
  readonly trianglesIn: number;
  /** Of full detail, without levels. */
  readonly trianglesOut: number;
  /** All files of the outputs. */
  readonly output: FileSum;
  /** Of these, texture files. */
  readonly textures: FileSum;
  /** Of these, texture files that outputs of several sources of the call name. */
  readonly shared: FileSum;
  /** Files of earlier outputs that stay because their sources failed, those of other outputs left out. */
  readonly earlier: FileSum;
  /** What a cook would write, after a dry run only. */
  readonly planned?: PlannedTotals;
  readonly warnings: number;
  readonly notes: number;
}

/** What outputs come to at most; textures that several of them share count once. */
export interface PlannedTotals {
  readonly payloads: number;
  readonly triangles: number;
  readonly textures: FileSum;
  readonly levels: FileSum;
  /** Of all files. */
  readonly atMost: FileSum;
}

/** What the call did. */
export interface CallWork {
  /** Sources that were cooked, or planned by a dry run. */
  readonly cooked: number;
  /** Sources whose last cook still holds. */
  readonly upToDate: number;
  /** Files that were written. */
  readonly written: FileSum;
}
