// Writes a character as a GLB: one mesh of a primitive for each part, a skin, and its clips.

import type { Character, CharacterJoint } from './character.ts';
import { glbOf } from './gltf.ts';

const FLOAT = 5126;
const USHORT = 5123;
const UBYTE = 5121;

export function writeCharacterGlb({ name, materials, joints, parts, clips }: Character): Buffer {
  const pieces: Buffer[] = [];
  let size = 0;
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  const put = (
    array: Float32Array | Uint16Array | Uint8Array,
    type: string,
    width: number,
    target?: number,
  ): number => {
    const bytes = Buffer.from(array.buffer);
    const padding = (4 - (size % 4)) % 4;
    pieces.push(Buffer.alloc(padding), bytes);
    size += padding;
    bufferViews.push({ buffer: 0, byteOffset: size, byteLength: bytes.length, ...(target ? { target } : {}) });
    size += bytes.length;
    const componentType = array instanceof Float32Array ? FLOAT : array instanceof Uint16Array ? USHORT : UBYTE;
    const column = (k: number) => [...array].filter((_, i) => i % width === k);
    const range = (pick: (...values: number[]) => number) =>
      Array.from({ length: width }, (_, k) => pick(...column(k)));
    // Asked for of positions and of times.
    const bounds = (type === 'VEC3' || type === 'SCALAR') && componentType === FLOAT;
    accessors.push({
      bufferView: bufferViews.length - 1,
      componentType,
      count: array.length / width,
      type,
      ...(bounds ? { min: range(Math.min), max: range(Math.max) } : {}),
    });
    return accessors.length - 1;
  };
  const floats = (rows: readonly (readonly number[])[], type: string, target?: number) =>
    put(Float32Array.from(rows.flat()), type, rows[0].length, target);

  const indexOf = (joint: string | null) => joints.findIndex((one) => one.name === joint);
  const primitives = parts.map((part) => {
    const four = part.influences.map((influences) => Array.from({ length: 4 }, (_, k) => influences[k] ?? null));
    const numbers = four.flatMap((row) => row.map((one) => (one ? indexOf(one[0]) : 0)));
    const weights = four.map((row) => row.map((one) => one?.[1] ?? 0));
    return {
      attributes: {
        POSITION: floats(part.positions, 'VEC3', 34962),
        NORMAL: floats(part.normals, 'VEC3', 34962),
        TEXCOORD_0: floats(
          part.uvs.map(([u, v]) => [u, 1 - v]),
          'VEC2',
          34962,
        ),
        JOINTS_0: put(Uint8Array.from(numbers), 'VEC4', 4, 34962),
        WEIGHTS_0: floats(weights, 'VEC4', 34962),
      },
      indices: put(Uint16Array.from(part.triangles.flat()), 'SCALAR', 1, 34963),
      material: materials.findIndex((material) => material.name === part.material),
    };
  });

  // Nodes: the character, its mesh, then the joints.
  const FIRST = 2;
  const placeOf = ({ parent, place }: CharacterJoint) => {
    const [x, y, z] = parent === null ? [0, 0, 0] : joints[indexOf(parent)].place;
    return [place[0] - x, place[1] - y, place[2] - z];
  };
  const jointNodes = joints.map((joint) => {
    const children = joints.flatMap(({ parent }, i) => (parent === joint.name ? [FIRST + i] : []));
    return { name: joint.name, translation: placeOf(joint), ...(children.length > 0 ? { children } : {}) };
  });
  const inverse = joints.map(({ place: [x, y, z] }) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]);
  const skin = {
    name,
    inverseBindMatrices: floats(inverse, 'MAT4'),
    joints: joints.map((_, i) => FIRST + i),
    skeleton: FIRST,
  };

  const animations = clips.map((clip) => {
    const input = put(Float32Array.from(clip.times), 'SCALAR', 1);
    const samplers: object[] = [];
    const channels: object[] = [];
    const channel = (joint: string, path: string, output: number) => {
      channels.push({ sampler: samplers.length, target: { node: FIRST + indexOf(joint), path } });
      samplers.push({ input, output, interpolation: 'LINEAR' });
    };
    for (const { joint, turns, moves } of clip.tracks) {
      channel(joint, 'rotation', floats(turns, 'VEC4'));
      if (!moves) continue;
      const rest = placeOf(joints[indexOf(joint)]);
      const places = moves.map((move) => move.map((value, k) => value + rest[k]));
      channel(joint, 'translation', floats(places, 'VEC3'));
    }
    return { name: clip.name, channels, samplers };
  });

  const bin = Buffer.concat(pieces);
  const json = {
    asset: { version: '2.0', generator: 'untold samples' },
    scene: 0,
    scenes: [{ name, nodes: [0] }],
    nodes: [{ name, children: [1, FIRST] }, { name: `${name}Body`, mesh: 0, skin: 0 }, ...jointNodes],
    meshes: [{ name: `${name}Body`, primitives }],
    skins: [skin],
    materials: materials.map(({ name: own, baseColor, metallic, roughness }) => ({
      name: own,
      pbrMetallicRoughness: { baseColorFactor: baseColor, metallicFactor: metallic, roughnessFactor: roughness },
    })),
    animations,
    accessors,
    bufferViews,
    buffers: [{ byteLength: bin.length }],
  };
  return glbOf(json, bin);
}
