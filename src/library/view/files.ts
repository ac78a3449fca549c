// The files that the server of `untold view` hands out: those of the page, by a list that is made once, and files of the
// set, by their kind and real place.

import { closeSync, constants, fstatSync, openSync, readdirSync, realpathSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { pathAbove } from '../../viewer/texturePlaces.ts';

/** An open file; whoever gets it closes it. */
export interface OpenFile {
  readonly fd: number;
  readonly bytes: number;
  readonly type: string;
}

const PAGE_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

/** What a set consists of. Nothing else in its folder is anybody's business. */
const SET_TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.untold': 'application/octet-stream',
  '.utex': 'application/octet-stream',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.svg': 'image/svg+xml',
};

const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file whose path has no links left. Null: there is none. */
function openReal(path: string, type: string): OpenFile | null {
  let fd: number;
  try {
    fd = openSync(path, OPEN_FLAGS);
  } catch {
    return null;
  }
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, bytes: stat.size, type };
  closeSync(fd);
  return null;
}

/** A file by its path, which may be a link; null: it is gone. */
export function openNamed(path: string, type = 'application/octet-stream'): OpenFile | null {
  try {
    return openReal(realpathSync(path), type);
  } catch {
    return null;
  }
}

/** The files of the page, and the kernel beside them. `folder`: where the bundle put them. */
export class PageFiles {
  readonly #paths = new Map<string, string>();

  constructor(folder: string, kernel: string) {
    for (const name of readdirSync(folder)) {
      if (extname(name) in PAGE_TYPES) this.#paths.set(name, join(folder, name));
    }
    this.#paths.set('kernel.wasm', kernel);
  }

  get names(): readonly string[] {
    return [...this.#paths.keys()];
  }

  open(name: string): OpenFile | null {
    const path = this.#paths.get(name);
    return path === undefined ? null : openReal(realpathSync(path), PAGE_TYPES[extname(name)]);
  }
}

const CLIP_TYPE = 'application/octet-stream';

/** The files below the folder of a set, and textures that it shares with sets beside it. Of clips, which other models may have beside it, those that are named. */
export class SetFiles {
  readonly #root: string;
  readonly #clips: ReadonlySet<string>;

  constructor(folder: string, clips: readonly { readonly path: string }[] = []) {
    this.#root = realpathSync(folder);
    this.#clips = new Set(clips.map(({ path }) => path));
  }

  /** Null: there is none, or it is of no kind that belongs to sets. 'outside': a link leads out of the folder. */
  open(parts: readonly string[]): OpenFile | 'outside' | null {
    const kind = extname(parts.at(-1) ?? '').toLowerCase();
    const type = this.#clips.has(parts.join('/')) ? CLIP_TYPE : SET_TYPES[kind];
    if (type === undefined) return null;
    const above = pathAbove(parts);
    const path = above === null ? join(this.#root, ...parts) : join(this.#root, above);
    let real: string;
    try {
      real = realpathSync(path);
    } catch {
      return null;
    }
    if (above !== null) return real === path ? openReal(real, type) : 'outside';
    const below = this.#root.endsWith(sep) ? this.#root : this.#root + sep;
    if (!real.startsWith(below)) return 'outside';
    return openReal(real, type);
  }
}
