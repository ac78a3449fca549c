// The materials of a .mdl file. The model does not name them: the list of the same name beside it does.

import { basename, dirname, extname, join } from 'node:path';
import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { readMaterial } from '../../formats/urho3d/xml/material.ts';
import { readMaterialList } from '../../formats/urho3d/xml/materialList.ts';
import type { SceneImage, SceneMaterial } from '../../scene/types.ts';
import type { SourceFiles } from '../files.ts';
import { Images, sceneMaterial, whiteMaterial } from './material.ts';
import { Resources } from './resources.ts';

export interface ModelMaterials {
  readonly list: readonly SceneMaterial[];
  readonly images: readonly SceneImage[];
  /** By geometry an index into `list`. */
  readonly ofGeometry: readonly number[];
}

/** The names of the list beside a model; null: there is none. Throws what readMaterialList throws. */
function listBeside(path: string, files: SourceFiles): readonly (string | null)[] | null {
  const list = join(dirname(path), `${basename(path, extname(path))}.txt`);
  return files.exists(list) ? readMaterialList(files.read(list, path, ''), list) : null;
}

/**
 * `stated`: the names by geometry, instead of those in the list beside the model. Throws what reading list and materials throws;
 * reports UC2455, UC2458 and UC2459.
 */
export function modelMaterials(
  path: string,
  geometries: number,
  files: SourceFiles,
  diagnostics: Diagnostics,
  stated: readonly (string | null)[] | null,
): ModelMaterials {
  const names = stated ?? listBeside(path, files);
  const stem = basename(path, extname(path));
  if (names === null) diagnostics.report('UC2455', path, '', `there is no ${stem}.txt: its materials are white`);
  const resources = new Resources(path, files);
  const images = new Images(resources);
  const list: SceneMaterial[] = [];
  const known = new Map<string, number>();
  const left = new Set<string>();
  const take = (key: string, make: () => SceneMaterial): number => {
    const index = known.get(key) ?? list.length;
    if (index === list.length) list.push(make());
    known.set(key, index);
    return index;
  };
  const ofGeometry = Array.from({ length: geometries }, (_, i) => {
    const name = names?.[i] ?? null;
    const white = () => whiteMaterial(`${stem}_${i}`, `geometries/${i}`);
    if (name === null) return take(`/${i}`, white);
    const place = resources.find(name);
    if (place === null) {
      diagnostics.report('UC2458', path, `geometries/${i}`, `"${name}" is not found: it is white`);
      return take(`/${i}`, white);
    }
    return take(name, () => {
      const { material, lost } = sceneMaterial(readMaterial(files.read(place, path, name), place), name, place, images);
      for (const what of lost) left.add(what);
      return material;
    });
  });
  if (left.size > 0) diagnostics.report('UC2459', path, '', [...left].sort().join(', '));
  return { list, images: images.list, ofGeometry };
}
