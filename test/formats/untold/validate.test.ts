// One broken file for every code of the container's chapter. Each is a valid fixture with one thing changed, and must
// give exactly the codes that stand beside it.

import { describe, expect, it } from 'vitest';
import { UNTOLD } from '../../../src/diagnostics/codes/output/untold.ts';
import { checkUntold, validateUntold } from '../../../src/formats/untold/check/validate.ts';
import { packZstd } from '../../../src/formats/untold/container/compress.ts';
import { checkTextures } from '../../../src/formats/untold/textureFiles.ts';
import { UTEX_FLAGS } from '../../../src/formats/utex/layout.ts';
import { FORMAT, texture as utexTexture } from '../utex/textures.ts';
import {
  addChunk,
  chunk,
  concat,
  type Edit,
  f32,
  fixture,
  IDENTITY,
  NONE,
  putTogether,
  setPayload,
  takeApart,
  text,
  u8,
  u16,
  u32,
  u64,
} from './edit.ts';

type Change = (edit: Edit) => void | Uint8Array | Promise<void>;
interface Case {
  readonly codes: readonly string[];
  readonly what: string;
  readonly change: Change;
  readonly base?: string;
}
const cases: Case[] = [];
const broken = (codes: string | readonly string[], what: string, change: Change, base = 'valid-v4-none.untold') =>
  cases.push({ codes: typeof codes === 'string' ? [codes] : codes, what, change, base });

const header =
  (offset: number, bytes: Uint8Array): Change =>
  (edit) =>
    edit.header.set(bytes, offset);
const patch =
  (type: number, offset: number, bytes: Uint8Array): Change =>
  (edit) =>
    chunk(edit, type).bytes.set(bytes, offset);
const [STRING, ENTITY, MESH, MATERIAL, TEXTURE, VERTEX, INDEX] = [1, 2, 3, 4, 5, 6, 7];
/** Place of the second entity, the one with the mesh. */
const QUAD = 136;

// The container.
broken('UC3000', 'another magic', header(5, u8(0x45)));
broken('UC3000', 'an empty file', () => new Uint8Array(0));
broken('UC3001', 'cut off inside the header', (edit) => edit.header.slice(0, 203));
broken('UC3002', 'version 0', header(8, u32(0)));
broken('UC3002', 'version 5', header(8, u32(5)));
broken('UC3003', 'file type 0', header(12, u32(0)));
broken('UC3003', 'file type 6', header(12, u32(6)));
broken('UC3003', 'vertex layout 2', header(44, u32(2)));
broken('UC3003', 'header size 208', header(20, u32(208)));
broken('UC3006', 'mesh count', header(28, u32(2)));
broken('UC3006', 'material count', header(32, u32(0)));
broken('UC3006', 'texture count', header(36, u32(7)));
broken('UC3006', 'entity count', header(40, u32(1)));
broken(['UC3001', 'UC3009', 'UC3016'], '2^32 - 1 chunks in a file without room', (edit) => {
  edit.chunks = [];
  edit.header.fill(0, 28, 44);
  edit.header.fill(0, 52, 76);
  const file = putTogether({ ...edit, keepHash: true });
  file.set(u32(NONE), 24);
  file.fill(0, 140, 172);
  return file;
});
broken('UC3003', 'compression 3', (edit) => {
  const edges = addChunk(edit, 18, u32(0, 1));
  edges.compression = 3;
});
broken('UC3009', 'a chunk at an offset that is no multiple of 16', (edit) => {
  const last = addChunk(edit, 18, u32(0, 1));
  last.offset = 1272;
});
broken('UC3009', 'no index chunk', (edit) => {
  edit.chunks.pop();
});
broken('UC3009', 'an animation without clips', (edit) => {
  edit.header.set(u32(5), 12);
});
broken('UC3001', 'a chunk one byte longer than the file', (edit) => {
  const last = addChunk(edit, 18, u32(0, 1));
  last.compressedSize = 9;
  last.uncompressedSize = 9;
});
broken('UC3001', 'offset and size that overflow 64 bits', (edit) => {
  const file = putTogether({
    ...edit,
    chunks: [...edit.chunks, { type: 18, compression: 0, bytes: u32(0, 1), uncompressedSize: 8, elementCount: 0 }],
  });
  const at = 204 + 7 * 40;
  file.set(concat(u32(0xfffffff0, NONE), u32(0xfffffff0, NONE), u32(0xfffffff0, NONE)), at + 8);
  return file;
});
broken('UC3009', 'the string table twice', (edit) => {
  addChunk(edit, 1, text('other\0'));
});
broken('UC3009', 'a chunk inside another', (edit) => {
  const last = addChunk(edit, 18, new Uint8Array(0));
  last.offset = 544;
  last.bytes = text('x');
  last.uncompressedSize = 1;
});
broken('UC3009', 'a chunk inside the chunk table', (edit) => {
  const last = addChunk(edit, 18, new Uint8Array(0));
  last.offset = 496;
  last.compressedSize = 8;
  last.uncompressedSize = 8;
});
broken('UC3009', 'an uncompressed chunk with two sizes', (edit) => {
  addChunk(edit, 18, u32(0, 1)).uncompressedSize = 4;
});
broken('UC3015', 'one flipped bit in the padding of nothing: an unused string', (edit) => {
  edit.header.set(putTogether(edit).subarray(140, 172), 140);
  edit.keepHash = true;
  // The last byte of the green channel of the first vertex's colour.
  chunk(edit, VERTEX).bytes[29] ^= 1;
});
broken('UC3016', 'a hash of zeros', (edit) => {
  edit.header.fill(0, 140, 172);
  edit.keepHash = true;
});
broken('UC3017', 'a zstd chunk', async (edit) => {
  const vertices = chunk(edit, VERTEX);
  vertices.bytes = (await packZstd(vertices.bytes)) as Uint8Array;
  vertices.compression = 2;
});
const lz4 =
  (block: Uint8Array, size: number): Change =>
  (edit) => {
    const edges = addChunk(edit, 18, block);
    edges.compression = 1;
    edges.uncompressedSize = size;
  };
