// The colour grade of a cook: the `.cube` file that the user names, copied byte for byte beside the textures.

import { basename } from 'node:path';
import { sha256Hex } from '../../../bytes/sha256.ts';
import { type Diagnostics, fail } from '../../../diagnostics/diagnostic.ts';
import { codeOf, readWhole, refusal, statusOf } from '../../../importers/wholeFile.ts';
import type { ColorGrade } from '../../../scene/types.ts';
import { CubeFault, MAX_CUBE_BYTES, parseCube } from '../../../textures/cube.ts';
import { sanitizeStem } from '../../../textures/name.ts';

export interface GradeFile {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** `<stem>_<hash>.cube`. */
  readonly fileName: string;
  readonly grade: Omit<ColorGrade, 'uri'>;
}

/** Reads the content of a grade. Throws UC1200 and UC2120. */
export function readGrade(path: string, name: string): Uint8Array {
  const size = statusOf(path).stat?.size ?? 0;
  if (size > MAX_CUBE_BYTES) fail('UC2120', name, '', `${size} bytes, more than ${MAX_CUBE_BYTES}`);
  try {
    return readWhole(path);
  } catch (error) {
    return fail('UC1200', name, '', `the colour grade ${refusal(codeOf(error))}`);
  }
}

/** Checks a grade. Throws UC1200 and UC2120, reports UC2121. */
export function gradeFile(path: string, name: string, diagnostics: Diagnostics): GradeFile {
  const bytes = readGrade(path, name);
  const parsed = parseCube(bytes);
  if (parsed instanceof CubeFault) return fail('UC2120', name, '', parsed.message);
  const { ignored, ...grade } = parsed;
  if (ignored.length > 0) diagnostics.report('UC2121', name, '', `ignored: ${[...new Set(ignored)].join(', ')}`);
  const sha256 = sha256Hex(bytes);
  const stem = sanitizeStem(basename(path).replace(/\.[^.]*$/, ''));
  return { bytes, sha256, fileName: `${stem}_${sha256.slice(0, 8)}.cube`, grade };
}

/** A grade as files state it that lie in a folder, given with `/` at its end; nothing without one. */
export function gradeIn(grade: GradeFile | null, folder: string): { readonly colorGrade?: ColorGrade } {
  return grade ? { colorGrade: { uri: `${folder}Textures/${grade.fileName}`, ...grade.grade } } : {};
}
