// Manifests on the disk: how to tell them from other JSON, and the files beside them that the validator reads.

import { join } from 'node:path';
import { fail } from '../diagnostics/diagnostic.ts';
import type { TextureProbe } from '../formats/format.ts';
import type { PayloadProbe } from '../formats/manifest/validate.ts';
import { codeOf, isFile, look, readHead, readWhole, refusal } from '../importers/wholeFile.ts';

/** Whether JSON text means to be a manifest: it has tiles or streaming defaults. Null when it cannot be parsed. */
export function isManifestText(text: string): boolean | null {
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return null;
  }
  return typeof value === 'object' && value !== null && ('tiles' in value || 'streaming_defaults' in value);
}

/** Files below a manifest's folder. */
export function diskProbe(folder: string): PayloadProbe {
  return {
    size(path) {
      const { stat } = look(join(folder, path));
      return stat?.isFile() ? stat.size : null;
    },
    read(path) {
      const file = join(folder, path);
      try {
        return readWhole(file);
      } catch (error) {
        return fail('UC1200', file, '', `${file} ${refusal(codeOf(error))}`);
      }
    },
  };
}

/** Textures beside a payload in that folder. */
export function textureProbe(folder: string): TextureProbe {
  return {
    exists: (path) => isFile(join(folder, path)),
    head(path, bytes) {
      try {
        return readHead(join(folder, path), bytes);
      } catch {
        return null;
      }
    },
  };
}
