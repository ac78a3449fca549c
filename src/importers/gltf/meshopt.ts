// Buffer views compressed with meshopt: EXT_meshopt_compression and its successor KHR_meshopt_compression (vertex codec
// version 1, colour filter), which the decoder of the meshoptimizer package reads alike. The decoder is called on views
// rather than through a glTF library: libraries refuse the KHR name, and once decoded a view is read like any other.

import type { MeshoptDecoder } from 'meshoptimizer';
import { type Element, quote } from './element.ts';

export interface MeshoptView {
  readonly path: string;
  readonly buffer: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly byteStride: number;
  readonly count: number;
  readonly mode: string;
  readonly filter: string;
}

/** One view above this does not fit the decoder's memory beside its input. */
const MAX_VIEW_BYTES = 2 ** 30;
const VERTEX_BLOCK_BYTES = 8192;
const VERTEX_BLOCK_MAX = 256;
const VERTEX_VERSION_1 = 0xa1;

/** Parses and checks the extension's object (KHR_meshopt_compression, "JSON schema updates"). UC1317, UC1308, UC1311. */
export function parseMeshopt(ext: Element, viewBytes: number, bufferBytes: readonly number[]): MeshoptView {
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

/** The fewest bytes that can encode a view, from the bitstream's fixed parts (KHR_meshopt_compression, Appendix A). */
function leastBytes(view: MeshoptView, header: number): number {
  if (view.mode === 'TRIANGLES') return 1 + view.count / 3 + 16;
  if (view.mode === 'INDICES') return 1 + view.count + 4;
  const stride = view.byteStride;
  const blockElements = Math.min(Math.floor(VERTEX_BLOCK_BYTES / stride) & ~15, VERTEX_BLOCK_MAX);
  const blocks = Math.ceil(view.count / blockElements);
  if (header === VERTEX_VERSION_1) return 1 + blocks * (stride / 4) + Math.max(24, stride + stride / 4);
  const fullBlocks = Math.floor(view.count / blockElements);
  return 1 + fullBlocks * stride * Math.ceil(blockElements / 64) + Math.max(32, stride);
}

/** Decodes a view into memory of its own. UC1316 before anything is allocated for what `source` cannot hold; UC1317. */
export function decodeMeshopt(
  decoder: typeof MeshoptDecoder,
  view: MeshoptView,
  source: Uint8Array,
  fail: (code: 'UC1316' | 'UC1317', message: string) => never,
): Uint8Array {
  const size = view.count * view.byteStride;
  if (leastBytes(view, source[0]) > source.length || size > MAX_VIEW_BYTES) {
    return fail('UC1316', `${view.count} elements of ${view.byteStride} bytes cannot stand in ${source.length} bytes`);
  }
  const target = new Uint8Array(size);
  if (view.count === 0) return target;
  try {
    decoder.decodeGltfBuffer(target, view.count, view.byteStride, source, view.mode, view.filter);
  } catch {
    return fail('UC1317', `${source.length} bytes in mode ${view.mode} with filter ${view.filter} do not decode`);
  }
  return target;
}
