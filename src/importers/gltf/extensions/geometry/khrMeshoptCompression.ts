// KHR_meshopt_compression and its first name EXT_meshopt_compression: buffer views that are compressed with meshopt. The
// newer name adds version 1 of the vertex codec and the colour filter; the decoder reads both alike.

import type { MeshoptView } from '../../data/meshoptDecoder.ts';
import { type Element, quote } from '../../document/element.ts';
import type { Extension } from '../extension.ts';
import { EXT_MESHOPT_COMPRESSION } from './extMeshoptCompression.ts';

const NAME = 'KHR_meshopt_compression';

export const KHR_MESHOPT_COMPRESSION: Extension = {
  name: NAME,
  support: 'full',
  effect: 'Buffer views are decompressed.',
  codes: ['UC1317'],
};

/** How a buffer view is compressed, null when it is not. UC1307, UC1308, UC1311, UC1317. */
export function meshoptOf(view: Element, viewBytes: number, bufferBytes: readonly number[]): MeshoptView | null {
  const ext = view.extension(EXT_MESHOPT_COMPRESSION.name) ?? view.extension(NAME);
  return ext && parseView(ext, viewBytes, bufferBytes);
}

/** Parses and checks the extension's object (KHR_meshopt_compression, "JSON schema updates"). */
function parseView(ext: Element, viewBytes: number, bufferBytes: readonly number[]): MeshoptView {
  const buffer = ext.index('buffer', bufferBytes.length, 'buffers');
  if (buffer < 0) ext.fail('UC1307', 'buffer is missing');
  const byteOffset = ext.integer('byteOffset', 0);
  const byteLength = ext.integer('byteLength', null, 1);
  const byteStride = ext.integer('byteStride', null, 1, 256);
  const count = ext.integer('count', null, 0, 2 ** 32 - 1);
  const mode = ext.string('mode') ?? '';
  const filter = ext.string('filter') ?? 'NONE';
  if (byteOffset + byteLength > bufferBytes[buffer]) {
    ext.fail('UC1311', `bytes ${byteOffset} to ${byteOffset + byteLength} of a buffer of ${bufferBytes[buffer]}`);
  }
  const broken = (rule: string) => ext.fail('UC1317', rule);
  if (mode === 'ATTRIBUTES') {
    if (byteStride % 4 !== 0) broken(`byteStride ${byteStride} is not a multiple of 4`);
    if (!['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'].includes(filter)) {
      broken(`filter ${quote(filter)} is unknown`);
    }
    if ((filter === 'OCTAHEDRAL' || filter === 'COLOR') && byteStride !== 4 && byteStride !== 8) {
      broken(`filter ${filter} needs a byteStride of 4 or 8`);
    }
    if (filter === 'QUATERNION' && byteStride !== 8) broken('filter QUATERNION needs a byteStride of 8');
  } else if (mode === 'TRIANGLES' || mode === 'INDICES') {
    if (byteStride !== 2 && byteStride !== 4) broken(`mode ${mode} needs a byteStride of 2 or 4`);
    if (filter !== 'NONE') broken(`mode ${mode} takes no filter`);
    if (mode === 'TRIANGLES' && count % 3 !== 0) broken(`count ${count} is not a multiple of 3`);
  } else {
    broken(`mode ${quote(mode)} is unknown`);
  }
  if (byteStride * count !== viewBytes)
    broken(`${count} elements of ${byteStride} bytes do not make ${viewBytes} bytes`);
  return { path: ext.path, buffer, byteOffset, byteLength, byteStride, count, mode, filter };
}
