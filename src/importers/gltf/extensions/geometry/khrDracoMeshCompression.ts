// KHR_draco_mesh_compression: the faces and attributes of a primitive, compressed together. The header of the data is
// read with the JSON, so that all counts are known before anything is decoded.

import { fail } from '../../../../diagnostics/diagnostic.ts';
import { type DracoSize, dracoSize } from '../../../../formats/draco/header.ts';
import type { Accessor } from '../../data/accessors.ts';
import type { Buffers } from '../../data/buffers.ts';
import type { Element } from '../../document/element.ts';
import type { Extension } from '../extension.ts';

const NAME = 'KHR_draco_mesh_compression';

export const KHR_DRACO_MESH_COMPRESSION: Extension = {
  name: NAME,
  support: 'full',
  effect: 'Primitives are decompressed, whether or not the file also holds them uncompressed.',
  codes: ['UC1316', 'UC1318'],
};

export interface DracoDef extends DracoSize {
  readonly view: number;
  /** The attribute's id in the Draco data, by semantic. */
  readonly ids: ReadonlyMap<string, number>;
}

/** The Draco data of a primitive with these attributes, null when it has none. UC1307, UC1308, UC1316, UC1318. */
export function dracoOf(
  primitive: Element,
  attributes: ReadonlyMap<string, number>,
  buffers: Buffers,
): DracoDef | null {
  const ext = primitive.extension(NAME);
  if (!ext) return null;
  const view = ext.index('bufferView', buffers.views.length, 'bufferViews');
  if (view < 0) ext.fail('UC1307', 'bufferView is missing');
  const ids = ext.required('attributes').allIndices(2 ** 31, 'Draco attributes');
  for (const semantic of ids.keys()) {
    if (!attributes.has(semantic)) ext.fail('UC1318', `${semantic} is not an attribute of the primitive`);
  }
  const size = dracoSize(buffers.view(view), (code, message) => fail(code, ext.file, ext.path, message));
  return { view, ids, ...size };
}

/** Compares the header with the accessors: UC1318. `indices` is null unless the primitive is a list of indexed triangles. */
export function checkDraco(primitive: Element, draco: DracoDef, position: Accessor, indices: Accessor | null): void {
  const { faces, maxVertices } = draco;
  if (indices && indices.count !== faces * 3) {
    primitive.fail('UC1318', `the Draco data has ${faces} faces, but ${indices.path} has ${indices.count} indices`);
  }
  if (position.count > maxVertices) {
    primitive.fail(
      'UC1318',
      `${position.path} has ${position.count} vertices, the Draco data has ${maxVertices} at most`,
    );
  }
}
