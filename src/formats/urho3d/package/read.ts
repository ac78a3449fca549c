// Lists, reads and checks .pak files. The engine verifies none of this; it seeks where an entry says.

import { type Diagnostic, SourceError } from '../../../diagnostics/diagnostic.ts';
import { Findings } from '../../findings.ts';
import { MAX_UNPACKED_BYTES } from '../../untold/container/compress.ts';
import { nameFault, type PackageEntry, type PackageFormat, sdbm } from './layout.ts';
import { type OpenPackage, openPackage } from './open.ts';
import { type Extent, entryExtent, unpackEntry } from './unpack.ts';

/** One file of a package. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Package {
  readonly format: PackageFormat;
  readonly files: readonly PackedFile[];
}

/** The entries as the file states them; nothing is unpacked. Throws UC3900, UC3901, UC3902 and UC3904. */
export function listPackage(bytes: Uint8Array, file: string): readonly PackageEntry[] {
  return openPackage(bytes, file).entries;
}

/** Every file of a package. Throws a SourceError with every error that the validator finds. */
export function readPackage(bytes: Uint8Array, file: string): Package {
  const files: PackedFile[] = [];
  const { open, diagnostics } = checkPackage(bytes, file, (content) => files.push(content));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !open) throw new SourceError(errors);
  return { format: open.format, files };
}

/** Everything that is wrong with a file. */
export function validatePackage(bytes: Uint8Array, file: string): readonly Diagnostic[] {
  return checkPackage(bytes, file, () => undefined).diagnostics;
}

interface CheckedPackage {
  /** Null when the head cannot be read. */
  readonly open: OpenPackage | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks a file and gives each entry that could be unpacked to `visit`, one after the other. */
function checkPackage(bytes: Uint8Array, file: string, visit: (content: PackedFile) => void): CheckedPackage {
  const findings = new Findings(file);
  const thrown: Diagnostic[] = [];
  const attempt = <T>(run: () => T): T | null => {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      thrown.push(...error.diagnostics);
      return null;
    }
  };
  const open = attempt(() => openPackage(bytes, file));
  if (open === null) return { open, diagnostics: thrown };
  checkNames(open, findings);
  const size = open.bytes.length;
  if (open.statedSize !== size) {
    const at = bytes.length - 4;
    findings.report(
      'UC3902',
      'size',
      `byte ${at}: package states another size than it has: ${open.statedSize} is stated, the package has ${size} bytes`,
    );
  }
  if (isUnpackable(open, findings)) {
    const extents = checkExtents(open, findings, attempt);
    if (extents !== null) checkContents(open, extents, findings, attempt, visit);
  }
  return { open, diagnostics: [...thrown, ...findings.list()] };
}

/** A package can have a million damaged entries. */
const MAX_DAMAGED = 8;

type Attempt = <T>(run: () => T) => T | null;

function checkNames({ entries }: OpenPackage, findings: Findings): void {
  const names = new Set<string>();
  const folded = new Set<string>();
  for (const { name } of entries) {
    const fault = nameFault(name);
    if (fault !== null) findings.report('UC3950', JSON.stringify(name), `the name ${fault}`);
    const lower = name.toLowerCase();
    if (names.has(name)) findings.report('UC3951', name, 'entry of a package twice: the name is there twice');
    else if (folded.has(lower))
      findings.report(
        'UC3985',
        name,
        'entries of a package differ in case alone: another entry has this name in other case',
      );
    names.add(name);
    folded.add(lower);
  }
}

function isUnpackable({ format, entries }: OpenPackage, findings: Findings): boolean {
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (format === 'UPAK' || total <= MAX_UNPACKED_BYTES) return true;
  findings.report(
    'UC3960',
    '',
    `package too large: its entries unpack to ${total} bytes; the limit is ${MAX_UNPACKED_BYTES}`,
  );
  return false;
}

/**
 * Where each entry lies; null if that is wrong for one of them. Nothing behind an entry that goes back is looked at, so that
 * each block is passed once.
 */
function checkExtents(open: OpenPackage, findings: Findings, attempt: Attempt): Extent[] | null {
  const { entries, dataBegin, dataEnd } = open;
  const extents: Extent[] = [];
  let end = dataBegin;
  let areAdjacent = true;
  const misplaced = (name: string, at: number, message: string): void => {
    areAdjacent = false;
    findings.report('UC3902', name, `byte ${at}: entries of a package overlap or leave a gap: ${message}`);
  };
  for (const [i, { name, offset }] of entries.entries()) {
    const extent = attempt(() => entryExtent(open, i));
    if (extent === null) return null;
    if (offset !== end) misplaced(name, offset, `the entry before ends at ${end}`);
    if (offset < end) return null;
    end = extent.end;
    extents.push(extent);
  }
  if (end !== dataEnd) misplaced('', end, `the last entry ends here, the data at ${dataEnd}`);
  // Entries that share bytes would be read again and again.
  return areAdjacent ? extents : null;
}

function checkContents(
  open: OpenPackage,
  extents: readonly Extent[],
  findings: Findings,
  attempt: Attempt,
  visit: (content: PackedFile) => void,
): void {
  let running = 0;
  let damaged = 0;
  for (const [i, { name, checksum }] of open.entries.entries()) {
    const bytes = attempt(() => unpackEntry(open, i, extents[i]));
    if (bytes === null) {
      if (++damaged === MAX_DAMAGED) return;
      continue;
    }
    const found = sdbm(bytes);
    if (found !== checksum)
      findings.report('UC3958', name, `entry with another checksum: checksum ${found}, ${checksum} is stated`);
    running = sdbm(bytes, running);
    visit({ name, bytes });
  }
  if (damaged === 0 && running !== open.checksum) {
    findings.report('UC3958', '', `package with another checksum: checksum ${running}, ${open.checksum} is stated`);
  }
}