const helloBlock = concat(u8(0x50), text('hello'));
broken('UC3001', 'an LZ4 block that ends inside its literals', lz4(helloBlock.subarray(0, 3), 5));
broken('UC3001', 'an LZ4 block of 5 bytes for 6', lz4(helloBlock, 6));
broken('UC3001', 'an LZ4 block of 5 bytes for 4', lz4(helloBlock, 4));
broken('UC3009', 'LZ4 of nothing', lz4(u8(0), 0));
broken(['UC3001', 'UC3017'], 'a zstd chunk without a frame', (edit) => {
  const edges = addChunk(edit, 18, text('no frame'));
  edges.compression = 2;
  edges.uncompressedSize = 5;
});
broken('UC3001', 'more than LZ4 can hold', lz4(helloBlock, 6 * 255 + 1));
broken('UC3024', 'more than 2 GiB unpacked', lz4(new Uint8Array(2 ** 23 + 2 ** 20), 2 ** 31));

// Tables.
broken(['UC3006', 'UC3009'], 'more records stated than stored', (edit) => {
  chunk(edit, TEXTURE).elementCount = 2;
});
broken('UC3009', 'surplus bytes after the records', (edit) => {
  const textures = chunk(edit, TEXTURE);
  setPayload(textures, concat(textures.bytes, u32(0)));
});
broken('UC3009', '2^32 - 1 lights in no bytes', (edit) => {
  addChunk(edit, 19, new Uint8Array(0), NONE);
});
const grade = (uri: number, size: number) => concat(u32(uri, size), f32(0, 0, 0, 1, 1, 1));
broken('UC3009', 'two colour grade LUTs', (edit) => {
  addChunk(edit, 22, concat(grade(0, 32), grade(0, 32)), 2);
});
const plugin =
  (bytes: Uint8Array): Change =>
  (edit) => {
    addChunk(edit, 0x8000, bytes);
  };
broken('UC3032', 'a plugin chunk of zeros', plugin(new Uint8Array(16)));
broken('UC3032', 'a plugin chunk shorter than its envelope', plugin(text('UEXT')));
broken('UC3032', 'a plugin chunk of envelope version 2', plugin(concat(text('UEXT'), u16(2, 0), u32(0, 0))));
broken(
  'UC3032',
  'a plugin name longer than the chunk',
  plugin(concat(text('UEXT'), u16(1, 5), u32(0, 0), text('jolt'))),
);
broken('UC3032', 'a plugin name that is not UTF-8', plugin(concat(text('UEXT'), u16(1, 1), u32(0, 0), u8(0xff))));
broken('UC3033', 'a chunk type that nobody knows', (edit) => {
  addChunk(edit, 99, u32(1));
});
broken('UC3034', 'an entity name beyond the string table', patch(ENTITY, 8, u32(57)));
broken('UC3034', 'a texture URI far beyond', patch(TEXTURE, 4, u32(0x80000000)));
broken('UC3034', 'a last string without its zero', (edit) => {
  const strings = chunk(edit, STRING);
  setPayload(strings, strings.bytes.slice(0, -1));
});
broken('UC3036', 'a name of invalid bytes', patch(STRING, 0, u8(0xc0)));
broken('UC3037', 'two thousand names in one endless string', (edit) => {
  const many = 2000;
  setPayload(chunk(edit, STRING), concat(chunk(edit, STRING).bytes, new Uint8Array(many).fill(0x61), u8(0)));
  const record = chunk(edit, TEXTURE).bytes;
  const records = [record];
  for (let i = 0; i < many; i++) records.push(concat(u32(57 + i, 57 + i), record.subarray(8)));
  setPayload(chunk(edit, TEXTURE), concat(...records), many + 1);
  edit.header.set(u32(many + 1), 36);
});

// Fields.
broken('UC3003', 'index type 0', patch(MESH, 12, u32(0)));
broken('UC3003', 'index type 3', patch(MESH, 12, u32(3)));
broken('UC3003', 'texture format 10', patch(TEXTURE, 8, u32(10)));
const light = (type: number, intensity = 5, inner = 5, outer = 10) =>
  concat(
    u32(9, NONE, type, 3),
    f32(1, 1, 1, intensity, 1, 2, 3, 0.5, 0, -1, 0, 0, 1, 0, 0, inner, 0, 0, 1, outer, 1, 1, 5, 0),
    f32(...IDENTITY),
  );
const lights =
  (...records: Uint8Array[]): Change =>
  (edit) => {
    addChunk(edit, 19, concat(...records), records.length);
  };
broken('UC3003', 'light type 0', lights(light(0)));
broken('UC3003', 'light type 5', lights(light(5)));
broken('UC3003', 'alpha mode 3', patch(MATERIAL, 4, u32(3)));
broken('UC3044', 'a header bound that is NaN', header(52, f32(NaN)));
broken('UC3044', 'an infinite roughness', patch(MATERIAL, 44, f32(Infinity)));
broken('UC3044', 'a NaN in a vertex position', patch(VERTEX, 4, f32(NaN)));
broken('UC3044', 'an infinite vertex position', patch(VERTEX, 96, f32(-Infinity)));
broken('UC3044', 'an infinite UV', patch(VERTEX, 22, u16(0x7c00)));
broken('UC3044', 'a NaN in the second UV set', patch(VERTEX, 24, u16(0x7e00)));
broken('UC3044', 'an infinite morph delta', (edit) => {
  addChunk(edit, 24, concat(u32(0), u16(0, 0, 0, 0xfc00, 0, 0)), 1);
});
broken('UC3003', 'a transposed entity matrix', (edit) => {
  // (5, 0, 0) in the last row instead of the last column.
  chunk(edit, ENTITY).bytes.set(f32(5), QUAD + 72 + 3 * 4);
});
broken('UC3003', 'a root transform with W 2', header(76 + 15 * 4, f32(2)));
broken('UC3034', 'both entities with id 1', (edit) => {
  chunk(edit, ENTITY).bytes.set(u32(1), 0);
  chunk(edit, ENTITY).bytes.set(u32(NONE), QUAD + 4);
});
broken('UC3034', 'a parent that is not there', patch(ENTITY, QUAD + 4, u32(7)));
broken(['UC3034', 'UC3100'], 'two entities that are each other’s parents', (edit) => {
  chunk(edit, ENTITY).bytes.set(u32(1), 4);
});
broken('UC3034', 'an entity that is its own parent', patch(ENTITY, 4, u32(0)));
broken('UC3034', 'an entity that claims two of one mesh', (edit) => {
  chunk(edit, ENTITY).bytes.set(u32(1, 1), QUAD + 12);
});
broken('UC3034', 'a range that overflows 32 bits', (edit) => {
  chunk(edit, ENTITY).bytes.set(u32(2, NONE), 12);
});
broken('UC3034', 'a mesh of the other entity', patch(MESH, 0, u32(0)));
broken('UC3034', 'material 1 of 1', patch(MESH, 8, u32(1)));
broken('UC3034', 'texture 1 of 1 in the base colour', patch(MATERIAL, 56, u32(1)));
broken('UC3034', 'texture 3 of 1 as height map', patch(MATERIAL, 80, u32(3)));

