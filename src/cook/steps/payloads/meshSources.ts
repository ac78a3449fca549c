// The meshes that jobs need, read when a job is about to need them and given to each thread once for as long as its
// later jobs will use them. Knows what every thread holds, so that a thread never has to ask.

import type { Scene, ScenePrimitive } from '../../../scene/types.ts';
import type { PaintedTexture } from '../../../textures/types.ts';
import type { PlannedObject } from '../../../tiling/types.ts';
import type { FaceColor, MeshSource, PrimitiveSource } from '../../../workers/jobs.ts';
import type { SceneDigests } from '../../units/sceneDigests.ts';
import { type ColorPlans, materialOf } from '../textures/vertexColors.ts';

/** A thread keeps meshes of about this many triangles for later jobs, in addition to those of its current job. */
const KEPT_TRIANGLES = 1_000_000;

/** What places a mesh of the scene. */
type Placed = Pick<PlannedObject, 'node'>;

export class MeshSources {
  readonly #scene: Scene;
  readonly #colors: ColorPlans;
  readonly #palettes: ReadonlyMap<PaintedTexture, number>;
  /** Jobs still to come, by mesh. */
  readonly #remaining = new Map<number, number>();
  /** Meshes that each thread holds, those used longest ago first. */
  readonly #held: readonly Set<number>[];
  /** Jobs that wait to be given, by mesh; and the mesh, where some thread lacked it. No thread lets go of these. */
  readonly #waiting = new Map<number, { jobs: number; readonly source: MeshSource | null }>();
  readonly #apart: boolean;
  readonly #digests: SceneDigests | null;
  readonly #digestOf = new Map<number, string>();
  #last: Promise<void> = Promise.resolve();

  /**
   * `jobs`: the objects of each job to come. `apart`: the meshes go to other threads. `digests`: makes the digests of meshes;
   * null: nobody asks for them.
   */
  constructor(
    scene: Scene,
    colors: ColorPlans,
    jobs: Iterable<readonly Placed[]>,
    { count, apart }: { readonly count: number; readonly apart: boolean },
    digests: SceneDigests | null,
  ) {
    this.#scene = scene;
    this.#colors = colors;
    this.#palettes = new Map(colors.textures.map((texture, i) => [texture, i]));
    this.#held = Array.from({ length: count }, () => new Set<number>());
    this.#apart = apart;
    this.#digests = digests;
    for (const objects of jobs) {
      for (const mesh of this.#meshesOf(objects)) this.#remaining.set(mesh, (this.#remaining.get(mesh) ?? 0) + 1);
    }
  }

  /** Reads what some thread lacks of a job's meshes; each job is then given once. Throws what reading throws. */
  prepare(objects: readonly Placed[]): Promise<void> {
    // One after the other, so that no mesh is read twice for jobs that begin together.
    const done = this.#last.then(() => this.#prepare(objects));
    this.#last = done.catch(() => {});
    return done;
  }

  async #prepare(objects: readonly Placed[]): Promise<void> {
    for (const mesh of this.#meshesOf(objects)) {
      const known = this.#waiting.get(mesh);
      if (known) known.jobs++;
      else {
        const source = this.#held.every((held) => held.has(mesh)) ? null : await this.#source(mesh);
        this.#waiting.set(mesh, { jobs: 1, source });
        if (source && this.#digests && !this.#digestOf.has(mesh)) {
          this.#digestOf.set(mesh, this.#digests.mesh(source));
        }
      }
    }
  }

