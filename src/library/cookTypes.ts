// The types of a call of cook(): its options, and what comes back.

import type { OptionsOf } from '../config/options/option.ts';
import type { COOK_CALL_OPTIONS } from '../config/options/table.ts';
import type { CookTarget, ExporterNames } from '../config/types.ts';
import type { PlanOutcome } from '../cook/steps/plan/planOutcome.ts';
import type { CookOutput, CookProgress, CookTotals } from '../cook/types.ts';
import type { ZonePair } from '../cook/zone/figures.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { CallOptions } from './call/checkOptions.ts';
import type { CallTotals, CallWork } from './callSums.ts';
import type { CookVerdict } from './check/deviceVerdict.ts';
import type { FitReport } from './fit/report.ts';
import type { RepeatedTextures } from './repeatedTextures.ts';

/** How far the cook of one source is: `done` of `total` steps of a phase. */
export interface SourceProgress extends CookProgress {
  /** The source, as SourceResult.source has it. */
  readonly source: string;
  /** The position of the source in the call, from 0, and the number of sources. */
  readonly index: number;
  readonly count: number;
  /**
   * Time of the step in milliseconds since 1970, with fractions. Steps of sources that are cooked side by side are reported
   * late, in the order of the sources.
   */
  readonly time: number;
}

/**
 * The options of `untold cook` in camelCase, and callbacks. Callbacks must not throw. There is no cache unless `cacheDir` or
 * `cache: true` asks for one, whatever the environment says, and no project file unless `config` names one or is true.
 */
export interface CookOptions extends OptionsOf<typeof COOK_CALL_OPTIONS>, CallOptions {
  /** What the source `-` stands for. */
  readonly stdin?: Uint8Array | undefined;
  /** Names that the engine's own exporter gives; absent: those of `untold cook`. */
  readonly asExporter?: ExporterNames | undefined;
  /** Whether a source is cooked; the others are 'skipped', and keep their rules in the depfile. Absent: all are. */
  readonly onSelect?: ((source: string) => boolean) | undefined;
  /** The sources that were found, in order, before the first one is opened. */
  readonly onSources?: ((sources: readonly string[]) => void) | undefined;
  readonly onProgress?: ((progress: SourceProgress) => void) | undefined;
  /**
   * The result of each source as soon as it and those of all sources before it are known. `seconds`: from its first step to the
   * end of its last one, without what it then waited for the disk or for sources before it.
   */
  readonly onResult?: ((result: SourceResult, index: number, seconds: number) => void) | undefined;
}

/** The outcome of one source. */
export interface SourceResult {
  /** Relative to the working folder, with `/`; with `asOne` its name. */
  readonly source: string;
  /** With `asOne`: the sources that were cooked as one, as `source` has them otherwise. */
  readonly joined?: readonly string[];
  /** Where the output goes. */
  readonly target: CookTarget;
  /**
   * 'ok': the whole set was written, read back, checked and moved in, or planned by a dry run. 'failed': nothing has
   * changed at the target. 'skipped': found in a folder or by a pattern and without geometry (UC1021), not chosen by
   * `onSelect`, not begun after `failFast`, or not finished when the call was aborted.
   */
  readonly status: 'ok' | 'failed' | 'skipped';
  readonly outputs: readonly CookOutput[];
  /** Null when nothing was written. */
  readonly totals: CookTotals | null;
  /** The plan, after a dry run only. */
  readonly plan?: PlanOutcome;
  /** Sorted by file, element and code; severities after `strict`, `deny` and `allow`. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths of every file that was read, sorted; of a source that failed too. */
  readonly filesRead: readonly string[];
  /** Nothing had changed since it was cooked last: this is the outcome of that cook. */
  readonly isRecorded?: boolean;
  /** What the last complete cook of it had come to; absent: the cache has no record of one, or it was not asked. */
  readonly before?: CookTotals;
  /** With `viewerZone`, pictures of the source and of the output that are least alike; absent: none were drawn in this call. */
  readonly pairs?: readonly ZonePair[];
  /** Why it was cooked again, a line each, whole source first, then its parts; only with `explainRebuild`. */
  readonly rebuilt?: readonly string[];
  /** With `fit`: what was done so that the output fits the device; absent: nothing was cooked. */
  readonly fit?: FitReport | undefined;
  /** The exception behind UC1099, a bug. */
  readonly error?: unknown;
}

export interface CookResult {
  /** What `untold cook` would end with: 0 exactly when every source is 'ok'. */
  readonly exitCode: number;
  /** One for each source, in order; empty when the call was refused before a source was opened. */
  readonly results: readonly SourceResult[];
  /** Sums over the outputs; each file counts once. */
  readonly totals: CallTotals;
  /** What the call has cooked and written of them. */
  readonly work: CallWork;
  /** With `device` or `fit`: whether each output fits it. */
  readonly verdicts?: readonly CookVerdict[];
  /** Textures that several sets hold, each for itself; absent: there are few. */
  readonly repeated?: RepeatedTextures;
  /** What concerns the call as a whole: options, the depfile, an abort, a device that outputs do not fit. */
  readonly diagnostics: readonly Diagnostic[];
}
