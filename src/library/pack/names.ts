// Which names a package may have for its files, so that unpacking it writes below one folder on every system, and one file for
// each name.

import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';

/** Devices of Windows, with and without an ending; digits may be superscripts. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i;
/** The folder in which sets are made. */
const WORK_FOLDER = '.cooking';

/** What is wrong with the name of a file in a package; null: nothing. */
export function nameFault(name: string): string | null {
  if (name === '') return 'is empty';
  if (name.startsWith('/')) return 'is absolute';
  if (/^[A-Za-z]:/.test(name)) return 'has a drive letter';
  if (/[\\:]/.test(name)) return 'has a backslash or a colon';
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'has a control character';
  if (/[\ud800-\udfff]/u.test(name)) return 'is not clean text';
  for (const part of name.split('/')) {
    if (part === '' || part === '.' || part === '..') return 'has an empty part, . or ..';
    if (DEVICE.test(part)) return `has the name of a device of Windows, '${part}'`;
    if (/[. ]$/.test(part)) return 'has a part that ends in a dot or a space';
  }
  if (name.toLowerCase().startsWith(`${WORK_FOLDER}/`) || name.toLowerCase() === WORK_FOLDER) {
    return `is in ${WORK_FOLDER}, where files are made`;
  }
  return null;
}

const folded = (name: string): string => name.normalize('NFC').toLowerCase();

/** UC3803 and UC3804 for the names of a package's files; `file` is the package, for messages. */
export function nameFaults(names: readonly string[], file: string): Diagnostic[] {
  const faults: Diagnostic[] = [];
  /** Names in one case, and what has them: a file, or a folder of one. */
  const taken = new Map<string, { readonly name: string; readonly isFile: boolean }>();
  for (const name of names) {
    const fault = nameFault(name);
    if (fault !== null) {
      faults.push(diagnostic('UC3803', file, name.slice(0, 256), `the name ${JSON.stringify(name)} ${fault}`));
      continue;
    }
    const other = taken.get(folded(name));
    if (other) faults.push(diagnostic('UC3804', file, name, `'${name}' and '${other.name}'`));
    else taken.set(folded(name), { name, isFile: true });
    for (let at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
      const folder = name.slice(0, at);
      const there = taken.get(folded(folder));
      if (there?.isFile) faults.push(diagnostic('UC3804', file, name, `'${name}' and '${there.name}'`));
      else if (!there) taken.set(folded(folder), { name: folder, isFile: false });
    }
  }
  return faults;
}
