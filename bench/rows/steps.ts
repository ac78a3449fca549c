// The steps of a cook of a million triangles, each alone in this process.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Diagnostics } from '../../src/diagnostics/diagnostic.ts';
import { packLz4 } from '../../src/formats/untold/container/lz4.ts';
import { HALF_UVS } from '../../src/formats/untold/mesh/halfFloat.ts';
import { packParts } from '../../src/formats/untold/mesh/packMesh.ts';
import { packVertices, VERTEX_WORDS } from '../../src/formats/untold/mesh/vertexWords.ts';
import type { Mesh } from '../../src/geometry/mesh/mesh.ts';
import { prepareMesh } from '../../src/geometry/mesh/prepare.ts';
import { closedRows } from '../../src/geometry/mesh/weld.ts';
import { addTangents } from '../../src/geometry/shading/tangents.ts';
import { diskFiles } from '../../src/importers/files.ts';
import { importSource } from '../../src/importers/index.ts';
import { kernel } from '../../src/kernel/kernel.ts';
import { OutputSet } from '../../src/output/outputSet.ts';
import type { PolygonMesh } from '../../src/scene/types.ts';
import { crateTerrain } from '../crate.ts';
import { type Figure, median, milliseconds, type Row } from '../measure.ts';
import { terrainGlb } from '../terrain.ts';

const TRIANGLES = 1_000_000;

async function readAll(path: string): Promise<PolygonMesh[]> {
  const context = { files: diskFiles(null), diagnostics: new Diagnostics(), options: {} };
  const scene = await importSource(path, path, context);
  const meshes: PolygonMesh[] = [];
  for (const { primitives } of scene.meshes) for (const primitive of primitives) meshes.push(await primitive.read());
  return meshes;
}

async function measure(folder: string, runs: number): Promise<Figure[]> {
  const timed = async (name: string, work: () => unknown): Promise<Figure> => {
    const walls: number[] = [];
    for (let run = 0; run <= runs; run++) {
      const begin = performance.now();
      await work();
      if (run > 0) walls.push((performance.now() - begin) / 1000);
    }
    return milliseconds(name, median(walls));
  };
  const source = join(folder, 'terrain.glb');
  writeFileSync(source, terrainGlb({ triangles: TRIANGLES, patches: 1 }).glb);
  const crate = join(folder, 'terrain.usdc');
  writeFileSync(crate, crateTerrain(TRIANGLES).bytes);

  const [polygons] = await readAll(source);
  const diagnostics = new Diagnostics();
  const where = { file: source, path: '' };
  const request = {
    subset: -1,
    uv: { set: 'TEXCOORD_0', transform: null },
    color: 'white',
    attributes: [],
    uvLimits: HALF_UVS,
  } as const;
  const plain = (await prepareMesh(polygons, request, diagnostics, where)) as Mesh;
  const mesh = addTangents(plain);
  const packWords = () =>
    kernel.within((memory) => {
      const at = memory.allocate(mesh.vertexCount * VERTEX_WORDS * 4);
      packVertices(memory, mesh, null, at);
      return memory.uint32(at, mesh.vertexCount * VERTEX_WORDS).slice();
    });
  const words = packWords();
  const weld = () =>
    kernel.within((memory) => {
      closedRows(memory, memory.put(words), VERTEX_WORDS, words.length / VERTEX_WORDS);
    });
  const packAll = () => packParts([{ mesh, world: null }], diagnostics, where);
  const packed = await packAll();
  if (packed === null) throw new Error('nothing was packed');
  const indexBytes = new Uint8Array(packed.indices.buffer, packed.indices.byteOffset, packed.indices.byteLength);
  const write = () => {
    const set = OutputSet.open({
      base: join(folder, 'write'),
      main: 'a.untold',
      earlier: () => new Map(),
      force: true,
    });
    set.write('a.untold', packed.vertices);
    set.commit();
  };
  return [
    await timed('import GLB', () => readAll(source)),
    await timed('import crate', () => readAll(crate)),
    await timed('tangents', () => addTangents(plain)),
    await timed('pack', packWords),
    await timed('weld', weld),
    await timed('weld, order and pack', packAll),
    await timed('compress (lz4-fast)', () => Promise.all([packLz4(packed.vertices), packLz4(indexBytes)])),
    await timed('write and sync', write),
  ];
}

export const steps: Row = { name: 'steps', about: 'the steps of a cook of a million triangles', measure };
