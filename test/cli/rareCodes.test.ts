// Codes of rare inputs, each provoked through the command line.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { BIN, environment } from '../support/process.ts';
import { RED_PNG, squareGltf } from '../support/squareGltf.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Said {
  readonly code: string;
  readonly file: string;
  readonly path: string;
  readonly message: string;
}

/** What a plan of the words says, of each source and of the whole. */
async function said(...words: string[]): Promise<Said[]> {
  const { stdout } = await untold(folder, ['cook', ...words, '--dry-run', '--json']);
  const { results, diagnostics } = JSON.parse(stdout) as { results: { diagnostics: Said[] }[]; diagnostics: Said[] };
  return [...results.flatMap((result) => result.diagnostics), ...diagnostics];
}

const ofCode = (list: readonly Said[], code: string) => list.filter((item) => item.code === code);

const SQUARE = `
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 0, -1), (0, 0, -1)]
    int[] faceVertexCounts = [4]
    int[] faceVertexIndices = [0, 1, 2, 3]`;

test('UC1020: a source of a folder that another one brings in', async () => {
  put(folder, 'art/part.usda', `#usda 1.0\n( defaultPrim = "Part" )\ndef Mesh "Part"\n{${SQUARE}\n}\n`);
  put(folder, 'art/whole.usda', '#usda 1.0\ndef "Whole" ( references = @./part.usda@ )\n{\n}\n');
  expect(ofCode(await said('art'), 'UC1020').map(({ message }) => message)).toEqual([
    'art/part.usda is not cooked: other sources bring it in',
  ]);
});

test('UC1327: instances of a skinned mesh', async () => {
  const gltf = JSON.parse(squareGltf()) as Record<string, Record<string, unknown>[]> & {
    extensionsUsed?: string[];
  };
  const bytes = Buffer.concat([
    Buffer.alloc(16),
    Buffer.from(Float32Array.from({ length: 16 }, (_, i) => (i % 4 === 0 ? 1 : 0)).buffer),
    Buffer.from(Float32Array.of(0, 0, 0, 5, 0, 0).buffer),
  ]);
  gltf.buffers.push({ byteLength: 104, uri: `data:application/octet-stream;base64,${bytes.toString('base64')}` });
  gltf.bufferViews.push(
    { buffer: 1, byteOffset: 0, byteLength: 16 },
    { buffer: 1, byteOffset: 16, byteLength: 64 },
    { buffer: 1, byteOffset: 80, byteLength: 24 },
  );
  gltf.accessors.push(
    { bufferView: 3, componentType: 5121, count: 4, type: 'VEC4' },
    { bufferView: 4, componentType: 5126, count: 4, type: 'VEC4' },
    { bufferView: 5, componentType: 5126, count: 2, type: 'VEC3' },
  );
  const [primitive] = gltf.meshes[0].primitives as { attributes: Record<string, number> }[];
  Object.assign(primitive.attributes, { JOINTS_0: 3, WEIGHTS_0: 4 });
  gltf.skins = [{ joints: [1] }];
  Object.assign(gltf.nodes[0], {
    skin: 0,
    extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 5 } } },
  });
  (gltf.scenes[0].nodes as number[]).push(1);
  gltf.extensionsUsed = ['EXT_mesh_gpu_instancing'];
  put(folder, 'skinned.gltf', JSON.stringify(gltf));
  const [found] = ofCode(await said('skinned.gltf'), 'UC1327');
  expect(found.message).toContain('drawn once: "square"');
});

test('UC1701: a spline', async () => {
  put(
    folder,
    'spline.usda',
    `#usda 1.0
def Mesh "Square"
{${SQUARE}
    double3 xformOp:translate = (1, 2, 3)
    double3 xformOp:translate.spline = {
        0: 0; post linear,
    }
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
`,
  );
  const [found] = ofCode(await said('spline.usda'), 'UC1701');
  expect([found.path, found.message]).toEqual([
    '/Square.xformOp:translate',
    'splines are not evaluated: the default value is used',
  ]);
});

test('UC1917: a variable expression in the path of a texture', async () => {
  put(folder, 'red.png', RED_PNG);
  put(
    folder,
    'expression.usda',
    `#usda 1.0
def Mesh "Square" ( prepend apiSchemas = ["MaterialBindingAPI"] )
{${SQUARE}
    texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] ( interpolation = "vertex" )
    rel material:binding = </Square/Paint>
    def Material "Paint"
    {
        token outputs:surface.connect = </Square/Paint/Surface.outputs:surface>
        def Shader "Surface"
        {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </Square/Paint/Image.outputs:rgb>
            token outputs:surface
        }
        def Shader "Image"
        {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @\`"\${COLOR}.png"\`@
            float3 outputs:rgb
        }
    }
}
`,
  );
  const [found] = ofCode(await said('expression.usda', '--missing-texture', 'drop'), 'UC1917');
  expect(found.message).toContain('is not evaluated');
});

/** Lets nothing be removed whose path holds the word in KEEPS. */
const KEEPER = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const remove = fs.rmSync;
fs.rmSync = (path, options) => {
  if (String(path).includes(process.env.KEEPS) && !options?.recursive) {
    throw Object.assign(new Error('EPERM: not permitted'), { code: 'EPERM', syscall: 'rm' });
  }
  remove(path, options);
};
syncBuiltinESMExports();
`;

test('UC4006: a file of the earlier set that the system does not remove', async () => {
  put(folder, 'town.gltf', squareGltf());
  const args = ['cook', 'town.gltf', '--out', 'tiles', '--no-cache'];
  expect((await untold(folder, args)).code).toBe(0);
  const old = readdirSync(join(folder, 'tiles/town')).find((name) => name.startsWith('tile')) as string;
  put(folder, 'town.gltf', squareGltf({ size: 2 }));
  const keeper = pathToFileURL(put(folder, 'keeper.mjs', KEEPER)).href;
  const ran = spawnSync(process.execPath, ['--import', keeper, BIN, ...args], {
    cwd: folder,
    env: environment({ KEEPS: old }),
    encoding: 'utf8',
  });
  expect([ran.status, ran.stderr]).toEqual([0, expect.stringContaining(`UC4006 tiles/town/${old}`)]);
  expect(existsSync(join(folder, 'tiles/town', old))).toBe(true);
  // The set is whole all the same, and the next cook removes it.
  expect((await untold(folder, ['validate', 'tiles/town.json'])).code).toBe(0);
  expect((await untold(folder, args)).code).toBe(0);
  expect(existsSync(join(folder, 'tiles/town', old))).toBe(false);
});
