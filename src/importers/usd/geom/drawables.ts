// The meshes of a Scene: one for each prim that is drawn, however often instancers place it.

import type { Mat4, SceneMesh } from '../../../scene/types.ts';
import { counted, type Notes } from '../compose/notes.ts';
import type { StagePrim } from '../compose/stage.ts';
import { noteLightGeometry } from '../lux/leftOut.ts';
import { type GeomContext, meshPrimitive } from './mesh.ts';
import { shapePrimitive } from './shapes.ts';

const DEFORMERS = ['primvars:skel:jointIndices', 'primvars:skel:jointWeights', 'skel:blendShapes'];

function noteDeformation(prim: StagePrim, notes: Notes): void {
  if (DEFORMERS.some((name) => prim.attribute(name)?.peek())) {
    notes.count(
      'UC1837',
      '',
      prim.path,
      (n) => `cooked as authored points: ${counted(n, 'skinned or blended mesh', 'skinned or blended meshes')}`,
    );
  }
}

export class Drawables {
  readonly meshes: SceneMesh[] = [];
  readonly #context: GeomContext;
  readonly #byPath = new Map<string, number>();

  constructor(context: GeomContext) {
    this.#context = context;
  }

  /**
   * Index of the mesh of a shape that stands at `world` (to metres; with instances, one of their places); -1 when it is
   * broken, which has been reported.
   */
  mesh(prim: StagePrim, world: Mat4): number {
    const known = this.#byPath.get(prim.path);
    if (known !== undefined) return known;
    const { notes } = this.#context;
    const primitive =
      prim.typeName === 'Mesh' ? meshPrimitive(prim, this.#context) : shapePrimitive(prim, world, this.#context);
    const index = primitive === null ? -1 : this.meshes.length;
    this.#byPath.set(prim.path, index);
    if (primitive === null) return -1;
    noteDeformation(prim, notes);
    noteLightGeometry(prim, notes);
    this.meshes.push({ name: prim.name, path: prim.path, primitives: [primitive] });
    return index;
  }
}
