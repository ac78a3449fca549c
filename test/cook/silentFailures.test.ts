// What the libraries under the cook do in silence, one row each: how the library goes wrong, and what a whole cook makes
// of such a file instead: the code it ends in, or the right result in numbers.

import { MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { unpackLz4, unpackZstd } from '../../src/formats/untold/container/compress.ts';
import { packLz4 } from '../../src/formats/untold/container/lz4.ts';
import {
  buildGlb,
  buildGltf,
  glb,
  type Json,
  ONE_TRIANGLE,
  type SceneInput,
  TRIANGLE,
} from '../importers/gltf/build.ts';
import { writeUsdz } from '../importers/usdz/usdzWriter.ts';
import { ktx2, solidBlock } from '../textures/ktx2File.ts';
import { type Cooked, cookFiles, trianglesOf } from './cooked.ts';

type Files = Readonly<Record<string, Uint8Array>>;
const file = (scene: SceneInput, edit?: (json: Json, bin: Uint8Array) => void): Files => ({
  'scene.glb': buildGlb(scene, edit),
});
const bounds = ({ scene }: Cooked) => [scene.worldBounds.min, scene.worldBounds.max];
const triangleCount = ({ scene }: Cooked) => trianglesOf(scene).length;

interface Row {
  readonly library: string;
  readonly silence: string;
  readonly files: () => Files | Promise<Files>;
  /** The code that the cook ends in … */
  readonly code?: string;
  /** … or what is true of its result. */
  readonly right?: (cooked: Cooked) => void | Promise<void>;
}

const TEXTURED: SceneInput = {
  meshes: [{ primitives: [{ ...TRIANGLE, uvs: [0, 0, 1, 0, 0, 1], material: 0 }] }],
  materials: [{ pbrMetallicRoughness: { metallicRoughnessTexture: { index: 0 } } }],
  textures: [{ source: 0 }],
};

/** Texels of the only texture. */
async function texels(cooked: Cooked): Promise<number[]> {
  const [{ uri }] = cooked.scene.textures;
  return [...(await sharp(cooked.texture(uri), { ignoreIcc: true }).raw().toBuffer())];
}

const JSON_ROWS: Row[] = [
  {
    library: 'gltf-transform',
    silence: 'takes a sheared matrix apart into translation, rotation and scale',
    files: () =>
      file({ ...ONE_TRIANGLE, nodes: [{ mesh: 0, matrix: [1, 0, 0, 0, 3, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }] }),
    right: (cooked) =>
      expect(bounds(cooked)).toEqual([
        [0, 0, 0],
        [3, 1, 0],
      ]),
  },
  {
    library: 'gltf-transform',
    silence: 'makes something else of a singular matrix',
    files: () =>
      file({ ...ONE_TRIANGLE, nodes: [{ mesh: 0, matrix: [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 5, 1] }] }),
    right: (cooked) =>
      expect(bounds(cooked)).toEqual([
        [0, 0, 5],
        [2, 2, 5],
      ]),
  },
  {
    library: 'gltf-transform',
    silence: 'returns an array longer than its view',
    files: () =>
      file(ONE_TRIANGLE, (json) => {
        json.accessors[0].count = 4;
        json.buffers[0].byteLength = 36;
      }),
    code: 'UC1312',
  },
  {
    library: 'gltf-transform',
    silence: 'reads a view that begins past its buffer',
    files: () =>
      file(ONE_TRIANGLE, (json) => {
        json.bufferViews[0].byteOffset = 8;
      }),
    code: 'UC1311',
  },
  {
    library: 'gltf-transform',
    silence: 'drops indices out of range',
    files: () => file({ meshes: [{ primitives: [{ ...TRIANGLE, indices: [0, 1, 3] }] }] }),
    code: 'UC1330',
  },
  {
    library: 'gltf-transform',
    silence: 'lets a second parent steal a child',
    files: () => file({ ...ONE_TRIANGLE, nodes: [{ children: [2] }, { children: [2] }, { mesh: 0 }] }),
    code: 'UC1320',
  },
  {
    library: 'gltf-transform',
    silence: 'never returns from nodes in a circle',
    files: () =>
      file({ ...ONE_TRIANGLE, nodes: [{ mesh: 0 }, { children: [2] }, { children: [1] }], scenes: [{ nodes: [0] }] }),
    code: 'UC1321',
  },
  {
    library: 'gltf-transform',
    silence: 'overflows its stack at 10,000 levels',
    files: () => {
      const nodes = Array.from({ length: 10_000 }, (_, i) => (i < 9999 ? { children: [i + 1] } : { mesh: 0 }));
      return file({ ...ONE_TRIANGLE, nodes, scenes: [{ nodes: [0] }] });
    },
    right: (cooked) => expect(triangleCount(cooked)).toBe(1),
  },
  {
    library: 'gltf-transform',
    silence: 'forgets what the file states as min and max, and the file is wrong',
    files: () =>
      file(ONE_TRIANGLE, (json) => {
        json.accessors[0].max = [500, 500, 500];
      }),
    right: (cooked) =>
      expect(bounds(cooked)).toEqual([
        [0, 0, 0],
        [1, 1, 0],
      ]),
  },
  {
    library: 'gltf-transform',
    silence: 'believes a count of 400 million, with a view',
    files: () =>
      file(ONE_TRIANGLE, (json) => {
        json.accessors[0].count = 4e8;
      }),
    code: 'UC1312',
  },
  {
    library: 'gltf-transform',
    silence: 'believes a count of 400 million, without a view',
    files: () =>
      file(ONE_TRIANGLE, (json) => {
        json.accessors = [{ componentType: 5126, type: 'VEC3', count: 4e8 }];
      }),
    code: 'UC1316',
  },
  {
    library: 'gltf-transform',
    silence: 'takes sparse indices out of order and out of range',
    files: () =>
      file({
        meshes: [{ primitives: [{ positions: { data: [1, 0, 0, 0, 1, 0], sparse: { count: 3, indices: [2, 7] } } }] }],
      }),
    code: 'UC1314',
  },
  {
    library: 'gltf-transform',
    silence: 'hands on positions that are not numbers',
    files: () => file({ meshes: [{ primitives: [{ positions: [0, 0, 0, 1, Number.NaN, 0, 0, 1, 0] }] }] }),
    code: 'UC1331',
  },
  {
    library: 'gltf-transform',
    silence: 'follows a URI out of its folder',
    files: () =>
      buildGltf(ONE_TRIANGLE, 'scene', (json) => {
        json.buffers[0].uri = 'file:///etc/hostname';
      }),
    code: 'UC1205',
  },
  {
    library: 'gltf-transform',
    silence: 'keeps extensions that are required and that nobody reads',
    files: () => file({ ...ONE_TRIANGLE, root: { extensionsRequired: ['EXT_nobody'] } }),
    code: 'UC1305',
  },
  {
    library: 'gltf-transform',
    silence: 'refuses KHR_meshopt_compression, which its decoder reads',
    files: meshoptFile,
    right: (cooked) =>
      expect(bounds(cooked)).toEqual([
        [0, 0, 0],
        [1, 1, 0],
      ]),
  },
  {
    library: 'Node (base64)',
    silence: 'skips what is not base64',
    files: () =>
      buildGltf(ONE_TRIANGLE, 'scene', (json) => {
        json.buffers[0].uri = `data:;base64,${'AAAA'.repeat(11)}A*AA`;
      }),
    code: 'UC1315',
  },
];

/** One triangle in a view of KHR_meshopt_compression. */
async function meshoptFile(): Promise<Files> {
  await MeshoptEncoder.ready;
  const points = new Uint8Array(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]).buffer);
  const packed = MeshoptEncoder.encodeVertexBufferLevel(points, 3, 12, 2, 1);
  const name = 'KHR_meshopt_compression';
  const compressed = { buffer: 0, byteLength: packed.length, byteStride: 12, count: 3, mode: 'ATTRIBUTES' };
  const json = {
    asset: { version: '2.0' },
    extensionsRequired: [name],
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
    bufferViews: [{ buffer: 1, byteLength: 36, byteStride: 12, extensions: { [name]: compressed } }],
    buffers: [{ byteLength: packed.length }, { byteLength: 36, extensions: { [name]: { fallback: true } } }],
  };
  return { 'scene.glb': glb(json, packed) };
}

