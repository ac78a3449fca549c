// Broken and malicious files: each ends in a coded error that names its place, quickly and without being believed.

import { Document, NodeIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression } from '@gltf-transform/extensions';
import draco from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer';
import { describe, expect, test } from 'vitest';
import { CODES } from '../../../src/diagnostics/codes.ts';
import { SourceError } from '../../../src/diagnostics/diagnostic.ts';
import {
  buildGlb,
  buildGltf,
  glb,
  type Json,
  loadAll,
  ONE_TRIANGLE,
  refusal,
  type SceneInput,
  TRIANGLE,
} from './build.ts';

/** A file with a bit of everything. */
const RICH: SceneInput = {
  meshes: [
    {
      name: 'Rich',
      weights: [0.5],
      primitives: [
        {
          positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
          normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1],
          uvs: [0, 0, 1, 0, 1, 1, 0, 1],
          indices: [0, 1, 2, 2, 3, 0],
          material: 0,
          attributes: {
            JOINTS_0: new Uint8Array(16),
            WEIGHTS_0: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
            COLOR_0: { data: new Uint8Array(16), normalized: true },
          },
          targets: [{ POSITION: { data: [0, 0, 1, 0, 1, 0], sparse: { count: 4, indices: [1, 3] } } }],
        },
      ],
    },
  ],
  materials: [{ name: 'M', pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
  textures: [{ source: 0, sampler: 0 }],
  samplers: [{ wrapS: 33071 }],
  images: [new Uint8Array([1, 2, 3])],
  nodes: [{ mesh: 0, skin: 0 }, { name: 'Joint', translation: [1, 2, 3], children: [2] }, { mesh: 0 }],
  root: { skins: [{ joints: [1] }] },
};

// Accessors of RICH: 0 positions, 1 normals, 2 UVs, 3 joints, 4 weights, 5 colours, 6 indices, 7 morph target.
const cases: [string, (json: Json) => void, string, string][] = [
  [
    'a count of 400 million',
    (j) => {
      j.accessors[0].count = 4e8;
    },
    'UC1312',
    'accessors/0',
  ],
  [
    'a count beyond 32 bits',
    (j) => {
      j.accessors[0].count = 2 ** 40;
    },
    'UC1307',
    'accessors/0',
  ],
  [
    'a negative count',
    (j) => {
      j.accessors[0].count = -1;
    },
    'UC1307',
    'accessors/0',
  ],
  [
    'a count that is no whole number',
    (j) => {
      j.accessors[0].count = 1.5;
    },
    'UC1307',
    'accessors/0',
  ],
  [
    'one element too many',
    (j) => {
      j.accessors[1].count = 5;
    },
    'UC1312',
    'accessors/1',
  ],
  [
    'an offset that pushes the last element out',
    (j) => {
      j.accessors[1].byteOffset = 4;
    },
    'UC1312',
    'accessors/1',
  ],
  [
    'a stride that pushes the last element out',
    (j) => {
      j.bufferViews[0].byteStride = 16;
    },
    'UC1312',
    'accessors/0',
  ],
  [
    'a stride smaller than an element',
    (j) => {
      j.bufferViews[0].byteStride = 4;
    },
    'UC1312',
    'accessors/0',
  ],
  [
    'a component type that does not exist',
    (j) => {
      j.accessors[0].componentType = 5124;
    },
    'UC1307',
    'accessors/0',
  ],
  [
    'a type that does not exist',
    (j) => {
      j.accessors[0].type = 'constructor';
    },
    'UC1307',
    'accessors/0',
  ],
  [
    'a view that does not exist',
    (j) => {
      j.accessors[0].bufferView = 99;
    },
    'UC1308',
    'accessors/0',
  ],
  [
    'a view past its buffer',
    (j) => {
      j.bufferViews[3].byteOffset = 1e6;
    },
    'UC1311',
    'bufferViews/3',
  ],
  [
    'a view of a buffer that does not exist',
    (j) => {
      j.bufferViews[3].buffer = 1;
    },
    'UC1308',
    'bufferViews/3',
  ],
  [
    'a view longer than the file',
    (j) => {
      j.buffers[0].byteLength = 1e9;
      j.bufferViews[0].byteLength = 1e8;
    },
    'UC1310',
    'buffers/0',
  ],
  [
    'a position accessor without data',
    (j) => {
      j.accessors[0] = { componentType: 5126, type: 'VEC3', count: 4e8 };
    },
    'UC1313',
    'meshes/0/primitives/0',
  ],
  [
    'attributes of different counts',
    (j) => {
      j.accessors[2].count = 3;
    },
    'UC1313',
    'meshes/0/primitives/0',
  ],
  [
    'positions of two components',
    (j) => {
      j.meshes[0].primitives[0].attributes.POSITION = 2;
    },
    'UC1313',
    'meshes/0/primitives/0',
  ],
  [
    'joints that the skin lacks, in floats',
    (j) => {
      j.meshes[0].primitives[0].attributes.JOINTS_0 = 4;
    },
    'UC1343',
    'meshes/0/primitives/0',
  ],
  [
    'indices that are floats',
    (j) => {
      j.meshes[0].primitives[0].indices = 0;
    },
    'UC1313',
    'meshes/0/primitives/0',
  ],
  [
    'an attribute that does not exist',
    (j) => {
      j.meshes[0].primitives[0].attributes.NORMAL = 50;
    },
    'UC1308',
    'meshes/0/primitives/0/attributes',
  ],
  [
    'a material that does not exist',
    (j) => {
      j.meshes[0].primitives[0].material = 3;
    },
    'UC1308',
    'meshes/0/primitives/0',
  ],
  [
    'a mode that does not exist',
    (j) => {
      j.meshes[0].primitives[0].mode = 9;
    },
    'UC1307',
    'meshes/0/primitives/0',
  ],
  [
    'a target of another count',
    (j) => {
      j.accessors[7].count = 3;
      j.accessors[7].sparse.indices.byteOffset = 0;
    },
    'UC1313',
    'meshes/0/primitives/0',
  ],
  [
    'more sparse values than elements',
    (j) => {
      j.accessors[7].sparse.count = 5;
    },
    'UC1307',
    'accessors/7/sparse',
  ],
  [
    'sparse values past their view',
    (j) => {
      j.accessors[7].sparse.values.byteOffset = 8;
    },
    'UC1312',
    'accessors/7/sparse/values',
  ],
  [
    'sparse indices past their view',
    (j) => {
      j.accessors[7].sparse.indices.byteOffset = 8;
    },
    'UC1312',
    'accessors/7/sparse/indices',
  ],
  [
    'sparse indices out of order',
    (j) => {
      j.accessors[7].sparse.indices.bufferView = 0;
    },
    'UC1314',
    'accessors/7/sparse',
  ],
  [
    'sparse indices that are floats',
    (j) => {
      j.accessors[7].sparse.indices.componentType = 5126;
    },
    'UC1307',
    'accessors/7/sparse/indices',
  ],
  [
    'a texture that does not exist',
    (j) => {
      j.materials[0].pbrMetallicRoughness.baseColorTexture.index = 4;
    },
    'UC1308',
    'materials/0/pbrMetallicRoughness/baseColorTexture',
  ],
  [
    'an image that does not exist',
    (j) => {
      j.textures[0].source = 4;
    },
    'UC1308',
    'textures/0',
  ],
  [
    'a sampler that does not exist',
    (j) => {
      j.textures[0].sampler = 4;
    },
    'UC1308',
    'textures/0',
  ],
  [
    'a view of an image that does not exist',
    (j) => {
      j.images[0].bufferView = 400;
    },
    'UC1308',
    'images/0',
  ],
  [
    'a skin that does not exist',
    (j) => {
      j.nodes[0].skin = 1;
    },
    'UC1308',
    'nodes/0',
  ],
  [
    'a joint that does not exist',
    (j) => {
      j.skins[0].joints = [17];
    },
    'UC1308',
    'skins/0',
  ],
  [
    'a skin without joints',
    (j) => {
      j.skins[0].joints = [];
    },
    'UC1343',
    'skins/0',
  ],
  [
    'matrices that are none',
    (j) => {
      j.skins[0].inverseBindMatrices = 0;
    },
    'UC1343',
    'skins/0',
  ],
  [
    'a default scene that does not exist',
    (j) => {
      j.scene = 2;
    },
    'UC1308',
    '',
  ],
  [
    'a root node that does not exist',
    (j) => {
      j.scenes[0].nodes = [9];
    },
    'UC1308',
    'scenes/0',
  ],
  [
    'a matrix of 15 numbers',
    (j) => {
      j.nodes[0].matrix = new Array(15).fill(0);
    },
    'UC1307',
    'nodes/0',
  ],
  [
    'a translation of text',
    (j) => {
      j.nodes[1].translation = ['a', 0, 0];
    },
    'UC1307',
    'nodes/1',
  ],
  [
    'nodes that are no list',
    (j) => {
      j.nodes = { length: 5 };
    },
    'UC1307',
    '',
  ],
  [
    'a node that is no object',
    (j) => {
      j.nodes[0] = 5;
    },
    'UC1307',
    'nodes/0',
  ],
  [
    'extensions that are no object',
    (j) => {
      j.nodes[0].extensions = [];
    },
    'UC1307',
    'nodes/0/extensions',
  ],
  [
    'a huge name of a required extension',
    (j) => {
      j.extensionsRequired = ['x'.repeat(1e6)];
    },
    'UC1305',
    '',
  ],
];

describe('each ends in its code, at its place', () => {
  test('the file that they break is sound', async () => {
    expect((await loadAll(buildGlb(RICH))).codes).toEqual(['UC1341', 'UC1342']);
  });

  test.each(cases)('%s', async (_, edit, code, path) => {
    const item = await refusal(loadAll(buildGlb(RICH, edit)));
    expect(item).toMatchObject({ code, path });
    expect(item.file).not.toBe('');
    expect(item.remedy).not.toBe('');
    expect(item.message.length).toBeLessThan(300);
  });

  test('a number too large for JSON', async () => {
    const files = buildGltf(ONE_TRIANGLE);
    const text = new TextDecoder()
      .decode(files['scene.gltf'])
      .replace('"mesh":0', '"mesh":0,"translation":[1e999,0,0]');
    const item = await refusal(loadAll(new TextEncoder().encode(text), { files }));
    expect(item).toMatchObject({ code: 'UC1307', path: 'nodes/0' });
  });

  test('indices out of range, named with the vertex', async () => {
    for (const indices of [
      [0, 1, 3],
      [0, 1, 65535],
    ]) {
      const item = await refusal(loadAll(buildGlb({ meshes: [{ primitives: [{ ...TRIANGLE, indices }] }] })));
      expect(item).toMatchObject({ code: 'UC1330', path: 'meshes/0/primitives/0' });
      expect(item.message).toBe(`index 2 is vertex ${indices[2]}, but there are 3 vertices`);
    }
  });

  test('zeros out of proportion: attributes that agree on 400 million elements without data', async () => {
    const item = await refusal(
      loadAll(
        buildGlb(ONE_TRIANGLE, (json) => {
          json.accessors = [{ componentType: 5126, type: 'VEC3', count: 4e8 }];
        }),
      ),
    );
    expect(item).toMatchObject({ code: 'UC1316', path: 'accessors/0' });
  });

  test('names of JavaScript itself are only names', async () => {
    const json =
      '{"asset":{"version":"2.0"},"__proto__":{"nodes":[5]},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],' +
      '"meshes":[{"primitives":[{"attributes":{"__proto__":7}}]}]}';
    expect((await refusal(loadAll(glb(json, null)))).code).toBe('UC1308');
  });
});

describe('references out of the file', () => {
  const buffer = (uri: string) =>
    buildGltf(ONE_TRIANGLE, 'scene', (json) => {
      json.buffers[0].uri = uri;
    })['scene.gltf'];
  test.each([
    ['../../../secret.bin', 'UC1204'],
    ['..%2f..%2fsecret.bin', 'UC1204'],
    ['/etc/passwd', 'UC1205'],
    ['C:\\data.bin', 'UC1205'],
    ['file:///data.bin', 'UC1205'],
    ['https://example.com/data.bin', 'UC1205'],
    ['//server/share/data.bin', 'UC1205'],
    ['\\\\server\\share\\data.bin', 'UC1205'],
    ['missing.bin', 'UC1203'],
    ['%00.bin', 'UC1203'],
    ['data:application/octet-stream;base64,AAAA*AAA', 'UC1315'],
    ['data:application/octet-stream;base64,AAAAA', 'UC1315'],
    ['data:nothing', 'UC1315'],
    ['data:,%zz', 'UC1315'],
    ['data:;base64,AAAA', 'UC1310'],
  ])('%s', async (uri, code) => {
    const item = await refusal(loadAll(buffer(uri), { root: '/scenes' }));
    expect(item).toMatchObject({ code, path: 'buffers/0' });
  });

  test('a GLB names other files by the rules of a .gltf', async () => {
    const naming = (uri: string) =>
      buildGlb(ONE_TRIANGLE, (json) => {
        json.buffers.push({ uri, byteLength: 36 });
        json.bufferViews[0].buffer = 1;
      });
    const points = Uint8Array.from(new Uint8Array(Float32Array.from([0, 0, 0, 2, 0, 0, 0, 3, 0]).buffer));
    const { read, codes } = await loadAll(naming('other%20data.bin'), { files: { 'other data.bin': points } });
    expect([...read[0].points]).toEqual([0, 0, 0, 2, 0, 0, 0, 3, 0]);
    expect(codes).toEqual([]);
    for (const [uri, code] of [
      ['../../secret.bin', 'UC1204'],
      ['/etc/passwd', 'UC1205'],
      ['https://example.com/data.bin', 'UC1205'],
      ['missing.bin', 'UC1203'],
    ]) {
      const item = await refusal(loadAll(naming(uri), { root: '/scenes' }));
      expect(item).toMatchObject({ code, path: 'buffers/1' });
    }
  });

  test('a Git LFS pointer in place of the buffer', async () => {
    const pointer = new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 36\n');
    expect((await refusal(loadAll(buffer('a.bin'), { files: { 'a.bin': pointer } }))).code).toBe('UC1202');
  });
});

/** A grid through gltf-transform, compressed by one of its extensions. */
async function compressed(kind: 'draco' | 'meshopt'): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const points = Float32Array.from({ length: 75 }, (_, i) =>
    i % 3 === 0 ? Math.floor(i / 15) : i % 3 === 1 ? Math.floor(i / 3) % 5 : Math.sin(i),
  );
  const corners = Uint16Array.from(
    Array.from({ length: 16 }, (_, i) => Math.floor(i / 4) * 5 + (i % 4)).flatMap((v) => [
      v,
      v + 1,
      v + 5,
      v + 5,
      v + 1,
      v + 6,
    ]),
  );
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', document.createAccessor().setType('VEC3').setArray(points).setBuffer(buffer))
    .setIndices(document.createAccessor().setType('SCALAR').setArray(corners).setBuffer(buffer));
  document.createScene().addChild(document.createNode().setMesh(document.createMesh().addPrimitive(primitive)));
  if (kind === 'draco') document.createExtension(KHRDracoMeshCompression).setRequired(true);
  else document.createExtension(EXTMeshoptCompression).setRequired(true);
  await MeshoptEncoder.ready;
  return new NodeIO()
    .registerExtensions([KHRDracoMeshCompression, EXTMeshoptCompression])
    .registerDependencies({ 'draco3d.encoder': await draco.createEncoderModule(), 'meshopt.encoder': MeshoptEncoder })
    .writeBinary(document);
}

