// A skeleton on the stage: the meshes that follow its joints, bent on the GPU, and its joints as lines.

import {
  Bone,
  Box3,
  BufferAttribute,
  BufferGeometry,
  DetachedBindMode,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  type Mesh,
  Skeleton,
  SkinnedMesh,
  Sphere,
  Vector3,
} from 'three';
import { NONE, type UntoldClip, type UntoldSkeleton } from '../../../formats/untold/types.ts';
import { type Pose, Poser } from '../animation/pose.ts';
import type { ReadSkin } from '../reading/protocol.ts';

const LINE = 0xffc94d;
/** A joint is a cross so long, as a share of the model. */
const CROSS = 0.012;
const AXES = [0, 4, 8];

export class Rig {
  /** Not among what is picked and measured. */
  readonly lines: LineSegments;
  readonly #poser: Poser;
  readonly #skeleton: Skeleton;
  readonly #bounds = new Box3();

  /** `world`: where the space of the joints is. */
  constructor({ joints }: UntoldSkeleton, world: Matrix4) {
    this.#poser = new Poser(joints);
    // The matrices of bones are those that vertices are multiplied with: nothing is left to undo.
    const bones = joints.map(() => new Bone());
    this.#skeleton = new Skeleton(
      bones,
      bones.map(() => new Matrix4()),
    );
    const segments = joints.length * (AXES.length + 1);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(segments * 6), 3));
    const material = new LineBasicMaterial({ color: LINE, depthTest: false, transparent: true, toneMapped: false });
    this.lines = new LineSegments(geometry, material);
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 1;
    this.lines.matrixAutoUpdate = false;
    this.lines.matrix.copy(world);
    this.lines.raycast = () => {};
  }

  /** A mesh as one that follows the joints. It is found and framed where the file says that it can be. */
  skinned({ geometry, material }: Mesh, { joints, indices, weights, bounds }: ReadSkin): SkinnedMesh {
    const own = new BufferGeometry();
    for (const [name, attribute] of Object.entries(geometry.attributes)) own.setAttribute(name, attribute);
    own.setIndex(geometry.index);
    const last = this.#poser.joints.length - 1;
    const numbers = indices.map((index) => Math.min(last, joints[index] ?? 0));
    own.setAttribute('skinIndex', new BufferAttribute(numbers, 4));
    own.setAttribute('skinWeight', new BufferAttribute(weights, 4));
    const box = new Box3(new Vector3(...bounds.min), new Vector3(...bounds.max));
    own.boundingBox = box;
    own.boundingSphere = box.getBoundingSphere(new Sphere());
    const mesh = new SkinnedMesh(own, material);
    mesh.boundingBox = box;
    mesh.boundingSphere = own.boundingSphere;
    mesh.bindMode = DetachedBindMode;
    mesh.bind(this.#skeleton, new Matrix4());
    this.#bounds.union(box);
    // Lines are as long as the model is large, which is known now.
    this.show(null, 0);
    return mesh;
  }

  /** The pose at so many seconds of a clip; null: as the vertices are stored. */
  show(clip: UntoldClip | null, seconds: number): void {
    const pose = clip ? this.#poser.at(clip, seconds) : this.#poser.stored();
    this.#skeleton.bones.forEach((bone, j) => {
      bone.matrixWorld.fromArray(pose.skins[j]);
    });
    this.#drawLines(pose);
  }

  #drawLines({ worlds }: Pose): void {
    const positions = this.lines.geometry.getAttribute('position') as BufferAttribute;
    const cross = this.#bounds.getSize(new Vector3()).length() * CROSS;
    const place = (m: ArrayLike<number>): [number, number, number] => [m[12], m[13], m[14]];
    let at = 0;
    const line = (from: readonly number[], to: readonly number[]) => {
      positions.setXYZ(at++, from[0], from[1], from[2]);
      positions.setXYZ(at++, to[0], to[1], to[2]);
    };
    this.#poser.joints.forEach(({ parent }, j) => {
      const here = place(worlds[j]);
      line(parent === NONE ? here : place(worlds[parent]), here);
      for (const axis of AXES) {
        const length = Math.hypot(...Array.from(worlds[j].subarray(axis, axis + 3))) || 1;
        const arm = [0, 1, 2].map((k) => (worlds[j][axis + k] / length) * cross);
        line(
          here.map((value, k) => value - arm[k]),
          here.map((value, k) => value + arm[k]),
        );
      }
    });
    positions.needsUpdate = true;
  }

  dispose(): void {
    this.#skeleton.dispose();
    this.lines.geometry.dispose();
    (this.lines.material as LineBasicMaterial).dispose();
    this.lines.removeFromParent();
  }
}
