// Decodes buffer views that are compressed with meshopt. The decoder of meshoptimizer is called directly: glTF libraries
// refuse the name KHR_meshopt_compression, and a decoded view is read like any other.

import type { MeshoptDecoder } from 'meshoptimizer';

/** The parameters of one compressed view, checked when they were parsed. */
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

/** A larger view does not fit into the memory of the decoder together with its input. */
const MAX_VIEW_BYTES = 2 ** 30;
const VERTEX_BLOCK_BYTES = 8192;
const VERTEX_BLOCK_MAX = 256;
const VERTEX_VERSION_1 = 0xa1;

/** The fewest bytes that can encode a view, from the bitstream's fixed parts (KHR_meshopt_compression, Appendix A). */
function minBytes(view: MeshoptView, header: number): number {
  if (view.mode === 'TRIANGLES') return 1 + view.count / 3 + 16;
  if (view.mode === 'INDICES') return 1 + view.count + 4;
  const stride = view.byteStride;
  const blockElements = Math.min(Math.floor(VERTEX_BLOCK_BYTES / stride) & ~15, VERTEX_BLOCK_MAX);
  const blocks = Math.ceil(view.count / blockElements);
  if (header === VERTEX_VERSION_1) return 1 + blocks * (stride / 4) + Math.max(24, stride + stride / 4);
  const fullBlocks = Math.floor(view.count / blockElements);
  return 1 + fullBlocks * stride * Math.ceil(blockElements / 64) + Math.max(32, stride);
}

/** Decodes a view into memory of its own. UC1316, before any allocation, when `source` is too short for it; UC1317. */
export function decodeMeshopt(
  decoder: typeof MeshoptDecoder,
  view: MeshoptView,
  source: Uint8Array,
  fail: (code: 'UC1316' | 'UC1317', message: string) => never,
): Uint8Array {
  const size = view.count * view.byteStride;
  if (minBytes(view, source[0]) > source.length || size > MAX_VIEW_BYTES) {
    return fail(
      'UC1316',
      `${view.count} elements of ${view.byteStride} bytes cannot be encoded in ${source.length} bytes`,
    );
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
