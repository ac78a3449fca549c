// KHR_draco_mesh_compression of the primitives that it suits. A primitive with morph targets stays as it is: Draco has no place
// for targets and rounds the points that they move.

import { type Document, Primitive, type WriterContext } from '@gltf-transform/core';
import { KHRDracoMeshCompression } from '@gltf-transform/extensions';
import { loadLibrary } from '../../diagnostics/environment.ts';
import { DRACO_BITS } from './layout.ts';

/** Primitives with morph targets, and those that share an accessor with one: an accessor is compressed in all places or in none. */
function plainPrimitives(document: Document): readonly Primitive[] {
  const primitives = document
    .getRoot()
    .listMeshes()
    .flatMap((mesh) => mesh.listPrimitives());
  const accessorsOf = (primitive: Primitive) => [primitive.getIndices(), ...primitive.listAttributes()];
  const plain = new Set(primitives.filter((primitive) => primitive.listTargets().length > 0));
  const open = [...plain];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    for (const user of accessorsOf(one).flatMap((accessor) => accessor?.listParents() ?? [])) {
      if (!(user instanceof Primitive) || plain.has(user)) continue;
      plain.add(user);
      open.push(user);
    }
  }
  return [...plain];
}

export class DracoPrimitives extends KHRDracoMeshCompression {
  override prewrite(...args: [WriterContext, never]): this {
    // The extension passes over what is no list of triangles, and asks nothing else.
    const plain = plainPrimitives(this.document);
    for (const primitive of plain) primitive.setMode(Primitive.Mode.POINTS);
    super.prewrite(...args);
    for (const primitive of plain) primitive.setMode(Primitive.Mode.TRIANGLES);
    return this;
  }
}

/** Has the geometry of a document compressed. Returns what the writer needs for it. UC1101 when the encoder cannot be loaded. */
export async function addDraco(document: Document): Promise<{ readonly 'draco3d.encoder': object }> {
  document
    .createExtension(DracoPrimitives)
    .setRequired(true)
    // The slowest speeds give the smallest files.
    .setEncoderOptions({ encodeSpeed: 0, decodeSpeed: 0, quantizationBits: { ...DRACO_BITS } });
  const encoder = await loadLibrary('draco3dgltf', async () =>
    (await import('draco3dgltf')).default.createEncoderModule(),
  );
  return { 'draco3d.encoder': encoder };
}
