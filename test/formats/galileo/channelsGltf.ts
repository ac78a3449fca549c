// A glTF of one triangle that has every channel of a Galileo mesh: two sets of texture coordinates, three of colours, joints and
// weights of a skeleton of two joints.

const FLOAT = 5126;
const SHORT = 5123;
const BYTE = 5121;
const TYPES = { 2: 'VEC2', 3: 'VEC3', 4: 'VEC4' } as const;

type Column = readonly [Float32Array | Uint16Array | Uint8Array, 1 | 2 | 3 | 4];

/** Counter-clockwise seen from +Y. V as glTF has it: down. */
const VERTICES: Readonly<Record<string, Column>> = {
  POSITION: [Float32Array.of(1, 5, 0, 1, 5, 3, 2, 5, 0), 3],
  NORMAL: [Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0), 3],
  TANGENT: [Float32Array.of(0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, 1), 4],
  TEXCOORD_0: [Float32Array.of(0, 1, 1, 1, 0.25, 0.25), 2],
  TEXCOORD_1: [Float32Array.of(0.5, 0, 0, 0.5, 1, 1), 2],
  COLOR_0: [Uint8Array.of(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255), 4],
  COLOR_1: [Uint8Array.of(10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120), 4],
  COLOR_2: [Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), 4],
  JOINTS_0: [Uint16Array.of(1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0), 4],
  WEIGHTS_0: [Float32Array.of(0.75, 0.25, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0), 4],
};

/** `image`: the URI of a base colour texture. `changed`: columns that replace those above, or are there besides. */
export function channelsGltf(image?: string, changed: Readonly<Record<string, Column>> = {}): string {
  const columns = Object.entries({ ...VERTICES, ...changed });
  const parts = [
    ...columns.map(([, [values]]) => values),
    Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, -5, 0, 1),
  ];
  let offset = 0;
  const views = parts.map(({ byteLength }) => {
    const view = { buffer: 0, byteOffset: offset, byteLength };
    offset += byteLength;
    return view;
  });
  const bytes = Buffer.concat(
    parts.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
  const accessors = columns.map(([name, [values, size]], bufferView) => ({
    bufferView,
    componentType: values instanceof Float32Array ? FLOAT : values instanceof Uint16Array ? SHORT : BYTE,
    ...(values instanceof Uint8Array ? { normalized: true } : {}),
    count: 3,
    type: TYPES[size as keyof typeof TYPES],
    ...(name === 'POSITION' ? { min: [1, 5, 0], max: [2, 5, 3] } : {}),
  }));
  return JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes: [
      { name: 'leaf', mesh: 0, skin: 0 },
      { name: 'root', children: [2] },
      { name: 'tip', translation: [1, 5, 0] },
    ],
    skins: [{ name: 'plant', joints: [1, 2], inverseBindMatrices: columns.length }],
    meshes: [
      {
        name: 'leaf',
        primitives: [{ attributes: Object.fromEntries(columns.map(([name], i) => [name, i])), material: 0 }],
      },
    ],
    materials: [{ name: 'green', pbrMetallicRoughness: image === undefined ? {} : { baseColorTexture: { index: 0 } } }],
    ...(image === undefined ? {} : { textures: [{ source: 0 }], images: [{ uri: image }] }),
    accessors: [...accessors, { bufferView: columns.length, componentType: FLOAT, count: 2, type: 'MAT4' }],
    bufferViews: views,
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` }],
  });
}
