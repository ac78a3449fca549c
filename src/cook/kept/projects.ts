// Whose the entries of a cache are: records of cooks name the folders of their calls, other entries are of whoever needs them.

import type { StoredEntry } from '../../output/cache/entries.ts';
import { readEntry } from '../../output/cache/entry.ts';
import { RECORD } from './cookRecord.ts';

/** A folder that cooks were run in. */
export interface CachedProject {
  /** Absolute. */
  readonly folder: string;
  /** Outputs of which the cook is recorded. */
  readonly outputs: number;
  /** When a record was last used or written, in milliseconds since 1970. */
  readonly used: number;
}

/** The folder that a record names; null for other entries, and for records of versions that did not. */
function folderOf({ kind, path }: StoredEntry): string | null {
  if (kind !== RECORD) return null;
  try {
    const payload = readEntry(path);
    const value: unknown = payload && JSON.parse(Buffer.from(payload).toString());
    const { folder } = Object(value) as { folder?: unknown };
    return typeof folder === 'string' && folder !== '' ? folder : null;
  } catch {
    // Another process has removed it.
    return null;
  }
}

/** The projects of some entries, in the order of their folders. */
export function projectsOf(entries: readonly StoredEntry[]): CachedProject[] {
  const found = new Map<string, CachedProject>();
  for (const entry of entries) {
    const folder = folderOf(entry);
    if (folder === null) continue;
    const { outputs = 0, used = entry.used } = found.get(folder) ?? {};
    found.set(folder, { folder, outputs: outputs + 1, used: Math.max(used, entry.used) });
  }
  return [...found.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
}
