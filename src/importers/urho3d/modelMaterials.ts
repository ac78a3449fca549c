// The materials of models. A .mdl file does not name them: a scene does, or the list of the same name beside the model.

import { basename, dirname, extname, join } from 'node:path';
import type { Diagnostics } from '../../diagnostics/diagnostic.ts';
import { readMaterial } from '../../formats/urho3d/xml/material.ts';
import { readMaterialList } from '../../formats/urho3d/xml/materialList.ts';
import type { SceneMaterial } from '../../scene/types.ts';
import { whiteMaterial } from '../whiteMaterial.ts';
import { Images, sceneMaterial } from './material.ts';
import type { Resources } from './resources.ts';

/** Names by geometry, and who gives them. */
export interface StatedMaterials {
  readonly names: readonly (string | null)[];
  /** For messages: the file that names them, and the element. */
  readonly file: string;
  readonly place: string;
}

/** The materials of all models of a source, each once. */
export class Materials {
  readonly list: SceneMaterial[] = [];
  readonly images: Images;
  readonly #source: string;
  readonly #resources: Resources;
  readonly #diagnostics: Diagnostics;
  readonly #known = new Map<string, number>();
  readonly #lost = new Set<string>();

  constructor(source: string, resources: Resources, diagnostics: Diagnostics) {
    this.#source = source;
    this.#resources = resources;
    this.#diagnostics = diagnostics;
    this.images = new Images(resources);
  }

  /**
   * By geometry an index into `list`. `stated`: the names instead of those in the list beside the model; null: there are none.
   * Throws what reading list and materials throws; reports UC2455 and UC2458.
   */
  ofModel(model: string, geometries: number, stated: StatedMaterials | null): readonly number[] {
    const stem = basename(model, extname(model));
    const given = stated ?? this.#listBeside(model, stem);
    return Array.from({ length: geometries }, (_, i) => {
      const name = given?.names[i] ?? null;
      const white = () => this.#take(`/${model}/${i}`, () => whiteMaterial(`${stem}_${i}`, `geometries/${i}`));
      if (given === null || name === null) return white();
      const place = this.#resources.find(name);
      if (place !== null) return this.#take(name, () => this.#read(name, place, given.file));
      const element = given.place || `geometries/${i}`;
      this.#diagnostics.report('UC2458', given.file, element, `"${name}" is not found: it is white`);
      return white();
    });
  }

  /** Reports UC2459 for what the materials have that has no place. */
  report(): void {
    if (this.#lost.size > 0) this.#diagnostics.report('UC2459', this.#source, '', [...this.#lost].sort().join(', '));
  }

  #take(key: string, make: () => SceneMaterial): number {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const index = this.list.push(make()) - 1;
    this.#known.set(key, index);
    return index;
  }

  #read(name: string, place: string, from: string): SceneMaterial {
    const source = readMaterial(this.#resources.files.read(place, from, name), place);
    const { material, lost } = sceneMaterial(source, name, place, this.images);
    for (const what of lost) this.#lost.add(what);
    return material;
  }

  #listBeside(model: string, stem: string): StatedMaterials | null {
    const { files } = this.#resources;
    const list = join(dirname(model), `${stem}.txt`);
    if (files.exists(list))
      return { names: readMaterialList(files.read(list, model, ''), list), file: model, place: '' };
    this.#diagnostics.report('UC2455', model, '', `there is no ${stem}.txt: its materials are white`);
    return null;
  }
}
