// What BPX containers hold, as values. Space: left-handed, X left, Y forward, Z up.

import type { ComponentType, TexelFormat } from './records.ts';
import type { SdObject } from './structuredData.ts';

export interface BpxTexture {
  readonly kind: 'texture';
  /** Powers of two from 2 to 65536. */
  readonly width: number;
  readonly height: number;
  readonly format: TexelFormat;
  /** How `images` are meant: a cube map has six, any other texture that is no array one. */
  readonly isArray: boolean;
  readonly isCubeMap: boolean;
  /** Asks the engine to compress the texture when it loads it. */
  readonly compressOnLoad: boolean;
  /** How many mips the engine is to make; the file has none. */
  readonly mips: number;
  /** Texels row by row from the top, without padding. */
  readonly images: readonly Uint8Array[];
}

export interface VertexComponent {
  readonly type: ComponentType;
  /** 1 to 15 numbers. */
  readonly count: number;
}

export interface BpxVertexArray {
  /** The engine's path of a material; null: none. */
  readonly material: string | null;
  readonly vertexCount: number;
  /** Vertices one after another, each with all components of the model's format. */
  readonly vertices: Uint8Array;
  /** Three for each triangle; null: each three vertices are one. Arrays may share their indices. */
  readonly indices: Uint32Array | null;
}

export interface BpxBone {
  readonly name: string;
  /** 16 numbers. */
  readonly matrix: Float32Array;
}

export interface BpxAnimation {
  readonly name: string;
  readonly firstFrame: number;
  readonly frameCount: number;
  readonly framesPerSecond: number;
}

export interface BpxModel {
  readonly kind: 'model';
  readonly components: readonly VertexComponent[];
  readonly arrays: readonly BpxVertexArray[];
  /** Null: the model has no bones; frames and animations alike. */
  readonly bones: readonly BpxBone[] | null;
  /** Frame by frame a matrix of 16 numbers for each bone. */
  readonly frames: Float32Array | null;
  readonly animations: readonly BpxAnimation[] | null;
}

export interface BpxAssembly {
  readonly api: 'DirectX' | 'OpenGL';
  /** The lowest version that it runs with: of OpenGL 3.0 it is 30. */
  readonly minVersion: number;
  /** Indices into the container's shaders; null: none. */
  readonly vertex: number | null;
  readonly geometry: number | null;
  readonly pixel: number | null;
}

export interface BpxShaders {
  readonly kind: 'shader';
  /** Bits of COMPATIBILITY. */
  readonly compatibility: number;
  readonly shaders: readonly Uint8Array[];
  readonly assemblies: readonly BpxAssembly[];
}

export interface BpxAsset {
  readonly path: string;
  /** Assets may share their bytes. */
  readonly bytes: Uint8Array;
}

export interface BpxPackage {
  readonly kind: 'package';
  /** Bits of COMPATIBILITY. */
  readonly compatibility: number;
  readonly assets: readonly BpxAsset[];
}

export interface BpxObject {
  readonly name: string;
  /** One after another they are the object. */
  readonly parts: readonly Uint8Array[];
}

/** A package in the layout of the crate. */
export interface BpxCratePackage {
  readonly kind: 'cratePackage';
  /** Indices into ARCHITECTURES and PLATFORMS. */
  readonly architecture: number;
  readonly platform: number;
  /** Two bytes that say what the package is for. */
  readonly typeCode: readonly number[];
  readonly objects: readonly BpxObject[];
  readonly metadata: SdObject | null;
}

export type BpxContent = BpxTexture | BpxModel | BpxShaders | BpxPackage | BpxCratePackage;
