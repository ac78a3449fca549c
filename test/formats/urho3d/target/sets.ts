// Cooks a source to tiles of both targets, and reads what Urho3D would load.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { CookSettings } from '../../../../src/config/types.ts';
import type { CookOutcome } from '../../../../src/cook/types.ts';
import { readUntold } from '../../../../src/formats/untold/read.ts';
import type { Model } from '../../../../src/formats/urho3d/model/layout.ts';
import { readModel } from '../../../../src/formats/urho3d/model/read.ts';
import { validateUrho3d } from '../../../../src/formats/urho3d/recognise.ts';
import { parseXml, type XmlElement } from '../../../../src/formats/urho3d/xml/document.ts';
import { readMaterial } from '../../../../src/formats/urho3d/xml/material.ts';
import { readMaterialList } from '../../../../src/formats/urho3d/xml/materialList.ts';
import { trianglesOf } from '../../../cook/cooked.ts';
import { bytesOf, cook, expectAlike, fileOf, folder, ofUntold, sorted } from '../../glb/cooking.ts';
import { trianglesOfLevel } from './meshes.ts';

export const BAKE = { instances: 'bake', flatten: true } as const;

export const toModel = (source: string, name: string, settings: Partial<CookSettings> = {}) =>
  cook(source, { kind: 'file', path: fileOf(name) }, { format: 'urho3d', ...settings });

/** All files below a folder of the test, by path. */
export function filesBelow(name: string): Map<string, Buffer> {
  const base = join(folder, name);
  const paths = readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(paths.map((path) => [path.slice(base.length + 1), readFileSync(path)]));
}

const attributesOf = ({ children }: XmlElement): Record<string, string> =>
  Object.fromEntries(
    children.filter(({ name }) => name === 'attribute').map(({ attributes }) => [attributes.name, attributes.value]),
  );

export interface SceneTile {
  readonly name: string;
  readonly drawDistance: number;
  readonly model: Model;
  readonly materials: readonly string[];
}

/** The tiles of a scene with their models. */
export function tilesOfScene(set: string, scene: string): SceneTile[] {
  const root = parseXml(bytesOf(`${set}/Scenes/${scene}.xml`), scene);
  return root.children
    .filter(({ name }) => name === 'node')
    .flatMap((node): SceneTile[] => {
      const model = node.children.find(({ attributes }) => attributes.type === 'StaticModel');
      if (!model) return [];
      const { Model: file, Material: materials, 'Draw Distance': distance } = attributesOf(model);
      const path = file.replace(/^Model;/, '');
      const list = readMaterialList(bytesOf(`${set}/${path.replace(/mdl$/, 'txt')}`), path);
      expect(materials).toBe(['Material', ...list].join(';'));
      return [
        {
          name: attributesOf(node).Name,
          drawDistance: Number(distance),
          model: readModel(bytesOf(`${set}/${path}`), path),
          materials: list as string[],
        },
      ];
    });
}

/** Every file that Urho3D loads is sound, and every resource that one names is there. */
export function expectSound(set: string): void {
  const files = filesBelow(set);
  for (const [path, bytes] of files) {
    if (!/\.(mdl|ani)$|(Materials|Scenes)\/.*\.xml$/.test(path)) continue;
    expect([path, validateUrho3d(new Uint8Array(bytes), path).filter(({ severity }) => severity === 'error')]).toEqual([
      path,
      [],
    ]);
    if (!path.includes('Materials/')) continue;
    const { textures } = readMaterial(new Uint8Array(bytes), path);
    for (const { name } of textures) {
      expect([path, name, files.has(name), files.has(name.replace(/png$/, 'xml'))]).toEqual([path, name, true, true]);
    }
  }
}

interface ManifestTile {
  readonly tile_id: string;
  readonly path_relative_to_manifest: string;
  readonly unload_radius: number;
  readonly bounds: { readonly min: readonly number[]; readonly max: readonly number[] };
  readonly lod_levels?: readonly { readonly switch_distance: number }[];
  readonly hlod_levels: readonly { readonly path: string; readonly switch_distance: number }[];
}

/**
 * Cooks a set of both targets and compares full detail, materials, levels and distances; of at most `maxDiffering` of the
 * tiles, as a share, levels or distances may differ.
 */
