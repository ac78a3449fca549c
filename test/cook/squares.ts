// A scene with work for several threads: nine squares, one for each tile of 30 m.

import { glb } from '../importers/gltf/build.ts';

/** A wavy square, 30 m wide, with `side` vertices along each side. */
function waves(side: number): { positions: Float32Array; indices: Uint32Array } {
  const positions = new Float32Array(side * side * 3);
  for (let i = 0; i < side * side; i++) {
    const x = ((i % side) / (side - 1)) * 30;
    const z = (Math.floor(i / side) / (side - 1)) * 30;
    positions.set([x, Math.sin(x) + Math.cos(z * 1.3), z], i * 3);
  }
  const indices: number[] = [];
  for (let z = 0; z < side - 1; z++) {
    for (let x = 0; x < side - 1; x++) {
      const a = z * side + x;
      indices.push(a, a + side, a + 1, a + 1, a + side, a + side + 1);
    }
  }
  return { positions, indices: Uint32Array.from(indices) };
}

/**
 * Nine squares side by side: meshes 0, 1 and 2 in turn; mesh 1 has a sliver, and the node numbers `bad` a bad scale. With 35
 * vertices along its sides a square has 2,312 triangles, so that nine with levels are work for three threads.
 */
export function squares(bad: readonly number[] = [], side = 35): Uint8Array {
  const { positions, indices } = waves(side);
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
        count: side * side,
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
