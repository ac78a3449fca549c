// The meshes of a Scene: one for each different shape, also if arcs and instancers repeat the shape.

import type { Mat4, SceneMesh } from '../../../scene/types.ts';
import type { StagePrim } from '../compose/stage/stage.ts';
import { noteLightGeometry } from '../lux/leftOut.ts';
import { counted, type Notes } from '../notes.ts';
import { type BlendShapes, hasBlendShapes } from '../skel/blendShapes.ts';
import type { Skeletons } from '../skel/skeletons.ts';
import { type GeomContext, meshDrawable } from './mesh/mesh.ts';
import { shapeDrawable } from './mesh/shapes.ts';

const INFLUENCES = ['primvars:skel:jointIndices', 'primvars:skel:jointWeights'];

/** `isBound`: a skeleton moves the mesh. `isAsked`: what moves meshes is asked for. */
function noteDeformation(prim: StagePrim, isBound: boolean, isAsked: boolean, notes: Notes): void {
  const hasInfluences = INFLUENCES.some((name) => prim.attribute(name)?.peek());
  if ((hasInfluences && !isBound) || (hasBlendShapes(prim) && !isAsked)) {
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
  readonly #skeletons: Skeletons;
  readonly #blendShapes: BlendShapes;
  readonly #byPath = new Map<string, number>();
  readonly #byKey = new Map<string, number>();

  constructor(context: GeomContext, skeletons: Skeletons, blendShapes: BlendShapes) {
    this.#context = context;
    this.#blendShapes = blendShapes;
    this.#skeletons = skeletons;
  }

  /**
   * The index of the mesh of a shape. Equal shapes share a mesh, which has the name and path of the first one. `world`
   * is the transform of the shape to metres, for an instanced shape that of one instance. -1 if the shape is broken,
   * which is reported.
   */
  mesh(prim: StagePrim, world: Mat4): number {
    const known = this.#byPath.get(prim.path);
    if (known !== undefined) return known;
    const index = this.#add(prim, world);
    this.#byPath.set(prim.path, index);
    return index;
  }

  /** The index of the mesh of a shape that an instancer draws; as for `mesh`. */
  instancedMesh(prim: StagePrim, world: Mat4): number {
    const index = this.mesh(prim, world);
    if (index >= 0) this.#skeletons.instance(index);
    return index;
  }

  #add(prim: StagePrim, world: Mat4): number {
    const context = this.#context;
    const drawable = prim.typeName === 'Mesh' ? meshDrawable(prim, context) : shapeDrawable(prim, world, context);
    if (drawable === null) return -1;
    const { primitive } = drawable;
    const binding = this.#skeletons.bindingOf(prim);
    // Shapes that move with different skeletons are different meshes, but those of equal instances stay one.
    const isOwn = binding !== null && prim.prototype === null;
    const own = [isOwn ? binding.key : '', this.#blendShapes.key(prim)].filter((part) => part !== '');
    const key = drawable.key !== null && own.length > 0 ? [drawable.key, ...own].join('\n') : drawable.key;
    const like = key === null ? undefined : this.#byKey.get(key);
    if (like !== undefined) {
      this.#skeletons.share(like, prim, binding);
      return like;
    }
    noteDeformation(prim, binding !== null, this.#skeletons.areAsked, context.notes);
    noteLightGeometry(prim, context.notes);
    const made = this.#blendShapes.withShapes(primitive(), prim);
    this.#skeletons.add(this.meshes.length, prim, made, binding);
    this.meshes.push({ name: prim.name, path: prim.path, primitives: [made] });
    if (key !== null) this.#byKey.set(key, this.meshes.length - 1);
    return this.meshes.length - 1;
  }
}
