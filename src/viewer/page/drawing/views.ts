// Ways to look at surfaces other than as the engine draws them: one material a surface for each, made of one shader.

import { AdditiveBlending, Color, type Material, MeshBasicMaterial, ShaderMaterial, Vector3 } from 'three';
import { PIXELS_PER_TANGENT } from '../../../raster/camera.ts';
import {
  coverageOf,
  type DrawnSurface,
  engineBaseColor,
  engineEmission,
  isSeenThrough,
  litMaterial,
  setAlpha,
} from './materials.ts';

/** In the order of the menu. */
export const VIEWS = {
  lit: 'As the engine lights it',
  plain: 'Plain light (render --sheet)',
  base: 'Base colour',
  normals: 'Normals',
  uv: 'UV checker',
  density: 'Texels a metre',
  sharpness: 'Texels a pixel where it comes in',
  overdraw: 'Overdraw',
  wireframe: 'Wireframe',
  deviation: 'Deviation from full detail',
} as const;

export type ViewName = keyof typeof VIEWS;

/** Of vertices that follow joints, `transformed` and `objectNormal` are where the pose has them; of others, as they are. */
const VERTEX = /* glsl */ `
#include <skinning_pars_vertex>
varying vec3 vPlace;
varying vec3 vTurned;
varying vec2 vAt;
void main() {
  vec3 transformed = position;
  vec3 objectNormal = normal;
  #include <skinbase_vertex>
  #include <skinnormal_vertex>
  #include <skinning_vertex>
  vec4 place = modelMatrix * vec4(transformed, 1.0);
  vPlace = place.xyz;
  vTurned = transpose(inverse(mat3(modelMatrix))) * objectNormal;
  vAt = uv;
  gl_Position = projectionMatrix * viewMatrix * place;
}`;

/** The light of `untold render` (kernel/assembly/raster/shade.ts): one direction, and all around by the height of the normal. */
const FRAGMENT = /* glsl */ `
uniform vec4 baseColor;
uniform vec3 emission;
uniform sampler2D colors;
uniform sampler2D glow;
uniform float cutoff;
uniform vec4 tint;
uniform float reach;
varying vec3 vPlace;
varying vec3 vTurned;
varying vec2 vAt;

vec3 heat(float t) {
  return clamp(vec3(4.0 * t - 2.0, 2.0 - abs(4.0 * t - 2.0), 2.0 - 4.0 * t), 0.0, 1.0);
}

void main() {
  vec4 color = baseColor;
  #ifdef HAS_COLORS
    color *= texture2D(colors, vAt);
  #endif
  #ifdef IS_MASK
    if (color.a < cutoff) discard;
  #endif
  #ifndef IS_BLEND
    color.a = 1.0;
  #endif
  color.rgb = mix(color.rgb, tint.rgb, tint.a);
  vec3 turned = vTurned;
  if (dot(turned, turned) < 1e-24) turned = cross(dFdx(vPlace), dFdy(vPlace));
  vec3 n = normalize(turned);
  #if VIEW == 0
    float facing = max(0.0, dot(n, vec3(0.42426407, 0.8, 0.42426407)));
    vec3 light = facing * vec3(0.72, 0.7, 0.65) + mix(vec3(0.17, 0.16, 0.15), vec3(0.34, 0.37, 0.41), 0.5 + 0.5 * n.y);
    color.rgb *= light;
    vec3 shine = emission;
    #ifdef HAS_GLOW
      shine *= texture2D(glow, vAt).rgb;
    #endif
    color.rgb += shine;
  #elif VIEW == 2
    color = vec4(0.5 + 0.5 * n, 1.0);
    gl_FragColor = color;
    return;
  #elif VIEW == 3
    vec2 cell = floor(vAt * 8.0);
    float dark = mod(cell.x + cell.y, 2.0);
    vec2 inside = fract(vAt);
    color = vec4(mix(vec3(inside.x, 0.25, inside.y), vec3(0.92), 0.35 + 0.45 * dark), 1.0);
    gl_FragColor = color;
    return;
  #elif VIEW == 4 || VIEW == 6
    vec3 across = dFdx(vPlace);
    vec3 down = dFdy(vPlace);
    float metres = max(length(across), length(down));
    float density = -1.0;
    #ifdef HAS_COLORS
      vec2 size = vec2(textureSize(colors, 0));
      density = max(length(dFdx(vAt) * size), length(dFdy(vAt) * size)) / max(metres, 1e-9);
    #endif
    #if VIEW == 4
      // 16 texels a metre are blue, 128 green, 1024 red.
      float t = clamp((log2(max(density, 1e-6)) - 4.0) / 6.0, 0.0, 1.0);
    #else
      // A quarter of a texel a pixel is blue, one green, four red.
      float texels = density * reach / ${PIXELS_PER_TANGENT.toFixed(6)};
      float t = clamp((log2(max(texels, 1e-6)) + 2.0) / 4.0, 0.0, 1.0);
      if (reach <= 0.0) density = -1.0;
    #endif
    float shade = 0.55 + 0.45 * max(0.0, n.y);
    gl_FragColor = vec4((density < 0.0 ? vec3(0.45) : heat(t)) * shade, 1.0);
    return;
  #elif VIEW == 5
    gl_FragColor = vec4(0.11, 0.045, 0.015, 1.0);
    return;
  #endif
  gl_FragColor = color;
  #include <colorspace_fragment>
}`;

const NUMBERS = { plain: 0, base: 1, normals: 2, uv: 3, density: 4, overdraw: 5, sharpness: 6 } as const;

function shaded(surface: DrawnSurface, view: keyof typeof NUMBERS): ShaderMaterial {
  const { material, textures, tint, reach } = surface;
  const seenThrough = isSeenThrough(material);
  const alpha = seenThrough ? coverageOf(material) : material.baseColorFactor[3];
  const colors = textures.baseColor?.texture ?? null;
  const emission = engineEmission(surface);
  const glow = emission.some((value) => value > 0) ? (textures.emissive?.texture ?? null) : null;
  const made = new ShaderMaterial({
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    uniforms: {
      baseColor: { value: [...engineBaseColor(material), alpha] },
      emission: { value: new Vector3(...emission) },
      colors: { value: colors },
      glow: { value: glow },
      cutoff: { value: material.alphaCutoff },
      tint,
      reach,
    },
    defines: {
      VIEW: NUMBERS[view],
      ...(colors ? { HAS_COLORS: '' } : {}),
      ...(glow ? { HAS_GLOW: '' } : {}),
      ...(material.alphaMode === 'mask' && !seenThrough ? { IS_MASK: '' } : {}),
      ...(seenThrough ? { IS_BLEND: '' } : {}),
    },
    toneMapped: false,
  });
  setAlpha(made, material);
  if (view !== 'overdraw') return made;
  made.transparent = true;
  made.blending = AdditiveBlending;
  made.depthTest = false;
  made.depthWrite = false;
  return made;
}

const WIRE = new Color(0x7fb2ff);

/** A surface in a view. Whoever gets it disposes of it. */
export function materialOf(surface: DrawnSurface, view: ViewName): Material {
  if (view === 'lit') return litMaterial(surface);
  // The stage draws it with a material of its own (deviation.ts).
  if (view === 'deviation') return shaded(surface, 'base');
  if (view !== 'wireframe') return shaded(surface, view);
  return new MeshBasicMaterial({ color: WIRE, wireframe: true, toneMapped: false });
}
