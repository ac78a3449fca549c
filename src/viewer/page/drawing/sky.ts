// What is behind the set: colours by the height of the look alone, of which those that `untold render` draws are the first, or a
// picture of all directions.

import { BackSide, BoxGeometry, Color, type CubeTexture, Mesh, ShaderMaterial } from 'three';
import { type Background, SKY } from '../../../raster/background.ts';
import type { Vec3 } from '../../../scene/types.ts';

const VERTEX = /* glsl */ `
varying vec3 vLook;
void main() {
  vLook = position;
  // The view without its place, as far away as anything can be.
  vec4 place = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  gl_Position = place.xyww;
}`;

const FRAGMENT = /* glsl */ `
uniform vec3 up;
uniform vec3 horizon;
uniform vec3 down;
uniform float brightness;
uniform bool isPicture;
uniform samplerCube picture;
varying vec3 vLook;
void main() {
  float height = normalize(vLook).y;
  float far = 1.0 - abs(height);
  vec3 color = mix(horizon, height < 0.0 ? down : up, 1.0 - far * far);
  // Cube maps are looked at from outside.
  if (isPicture) color = textureLod(picture, vec3(-vLook.x, vLook.yz), 0.0).rgb;
  gl_FragColor = vec4(color * brightness, 1.0);
  #include <tonemapping_fragment>
  #include <colorspace_fragment>
}`;

const linear = ([r, g, b]: Vec3): Color => new Color().setRGB(r, g, b);

export class Sky {
  readonly mesh: Mesh<BoxGeometry, ShaderMaterial>;

  constructor(colors: Background = SKY) {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        up: { value: linear(colors.up) },
        horizon: { value: linear(colors.horizon) },
        down: { value: linear(colors.down) },
        brightness: { value: 1 },
        isPicture: { value: false },
        picture: { value: null as CubeTexture | null },
      },
      side: BackSide,
      depthWrite: false,
      depthTest: false,
    });
    this.mesh = new Mesh(new BoxGeometry(2, 2, 2), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1000;
    // Nobody picks the sky.
    this.mesh.raycast = () => {};
  }

  set colors({ up, horizon, down }: Background) {
    const { uniforms } = this.mesh.material;
    for (const [name, color] of Object.entries({ up, horizon, down })) uniforms[name].value = linear(color);
  }

  /** Behind the set in place of the colours; null: these. */
  set picture(picture: CubeTexture | null) {
    const { uniforms } = this.mesh.material;
    uniforms.isPicture.value = picture !== null;
    uniforms.picture.value = picture;
  }

  set brightness(value: number) {
    this.mesh.material.uniforms.brightness.value = value;
  }

  /** `isMapped`: through the tone mapping, as surfaces are. */
  set isMapped(value: boolean) {
    if (this.mesh.material.toneMapped === value) return;
    this.mesh.material.toneMapped = value;
    this.mesh.material.needsUpdate = true;
  }
}
