// Digests of the sources: whether dist/ is up to date, and which code an entry of a cache was made by.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const root = import.meta.dirname;

/** The paths of all files in a folder, from the folder on, sorted. */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** SHA-256 of files with their paths. */
export function digestOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = readFileSync(join(root, path));
    hash.update(JSON.stringify([path, content.length])).update(content);
  }
  return hash.digest('hex');
}

/** The paths of all sources. The kept kernel is made of some of them. */
export function sources() {
  return filesIn(join(root, 'src'))
    .map((path) => `src/${path}`)
    .filter((path) => path !== 'src/kernel/kernel.wasm');
}

/** What keys entries of caches: the code that made them. */
export function digestOfCode() {
  return digestOf([...sources(), 'kernel.config.mjs', 'package-lock.json']);
}
