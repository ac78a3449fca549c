// Opens what a job names, one source or several that are cooked as one, and reads it into a Scene.

import { resolve } from 'node:path';
import { type Diagnostic, type Diagnostics, SourceError } from '../diagnostics/diagnostic.ts';
import { faultsOf } from '../diagnostics/environment.ts';
import { DEFAULT_LIMITS, type LimitName, type LimitUse, LimitWatch } from '../diagnostics/limits.ts';
import { diskFiles, type SourceFiles, withGivenFile } from '../importers/files.ts';
import { type FileTrace, unitedTraces } from '../importers/fileTrace.ts';
import type { ImportOptions } from '../importers/importer.ts';
import { importSource } from '../importers/index.ts';
import { packageAbove } from '../importers/packages.ts';
import { isFile, statusOf } from '../importers/wholeFile.ts';
import { joinedScene, type NamedScene, splitJoinedPath } from '../scene/joined.ts';
import type { Scene } from '../scene/types.ts';
import type { CookJob, JoinedSource } from './types.ts';

type SourcePart = Pick<JoinedSource, 'source' | 'content' | 'root' | 'search'>;

/** The sources that a job names, each with what it is opened with. */
export const partsOf = (job: CookJob): readonly SourcePart[] => job.joined ?? [job];

/** The absolute path of a source of the job. */
export const pathIn = ({ workingFolder = '' }: Pick<CookJob, 'workingFolder'>, source: string): string =>
  resolve(workingFolder, source);

/** Whether all sources of the job are files, lie in packages, or are given with it. */
export function isThere(job: CookJob): boolean {
  const isSource = (path: string) => isFile(path) || packageAbove(path, isFile) !== null;
  return partsOf(job).every(({ source, content }) => content || isSource(pathIn(job, source)));
}

/** Bytes of the files that the job names; of those that they refer to nothing is known yet. */
export function bytesOf(job: CookJob): number {
  return partsOf(job).reduce(
    (sum, { source, content }) => sum + (content?.length ?? statusOf(pathIn(job, source)).stat?.size ?? 0),
    0,
  );
}

/** A diagnostic as it concerns the source that it comes from: of several, paths begin with the names of their roots. */
export function ofItsSource(job: Pick<CookJob, 'source' | 'joined' | 'workingFolder'>, item: Diagnostic): Diagnostic {
  if (!job.joined || item.file !== job.source) return item;
  const split = splitJoinedPath(item.path);
  const part = split && job.joined.find(({ name }) => name === split.name);
  return part ? { ...item, file: pathIn(job, part.source), path: split.path } : item;
}

/** The sources of a job, opened. */
export class OpenSource {
  readonly #job: CookJob;
  readonly #files: SourceFiles[];
  /** One for each source. */
  readonly #watches: LimitWatch[];

  /** Throws SourceError when an asset root cannot be followed. */
  constructor(job: CookJob) {
    this.#job = job;
    this.#watches = partsOf(job).map(() => new LimitWatch(job.limits, job.deadline));
    this.#files = partsOf(job).map(({ source, content, root, search }, i) => {
      const onDisk = diskFiles(root, search, undefined, this.#watches[i]);
      return content ? withGivenFile(onDisk, pathIn(job, source), content) : onDisk;
    });
  }

  /** The limits of the job; of several sources each has its own for what is read, and the first that of the whole. */
  get limits(): LimitWatch {
    return this.#watches[0];
  }

  /** Of each limit how much was needed at most. */
  get limitUse(): LimitUse {
    const uses = this.#watches.map(({ used }) => used);
    const names = Object.keys(DEFAULT_LIMITS) as LimitName[];
    return Object.fromEntries(names.map((name) => [name, Math.max(...uses.map((use) => use[name]))])) as Record<
      LimitName,
      number
    >;
  }

  /** Absolute paths of every file that was read so far, sorted; those of the zone were read before. */
  get filesRead(): readonly string[] {
    const { zoneFiles = [] } = this.#job;
    return [...new Set([...this.#files.flatMap((files) => files.list()), ...zoneFiles])].sort();
  }

  /** What was asked of the disk; null: that is not known. */
  trace(): FileTrace | null {
    const traces = this.#files.map((files) => files.trace());
    return traces.every((trace) => trace !== null) ? unitedTraces(traces) : null;
  }

  /** Throws SourceError with the errors of all sources that cannot be read. `wanted`: as ImportOptions has it. */
  async read(
    wanted: Pick<
      ImportOptions,
      'subdivides' | 'keepsRigs' | 'keepsLenses' | 'keepsSets' | 'keepsMaterials' | 'lodGroups' | 'markers'
    >,
    diagnostics: Diagnostics,
  ): Promise<Scene> {
    const { source, settings, joined } = this.#job;
    if (!joined) {
      const options = { ...settings.source, ...wanted };
      return importSource(pathIn(this.#job, source), source, { files: this.#files[0], diagnostics, options });
    }
    const scenes: NamedScene[] = [];
    const errors: Diagnostic[] = [];
    for (const [i, part] of joined.entries()) {
      const options = { ...part.options, ...wanted };
      try {
        const context = { files: this.#files[i], diagnostics, options };
        scenes.push({
          name: part.name,
          scene: await importSource(pathIn(this.#job, part.source), part.source, context),
        });
      } catch (error) {
        const faults = faultsOf(error, part.source);
        if (faults === null) throw error;
        errors.push(...faults);
      }
    }
    if (errors.length > 0) throw new SourceError(errors);
    return joinedScene(source, scenes);
  }
}