test('a thousand flips and cuts end in a scene or in coded errors', async () => {
  let state = 20240607;
  const random = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const sources = [
    buildGlb(RICH),
    buildGltf(RICH)['scene.gltf'],
    await compressed('draco'),
    await compressed('meshopt'),
  ];
  const files = buildGltf(RICH);
  const rounds = [500, 200, 150, 150];
  const seen = new Set<string>();
  for (const [s, source] of sources.entries()) {
    for (let i = 0; i < rounds[s]; i++) {
      let bytes = source.slice();
      if (i % 5 === 0) bytes = bytes.subarray(0, random(bytes.length)).slice();
      else for (let flips = 1 + random(4); flips > 0; flips--) bytes[random(bytes.length)] ^= 1 << random(8);
      try {
        await loadAll(bytes, { files });
        seen.add('accepted');
      } catch (error) {
        if (!(error instanceof SourceError)) throw new Error(`source ${s}, round ${i}: ${error}`, { cause: error });
        for (const { code } of error.diagnostics) {
          expect(CODES[code].severity).toBe('error');
          seen.add(code);
        }
      }
    }
  }
  for (const code of ['accepted', 'UC1206', 'UC1301', 'UC1307', 'UC1308', 'UC1317', 'UC1318'])
    expect(seen).toContain(code);
});
