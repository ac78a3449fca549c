// Bundled into the page by its tests: the pixels of the canvas, and the picture of a GLB by three.js's own loader, in the light
// and with the tone mapping of the page.

import { AnimationMixer, type MeshStandardMaterial } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { Stage } from '../../../src/viewer/page/drawing/stage.ts';
import type { Viewer } from '../../../src/viewer/page/viewer.ts';

/** The pixels of the canvas after a picture was drawn: RGBA rows from the bottom, as text of bytes. */
export function pixelsOf(stage: Stage): string {
  stage.invalidate();
  stage.draw(false);
  const gl = stage.renderer.getContext();
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
  const bytes = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
}

/** What a new picture shows at places of the world that nothing hides: red, green and blue of each, 0 to 255. */
export function colorsAt({ stage }: Viewer, places: readonly (readonly number[])[]): number[][] {
  stage.invalidate();
  stage.draw(false);
  const { camera, renderer } = stage;
  const gl = renderer.getContext();
  const { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
  return places.map(([x, y, z]) => {
    const at = camera.position.clone().set(x, y, z).project(camera);
    const rgba = new Uint8Array(4);
    const [column, row] = [((at.x + 1) / 2) * width, ((at.y + 1) / 2) * height].map(Math.floor);
    gl.readPixels(column, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
    return [...rgba.subarray(0, 3)];
  });
}

/** Draws the pictures of three.js's own loader. */
let other: Stage | null = null;

/** `pose`: at so many seconds of a clip, by three.js's own mixer. */
export async function gltfPicture(
  viewer: Viewer,
  glb: string,
  pose: { readonly clip: string; readonly seconds: number } | null = null,
): Promise<string> {
  const bytes = Uint8Array.from(atob(glb), (character) => character.charCodeAt(0));
  const { scene, animations } = await new GLTFLoader().parseAsync(bytes.buffer, '');
  const clip = animations.find(({ name }) => name === pose?.clip);
  if (pose && clip) {
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(clip).play();
    mixer.setTime(pose.seconds);
  }
  scene.traverse((object) => {
    const { material } = object as { material?: MeshStandardMaterial };
    if (!material) return;
    // The engine does not draw occlusion, and filters all textures alike, whatever the samplers of a source say.
    material.aoMap = null;
    for (const texture of [material.map, material.normalMap, material.roughnessMap, material.metalnessMap]) {
      if (texture) texture.anisotropy = viewer.textures.anisotropy;
    }
  });
  other ??= new Stage(document.createElement('canvas'));
  const stage = other;
  const { width, height } = viewer.stage.renderer.domElement;
  stage.renderer.setPixelRatio(1);
  stage.resize(width, height);
  const { camera } = viewer.stage;
  stage.camera.position.copy(camera.position);
  stage.camera.quaternion.copy(camera.quaternion);
  stage.camera.near = camera.near;
  stage.camera.far = camera.far;
  stage.camera.updateProjectionMatrix();
  stage.scene.add(scene);
  const pixels = pixelsOf(stage);
  stage.scene.remove(scene);
  return pixels;
}

Object.assign(globalThis, { colorsAt, gltfPicture, pixelsOf });
