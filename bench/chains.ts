// Compares the LOD chains of two cooks of the same models: triangles drawn and how like the models they look, from several radii.
//
//   untold cook tree.glb --out looks/tree.untoldpack
//   untold cook tree.glb --out formula/tree.untoldpack --lod 0.5,0.15,0.03
//   npx tsx bench/chains.ts looks/tree.untoldpack formula/tree.untoldpack
//
// Each pack is drawn as the engine would choose its levels; SSIM is the mean over thirteen sides against the model itself.

import { dirname, join, resolve } from 'node:path';
import { Diagnostics } from '../src/diagnostics/diagnostic.ts';
import { levelAt } from '../src/engine/screenSize.ts';
import { levelFacts } from '../src/formats/untold/check/level.ts';
import type { UntoldPack } from '../src/formats/untoldpack/document.ts';
import { readPack } from '../src/formats/untoldpack/validate.ts';
import { readWhole, readWholeText } from '../src/importers/wholeFile.ts';
import { fileAsSet } from '../src/library/render/cookedSet.ts';
import { DrawnPayloads } from '../src/library/render/drawnPayloads.ts';
import { judge } from '../src/raster/judge.ts';
import { buildRasterScene, type RasterScene } from '../src/raster/scene.ts';
import type { Bounds } from '../src/scene/types.ts';

const RADII = [5, 10, 20, 50];

class Models {
  readonly pack: UntoldPack;
  readonly #path: string;
  readonly #drawn: DrawnPayloads;

  constructor(path: string) {
    const pack = readPack(readWholeText(path));
    if (pack === null) throw new Error(`${path} is no pack`);
    this.pack = pack;
    this.#path = path;
    this.#drawn = new DrawnPayloads(fileAsSet(path, path), new Diagnostics());
  }

  async scene(model: string): Promise<RasterScene> {
    return buildRasterScene(await this.#drawn.meshes(model));
  }

  async facts(model: string): Promise<{ readonly bounds: Bounds; readonly triangles: number }> {
    const facts = await levelFacts(readWhole(join(dirname(this.#path), model)), model);
    if (facts === null) throw new Error(`${model} is no .untold file`);
    const { worldBoundsMin: min, worldBoundsMax: max } = facts.container.header;
    const bounds: Bounds = { min: [min[0], min[1], min[2]], max: [max[0], max[1], max[2]] };
    return { bounds, triangles: facts.triangles };
  }
}

const print = (cells: readonly (string | number)[]) => process.stdout.write(`${cells.join('\t')}\n`);

const packs = process.argv.slice(2).map((path) => new Models(resolve(path)));
if (packs.length === 0) {
  process.stderr.write('npx tsx bench/chains.ts PACK.untoldpack...\n');
  process.exitCode = 2;
} else print(['model', 'radii', ...packs.flatMap((_, i) => [`triangles ${i + 1}`, `ssim ${i + 1}`])]);
for (const { path, displayName } of packs[0]?.pack.models ?? []) {
  if (packs.every(({ pack }) => pack.lodChains?.[path] === undefined)) continue;
  const { bounds, triangles } = await packs[0].facts(path);
  const radius = Math.hypot(...[0, 1, 2].map((k) => bounds.max[k] - bounds.min[k])) / 2;
  const full = await packs[0].scene(path);
  for (const radii of RADII) {
    const cells: (string | number)[] = [];
    for (const models of packs) {
      const chain = models.pack.lodChains?.[path] ?? [];
      const sizes = chain.map(({ screenSize }) => screenSize);
      const level = levelAt(radius * radii, radius, sizes);
      if (level === 0) cells.push(triangles, 1);
      else {
        const { path: of, triangles: drawn = 0 } = chain[level - 1];
        // Distances of judge are those from the box.
        const { mean } = judge(full, await models.scene(of), bounds, radius * (radii - 1));
        cells.push(drawn, mean.ssim.toFixed(3));
      }
    }
    print([displayName, radii, ...cells]);
  }
}
