// Reads a source as a cook does up to prepared meshes, materials and textures, in memory; and cooks some of them whole.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { riggedScene } from '../../src/animation/rig.ts';
import { cookSource } from '../../src/cook/cookSource.ts';
import { sceneObjects } from '../../src/cook/steps/read/objects.ts';
import { uvReader } from '../../src/cook/steps/textures/uvTriangles.ts';
import { materialOf, planColors } from '../../src/cook/steps/textures/vertexColors.ts';
import { Diagnostics, SourceError } from '../../src/diagnostics/diagnostic.ts';
import { DEFAULT_LIMITS } from '../../src/diagnostics/limits.ts';
import { LENIENT } from '../../src/diagnostics/policy.ts';
import { FORMATS, loadFormat } from '../../src/formats/registry.ts';
import { textureFiles } from '../../src/formats/textureFiles.ts';
import { prepareMesh } from '../../src/geometry/mesh/prepare.ts';
import { subdivide } from '../../src/geometry/polygons/subdivide.ts';
import { memoryFiles } from '../../src/importers/files.ts';
import { describeStage, importSource } from '../../src/importers/index.ts';
import { prepareMaterials } from '../../src/textures/prepare.ts';
import { KEPT_TEXTURES } from '../../src/textures/types.ts';
import { DEFAULT_MATERIAL } from '../../src/workers/jobs.ts';
import type { Case } from './reader.ts';

type Files = Readonly<Record<string, Uint8Array>>;

const FOLDER = resolve('/fuzz');
/** Every so many cases a mesh is subdivided, a stage described, and a source cooked whole. */
const SUBDIVIDED_EVERY = 4;
const DESCRIBED_EVERY = 5;
const COOKED_EVERY = 16;
/** Every so many cases of a source, what moves is read instead of what is drawn. */
const RIGGED_EVERY = 3;

const errorCodes = (diagnostics: Diagnostics): string[] =>
  diagnostics.list.filter(({ severity }) => severity === 'error').map(({ code }) => code);

/** Reads `main` among `files`; `kind`: whether there is a stage to describe. */
export async function readSource(input: Case, main: string, files: Files, kind: 'usd' | 'gltf'): Promise<string[]> {
  const { number } = input;
  const path = join(FOLDER, main);
  const inMemory = memoryFiles(
    Object.fromEntries(Object.entries(files).map(([name, bytes]) => [join(FOLDER, name), bytes])),
    FOLDER,
  );
  if (kind === 'usd' && number % DESCRIBED_EVERY === 0) {
    const diagnostics = new Diagnostics();
    const stage = await describeStage(path, main, { files: inMemory, diagnostics, options: {} }).catch(coded);
    try {
      for (const row of stage?.rows ?? []) row.path.length;
    } catch (error) {
      coded(error);
    }
  }
  if (number % COOKED_EVERY === 0) return cookWhole(input, main, files);
  if (number % RIGGED_EVERY === 1) return rigged(path, main, inMemory, number);
  return prepare(path, main, inMemory, kind === 'usd' ? number : 0);
}

/** Reads skeletons, skins and clips, poses them, and writes the clips. */
async function rigged(
  path: string,
  name: string,
  files: ReturnType<typeof memoryFiles>,
  number: number,
): Promise<string[]> {
  const diagnostics = new Diagnostics();
  const options = { keepsRigs: true, tolerant: number % 2 === 0 };
  const scene = await importSource(path, name, { files, diagnostics, options });
  const animateNodes = number % (2 * RIGGED_EVERY) === 1;
  const rig = {
    animations: 'all',
    keepKeys: false,
    held: null,
    holdsWeights: true,
    animateNodes,
    morphs: 'all',
    subdivides: false,
  } as const;
  const { clips, scene: posed } = await riggedScene(scene, rig, diagnostics);
  const format = await loadFormat('untold');
  for (const clip of clips) await format.clips?.encode(clip, { compression: 'none' });
  for (const { primitives } of posed.meshes) for (const one of primitives) await one.read().catch(coded);
  return errorCodes(diagnostics);
}

/** Undefined for coded errors; throws all else. */
function coded(error: unknown): undefined {
  if (!(error instanceof SourceError)) throw error;
}

async function prepare(
  path: string,
  name: string,
  files: ReturnType<typeof memoryFiles>,
  /** Chooses what else is done; 0: nothing. */
  number: number,
): Promise<string[]> {
  const diagnostics = new Diagnostics();
  const subdivides = number % SUBDIVIDED_EVERY === 1;
  const options = number === 0 ? {} : { subdivides, tolerant: number % 3 === 2 };
  const scene = await importSource(path, name, { files, diagnostics, options });
  try {
    sceneObjects(scene, new Set(), [], diagnostics);
  } catch (error) {
    coded(error);
  }
  const meshes = new Set(scene.nodes.flatMap(({ mesh }) => (mesh < 0 ? [] : [mesh])));
  const prepared = await prepareMaterials(
    scene,
    { missingTexture: 'drop', maxPixels: 2 ** 20 },
    uvReader(scene, meshes),
    diagnostics,
  );
  const material = (index: number) => (index < 0 ? DEFAULT_MATERIAL : prepared.materials[index]);
  await planColors(scene, meshes, material, textureFiles(KEPT_TEXTURES), FORMATS.untold);
  const { uvs } = await loadFormat('untold');
  for (const { primitives } of scene.meshes) {
    for (const primitive of primitives) {
      const read = await primitive.read().catch(coded);
      if (!read) continue;
      const location = { file: name, path: primitive.path };
      let polygons = read;
      try {
        if (subdivides) polygons = subdivide(read, 1, diagnostics, location);
      } catch (error) {
        coded(error);
      }
      for (const subset of [-1, ...primitive.subsets.keys()]) {
        const { uv, tangentTurn } = material(materialOf(primitive, subset));
        const [first] = polygons.uvs.keys();
        await prepareMesh(
          polygons,
          {
            subset,
            uv: uv.set === null ? { set: first ?? null, transform: null } : uv,
            color: 'store',
            attributes: ['tangent', 'color0'],
            tangentTurn,
            uvLimits: uvs,
            textureSize: [1024, 1024],
          },
          diagnostics,
          location,
        );
      }
    }
  }
  return errorCodes(diagnostics);
}

/** Cooks the source into tiles with levels, and removes them. */
async function cookWhole({ bytes, number, folder }: Case, main: string, files: Files): Promise<string[]> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const out = join(folder, 'out');
  try {
    const outcome = await cookSource({
      source: join(folder, main),
      content: files[main] === bytes ? bytes : null,
      root: folder,
      target: { kind: 'folder', folder: out, sceneName: 'scene' },
      settings: {
        missingTexture: 'drop',
        tileSize: 25,
        compress: 'lz4',
        ...(number % (2 * COOKED_EVERY) === 0 ? { lods: [0.5, 0.2], hlod: 0.1, hlodLevels: 2 } : {}),
      },
      policy: LENIENT,
      force: false,
      limits: { ...DEFAULT_LIMITS, pixels: 2 ** 20 },
    });
    const errors = outcome.diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
    if (outcome.status === 'ok' && errors.length > 0) throw new Error(`complete, and ${errors}`);
    if (outcome.status !== 'ok' && errors.length === 0) throw new Error('failed without an error');
    return errors;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
