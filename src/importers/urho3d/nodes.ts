// The nodes of a scene of Urho3D as nodes of a Scene: where they stand, and which mesh is at each. Their number has a limit,
// with the joints of the models that bones move.

import { fail } from '../../diagnostics/diagnostic.ts';
import type { LimitWatch } from '../../diagnostics/limits.ts';
import { rotationFromUrho3d } from '../../formats/urho3d/axes.ts';
import { flagAttribute, numberAttributes, textAttribute } from '../../formats/urho3d/xml/attributes.ts';
import type { XmlElement } from '../../formats/urho3d/xml/document.ts';
import { identity, multiply } from '../../scene/matrix.ts';
import { fromParts } from '../../scene/quaternion.ts';
import type { SceneNode, Vec3 } from '../../scene/types.ts';
import { fitsFloat32 } from '../photometry.ts';

type Draft = { -readonly [K in keyof SceneNode]: SceneNode[K] };

export class SceneNodes {
  readonly list: Draft[] = [];
  readonly #source: string;
  readonly #limits: LimitWatch;
  readonly #enabled: boolean[] = [];
  #joints = 0;

  /** `source`: the scene. */
  constructor(source: string, limits: LimitWatch) {
    this.#source = source;
    this.#limits = limits;
  }

  /** Where the next node will be. */
  get nextPath(): string {
    return `nodes/${this.list.length}`;
  }

  /**
   * Adds the node of an element of `file`; `parent`: -1 for none. Throws UC3971 for numbers that are none or do not fit 32 bits,
   * UC1209 beyond --max-prims.
   */
  add(element: XmlElement, parent: number, file: string): number {
    const path = this.nextPath;
    const numbers = (wanted: string, usual: readonly number[]) => numberAttributes(element, wanted, usual, file, path);
    const [x, y, z] = numbers('Position', [0, 0, 0]);
    const turn = rotationFromUrho3d(numbers('Rotation', [1, 0, 0, 0]));
    const scale = numbers('Scale', [1, 1, 1]) as unknown as Vec3;
    const local = fromParts([x, y, 0 - z], turn, scale);
    const world = multiply(parent < 0 ? identity() : this.list[parent].world, local);
    if (!world.every(fitsFloat32)) {
      const what = 'the position, rotation and scale of the nodes down to here do not fit 32 bits';
      fail('UC3971', file, path, `material or scene that Urho3D does not read: ${what}`);
    }
    const isMirrored = scale.some((value) => value < 0);
    const name = textAttribute(element, 'Name');
    const node = this.#push({ name, path, parent, local, ...(isMirrored ? { scale } : {}), world, mesh: -1 });
    this.#enabled[node] = flagAttribute(element, 'Is Enabled', true);
    return node;
  }

  /** Whether what stands at a node is drawn. */
  isEnabled(node: number): boolean {
    return this.#enabled[node];
  }

  /** Puts a mesh at a node, or at one of its own below where there is one already. `mesh`: -1 for none. */
  place(node: number, mesh: number): void {
    if (mesh < 0) return;
    const at = this.list[node];
    if (at.mesh < 0) {
      at.mesh = mesh;
      return;
    }
    const { name, world } = at;
    this.#push({ name, path: this.nextPath, parent: node, local: identity(), world, mesh });
  }

  /** Counts joints before they are made. Throws UC1209 beyond --max-prims. */
  needJoints(count: number, path: string): void {
    this.#joints += count;
    this.#need(path);
  }

  #push(node: Draft): number {
    const index = this.list.push(node) - 1;
    this.#need(node.path);
    return index;
  }

  #need(path: string): void {
    const nodes = this.list.length;
    const what = () => `up to here it has ${nodes} nodes${this.#joints > 0 ? ` and ${this.#joints} joints` : ''}`;
    this.#limits.need('prims', nodes + this.#joints, 'UC1209', this.#source, path, what);
  }
}