// Meshes.
broken(['UC3003', 'UC3006'], 'stride 36', patch(MESH, 24, u32(36)));
broken('UC3006', 'vertex bytes of three vertices for four', patch(MESH, 48, u64(96)));
broken('UC3006', 'index bytes of three indices for six', patch(MESH, 56, u64(6)));
broken('UC3034', 'vertices from byte 32 on', patch(MESH, 32, u64(32)));
broken('UC3034', 'vertices from 2^63 on', patch(MESH, 32, u32(0, 0x80000000)));
broken('UC3034', 'indices from byte 2 on', patch(MESH, 40, u64(2)));
broken('UC3058', 'no indices', (edit) => {
  chunk(edit, MESH).bytes.set(u32(0), 20);
  chunk(edit, MESH).bytes.set(u64(0), 56);
});
broken('UC3006', 'five indices', (edit) => {
  chunk(edit, MESH).bytes.set(u32(5), 20);
  chunk(edit, MESH).bytes.set(u64(10), 56);
});
broken('UC3034', 'index 4 of four vertices', patch(INDEX, 4, u16(4)));
broken('UC3003', 'W 1 in a normal', patch(VERTEX, 12, u32(0x5ff00000)));
broken('UC3003', 'W 00 in a tangent', patch(VERTEX, 32 + 16, u32(0x000001ff)));
broken('UC3003', 'W 10 in a tangent', patch(VERTEX, 32 + 16, u32(0x800001ff)));
const edges =
  (offset: number, count: number, bytes: Uint8Array | null): Change =>
  (edit) => {
    chunk(edit, MESH).bytes.set(u32(offset, count), 72);
    if (bytes) addChunk(edit, 18, bytes);
  };
broken('UC3034', 'edges without their chunk', edges(0, 2, null));
broken('UC3034', 'edges beyond their chunk', edges(2, 4, u16(0, 1, 1, 2)));
broken('UC3006', 'three edge indices', edges(0, 3, u16(0, 1, 2)));
broken('UC3006', 'an edge to vertex 4 of four', edges(0, 2, u16(0, 4)));

// Lights, cameras, LUTs.
broken('UC3065', 'negative intensity', lights(light(1, -1)));
broken('UC3065', 'a cone of 200 degrees', lights(light(3, 5, 5, 200)));
const camera =
  (fov: number, near: number, far: number, aspect: number): Change =>
  (edit) => {
    addChunk(
      edit,
      20,
      concat(u32(9, NONE, 0, 0), f32(4, 5, 6, fov, 0, 0, 1, near, 0, 1, 0, far, 1, 0, 0, aspect), f32(...IDENTITY)),
      1,
    );
  };
broken('UC3065', 'a field of view of 0', camera(0, 0.1, 100, 1));
broken('UC3065', 'far before near', camera(50, 10, 5, 1));
broken('UC3065', 'aspect 0', camera(50, 0.1, 100, 0));
const management =
  (texture: number, size: number, gamma: number, lutTexture = true): Change =>
  (edit) => {
    addChunk(edit, 21, concat(u32(texture, NONE, NONE), f32(0, gamma, -10, 6), u32(size)), 1);
    if (lutTexture) chunk(edit, TEXTURE).bytes.set(u32(8, 4, size * size, size, 1), 8);
  };
broken('UC3067', 'gamma 0', management(0, 4, 0));
broken('UC3067', 'a LUT 65 wide', management(0, 65, 1));
broken('UC3067', 'no texture', management(NONE, 4, 1));
broken('UC3067', 'an ordinary texture as LUT', management(0, 4, 1, false));
broken('UC3067', 'a grade without a file', (edit) => {
  addChunk(edit, 22, grade(NONE, 32), 1);
});
broken('UC3067', 'a grade 1 wide', (edit) => {
  addChunk(edit, 22, grade(0, 1), 1);
});

// Rigs, animation, morphs.
const skeleton = (entity: number, first: number, count: number) => u32(entity, NONE, first, count, 0, 0);
const joint = (parent: number) => concat(u32(parent, NONE, 0, 0), f32(...IDENTITY), f32(...IDENTITY));
const rig =
  (skeletonRecord: Uint8Array, ...joints: Uint8Array[]): Change =>
  (edit) => {
    addChunk(edit, 8, skeletonRecord, 1);
    addChunk(edit, 9, concat(...joints), joints.length);
  };
