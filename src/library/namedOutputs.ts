// The outputs that a word of `check`, `render` or `view` names: a file, all that lie below a folder, or those of the project or of
// one of its targets.

import { resolve } from 'node:path';
import { showPath } from '../config/showPath.ts';
import { urlFault } from '../config/sources.ts';
import { mainFile } from '../config/targets.ts';
import { type Diagnostic, diagnostic, fail, SourceError } from '../diagnostics/diagnostic.ts';
import { extensionOf, type FileCommand, KINDS, type KindId, takes } from '../formats/kinds.ts';
import { diskFiles } from '../importers/files.ts';
import { recogniseContent } from '../importers/index.ts';
import { isFolder, statusOf } from '../importers/wholeFile.ts';
import { buildCommand } from './call/build.ts';
import { type Surrounded, variablesOf, workingFolder } from './call/environment.ts';
import { mergePreset } from './call/mergePreset.ts';
import type { CookPlan } from './cookPlan.ts';
import { filesBelow, singleFilesBelow } from './outputsBelow.ts';
import { planBuild } from './projectPlans.ts';

export interface NamedOutputs {
  /** The folder or file that the word stands for; absolute. */
  readonly place: string;
  /** The main files that are there; absolute, in order. */
  readonly mains: readonly string[];
  /** Whether they are those of the project or of a target, of which there may be any number. */
  readonly isProjects: boolean;
  /** UC3245: sources of the project that have no output. UC1070: how a word was taken. */
  readonly notes: readonly Diagnostic[];
}

const SETS = ['manifest', 'untoldpack', 'record'] as const satisfies readonly KindId[];

/** Whether a file is one of many that a command takes. */
function isSet(path: string, command: FileCommand): boolean {
  const endings = SETS.flatMap((id) => KINDS[id].extensions as readonly string[]);
  if (!endings.some((ending) => path.toLowerCase().endsWith(ending))) return false;
  try {
    const kind = recogniseContent(diskFiles(null).open(path, '', ''), path);
    return takes(command, kind) && (SETS as readonly KindId[]).includes(kind);
  } catch {
    return false;
  }
}

/**
 * The main files below a folder that a command takes: manifests, packs, and `.untold` files that no manifest and no pack lists.
 * Absolute, in order.
 */
export async function mainFilesBelow(folder: string, command: FileCommand): Promise<string[]> {
  const sets = [...filesBelow(folder)].filter((path) => isSet(path, command));
  const single = await singleFilesBelow(folder, resolve(folder, `{dir}/{name}${extensionOf('untold')}`));
  return [...new Set([...sets, ...single.map(({ main }) => main)])].sort();
}

/** The main files of a plan that are there. Throws UC1200 where none is. `place`: what messages call the output. */
export function builtFiles({ jobs }: Pick<CookPlan, 'jobs'>, target: string | null, place: string): string[] {
  const mains = jobs.map((job) => mainFile(job.target)).filter((path) => statusOf(path).stat !== null);
  if (mains.length > 0) return mains;
  return fail('UC1200', place, '', 'none of the outputs is there', `build them: \`${buildCommand(target)}\``);
}

/** Names in a message at most. */
const SHOWN = 5;

/** Throws UC5000 for a command that takes one output, where there are several. `remedy`: what helps, with the name of one. */
export function refuseSeveral(
  { place, mains }: Pick<NamedOutputs, 'place' | 'mains'>,
  remedy: (one: string) => string,
  cwd: string,
): never {
  const names = mains.map((main) => showPath(main, cwd));
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  const message = `there are ${names.length} outputs in it: ${names.slice(0, SHOWN).join(', ')}${more}`;
  return fail('UC5000', showPath(place, cwd), '', message, remedy(names[0]));
}

async function ofProject(target: string | null, config: string | boolean | undefined, call: Surrounded) {
  const cwd = workingFolder(call);
  const { root: place, plan } = await planBuild(target, { config, ...call });
  const mains = builtFiles(plan, target, showPath(place, cwd));
  const notes = plan.jobs.flatMap((job) => {
    const main = mainFile(job.target);
    if (mains.includes(main)) return [];
    return [diagnostic('UC3245', job.source, '', `${showPath(main, cwd)} is not there`)];
  });
  return { place, mains: [...new Set(mains)].sort(), isProjects: true, notes };
}

/** The outputs that a word of a command names; null: those of the project. Throws UC1002, UC1003, UC1041, and what the project file is refused for. */
export async function namedOutputs(
  command: FileCommand,
  word: string | null,
  config: string | boolean | undefined,
  given: Surrounded,
): Promise<NamedOutputs> {
  const cwd = workingFolder(given);
  const url = word === null ? null : urlFault(word);
  if (url !== null) throw new SourceError(url);
  if (word === '') fail('UC1003', '', '', 'the name of the output is empty', 'give a file or a folder');
  const call = { environment: given.environment };
  const { build } = mergePreset({ config }, cwd, variablesOf(call), word === null ? [] : [word]);
  if (build.isProjects) return ofProject(build.target, config, call);
  if (word === null) {
    const remedy = 'name a file or a folder; in a project, the project file has to name sources and out';
    return fail('UC1002', '', '', 'no output is named', remedy);
  }
  const place = resolve(cwd, word);
  const mains = isFolder(place) ? await mainFilesBelow(place, command) : [place];
  return { place, mains, isProjects: false, notes: build.notes };
}
