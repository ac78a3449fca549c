// A generated landscape as GLB: `patches` x `patches` meshes on a 100 m square, normals and UVs, no textures. The same
// bytes on every machine.

export interface TerrainOptions {
  triangles: number;
  patches: number;
}

const EDGE = 100;

function height(x: number, z: number): number {
  return (
    2 * Math.sin(x * 0.13) * Math.cos(z * 0.11) +
    0.35 * Math.sin(x * 0.7 + z * 0.5) +
    0.06 * Math.sin(x * 3.1) * Math.cos(z * 2.7)
  );
}

/** The GLB and the exact number of its triangles, which is `triangles` or a little less. */
export function terrainGlb({ triangles, patches }: TerrainOptions): { glb: Buffer; triangles: number } {
  const quads = Math.max(1, Math.floor(Math.sqrt(triangles / 2) / patches));
  const side = quads + 1;
  const vertices = side * side;
  const perPatch = vertices * 32 + quads * quads * 6 * 4;
  const bin = new ArrayBuffer(perPatch * patches * patches);
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  const meshes: object[] = [];
  const nodes: object[] = [];
  let at = 0;
  const view = (byteLength: number) => {
    bufferViews.push({ buffer: 0, byteOffset: at, byteLength });
    at += byteLength;
    return bufferViews.length - 1;
  };
  for (let p = 0; p < patches * patches; p++) {
    const x0 = ((p % patches) * EDGE) / patches - EDGE / 2;
    const z0 = (Math.floor(p / patches) * EDGE) / patches - EDGE / 2;
    const step = EDGE / patches / quads;
    const positions = new Float32Array(bin, at, vertices * 3);
    const normals = new Float32Array(bin, at + vertices * 12, vertices * 3);
    const uvs = new Float32Array(bin, at + vertices * 24, vertices * 2);
    const indices = new Uint32Array(bin, at + vertices * 32, quads * quads * 6);
    const min = [Infinity, Infinity, Infinity];
    const max = [-Infinity, -Infinity, -Infinity];
    for (let j = 0, v = 0; j < side; j++) {
      for (let i = 0; i < side; i++, v++) {
        const x = x0 + i * step;
        const z = z0 + j * step;
        const dx = (height(x + 0.01, z) - height(x - 0.01, z)) / 0.02;
        const dz = (height(x, z + 0.01) - height(x, z - 0.01)) / 0.02;
        const length = Math.hypot(dx, 1, dz);
        positions.set([x, height(x, z), z], v * 3);
        normals.set([-dx / length, 1 / length, -dz / length], v * 3);
        uvs.set([i / quads, j / quads], v * 2);
        for (let c = 0; c < 3; c++) {
          min[c] = Math.min(min[c], positions[v * 3 + c]);
          max[c] = Math.max(max[c], positions[v * 3 + c]);
        }
      }
    }
    for (let j = 0, n = 0; j < quads; j++) {
      for (let i = 0; i < quads; i++) {
        const a = j * side + i;
        for (const k of [a, a + side, a + 1, a + 1, a + side, a + side + 1]) indices[n++] = k;
      }
    }
    const first = accessors.length;
    accessors.push(
      { bufferView: view(vertices * 12), componentType: 5126, count: vertices, type: 'VEC3', min, max },
      { bufferView: view(vertices * 12), componentType: 5126, count: vertices, type: 'VEC3' },
      { bufferView: view(vertices * 8), componentType: 5126, count: vertices, type: 'VEC2' },
      { bufferView: view(indices.byteLength), componentType: 5125, count: indices.length, type: 'SCALAR' },
    );
    const attributes = { POSITION: first, NORMAL: first + 1, TEXCOORD_0: first + 2 };
    meshes.push({ primitives: [{ attributes, indices: first + 3, material: p % 4 }] });
    nodes.push({ name: `Patch_${p}`, mesh: p });
  }
  const json = Buffer.from(
    JSON.stringify({
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: nodes.map((_, i) => i) }],
      nodes,
      meshes,
      materials: [0.2, 0.4, 0.6, 0.8].map((g, i) => ({
        name: `Soil_${i}`,
        pbrMetallicRoughness: { baseColorFactor: [0.3, g, 0.2, 1], metallicFactor: 0, roughnessFactor: 0.9 },
      })),
      accessors,
      bufferViews,
      buffers: [{ byteLength: bin.byteLength }],
    }),
  );
  const padding = (4 - (json.length % 4)) % 4;
  const head = Buffer.alloc(20);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(28 + json.length + padding + bin.byteLength, 8);
  head.writeUInt32LE(json.length + padding, 12);
  head.write('JSON', 16, 'latin1');
  const binHead = Buffer.alloc(8);
  binHead.writeUInt32LE(bin.byteLength, 0);
  binHead.write('BIN\0', 4, 'latin1');
  const glb = Buffer.concat([head, json, Buffer.alloc(padding, 0x20), binHead, Buffer.from(bin)]);
  return { glb, triangles: quads * quads * 2 * patches * patches };
}
