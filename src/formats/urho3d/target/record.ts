// SCENE.json beside the resource folders of a set: what the cook wrote, so that the next one replaces it and `clean` removes
// it. The engine does not read it.

import { VERSION } from '../../../bytes/version.ts';
import type { ManifestFile } from '../../manifest/schema.ts';
import { planMapPath } from '../../manifest/write.ts';
import { scenePath } from './names.ts';

export interface RecordInput {
  readonly sceneName: string;
  /** SHA-256 of the settings that decide the bytes. */
  readonly settings: string;
  /** All other files of the set. */
  readonly files: readonly ManifestFile[];
}

/** UTF-8 JSON, two spaces, a final newline. */
export function recordText({ sceneName, settings, files }: RecordInput): string {
  const record = {
    version: 1,
    generator: 'untold-cook',
    generator_version: VERSION,
    target: 'urho3d',
    settings_sha256: settings,
    scene: scenePath(sceneName),
    plan_map: planMapPath(sceneName),
    // Sorted, so that the order in which files were written does not show.
    files: [...files].sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, sha256 }) => ({ path, sha256 })),
  };
  return `${JSON.stringify(record, null, 2)}\n`;
}