broken('UC3034', 'a skeleton of three of two joints', rig(skeleton(0, 0, 3), joint(NONE), joint(0)));
broken('UC3034', 'a joint parent beyond the skeleton', rig(skeleton(0, 0, 2), joint(NONE), joint(2)));
broken('UC3034', 'two joints that are each other’s parents', rig(skeleton(0, 0, 2), joint(1), joint(0)));
broken('UC3034', 'a skeleton of no entity', rig(skeleton(5, 0, 1), joint(NONE)));
interface SkinChange {
  entity?: number;
  mesh?: number;
  rigEntity?: number;
  joints?: number;
  vertices?: number;
  mapping?: number;
  index?: number;
  weight?: number;
}
const skin =
  (change: SkinChange): Change =>
  (edit) => {
    rig(skeleton(0, 0, 2), joint(NONE), joint(0))(edit);
    const {
      entity = 1,
      mesh = 0,
      rigEntity = 0,
      joints = 1,
      vertices = 4,
      mapping = 1,
      index = 0,
      weight = 1,
    } = change;
    addChunk(edit, 10, concat(u32(entity, mesh, rigEntity, joints, 0, vertices), u64(0, 0), u32(0, 0)), 1);
    addChunk(edit, 11, u32(mapping), 1);
    addChunk(edit, 16, concat(...[0, 1, 2, 3].map(() => u16(index, 0, 0, 0))));
    addChunk(edit, 17, concat(...[0, 1, 2, 3].map(() => f32(weight, 0, 0, 0))));
  };
broken('UC3034', 'a skin of no entity', skin({ entity: 8 }));
broken('UC3034', 'a skin of no mesh', skin({ mesh: 1 }));
broken('UC3034', 'a skin of a rig that is not there', skin({ rigEntity: 8 }));
broken('UC3034', 'a skin of more mappings than there are', skin({ joints: 2 }));
broken('UC3034', 'a skin with another vertex count than its mesh', skin({ vertices: 3 }));
broken('UC3003', 'a mapping to joint 2 of two', skin({ mapping: 2 }));
broken('UC3003', 'a vertex on joint 1 of one', skin({ index: 1 }));
broken('UC3003', 'a weight of 2', skin({ weight: 2 }));
broken('UC3003', 'a weight that is NaN', skin({ weight: NaN }));
const clip = (first: number, count: number) => concat(u32(NONE), f32(1), u32(first, count, 0, 0, 0));
broken('UC3034', 'a clip of a channel that is not there', (edit) => {
  addChunk(edit, 12, clip(0, 1), 1);
});
broken('UC3034', 'a channel with a translation key too many', (edit) => {
  addChunk(edit, 12, clip(0, 1), 1);
  addChunk(edit, 13, u32(NONE, 0, 2, 0, 0, 0, 0), 1);
  addChunk(edit, 14, concat(f32(0, 1, 2, 3), u32(0)), 1);
});
broken('UC3034', 'a channel with rotation keys from 2^32 - 1 on', (edit) => {
  addChunk(edit, 13, u32(NONE, 0, 0, NONE, 1, 0, 0), 1);
  addChunk(edit, 15, f32(0, 0, 0, 0, 1), 1);
});

// What the engine accepts and shows wrongly.
const named = (parent: number, path: number) => concat(u32(parent, path, 0, 0), f32(...IDENTITY), f32(...IDENTITY));
const FLAT = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
broken('UC3120', 'a joint before its parent', rig(skeleton(0, 0, 2), joint(1), joint(NONE)));
broken('UC3120', 'two joints of one path', rig(skeleton(0, 0, 2), named(NONE, 0), named(0, 0)));
broken('UC3120', 'a skeleton without joints', rig(skeleton(0, 0, 0), joint(NONE)));
broken('UC3120', 'two skeletons of one entity', (edit) => {
  rig(concat(skeleton(0, 0, 1), skeleton(0, 1, 1)), joint(NONE), joint(NONE))(edit);
  chunk(edit, 8).elementCount = 2;
});
broken(
  'UC3120',
  'a bind matrix that flattens',
  rig(skeleton(0, 0, 1), concat(u32(NONE, NONE, 0, 0), f32(...FLAT), f32(...IDENTITY))),
);
broken('UC3120', 'a joint that is mapped twice', (edit) => {
  skin({ joints: 2 })(edit);
  setPayload(chunk(edit, 11), u32(1, 1), 2);
});
broken('UC3120', 'weights that add up to 0.9', skin({ weight: 0.9 }));
broken('UC3120', 'a vertex without weights', skin({ weight: 0 }));
broken('UC3120', 'a skin on an entity without a skeleton', skin({ rigEntity: 1 }));
broken('UC3120', 'a second skin of a mesh', (edit) => {
  skin({})(edit);
  const { bytes } = chunk(edit, 10);
  setPayload(chunk(edit, 10), concat(bytes, bytes), 2);
});
/** A clip of one channel with these translation and rotation times. */
const keyed =
  (duration: number, translations: number[], rotations: number[], path = NONE): Change =>
  (edit) => {
    addChunk(edit, 12, concat(u32(NONE), f32(duration), u32(0, 1, 0, 0, 0)), 1);
    addChunk(edit, 13, u32(path, 0, translations.length, 0, rotations.length, 0, 0), 1);
    const t = translations.map((time) => concat(f32(time, 1, 2, 3), u32(0)));
    addChunk(edit, 14, concat(...t), t.length);
    const r = rotations.map((time) => f32(time, 0, 0, 0, 1));
    addChunk(edit, 15, concat(...r), r.length);
  };
