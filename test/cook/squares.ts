// A scene with work for several threads: nine squares, one for each tile of 30 m.

import { glb } from '../importers/gltf/build.ts';

const SIDE = 40;

/** A wavy square of 3,042 triangles, 30 m wide; with `bad` positions that no float32 holds once it is placed. */
function waves(): { positions: Float32Array; indices: Uint32Array } {
  const positions = new Float32Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const x = ((i % SIDE) / (SIDE - 1)) * 30;
    const z = (Math.floor(i / SIDE) / (SIDE - 1)) * 30;
    positions.set([x, Math.sin(x) + Math.cos(z * 1.3), z], i * 3);
  }
  const indices: number[] = [];
  for (let z = 0; z < SIDE - 1; z++) {
    for (let x = 0; x < SIDE - 1; x++) {
      const a = z * SIDE + x;
      indices.push(a, a + SIDE, a + 1, a + 1, a + SIDE, a + SIDE + 1);
    }
  }
  return { positions, indices: Uint32Array.from(indices) };
}

/** Nine squares side by side: meshes 0, 1 and 2 in turn; mesh 1 has a sliver, and the node numbers `bad` a bad scale. */
export function squares(bad: readonly number[] = []): Uint8Array {
  const { positions, indices } = waves();
  const sliver = Uint32Array.from([...indices, 0, 1, 1]);
  const bytes = [positions, indices, sliver].map((array) => Buffer.from(array.buffer));
  const offsets = [0, bytes[0].length, bytes[0].length + bytes[1].length];
  const json = {
    asset: { version: '2.0' },
    scenes: [{ nodes: [0, 1, 2, 3, 4, 5, 6, 7, 8] }],
    nodes: Array.from({ length: 9 }, (_, i) => ({
      name: `Square_${i}`,
      mesh: i % 3,
      translation: [(i % 3) * 30, 0, Math.floor(i / 3) * 30],
      ...(bad.includes(i) ? { scale: [1, 0, 1] } : {}),
    })),
    meshes: [0, 1, 2].map((i) => ({
      name: `Wave_${i}`,
      primitives: [{ attributes: { POSITION: 0 }, indices: i === 1 ? 2 : 1, material: i }],
    })),
    materials: [0.2, 0.5, 0.8].map((g, i) => ({
      name: `Green_${i}`,
      pbrMetallicRoughness: { baseColorFactor: [0.1, g, 0.1, 1] },
    })),
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: SIDE * SIDE,
        type: 'VEC3',
        min: [0, -2, 0],
        max: [30, 2, 30],
      },
      { bufferView: 1, componentType: 5125, count: indices.length, type: 'SCALAR' },
      { bufferView: 2, componentType: 5125, count: sliver.length, type: 'SCALAR' },
    ],
    bufferViews: bytes.map(({ length }, i) => ({ buffer: 0, byteOffset: offsets[i], byteLength: length })),
    buffers: [{ byteLength: bytes.reduce((sum, { length }) => sum + length, 0) }],
  };
  return glb(json, new Uint8Array(Buffer.concat(bytes)));
}