/** A PNG of one grey whose embedded profile would change it when it were applied. */
const withProfile = async (grey: number) =>
  new Uint8Array(
    await sharp(Uint8Array.of(grey, grey, grey), { raw: { width: 1, height: 1, channels: 3 } })
      .withIccProfile('p3', { attach: true })
      .webp({ lossless: true })
      .toBuffer(),
  );

const IMAGE_ROWS: Row[] = [
  {
    library: 'sharp',
    silence: 'applies embedded profiles to texels that are data',
    files: async () => file({ ...TEXTURED, images: [await withProfile(64)] }),
    right: async (cooked) => {
      const stored = await sharp(await withProfile(64), { ignoreIcc: true })
        .raw()
        .toBuffer();
      expect(await texels(cooked)).toEqual([...stored]);
    },
  },
  {
    library: 'sharp',
    silence: 'cuts 16 bits to 8 instead of rounding',
    files: async () => {
      const deep = Uint16Array.of(255, 255, 255);
      const png = await sharp(deep, { raw: { width: 1, height: 1, channels: 3 } })
        .toColourspace('rgb16')
        .png()
        .toBuffer();
      return file({ ...TEXTURED, images: [new Uint8Array(png)] });
    },
    // 255 / 257 is nearly 1, where the upper byte alone says 0.
    right: async (cooked) => expect(await texels(cooked)).toEqual([1, 1, 1]),
  },
  {
    library: 'sharp',
    silence: 'gives what it can of a file that is cut off',
    files: async () => {
      const noise = Uint8Array.from({ length: 64 * 64 * 3 }, (_, i) => (i * 7919) % 251);
      const whole = await sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
        .png()
        .toBuffer();
      return file({ ...TEXTURED, images: [new Uint8Array(whole.subarray(0, whole.length / 2))] });
    },
    code: 'UC2101',
  },
  {
    library: 'Basis Universal',
    silence: 'is handed levels whose sizes nobody compared with the image',
    files: () => {
      const bytes = ktx2(8, 4, [solidBlock(1, 2, 3, 255), solidBlock(4, 5, 6, 255)]);
      new DataView(bytes.buffer).setUint32(20, 4000, true);
      return file({ ...TEXTURED, images: [bytes] });
    },
    code: 'UC2102',
  },
  {
    library: 'Basis Universal',
    silence: 'reads on where a level lies past the end',
    files: () => file({ ...TEXTURED, images: [ktx2(4, 4, [solidBlock(1, 2, 3, 255)]).slice(0, -4)] }),
    code: 'UC2101',
  },
];