broken([], 'a clip that keeps every rule', keyed(2, [0, 1, 2], [0, 2]));
broken([], 'a channel of rotations only', keyed(2, [], [0, 2]));
broken('UC3120', 'a clip of no duration', keyed(0, [0, 1], []));
broken('UC3120', 'a negative duration', keyed(-1, [0, 1], []));
broken('UC3120', 'a channel of one translation', keyed(1, [0], []));
broken('UC3120', 'a channel of one rotation', keyed(1, [0, 1], [1]));
broken('UC3120', 'translations that end early', keyed(2, [0, 1.5], [0, 2]));
broken('UC3120', 'rotations that end after the clip', keyed(2, [0, 2], [0, 2.001]));
broken('UC3003', 'two keys at one time', keyed(2, [0, 1, 1, 2], []));
broken('UC3003', 'a key before 0', keyed(2, [], [-1, 2]));
broken('UC3131', 'a channel of no joint', (edit) => {
  rig(skeleton(0, 0, 1), joint(NONE))(edit);
  keyed(2, [0, 2], [], 0)(edit);
});
broken([], 'a channel of the joint', (edit) => {
  rig(skeleton(0, 0, 1), named(NONE, 0))(edit);
  keyed(2, [0, 2], [], 0)(edit);
});
interface MorphChange {
  mesh?: number;
  name?: number;
  flags?: number;
  first?: number;
  count?: number;
  scale?: number;
  vertices?: readonly number[];
  normal?: number;
}
/** A morph target of the skinned quad. */
const morph =
  (change: MorphChange): Change =>
  (edit) => {
    const { mesh = 0, name = 0, flags = 0, first = 0, scale = 1, vertices = [0], normal = 0 } = change;
    skin({})(edit);
    addChunk(edit, 23, concat(u32(mesh, name, flags, first, change.count ?? vertices.length), f32(scale)), 1);
    const entries = vertices.map((vertex) => concat(u32(vertex), u16(0x3c00, 0, 0, normal, 0, 0)));
    addChunk(edit, 24, concat(...entries), entries.length);
  };
broken([], 'a morph that keeps every rule', morph({ vertices: [0, 2, 3], flags: 1, normal: 0x3c00 }));
broken('UC3034', 'a morph of no mesh', morph({ mesh: 1 }));
broken('UC3034', 'a morph that names no mesh', morph({ mesh: NONE }));
broken('UC3034', 'a morph with an entry too many', morph({ count: 2 }));
broken('UC3034', 'a morph whose entries begin beyond the last', morph({ first: 1 }));
broken('UC3034', 'a morph of vertex 4 of four', morph({ vertices: [4] }));
broken('UC3034', 'a morph whose name lies beyond the string table', morph({ name: 0x10000 }));
broken('UC3034', 'a morph in a file without entries', (edit) => {
  morph({ vertices: [] })(edit);
  edit.chunks.pop();
});
broken('UC3044', 'a morph with a scale that is infinite', morph({ scale: Number.POSITIVE_INFINITY }));
broken('UC3044', 'a morph that turns a normal by no number', morph({ flags: 1, normal: 0x7e00 }));
broken('UC3120', 'a morph with a scale of 0', morph({ scale: 0 }));
broken('UC3120', 'a morph without a name', morph({ name: NONE }));
broken('UC3120', 'a morph that moves a vertex twice', morph({ vertices: [1, 1] }));
broken('UC3120', 'a morph that moves a vertex again, two entries later', morph({ vertices: [3, 0, 3] }));
broken('UC3120', 'a morph that turns normals without saying so', morph({ normal: 0x3c00 }));
broken('UC3120', 'two morphs of one name', (edit) => {
  morph({})(edit);
  const { bytes } = chunk(edit, 23);
  setPayload(chunk(edit, 23), concat(bytes, bytes), 2);
});
broken('UC3120', 'a morph of a mesh without a skin', (edit) => {
  addChunk(edit, 23, concat(u32(0, 0, 0, 0, 1), f32(1)), 1);
  addChunk(edit, 24, concat(u32(0), u16(0, 0, 0, 0, 0, 0)), 1);
});
broken('UC3132', 'a morph with entries in another order', morph({ vertices: [2, 0] }));
broken('UC3132', 'a morph with a flag that is not known', morph({ flags: 2 }));
const driver =
  (target: number, path: number, kernel: number, pose: readonly number[], radius: number): Change =>
  (edit) => {
    morph({})(edit);
    chunk(edit, 9).bytes.set(u32(0), 4);
    addChunk(edit, 26, concat(u32(target, path, kernel), f32(...pose, radius), u32(0)), 1);
  };
broken([], 'a driver that keeps every rule', driver(0, 0, 0, [0, 0, 0, 1], 0.5));
broken('UC3034', 'a driver of a target that is not there', driver(1, 0, 0, [0, 0, 0, 1], 0.5));
broken('UC3034', 'a driver that names no target', driver(NONE, 0, 0, [0, 0, 0, 1], 0.5));
broken('UC3131', 'a driver of no joint', driver(0, NONE, 0, [0, 0, 0, 1], 0.5));
broken('UC3132', 'a driver with another kernel', driver(0, 0, 1, [0, 0, 0, 1], 0.5));
broken('UC3120', 'a driver with a pose of zeros', driver(0, 0, 0, [0, 0, 0, 0], 0.5));
broken('UC3120', 'a driver with a radius of 0', driver(0, 0, 0, [0, 0, 0, 1], 0));
broken('UC3034', 'a muscle of no entity', (edit) => {
  const names = [NONE, NONE, NONE, NONE];
  addChunk(
    edit,
    27,
    concat(
      u32(6, NONE, 0, ...names),
      f32(0, 0, 0, 0),
      u32(NONE, NONE),
      f32(...new Array<number>(13).fill(0)),
      u32(7, 8, NONE),
      f32(0, 0),
      u32(0),
    ),
    1,
  );
});
broken('UC3065', 'transmission above 1', patch(MATERIAL, 104, f32(1.5)));
broken('UC3065', 'negative transmission', patch(MATERIAL, 104, f32(-0.5)));
broken('UC3065', 'transmission of version 1', patch(MATERIAL, 84, f32(2)), 'valid-v1-none.untold');
broken('UC3065', 'transmission of version 3', patch(MATERIAL, 96, f32(2)), 'valid-v3-none.untold');

