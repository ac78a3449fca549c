// The smallest scene that the command line can cook, built in code.

/**
 * A glTF text of one square of two triangles, `size` metres wide, standing at x = `at`; `image` is the URI of a base
 * colour texture when given.
 */
export function squareGltf(
  options: { readonly at?: number; readonly size?: number; readonly image?: string } = {},
): string {
  const { at = 0, size = 1, image } = options;
  const floats = Float32Array.of(0, 0, 0, size, 0, 0, size, size, 0, 0, size, 0, 0, 1, 1, 1, 1, 0, 0, 0);
  const bytes = Buffer.concat([Buffer.from(floats.buffer), Buffer.from(Uint16Array.of(0, 1, 2, 0, 2, 3).buffer)]);
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [
      { name: 'Day', nodes: [0] },
      { name: 'Night', nodes: [1, 2] },
    ],
    nodes: [
      { name: 'square', mesh: 0, translation: [at, 0, 0] },
      { name: 'left', mesh: 0, translation: [at - 100, 0, 0] },
      { name: 'right', mesh: 0, translation: [at + 100, 0, 0] },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, indices: 2, material: 0 }] }],
    materials: [
      {
        name: 'paint',
        pbrMetallicRoughness: {
          baseColorFactor: [1, 0.5, 0.25, 1],
          ...(image === undefined ? {} : { baseColorTexture: { index: 0 } }),
        },
      },
    ],
    ...(image === undefined ? {} : { textures: [{ source: 0 }], images: [{ uri: image }] }),
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [size, size, 0] },
      { bufferView: 1, componentType: 5126, count: 4, type: 'VEC2' },
      { bufferView: 2, componentType: 5123, count: 6, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 32 },
      { buffer: 0, byteOffset: 80, byteLength: 12 },
    ],
    buffers: [{ byteLength: 92, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
  });
}

/** A PNG of one red texel. */
export const RED_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);

/**
 * With blanks at its end: as much work, by its size, as three sources without (src/library/smallSources.ts), so that a few
 * of them are cooked side by side by several threads.
 */
export const heavy = (gltf: string): string => gltf + ' '.repeat(200_000);
