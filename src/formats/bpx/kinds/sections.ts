// What the readers of all kinds need of a container: its sections by type and by number, TypeExt as a record, and the flags that
// two kinds have.

import type { Findings } from '../../findings.ts';
import { decodeRecord, type RecordKind, type RecordOf } from '../../untold/container/layout.ts';
import { LAYOUT_VERSION, LAYOUTS, type SectionType } from '../container/layout.ts';
import type { BpxContainer, BpxSection } from '../container/open.ts';
import { bytesOf, KNOWN_COMPATIBILITY } from '../records.ts';

export function sectionsOf({ sections }: BpxContainer, { type }: SectionType): BpxSection[] {
  return sections.filter((section) => section.type === type);
}

/** A section whose bytes could be read. */
export type HeldSection = BpxSection & { readonly bytes: Uint8Array };

export const isHeld = (section: BpxSection): section is HeldSection => section.bytes !== null;

/** The first section of a type that can be read; null: there is none. */
export function sectionOf(container: BpxContainer, type: SectionType): HeldSection | null {
  return sectionsOf(container, type).find(isHeld) ?? null;
}

/** The record at `at`; the bytes must hold it. */
export function recordAt<R extends RecordKind>(kind: R, bytes: Uint8Array, at = 0): RecordOf<R> {
  return decodeRecord(kind, LAYOUT_VERSION, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), at);
}

/** Null, with UC3601, for a section that is shorter than its header. */
export function headerOf<R extends RecordKind>(
  kind: R,
  { place, bytes, pointer }: HeldSection,
  findings: Findings,
): RecordOf<R> | null {
  if (bytes.length >= bytesOf(kind)) return recordAt(kind, bytes);
  findings.report(
    'UC3601',
    place,
    `section has not the bytes that its counts ask for: ${bytes.length} bytes from byte ${pointer} of the file on, its header takes ${bytesOf(kind)}`,
  );
  return null;
}

/** Whether a section has exactly the bytes that its counts ask for; if not, UC3601. */
export function hasLength({ place, bytes, pointer }: HeldSection, wanted: number, findings: Findings): boolean {
  if (bytes.length === wanted) return true;
  findings.report(
    'UC3601',
    place,
    `section has not the bytes that its counts ask for: ${bytes.length} bytes from byte ${pointer} of the file on, its counts ask for ${wanted}`,
  );
  return false;
}

/** TypeExt as a record, with its reserved bytes checked. */
export function typeExtOf<R extends RecordKind>(kind: R, { typeExt }: BpxContainer, findings: Findings): RecordOf<R> {
  const values = recordAt(kind, typeExt);
  const { reserved } = values as { readonly reserved?: readonly number[] };
  if (reserved?.some((byte) => byte !== 0))
    findings.report('UC3610', 'header', `reserved bytes of TypeExt are not 0: TypeExt ends with ${reserved.join(' ')}`);
  return values;
}

export function checkCompatibility(flags: number, findings: Findings): void {
  if ((flags & ~KNOWN_COMPATIBILITY) !== 0)
    findings.report('UC3610', 'header', `unknown compatibility flags: flags ${flags} in TypeExt`);
}

/** The section that a reference names; null, with UC3624, when it is none of that type. */
export function referred(
  container: BpxContainer,
  number: number,
  type: SectionType,
  place: string,
  findings: Findings,
): BpxSection | null {
  const section = container.sections[number - LAYOUTS[container.layout].firstSection];
  if (section === undefined) {
    findings.report(
      'UC3624',
      place,
      `reference to a section that there is not: section ${number} of ${container.sections.length}`,
    );
    return null;
  }
  if (section.type === type.type) return section;
  findings.report(
    'UC3624',
    place,
    `reference to a section of another type: section ${number} is of type ${section.type}, not ${type.name}`,
  );
  return null;
}

/** What is wrong with a path that readers make files of; null: nothing. */
export function pathFault(path: string): string | null {
  if (path === '') return 'is empty';
  if (path.startsWith('/')) return 'is absolute';
  if (/[\\:\0]/.test(path)) return 'has a backslash, a colon or a NUL';
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..')) return 'has an empty part, . or ..';
  return null;
}

/** UC3681 and UC3621 for paths that are no names of files of a package. */
export class PathCheck {
  readonly #findings: Findings;
  readonly #seen = new Set<string>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  check(path: string, place: string): void {
    const fault = pathFault(path);
    if (fault !== null) this.#findings.report('UC3681', place, `${JSON.stringify(path)} ${fault}`);
    if (this.#seen.has(path))
      this.#findings.report('UC3621', place, `path of a package comes twice: ${JSON.stringify(path)}`);
    this.#seen.add(path);
  }
}
