// A folder that any web server can show: the page, what `untold view` would tell it, and the files of what is shown.

import { closeSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { throwIfAborted } from '../../cook/interruption.ts';
import { fail } from '../../diagnostics/diagnostic.ts';
import { textureUris } from '../../formats/untold/readTile.ts';
import { codeOf, isFile, isFolder, refusal } from '../../importers/wholeFile.ts';
import { ENVIRONMENT_FILE, type ViewDescription } from '../../viewer/description.ts';
import { placesOf } from '../../viewer/texturePlaces.ts';
import type { CookedSet } from '../render/cookedSet.ts';
import { type OpenFile, openNamed, type PageFiles, type SetFiles } from './files.ts';
import type { ServedView } from './open.ts';

function readAndClose({ fd }: OpenFile): Uint8Array {
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes files below a folder, each once. */
class Exported {
  readonly #folder: string;
  readonly #known = new Set<string>();
  bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get files(): number {
    return this.#known.size;
  }

  has(path: string): boolean {
    return this.#known.has(path);
  }

  write(path: string, bytes: Uint8Array): void {
    this.#known.add(path);
    this.bytes += bytes.length;
    const file = join(this.#folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

/** The files of one output below `place`: what its description names, its payloads, and the textures that those name. */
async function exportSet(
  { tiles, folder }: CookedSet,
  { manifest, planMap, clips }: ViewDescription,
  files: SetFiles,
  place: string,
  exported: Exported,
): Promise<void> {
  const take = (path: string): Uint8Array | null => {
    const to = `${place}/${path}`;
    const file = files.open(path.split('/'));
    if (file === null || file === 'outside') return null;
    const bytes = readAndClose(file);
    if (!exported.has(to)) exported.write(to, bytes);
    return bytes;
  };
  const needed = (path: string): Uint8Array =>
    take(path) ?? fail('UC1200', join(folder, path), '', `${join(folder, path)} is not there`);
  for (const path of [manifest, planMap, ...clips.map((clip) => clip.path)]) if (path !== null) needed(path);
  for (const { full, lods, hlod } of tiles) {
    for (const path of [full, ...lods.map((lod) => lod.path), ...(hlod ? [hlod.path] : [])]) {
      if (exported.has(`${place}/${path}`)) continue;
      for (const uri of await textureUris(needed(path))) {
        // The first place that has it is where the page finds it; what is nowhere is nowhere there, too.
        placesOf(uri, path).some((one) => exported.has(`${place}/${one}`) || take(one) !== null);
      }
    }
  }
}

const REMEDY = 'give --export a folder that does not exist, or an empty one';

/** Refuses a file, and a folder that holds something. */
function checkEmpty(folder: string, name: string): void {
  if (isFile(folder)) fail('UC4001', name, '', 'it is a file', REMEDY);
  const [first] = isFolder(folder) ? readdirSync(folder).sort() : [];
  if (first !== undefined) fail('UC4001', name, '', `it holds ${first}`, REMEDY);
}

function exportPageFiles(page: PageFiles, exported: Exported): void {
  for (const name of page.names) {
    const file = page.open(name);
    if (file) exported.write(name, readAndClose(file));
  }
}

export interface ExportedView {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Writes a view into a folder that is not there, or empty: all of it or nothing. `sets`: what is shown, and what it is compared
 * with. Throws UC4000, UC4001, and UC1200 for a payload that is not there.
 */
export async function exportView(
  view: ServedView,
  sets: { readonly set: CookedSet; readonly against: CookedSet | null },
  folder: string,
  name: string,
  signal?: AbortSignal,
): Promise<ExportedView> {
  checkEmpty(folder, name);
  const staged = resolve(dirname(folder), `.${basename(folder)}.${process.pid}.exporting`);
  const exported = new Exported(staged);
  try {
    exportPageFiles(view.page, exported);
    const { description } = view;
    await exportSet(sets.set, description, view.set, 'set', exported);
    throwIfAborted(signal);
    if (sets.against && view.against && description.against) {
      await exportSet(sets.against, description.against, view.against, 'against', exported);
    }
    const light = view.environmentMap === null ? null : openNamed(view.environmentMap);
    if (light) exported.write(ENVIRONMENT_FILE, readAndClose(light));
    throwIfAborted(signal);
    const told: ViewDescription = { ...description, isExported: true };
    exported.write('view.json', Buffer.from(JSON.stringify(told)));
    // An empty folder gives way.
    if (isFolder(folder)) rmdirSync(folder);
    renameSync(staged, folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    fail('UC4000', name, '', `${name} ${refusal(codeOf(error))}`);
  } finally {
    if (isFolder(staged)) rmSync(staged, { recursive: true });
  }
  return { files: exported.files, bytes: exported.bytes };
}
