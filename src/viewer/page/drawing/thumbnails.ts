// Small pictures of textures, as the GPU samples them: whatever their format, whole or one channel alone.

import {
  Mesh,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  ShaderMaterial,
  type Texture,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';

/** In the order of the menu. */
export const CHANNELS = { rgb: 'Colour', r: 'Red', g: 'Green', b: 'Blue', a: 'Alpha' } as const;
export type Channel = keyof typeof CHANNELS;

const VERTEX = /* glsl */ `
varying vec2 vAt;
void main() {
  vAt = uv;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;

/** Data is shown as the numbers that are stored, colours as a screen shows them. */
const FRAGMENT = /* glsl */ `
uniform sampler2D image;
uniform int channel;
uniform bool isColor;
varying vec2 vAt;
float screen(float x) {
  return x <= 0.0031308 ? x * 12.92 : 1.055 * pow(x, 1.0 / 2.4) - 0.055;
}
void main() {
  vec4 texel = texture2D(image, vAt);
  if (isColor) texel.rgb = vec3(screen(texel.r), screen(texel.g), screen(texel.b));
  vec3 shown = texel.rgb;
  if (channel == 1) shown = texel.rrr;
  if (channel == 2) shown = texel.ggg;
  if (channel == 3) shown = texel.bbb;
  if (channel == 4) shown = texel.aaa;
  gl_FragColor = vec4(shown, 1.0);
}`;

export class Thumbnails {
  readonly #renderer: WebGLRenderer;
  readonly #scene = new Scene();
  readonly #camera = new OrthographicCamera();
  readonly #material = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: { image: { value: null as Texture | null }, channel: { value: 0 }, isColor: { value: false } },
    toneMapped: false,
    depthTest: false,
  });
  #target: WebGLRenderTarget | null = null;

  constructor(renderer: WebGLRenderer) {
    this.#renderer = renderer;
    const plane = new Mesh(new PlaneGeometry(2, 2), this.#material);
    plane.frustumCulled = false;
    this.#scene.add(plane);
  }

  /** Draws a texture over all of a canvas. */
  draw(canvas: HTMLCanvasElement, texture: Texture, channel: Channel): void {
    const { width, height } = canvas;
    if (this.#target?.width !== width || this.#target.height !== height) {
      this.#target?.dispose();
      this.#target = new WebGLRenderTarget(width, height, { depthBuffer: false });
    }
    const { uniforms } = this.#material;
    uniforms.image.value = texture;
    uniforms.channel.value = Object.keys(CHANNELS).indexOf(channel);
    uniforms.isColor.value = texture.colorSpace === 'srgb';
    const renderer = this.#renderer;
    renderer.setRenderTarget(this.#target);
    renderer.render(this.#scene, this.#camera);
    const pixels = new Uint8Array(width * height * 4);
    renderer.readRenderTargetPixels(this.#target, 0, 0, width, height, pixels);
    renderer.setRenderTarget(null);
    // V grows downwards in our files, so that the first row that is read is the top of the image.
    const image = new ImageData(new Uint8ClampedArray(pixels.buffer), width, height);
    canvas.getContext('2d')?.putImageData(image, 0, 0);
  }
}