// Warnings.
broken('UC3100', 'the child first', (edit) => {
  const entities = chunk(edit, ENTITY);
  setPayload(entities, concat(entities.bytes.slice(QUAD), entities.bytes.slice(0, QUAD)));
});
broken('UC3100', 'mesh bounds 2e-4 too small', patch(MESH, 92, f32(2 - 2e-4)));
broken('UC3100', 'entity bounds 1 m too large', patch(ENTITY, QUAD + 36, f32(3)));
broken('UC3100', 'world bounds without the translation', patch(ENTITY, QUAD + 48, f32(0, 0, 0, 2, 1, 0)));
broken('UC3100', 'world bounds of the empty parent', patch(ENTITY, 48, f32(6)));
broken('UC3100', 'header bounds', header(64, f32(7.5)));
broken('UC3102', 'no material', patch(MESH, 8, u32(NONE)));
broken('UC3103', 'emission in version 1', patch(MATERIAL, 28, f32(0.5)), 'valid-v1-none.untold');
broken('UC3104', 'black', patch(MATERIAL, 8, f32(0.0009, 0, 0.0005)));
broken('UC3105', 'a mirrored entity', (edit) => {
  const { bytes } = chunk(edit, ENTITY);
  bytes.set(f32(-1), QUAD + 72);
  for (const at of [48, QUAD + 48]) bytes.set(f32(3, 0, 0, 5, 1, 0), at);
  edit.header.set(f32(3, 0, 0, 5, 1, 0), 52);
});
broken('UC3100', 'a mesh on half of another one’s indices', (edit) => {
  const meshes = chunk(edit, MESH);
  const half = meshes.bytes.slice();
  half.set(u32(3), 20);
  half.set(u64(6), 56);
  setPayload(meshes, concat(meshes.bytes, half), 2);
  chunk(edit, ENTITY).bytes.set(u32(2), QUAD + 16);
  edit.header.set(u32(2), 28);
});

/** Codes that other tests of this folder bring about, with the file. */
const ELSEWHERE = { UC3107: 'write', UC3108: 'below', UC3150: 'write', UC3151: 'write' };

describe('one broken file for every code', () => {
  it.each(cases)('$codes: $what', async ({ codes, change, base }) => {
    const edit = takeApart(fixture(base ?? ''));
    const file = (await change(edit)) ?? putTogether(edit);
    const diagnostics = await validateUntold(file, 'broken.untold', { engine: true });
    const found = [...new Set(diagnostics.map((d) => d.code as string))].sort();
    expect(found).toEqual([...codes].sort());
    for (const d of diagnostics) {
      expect(d.file).toBe('broken.untold');
      expect(d.message).not.toBe('');
      expect(d.severity).toBe(UNTOLD[d.code as keyof typeof UNTOLD].severity);
    }
  });

  it('leaves no code of the chapter out', () => {
    const covered = new Set([...cases.map((c) => c.codes[0]), ...Object.keys(ELSEWHERE)]);
    expect(Object.keys(UNTOLD).filter((code) => !covered.has(code))).toEqual([]);
  });
});

