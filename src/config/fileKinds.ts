// Which files commands take, for completion, help and whoever else asks.

import { extensionOf, extensionsFor, type FileCommand } from '../formats/kinds.ts';
import { FORMAT_IDS, FORMATS } from '../formats/registry.ts';

export type { FileCommand };

/** The extensions, with the dot, of the files that a command takes as its argument. What a file is, its content decides. */
export const fileExtensions = (command: FileCommand): readonly string[] => extensionsFor(command);

/** The extensions of the single files that a cook writes, packs last. */
export const OUTPUT_EXTENSIONS: readonly string[] = [
  ...FORMAT_IDS.map((id) => FORMATS[id].extension),
  extensionOf('untoldpack'),
];