export async function expectSameSet(
  name: string,
  source: string,
  settings: Partial<CookSettings>,
  maxDiffering = 0,
): Promise<CookOutcome> {
  const scene = 'scene';
  const both = { ...BAKE, ...settings };
  await cook(source, { kind: 'folder', folder: fileOf(`${name}-untold`), sceneName: scene }, both);
  const target = { kind: 'folder', folder: fileOf(`${name}-urho`), sceneName: scene } as const;
  const outcome = await cook(source, target, { ...both, format: 'urho3d' });
  expectSound(`${name}-urho`);
  const manifest = JSON.parse(readFileSync(fileOf(`${name}-untold/scene.json`), 'utf8'));
  const entries = [...manifest.tiles, ...(manifest.shared_bucket ? [manifest.shared_bucket] : [])] as ManifestTile[];
  const tiles = tilesOfScene(`${name}-urho`, scene);
  expect(tiles.map((tile) => tile.name).sort()).toEqual(entries.map((tile) => tile.tile_id).sort());
  const differing: string[] = [];
  for (const entry of entries) {
    const { model, drawDistance, materials } = tiles.find((tile) => tile.name === entry.tile_id)!;
    const untold = await readUntold(bytesOf(`${name}-untold/${entry.path_relative_to_manifest}`), entry.tile_id);
    expectAlike(sorted(trianglesOfLevel(model, 0)), ofUntold(trianglesOf(untold)));
    const drawn = model.geometries.flatMap(({ levels: [level] }, i) => (level.indexCount > 0 ? [materials[i]] : []));
    const stem = (material: string) => material.replace(/^.*\//, '').replace(/_[0-9a-f]{8,}\.xml$/, '');
    expect([...new Set(drawn.map(stem))].sort()).toEqual(
      [...new Set(untold.materials.map((one) => one.name.replace(/[^A-Za-z0-9_-]/g, '_')))].sort(),
    );
    // Distances of models are of the centre of the box, divided by the mean of its sides.
    const sides = [0, 1, 2].map((axis) => model.box[axis + 3] - model.box[axis]);
    const mean = (sides[0] + sides[1] + sides[2]) / 3;
    const radius = Math.hypot(...sides) / 2;
    const metres = (distance: number) => distance * mean - radius;
    const wanted = [...(entry.lod_levels ?? []), ...entry.hlod_levels].map((level) => level.switch_distance);
    const stated = [...new Set(model.geometries.flatMap(({ levels }) => levels.map((level) => level.distance)))];
    const found = stated
      .sort((a, b) => a - b)
      .slice(1)
      .map(metres);
    // The levels of both are made of what each stores, rounded otherwise: now and then one has a level that the other has not.
    if (found.length !== wanted.length) {
      differing.push(entry.tile_id);
      continue;
    }
    const isMember = entry.hlod_levels.some(({ path }) => path.includes('_blank'));
    for (const [k, distance] of wanted.entries()) {
      // It ends beyond what its manifest states: distances are of the centres of boxes.
      if (isMember && k === wanted.length - 1) continue;
      if (Math.abs(found[k] - distance) > 0.02 * distance) differing.push(entry.tile_id);
    }
    // With levels it is drawn as far as the engine looks for tiles; a member of a cluster as far as its levels reach.
    const reach = isMember ? found[found.length - 1] : wanted.length > 0 ? 500 : entry.unload_radius;
    if (Math.abs(drawDistance - radius - reach) > 0.02 * reach) differing.push(entry.tile_id);
  }
  expect(new Set(differing).size).toBeLessThanOrEqual(maxDiffering * entries.length);
  return outcome;
}

/** Every tile that ends where a cluster takes over is drawn until that cluster certainly is. */
export function expectNoHoles(set: string, scene: string): void {
  const tiles = tilesOfScene(set, scene);
  const boxOf = ({ model: { box } }: SceneTile) => {
    const sides = [0, 1, 2].map((axis) => box[axis + 3] - box[axis]);
    return { mean: (sides[0] + sides[1] + sides[2]) / 3, middle: sides.map((side, axis) => box[axis] + side / 2), box };
  };
  const clusters = tiles.filter(({ name }) => name.startsWith('far'));
  let members = 0;
  for (const tile of tiles) {
    const lasts = tile.model.geometries.map(({ levels }) => levels[levels.length - 1]);
    if (clusters.includes(tile) || lasts.some((level) => level.indexCount > 0)) continue;
    members++;
    const own = boxOf(tile);
    const end = Math.max(...lasts.map((level) => level.distance)) * own.mean;
    const above = clusters.filter((one) => {
      const { box } = boxOf(one);
      return own.middle.every((value, axis) => axis === 1 || (value >= box[axis] && value <= box[axis + 3]));
    });
    expect(above.length).toBeGreaterThan(0);
    for (const cluster of above) {
      const { mean, middle } = boxOf(cluster);
      const start = cluster.model.geometries[0].levels[1].distance * mean;
      expect(end).toBeGreaterThan(start + Math.hypot(...middle.map((value, axis) => value - own.middle[axis])));
      expect(cluster.drawDistance).toBeGreaterThan(start);
    }
  }
  expect(members).toBeGreaterThan(1);
}