  /** Reads the meshes whose digests are not known yet; they wait until `release` is called with what this returns. */
  async digest(objects: readonly Placed[]): Promise<readonly Placed[]> {
    const unknown = objects.filter(({ node }) => !this.#digestOf.has(this.#scene.nodes[node].mesh));
    if (unknown.length > 0) await this.prepare(unknown);
    return unknown;
  }

  /** Of a mesh that was read. */
  digestOf(mesh: number): string {
    const digest = this.#digestOf.get(mesh);
    if (digest === undefined) throw new Error(`mesh ${mesh} was not read`);
    return digest;
  }

  release(prepared: readonly Placed[]): void {
    for (const mesh of this.#meshesOf(prepared)) this.#leave(mesh);
  }

  /** A job that was to come does not come. */
  skip(objects: readonly Placed[]): void {
    for (const mesh of this.#meshesOf(objects)) this.#count(mesh);
  }

  #leave(mesh: number): void {
    const waiting = this.#waiting.get(mesh);
    if (waiting && --waiting.jobs === 0) this.#waiting.delete(mesh);
  }

  #count(mesh: number): void {
    this.#remaining.set(mesh, (this.#remaining.get(mesh) as number) - 1);
  }

  /** The meshes that the job brings to a thread, and those that the thread drops after it. */
  give(runner: number, objects: readonly Placed[]): { sources: MeshSource[]; forget: number[] } {
    const held = this.#held[runner];
    const sources: MeshSource[] = [];
    for (const mesh of this.#meshesOf(objects)) {
      const waiting = this.#waiting.get(mesh);
      if (!waiting) throw new Error(`mesh ${mesh} was not prepared`);
      if (!held.has(mesh)) {
        if (waiting.source === null) throw new Error(`mesh ${mesh} was let go too early`);
        sources.push(waiting.source);
      }
      this.#leave(mesh);
      this.#count(mesh);
      // To the end: used last.
      held.delete(mesh);
      held.add(mesh);
    }
    const forget: number[] = [];
    let triangles = 0;
    for (const mesh of [...held].reverse()) {
      triangles += this.#scene.meshes[mesh].primitives.reduce((sum, { triangleCount }) => sum + triangleCount, 0);
      const over = triangles > KEPT_TRIANGLES && !this.#waiting.has(mesh);
      if (over || this.#remaining.get(mesh) === 0) forget.push(mesh);
    }
    for (const mesh of forget) held.delete(mesh);
    return { sources, forget };
  }

  #meshesOf(objects: readonly Placed[]): Set<number> {
    return new Set(objects.map(({ node }) => this.#scene.nodes[node].mesh));
  }

  async #source(mesh: number): Promise<MeshSource> {
    // A digest is made of polygons that were read.
    const isReadLater = !this.#apart && (this.#digests === null || this.#digestOf.has(mesh));
    if (isReadLater) return this.#sourceOf(mesh, (primitive) => () => primitive.read());
    const polygons = new Map<ScenePrimitive, PrimitiveSource['polygons']>();
    for (const primitive of this.#scene.meshes[mesh].primitives) {
      if (primitive.triangleCount > 0) polygons.set(primitive, await primitive.read());
    }
    return this.#sourceOf(mesh, (primitive) => polygons.get(primitive) as PrimitiveSource['polygons']);
  }

  #sourceOf(mesh: number, polygons: (primitive: ScenePrimitive) => PrimitiveSource['polygons']): MeshSource {
    const primitives = this.#scene.meshes[mesh].primitives.filter(({ triangleCount }) => triangleCount > 0);
    return {
      mesh,
      primitives: primitives.map((primitive) => ({
        path: primitive.path,
        faces: [-1, ...primitive.subsets.keys()].map((subset) => ({
          subset,
          path: subset < 0 ? primitive.path : primitive.subsets[subset].path,
          material: materialOf(primitive, subset),
          color: this.#color(primitive, subset),
          ...(primitive.variants && { variants: primitive.variants }),
        })),
        polygons: polygons(primitive),
      })),
    };
  }

  #color(primitive: ScenePrimitive, subset: number): FaceColor {
    const plan = this.#colors.of(primitive, subset);
    if (plan.kind !== 'palette' && plan.kind !== 'baked') return plan;
    const palette = this.#palettes.get(plan.texture) as number;
    return plan.kind === 'palette'
      ? { kind: 'palette', cells: plan.palette, palette }
      : { kind: 'baked', colors: plan.colors, palette };
  }
}