describe('what is no fault', () => {
  const codesOf = async (edit: Edit, engine = true) =>
    (await validateUntold(putTogether(edit), 'f', { engine })).map((d) => d.code);
  const base = () => takeApart(fixture('valid-v4-none.untold'));

  it('zstd, for the format', async () => {
    const edit = base();
    const vertices = chunk(edit, VERTEX);
    vertices.bytes = (await packZstd(vertices.bytes)) as Uint8Array;
    vertices.compression = 2;
    expect(await codesOf(edit, false)).toEqual([]);
  });

  it('all sixteen chunks of the engine’s exporter, empty ones sharing an offset', async () => {
    const edit = base();
    for (const type of [8, 9, 10, 11, 19, 20, 18, 16, 17]) addChunk(edit, type, new Uint8Array(0));
    expect(await codesOf(edit)).toEqual([]);
  });

  it('a table in another order than its types, hashed in ascending type', async () => {
    const edit = base();
    edit.chunks.reverse();
    expect(await codesOf(edit)).toEqual([]);
  });

  it('a skin, lights, a camera and edges that are right', async () => {
    const edit = base();
    await skin({})(edit);
    await lights(light(1), light(2), light(3), light(4))(edit);
    await camera(50, 0.1, 100, 1.5)(edit);
    await edges(0, 4, u16(0, 1, 1, 2))(edit);
    await management(0, 4, 1)(edit);
    expect(await codesOf(edit)).toEqual([]);
  });

  it('an animation file with nothing but its five chunks', async () => {
    const edit = base();
    edit.header.set(u32(5), 12);
    edit.header.fill(0, 28, 44);
    edit.header.fill(0, 52, 76);
    edit.chunks = [chunk(edit, STRING)];
    keyed(1, [0, 1], [0, 1])(edit);
    expect(await codesOf(edit)).toEqual([]);
  });

  /** The quad of the file again under an entity of its own, at 90 degrees about Y: (x, y, 0) goes to (0, y, -x). */
  function placedTwice(worldBox: Uint8Array): Edit {
    const edit = base();
    const entities = chunk(edit, ENTITY);
    const again = entities.bytes.slice(QUAD, QUAD + 136);
    again.set(u32(2, NONE, NONE, 1, 1), 0);
    again.set(worldBox, 48);
    again.set(f32(0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1), 72);
    setPayload(entities, concat(entities.bytes, again), 3);
    const meshes = chunk(edit, MESH);
    const second = meshes.bytes.slice();
    second.set(u32(2), 0);
    setPayload(meshes, concat(meshes.bytes, second), 2);
    edit.header.set(u32(2), 28);
    edit.header.set(u32(3), 40);
    edit.header.set(f32(0, 0, -2, 7, 1, 0), 52);
    return edit;
  }

  it('one mesh at two places: records of two entities on one range', async () => {
    expect(await codesOf(placedTwice(f32(0, 0, -2, 0, 1, 0)))).toEqual([]);
  });

  it('a range again, besides the one that overlaps it', async () => {
    const edit = base();
    const meshes = chunk(edit, MESH);
    const half = meshes.bytes.slice();
    half.set(u32(3), 20);
    half.set(u64(6), 56);
    setPayload(meshes, concat(meshes.bytes, half, meshes.bytes), 3);
    chunk(edit, ENTITY).bytes.set(u32(3), QUAD + 16);
    edit.header.set(u32(3), 28);
    expect(await codesOf(edit)).toEqual(['UC3100']);
  });

  it('but not bounds of the second place that its vertices do not fill', async () => {
    expect(await codesOf(placedTwice(f32(0, 0, -1.999, 0, 1, 0)))).toEqual(['UC3100']);
    expect(await codesOf(placedTwice(f32(0, 0, -2, 2, 1, 0)))).toEqual(['UC3100']);
  });

  it('bounds of an entity that is turned by 45 degrees, tight or as the box of the box', async () => {
    const s = Math.SQRT1_2;
    // About Z: x' = (x - y) / √2, y' = (x + y) / √2 for the quad (0,0) (2,0) (2,1) (0,1).
    const matrix = f32(s, s, 0, 0, -s, s, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    const tightBox = f32(-s, 0, 0, 2 * s, 3 * s, 0);
    for (const [box, codes] of [
      [tightBox, []],
      [f32(-s - 0.01, 0, 0, 2 * s, 3 * s, 0), ['UC3100', 'UC3100', 'UC3100']],
    ] as const) {
      const edit = base();
      const { bytes } = chunk(edit, ENTITY);
      bytes.set(matrix, QUAD + 72);
      bytes.set(box, QUAD + 48);
      bytes.set(box, 48);
      edit.header.set(box, 52);
      expect(await codesOf(edit)).toEqual(codes);
    }
  });
});

it('keeps eight findings of a kind and counts the rest', async () => {
  const edit = takeApart(fixture('valid-v4-none.untold'));
  const textures = chunk(edit, TEXTURE);
  const wrong = concat(textures.bytes.subarray(0, 8), u32(77), textures.bytes.subarray(12));
  setPayload(textures, concat(...new Array<Uint8Array>(100).fill(wrong)), 100);
  edit.header.set(u32(100), 36);
  const list = await validateUntold(putTogether(edit), 'f', { engine: true });
  expect(list.length).toBe(9);
  expect(list[0].path).toBe('texture/0');
  expect(list[8].message).toBe('found 92 more times');
});

it('tells of faults in several places at once', async () => {
  const edit = takeApart(fixture('valid-v4-none.untold'));
  edit.header.set(u32(9), 20);
  chunk(edit, INDEX).bytes.set(u16(9), 0);
  chunk(edit, MATERIAL).bytes.set(u32(5), 56);
  chunk(edit, ENTITY).bytes.set(u32(500), 8);
  const codes = (await validateUntold(putTogether(edit), 'f', { engine: true })).map((d) => d.code);
  expect(codes.sort()).toEqual(['UC3003', 'UC3034', 'UC3034', 'UC3034']);
});

it('gives up on ranges that make it read the same bytes for ever (UC3037)', async () => {
  // 4,000 meshes, each on almost the same 1.2 MB of vertices: 5 GB to go over, from a file of 2 MB.
  const edit = takeApart(fixture('valid-v4-none.untold'));
  const vertices = 40_000;
  const one = chunk(edit, VERTEX).bytes.subarray(0, 32);
  const all = new Uint8Array(vertices * 32);
  for (let i = 0; i < vertices; i++) all.set(one, i * 32);
  setPayload(chunk(edit, VERTEX), all);
  const record = chunk(edit, MESH).bytes;
  const records: Uint8Array[] = [];
  for (let i = 0; i < 4000; i++) {
    const mesh = record.slice();
    mesh.set(u32(vertices - i), 16);
    mesh.set(u64(i * 32), 32);
    mesh.set(u64((vertices - i) * 32), 48);
    records.push(mesh);
  }
  setPayload(chunk(edit, MESH), concat(...records), records.length);
  chunk(edit, ENTITY).bytes.set(u32(4000), QUAD + 16);
  edit.header.set(u32(4000), 28);
  const codes = new Set((await validateUntold(putTogether(edit), 'f', { engine: true })).map((d) => d.code));
  expect(codes).toContain('UC3037');
  expect(codes).toContain('UC3100');
});

it('measures each of many places of a large mesh', async () => {
  // 3 MB of vertices, placed 100 times along X: 300 MB are gone over, and the last place is not passed over.
  const meshCount = 100;
  const edit = takeApart(fixture('valid-v4-none.untold'));
  const quad = chunk(edit, VERTEX).bytes;
  const all = new Uint8Array(25_000 * quad.length);
  for (let i = 0; i < 25_000; i++) all.set(quad, i * quad.length);
  setPayload(chunk(edit, VERTEX), all);
  const [mesh, entity] = [chunk(edit, MESH).bytes.slice(), chunk(edit, ENTITY).bytes.slice(QUAD)];
  mesh.set(u32(100_000), 16);
  mesh.set(u64(all.length), 48);
  const meshes: Uint8Array[] = [];
  const entities: Uint8Array[] = [];
  for (let i = 0; i < meshCount; i++) {
    mesh.set(u32(i), 0);
    entity.set(u32(i, NONE, NONE, i, 1), 0);
    entity.set(f32(i * 3, 0, 0, i * 3 + 2, 1, 0), 48);
    entity.set(f32(i * 3), 72 + 48);
    meshes.push(mesh.slice());
    entities.push(entity.slice());
  }
  setPayload(chunk(edit, MESH), concat(...meshes), meshCount);
  setPayload(chunk(edit, ENTITY), concat(...entities), meshCount);
  edit.header.set(u32(meshCount), 28);
  edit.header.set(u32(meshCount), 40);
  edit.header.set(f32(0, 0, 0, 299, 1, 0), 52);
  expect(await validateUntold(putTogether(edit), 'f', { engine: true })).toEqual([]);
  const last = (meshCount - 1) * 136;
  chunk(edit, ENTITY).bytes.set(f32(298), last + 48);
  const [found, ...more] = await validateUntold(putTogether(edit), 'f', { engine: true });
  expect([found.code, found.path, more]).toEqual(['UC3100', 'entity/99', []]);
});

it('survives a hierarchy as deep as it has entities', async () => {
  const depth = 20_000;
  const edit = takeApart(fixture('valid-v4-none.untold'));
  const [root] = [chunk(edit, ENTITY).bytes.slice(0, 136)];
  const records: Uint8Array[] = [];
  for (let i = 0; i < depth; i++) {
    const entity = root.slice();
    entity.set(u32(i, i === 0 ? NONE : i - 1, NONE, i === depth - 1 ? 0 : 0, i === depth - 1 ? 1 : 0), 0);
    if (i === depth - 1) {
      entity.set(f32(0, 0, 0, 2, 1, 0), 24);
      entity.set(f32(...IDENTITY.slice(0, 12), 5, 0, 0, 1), 72);
    }
    records.push(entity);
  }
  setPayload(chunk(edit, ENTITY), concat(...records), depth);
  chunk(edit, MESH).bytes.set(u32(depth - 1), 0);
  edit.header.set(u32(depth), 40);
  const { tables, diagnostics } = await checkUntold(putTogether(edit), 'f', { engine: true });
  expect(diagnostics).toEqual([]);
  expect(tables).not.toBe(null);
});

describe('textures beside a file', () => {
  const file = fixture('valid-v4-lz4.untold');
  const nothing = () => null;

  it('are looked for beside the file, then by their bare names, as the engine does (UC3108)', async () => {
    const asked: string[] = [];
    const exists = (path: string) => {
      asked.push(path);
      return false;
    };
    const { diagnostics, cooked } = await checkTextures(file, 'town/tile.untold', { exists, head: nothing });
    expect(asked).toEqual(['Textures/albedo.png', 'albedo.png']);
    expect(diagnostics.map((d) => [d.code, d.file, d.path])).toEqual([['UC3108', 'town/tile.untold', 'texture/0']]);
    expect(cooked).toEqual([]);
    for (const there of ['Textures/albedo.png', 'albedo.png']) {
      const probe = { exists: (path: string) => path === there, head: nothing };
      expect(await checkTextures(file, 'f', probe)).toEqual({ diagnostics: [], cooked: [] });
    }
  });

  /** The fixture with other values in its texture record: format, flags, width, height. */
  async function recorded(...values: readonly number[]): Promise<Uint8Array> {
    const edit = await takeApart(fixture('valid-v4-none.untold'));
    chunk(edit, TEXTURE).bytes.set(u32(...values), 8);
    return putTogether(edit);
  }

  const [SRGB, NORMAL, EMISSIVE, OCCLUSION] = [1, 2, 64, 128];
  const size = { width: 20, height: 12 };
  const packed = utexTexture(FORMAT.astc4x4Linear, { ...size, flags: UTEX_FLAGS.normalPackedXY });
  const linear = utexTexture(FORMAT.astc4x4Linear, size);
  const color = utexTexture(FORMAT.astc4x4Srgb, size);
  const data = utexTexture(FORMAT.astc6x6Linear, size);
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

  it.each<[string, string, readonly number[], Uint8Array]>([
    ['', 'a base colour', [4, SRGB, 20, 12], color],
    ['', 'emission', [4, SRGB | EMISSIVE, 20, 12], color],
    ['', 'packed normals', [4, NORMAL, 20, 12], packed],
    ['', 'data', [6, OCCLUSION, 20, 12], data],
    ['', 'a height map', [9, 8, 20, 12], utexTexture(FORMAT.r16Unorm, size)],
    ['', 'a LUT', [8, SRGB | 4, 20, 12], utexTexture(FORMAT.rgba16Float, { ...size, mips: 1 })],
    ['', 'a header that is broken in itself', [4, SRGB, 20, 12], color.slice(0, 40)],
    ['UC3350', 'an image in the place of a .utex file', [4, SRGB, 20, 12], png],
    ['UC3351', 'another footprint', [6, SRGB, 20, 12], color],
    ['UC3351', 'another width', [4, SRGB, 40, 12], color],
    ['UC3351', 'no size at all', [4, SRGB, 0, 0], color],
    ['UC3351', 'packed normals as data', [4, OCCLUSION, 20, 12], packed],
    ['UC3354', 'a normal map of X, Y and Z', [4, NORMAL, 20, 12], linear],
    ['UC3351', 'a base colour that is stored as linear', [4, SRGB, 20, 12], linear],
    ['UC3351', 'data that is stored as sRGB', [4, OCCLUSION, 20, 12], color],
    ['UC3354 UC3351', 'a normal map that is stored as sRGB', [4, NORMAL, 20, 12], color],
  ])('%s: %s', async (codes, _, values, texture) => {
    const probe = { exists: () => true, head: (_path: string, bytes: number) => texture.subarray(0, bytes) };
    const { diagnostics, cooked } = await checkTextures(await recorded(...values), 'f', probe);
    expect(diagnostics.map(({ code }) => code).join(' ')).toBe(codes);
    expect(diagnostics.every(({ file: name, path }) => name === 'f' && path === 'texture/0')).toBe(true);
    // Also what is no such texture is to be checked: the engine loads it as one.
    expect(cooked).toEqual(['Textures/albedo.png']);
  });

  it('that are cooked but recorded as images are not loaded (UC3350)', async () => {
    const edit = takeApart(await recorded(1, SRGB, 20, 12));
    const strings = chunk(edit, STRING).bytes;
    strings.set(Buffer.from('Textures/albed.utex'), Buffer.from(strings).indexOf('Textures/albedo.png'));
    const probe = { exists: () => true, head: () => color };
    const { diagnostics, cooked } = await checkTextures(putTogether(edit), 'f', probe);
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ['UC3350', 'rgba8, but Textures/albed.utex is a .utex file'],
    ]);
    expect(cooked).toEqual(['Textures/albed.utex']);
  });

  it('of images are not opened', async () => {
    const head = () => {
      throw new Error('opened');
    };
    expect(await checkTextures(await recorded(1, SRGB, 20, 12), 'f', { exists: () => true, head })).toEqual({
      diagnostics: [],
      cooked: [],
    });
  });

  it('that cannot be read are left to their own check', async () => {
    const { diagnostics, cooked } = await checkTextures(await recorded(4, SRGB, 20, 12), 'f', {
      exists: () => true,
      head: nothing,
    });
    expect([diagnostics, cooked]).toEqual([[], ['Textures/albedo.png']]);
  });
});
