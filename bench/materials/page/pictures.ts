// Bundled into the page of bench/materials.ts: pictures of a GLB by three.js's own loader and of what was cooked of it by the
// viewer's materials, from one place in one light.

import { DoubleSide, type Material, Mesh, MeshBasicMaterial, type Object3D, PlaneGeometry, Texture } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { storedTexture } from '../../../src/formats/untold/materialRecord.ts';
import { NONE } from '../../../src/formats/untold/types.ts';
import { DRAWN_SLOTS } from '../../../src/scene/materialSlots.ts';
import { type LoadedPayload, PayloadStore } from '../../../src/viewer/page/drawing/payloads.ts';
import { Stage } from '../../../src/viewer/page/drawing/stage.ts';
import { TextureStore } from '../../../src/viewer/page/drawing/textures.ts';
import { Attempts } from '../../../src/viewer/page/reading/attempts.ts';
import { Reading } from '../../../src/viewer/page/reading/client.ts';
import { pixelsOf } from '../../../test/viewer/page/gltfPicture.ts';
import type { Pictures } from '../compared.ts';

const stage = new Stage(document.createElement('canvas'));
stage.renderer.setPixelRatio(1);
stage.resize(480, 240);
stage.camera.position.set(0, 0.5, 2.2);
stage.camera.lookAt(0, 0, 0);
stage.camera.updateMatrixWorld();

/** Bars behind the surfaces, for those that show what is behind them. */
for (let i = -8; i <= 8; i++) {
  const bar = new Mesh(new PlaneGeometry(0.2, 4), new MeshBasicMaterial({ color: i % 2 === 0 ? 0x305080 : 0xc0c0a0 }));
  bar.position.set(i * 0.4, 0, -1.2);
  stage.scene.add(bar);
}

const fail = (fault: Error) => {
  throw fault;
};
const reading = new Reading(new Attempts());
const textures = new TextureStore(stage.renderer, reading, fail);
const payloads = new PayloadStore(reading, textures, () => {}, fail);

/** Every texture of the payload has come, and its materials were made of them. */
async function complete({ facts, surfaces }: LoadedPayload): Promise<void> {
  const isThere = (index: number) => {
    const { material, textures: shown } = surfaces[index];
    return DRAWN_SLOTS.every((slot) => storedTexture(material, slot) === NONE || shown[slot]);
  };
  while (!facts.meshes.every(({ material }) => isThere(material))) await new Promise((done) => setTimeout(done, 10));
  await new Promise((done) => setTimeout(done, 0));
}

function pictureOf(object: Object3D): string {
  stage.scene.add(object);
  const pixels = pixelsOf(stage);
  stage.scene.remove(object);
  return pixels;
}

/** Green where the object is, whatever its materials. */
function coverOf(object: Object3D): string {
  const cover = new MeshBasicMaterial({ color: 0x00ff00, side: DoubleSide, toneMapped: false });
  const own = new Map<Mesh, Material | Material[]>();
  object.traverse((child) => {
    if (!(child instanceof Mesh)) return;
    own.set(child, child.material);
    child.material = cover;
  });
  const pixels = pictureOf(object);
  for (const [mesh, material] of own) mesh.material = material;
  return pixels;
}

/** Both pictures of a feature, by the name of its files. */
export async function pictures(name: string): Promise<Pictures> {
  const { scene } = await new GLTFLoader().loadAsync(`set/${name}.glb`);
  scene.traverse((object) => {
    const { material = {} } = object as Partial<Mesh>;
    // The engine has one filter for all textures, which is no feature of a material.
    for (const value of Object.values(material)) if (value instanceof Texture) value.anisotropy = textures.anisotropy;
  });
  const payload = await payloads.take(`${name}.untold`);
  if (payload === null) throw new Error(`${name}.untold was not read`);
  await complete(payload);
  const { width, height } = stage.renderer.domElement;
  return {
    width,
    height,
    reference: pictureOf(scene),
    cooked: pictureOf(payload.group),
    cover: coverOf(scene),
  };
}

Object.assign(globalThis, { pictures });