const LAYER = new TextEncoder().encode(`#usda 1.0
def Mesh "T" {
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    uniform token subdivisionScheme = "none"
}
`);
/** A package of one layer, with some bytes changed; local header at 0, its data at 64. */
function packageWith(edit: (bytes: Uint8Array, view: DataView, directory: number) => void): Files {
  const bytes = new Uint8Array(writeUsdz([{ name: 'scene.usda', bytes: LAYER }]));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = view.getUint32(bytes.length - 22 + 16, true);
  edit(bytes, view, directory);
  return { 'scene.usdz': bytes };
}

const ZIP_ROWS: Row[] = [
  {
    library: 'unzipit',
    silence: 'compares no checksum',
    files: () =>
      packageWith((bytes) => {
        const at = Buffer.from(bytes).indexOf('(1, 0, 0)');
        bytes[at + 1] = '7'.charCodeAt(0);
      }),
    code: 'UC1606',
  },
  {
    library: 'unzipit',
    silence: 'never looks at the local header, which other readers follow',
    files: () =>
      packageWith((bytes) => {
        bytes[30] ^= 1;
      }),
    code: 'UC1601',
  },
  {
    library: 'unzipit',
    silence: 'inflates as much as the directory asks for',
    files: () =>
      packageWith((_, view, directory) => {
        // Deflated, and of four gigabytes.
        for (const at of [8, directory + 10]) view.setUint16(at, 8, true);
        view.setUint32(22, 0xfffffff0, true);
        view.setUint32(directory + 24, 0xfffffff0, true);
      }),
    code: 'UC1611',
  },
];

const check = async ({ files, code, right }: Row) => {
  const cooked = await cookFiles(await files());
  if (code !== undefined) {
    expect(cooked.outcome).toMatchObject({ status: 'failed', outputs: [] });
    expect(cooked.codes).toContain(code);
    for (const item of cooked.outcome.diagnostics) expect(item.remedy).not.toBe('');
    return;
  }
  expect([cooked.outcome.status, cooked.codes.filter((each) => each.startsWith('UC13'))]).toEqual(['ok', []]);
  await right!(cooked);
};

describe('glTF libraries', () => {
  test.each(JSON_ROWS)('$library $silence', check);
});
describe('image libraries', () => {
  test.each(IMAGE_ROWS)('$library $silence', check);
});
describe('zip libraries', () => {
  test.each(ZIP_ROWS)('$library $silence', check);
});

describe('compression libraries', () => {
  const code = (unpacked: object) => ('fault' in unpacked ? (unpacked.fault as { code: string }).code : 'none');
  const five = Uint8Array.of(1, 2, 3, 4, 5);
  const frame = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, (5 << 3) | 1, 0, 0, ...five]);

  test('lz4-napi puts a size before the raw block, which the format does not know', async () => {
    expect([...(await packLz4(five))]).toEqual([0x50, ...five]);
  });
  test.each([
    ['allocates whatever size it is told', 0xffffffff, 'UC3001'],
    ['gives a shorter result without a word', 6, 'UC3001'],
    ['stops at the size it is told', 4, 'UC3001'],
  ])('lz4-napi %s', (_, size, expected) => {
    expect(code(unpackLz4(Uint8Array.of(0x50, ...five), size))).toBe(expected);
  });
  test.each([
    ['guesses the size of frames that state none', 6 * 2 ** 20, 'UC3001'],
    ['says nothing of a size that differs', 4, 'UC3001'],
  ])('wasm-zstd %s', async (_, size, expected) => {
    expect(code(await unpackZstd(frame, size))).toBe(expected);
  });
});
