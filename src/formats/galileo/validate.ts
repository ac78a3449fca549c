// Every rule for a Galileo mesh asset, one code each: what the text asks for, and what its own reader needs so that it
// neither fails nor draws something else.

import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { Findings } from '../findings.ts';
import { type Box, checkBounds, checkGeometry, emptyBox, include } from './checkGeometry.ts';
import { xxh3 } from './checksum.ts';
import { checkExtensions, readExtensions } from './extensions.ts';
import {
  type Group,
  HEADER_BYTES,
  OFFSETS,
  SLICE_ALIGNMENT,
  sliceBytes,
  UUID_VARIANT,
  UUID_VERSION,
} from './layout.ts';
import { groupArrays, indexOrNull, type OpenGalileo, openGalileo } from './open.ts';
import type { GalileoMesh } from './types.ts';

export interface CheckedGalileo {
  /** Null when the file cannot be opened, or a slice does not hold its arrays. */
  readonly mesh: GalileoMesh | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Opens a file and checks all of it; `file` is the name for messages. Throws UC1101 and UC1102 alone. */
export async function checkGalileo(bytes: Uint8Array, file: string): Promise<CheckedGalileo> {
  const findings = new Findings(file);
  const open = openGalileo(bytes, findings);
  if (!open) return { mesh: null, diagnostics: findings.list() };
  checkUuid(open, findings);
  await checkChecksum(open, bytes, findings);
  const areSlicesSound = checkSlices(open, findings);
  checkExtensions(open, findings);
  // Slices in each other would have their bytes read as often as there are groups.
  if (!areSlicesSound) return { mesh: null, diagnostics: findings.list() };
  const mesh: GalileoMesh = {
    uuid: Uint8Array.from(open.header.uuid),
    groups: open.groups.map((group) => groupArrays(group, open.buffer)),
    extensions: readExtensions(open),
    firstExtension: indexOrNull(open.manifest.nextExtension),
  };
  checkGroups(open, mesh, findings);
  return { mesh, diagnostics: findings.list() };
}

/** All findings of a file: errors and warnings, in the order of the checks. Throws UC1101 and UC1102 alone. */
export async function validateGalileo(bytes: Uint8Array, file: string): Promise<readonly Diagnostic[]> {
  return (await checkGalileo(bytes, file)).diagnostics;
}

function checkUuid({ header: { uuid } }: OpenGalileo, findings: Findings): void {
  if ([UUID_VERSION, UUID_VARIANT].every(({ byte, mask, value }) => (uuid[byte] & mask) === value)) return;
  findings.report(
    'UC3514',
    'header',
    `Galileo asset without a UUID of version 4: 16 bytes from byte ${OFFSETS.uuid} on are no UUID of version 4`,
  );
}

async function checkChecksum({ header }: OpenGalileo, bytes: Uint8Array, findings: Findings): Promise<void> {
  const computed = await xxh3(bytes.subarray(HEADER_BYTES));
  if (header.checksum.every((byte, i) => byte === computed[i])) return;
  const hex = (value: ArrayLike<number>) => Buffer.from(Uint8Array.from(value)).reverse().toString('hex');
  const message = `${hex(header.checksum)} at byte ${OFFSETS.checksum}, the body gives ${hex(computed)}`;
  findings.report('UC3505', 'header', message);
}

/** Whether every slice lies in the buffer, holds its arrays and shares no byte with another. */
function checkSlices({ groups, buffer }: OpenGalileo, findings: Findings): boolean {
  let areSound = true;
  const report = (code: 'UC3501' | 'UC3510', place: string, message: string) => {
    areSound = false;
    findings.report(code, place, message);
  };
  if (groups.length === 0)
    findings.report('UC3510', 'manifest', 'Galileo mesh without a vertex group: it counts no vertex group');
  let expected = 0;
  for (const [i, group] of groups.entries()) {
    const place = `groups/${i}`;
    const { sliceBegin, sliceSize } = group;
    const end = sliceBegin + sliceSize;
    const needed = sliceBytes(group);
    if (end > buffer.length) {
      report(
        'UC3501',
        place,
        `slice beyond the buffer of a Galileo mesh: bytes ${sliceBegin} to ${end} of a buffer of ${buffer.length}`,
      );
    } else if (sliceSize < needed) {
      report('UC3501', place, `slice shorter than its arrays: ${sliceSize} bytes, its arrays take ${needed}`);
    } else if (sliceSize > needed && group.extensionChannels === 0) {
      findings.report('UC3510', place, `slice longer than its arrays: ${sliceSize} bytes, its arrays take ${needed}`);
    }
    if (sliceBegin % SLICE_ALIGNMENT !== 0)
      findings.report(
        'UC3530',
        place,
        `slice of a Galileo mesh not aligned to 4 bytes: begins at byte ${sliceBegin} of the buffer`,
      );
    if (sliceBegin !== expected) {
      findings.report(
        'UC3530',
        place,
        `groups of a Galileo mesh are not one after another: begins at byte ${sliceBegin} of the buffer, groups before end at ${expected}`,
      );
    }
    expected = end;
    if (group.extensionChannels > 0 && group.nextExtension === 0) {
      findings.report(
        'UC3510',
        place,
        `attributes of an extension that is not named: ${group.extensionChannels} channels, and no extension in the group's chain`,
      );
    }
  }
  const order = groups.map((_, i) => i).filter((i) => groups[i].sliceSize > 0);
  order.sort((a, b) => groups[a].sliceBegin - groups[b].sliceBegin);
  for (const [at, i] of order.slice(1).entries()) {
    const before = groups[order[at]];
    const end = before.sliceBegin + before.sliceSize;
    if (groups[i].sliceBegin >= end) continue;
    report(
      'UC3510',
      `groups/${i}`,
      `slices of a Galileo mesh overlap: begins at byte ${groups[i].sliceBegin}, group ${order[at]} ends at ${end}`,
    );
  }
  return areSound;
}

/** Each group by itself, then the box of the mesh around all of them. */
function checkGroups({ manifest, groups }: OpenGalileo, mesh: GalileoMesh, findings: Findings): void {
  const all: Box = emptyBox();
  let areFinite = true;
  for (const [i, group] of mesh.groups.entries()) {
    const place = `groups/${i}`;
    checkIndices(groups[i], group.indices, place, findings);
    const box = checkGeometry(group, place, findings);
    if (box === null) areFinite = false;
    else {
      checkBounds(groups[i], box, place, findings);
      include(all, box);
    }
  }
  if (areFinite) checkBounds(manifest, all, 'manifest', findings);
}

function checkIndices(
  { indexCount, vertexCount }: Group,
  indices: Uint32Array,
  place: string,
  findings: Findings,
): void {
  if (indexCount === 0 || indexCount % 3 !== 0)
    findings.report('UC3510', place, `indices of a Galileo mesh make no triangles: ${indexCount} indices`);
  const at = indices.findIndex((index) => index >= vertexCount);
  if (at >= 0)
    findings.report(
      'UC3513',
      place,
      `index beyond the vertices of its group: index ${at} is ${indices[at]}, the group has ${vertexCount} vertices`,
    );
}
