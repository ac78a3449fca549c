// How far a level is from full detail: full detail is drawn first, as the place of each pixel's surface, and then the level,
// coloured by the distance between its own place and that one. What full detail does not cover has a colour of its own.

import {
  type Camera,
  DoubleSide,
  FloatType,
  NearestFilter,
  type Scene,
  ShaderMaterial,
  Vector2,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';

const VERTEX = /* glsl */ `
#include <skinning_pars_vertex>
varying vec3 vPlace;
void main() {
  vec3 transformed = position;
  #include <skinbase_vertex>
  #include <skinning_vertex>
  vec4 place = modelMatrix * vec4(transformed, 1.0);
  vPlace = place.xyz;
  gl_Position = projectionMatrix * viewMatrix * place;
}`;

const PLACE = /* glsl */ `
varying vec3 vPlace;
void main() {
  gl_FragColor = vec4(vPlace, 1.0);
}`;

/** A millimetre is blue, three centimetres are green, a metre is red. */
const COMPARE = /* glsl */ `
uniform sampler2D places;
varying vec3 vPlace;
vec3 heat(float t) {
  return clamp(vec3(4.0 * t - 2.0, 2.0 - abs(4.0 * t - 2.0), 2.0 - 4.0 * t), 0.0, 1.0);
}
void main() {
  vec4 full = texelFetch(places, ivec2(gl_FragCoord.xy), 0);
  vec3 n = normalize(cross(dFdx(vPlace), dFdy(vPlace)));
  float shade = 0.55 + 0.45 * abs(n.y);
  float metres = distance(full.xyz, vPlace);
  float t = clamp(log2(max(metres, 1e-9) * 1000.0) / log2(1000.0), 0.0, 1.0);
  gl_FragColor = vec4((full.a < 0.5 ? vec3(1.0, 0.2, 0.9) : heat(t)) * shade, 1.0);
}`;

export class DeviationPicture {
  readonly #target = new WebGLRenderTarget(1, 1, {
    type: FloatType,
    minFilter: NearestFilter,
    magFilter: NearestFilter,
  });
  readonly #place = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: PLACE,
    side: DoubleSide,
    toneMapped: false,
  });
  readonly #compare = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: COMPARE,
    uniforms: { places: { value: this.#target.texture } },
    side: DoubleSide,
    toneMapped: false,
  });

  /** `show`: makes the surfaces of one picture visible: 'a' the level, 'b' full detail. */
  draw(renderer: WebGLRenderer, scene: Scene, camera: Camera, show: (side: 'a' | 'b') => void): void {
    const size = renderer.getDrawingBufferSize(new Vector2());
    this.#target.setSize(size.x, size.y);
    const { background } = scene;
    scene.background = null;
    scene.overrideMaterial = this.#place;
    show('b');
    renderer.setRenderTarget(this.#target);
    const alpha = renderer.getClearAlpha();
    renderer.setClearAlpha(0);
    renderer.clear();
    renderer.render(scene, camera);
    renderer.setClearAlpha(alpha);
    renderer.setRenderTarget(null);
    scene.background = background;
    scene.overrideMaterial = this.#compare;
    show('a');
    renderer.render(scene, camera);
    scene.overrideMaterial = null;
  }
}
