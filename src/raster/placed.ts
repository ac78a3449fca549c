// Scenes, textures and tables in the memory of the kernel that draws (kernel/assembly/raster/layout.ts says what lies there).

import { type Address, Kernel } from '../kernel/kernel.ts';
import { BYTE_OF_LINEAR, LINEAR_OF_BYTE } from './color.ts';
import type { RasterMaterial, RasterScene } from './scene.ts';
import type { AlphaCuts, Texture } from './texture.ts';

/** Textures stay up to so many bytes: the views of one tile, and often its neighbours, show the same ones. */
const MAX_KEPT = 48 << 20;
/** Textures of a scene beyond so many bytes together leave out their finest mips; the kernel takes twice as many. */
export const MAX_TEXELS = 2 ** 30;

/** The kernel that draws and compares pictures: another one than measures, so that neither drops what the other keeps. */
export const painter = new Kernel(MAX_KEPT);

interface PlacedTexture {
  readonly address: Address;
  /** The number of its finest mips that are not loaded. */
  readonly leftOut: number;
}

/** What stays in memory from picture to picture. */
interface Kept {
  readonly linearOfByte: Address;
  readonly byteOfLinear: Address;
  readonly textures: WeakMap<Texture, PlacedTexture>;
}

const OWNER = {};
const ALPHA_MODES = { opaque: 0, mask: 1, blend: 2 } as const;
const LIGHTING = { lit: 0, glowing: 1, unlit: 2 } as const;

/**
 * The tables, and the textures of a scene where they are not in memory yet. Which mips they have depends on the scene alone.
 * Call it before anything else is allocated.
 */
export function placeTextures(memory: Kernel, scene: RasterScene, maxTexels: number): Kept {
  const kept = memory.kept(
    OWNER,
    (): Kept => ({
      linearOfByte: memory.put(Uint16Array.from(LINEAR_OF_BYTE, (light) => Math.floor(light * 65535 + 0.5))),
      byteOfLinear: memory.put(BYTE_OF_LINEAR),
      textures: new WeakMap(),
    }),
  );
  const textures = texturesOf(scene);
  const finest = finestMips(textures, maxTexels);
  memory.addKept(() => {
    for (const texture of textures) {
      const leftOut = mipsBeyond(texture, finest);
      if (kept.textures.get(texture)?.leftOut === leftOut) continue;
      kept.textures.set(texture, { address: placeTexture(memory, texture, leftOut, kept), leftOut });
    }
  });
  return kept;
}

function texturesOf({ surfaces }: RasterScene): Texture[] {
  const textures = new Set<Texture>();
  for (const { baseColorTexture, emissiveTexture } of surfaces) {
    if (baseColorTexture) textures.add(baseColorTexture);
    if (emissiveTexture) textures.add(emissiveTexture);
  }
  return [...textures];
}

/** The largest mip, in bytes, with which all textures together have room. */
function finestMips(textures: readonly Texture[], maxTexels: number): number {
  for (let max = maxTexels; max >= 4; max /= 4) {
    let bytes = 0;
    for (const { levels } of textures) {
      for (const { texels } of levels) if (texels.length <= max) bytes += texels.length;
    }
    if (bytes <= maxTexels) return max;
  }
  return 0;
}

/** How many of a texture's mips are larger than so many bytes; the last one always counts as small enough. */
function mipsBeyond({ levels }: Texture, finest: number): number {
  return Math.min(levels.filter(({ texels }) => texels.length > finest).length, levels.length - 1);
}

function placeTexture(memory: Kernel, { levels }: Texture, leftOut: number, { linearOfByte }: Kept): Address {
  const shown = levels.slice(leftOut);
  const mips = shown.flatMap(({ width, height, texels }) => {
    const to = memory.allocate(texels.length * 2);
    const from = to + texels.length;
    memory.uint8(from, texels.length).set(texels);
    memory.calls.decodeTexels(from, width * height, linearOfByte, to);
    return [width, height, to];
  });
  return memory.words(shown.length, memory.words(...mips));
}

export function placeScene(memory: Kernel, scene: RasterScene, { textures }: Kept): Address {
  const { positions, normals, uvs, colors, indices, surfaceOf } = scene;
  return memory.words(
    memory.put(positions),
    memory.put(normals),
    memory.put(uvs),
    colors === null ? 0 : memory.put(colors),
    memory.put(indices),
    memory.put(surfaceOf),
    positions.length / 3,
    surfaceOf.length,
    placeSurfaces(memory, scene, textures),
  );
}

/** 16 words each, numbers as float32: assembly's DrawnSurface. */
function placeSurfaces(
  memory: Kernel,
  { surfaces, alphaCuts }: RasterScene,
  textures: WeakMap<Texture, PlacedTexture>,
): Address {
  const words = new Uint32Array(surfaces.length * 16);
  const numbers = new Float32Array(words.buffer);
  for (const [i, surface] of surfaces.entries()) {
    const { baseColor, emissive, baseColorTexture, emissiveTexture } = surface;
    const texture = (own: Texture | null) => (own && textures.get(own)?.address) ?? 0;
    const cuts = keptCuts(surface, alphaCuts[i], textures);
    const at = i * 16;
    numbers.set([...baseColor, ...emissive, 0], at);
    words[at + 8] = ALPHA_MODES[surface.alphaMode];
    numbers[at + 9] = surface.alphaCutoff;
    words[at + 10] = texture(baseColorTexture);
    words[at + 11] = texture(emissiveTexture);
    words[at + 12] = cuts === null ? 0 : memory.put(cuts);
    words[at + 13] = cuts?.length ?? 0;
    words[at + 14] = LIGHTING[lightingOf(surface)];
    numbers[at + 15] = surface.transmission ?? 0;
  }
  return memory.put(words);
}

function lightingOf({ isUnlit, emissive }: RasterMaterial): keyof typeof LIGHTING {
  if (isUnlit) return 'unlit';
  return emissive.some((light) => light > 0) ? 'glowing' : 'lit';
}

/** Where alpha is cut at each mip in memory that a cut-out may use, at least one; null: not by a texture. */
function keptCuts(
  { baseColorTexture }: RasterMaterial,
  alphaCuts: AlphaCuts | null,
  textures: WeakMap<Texture, PlacedTexture>,
): Float32Array | null {
  if (alphaCuts === null || baseColorTexture === null) return null;
  const { cuts } = alphaCuts;
  const leftOut = textures.get(baseColorTexture)?.leftOut ?? 0;
  return Float32Array.from(cuts.slice(Math.min(leftOut, cuts.length - 1)));
}
