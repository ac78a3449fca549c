// Sound glTF files to damage: everything that the importer reads, plain and packed by Draco and meshopt.

import { Document, NodeIO } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import draco from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer';
import { character } from '../../animation/characters.ts';
import { buildGlb, buildGltf, type SceneInput } from '../../importers/gltf/build.ts';
import type { Seed } from '../reader.ts';
import { PICTURE, sample } from './usd.ts';

const RICH: SceneInput = {
  meshes: [
    {
      name: 'Rich',
      weights: [0.5],
      primitives: [
        {
          positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0],
          normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1],
          uvs: [0, 0, 1, 0, 1, 1, 0, 1],
          indices: [0, 1, 2, 2, 3, 0],
          material: 0,
          attributes: {
            TANGENT: [1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1],
            TEXCOORD_1: [0, 0, 2, 0, 2, 2, 0, 2],
            JOINTS_0: new Uint8Array(16),
            WEIGHTS_0: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
            COLOR_0: { data: Uint8Array.from({ length: 16 }, (_, i) => i * 16), normalized: true },
          },
          targets: [{ POSITION: { data: [0, 0, 1, 0, 1, 0], sparse: { count: 4, indices: [1, 3] } } }],
        },
      ],
    },
    { primitives: [{ positions: [0, 0, 0, 5, 0, 0, 5, 5, 0, 0, 5, 0], mode: 5, material: 1 }] },
    { primitives: [{ positions: [0, 0, 0, 3, 0, 0, 0, 3, 0, 3, 3, 1], indices: [0, 1, 2, 3], mode: 6, material: 2 }] },
    { primitives: [{ positions: [0, 0, 0, 1, 1, 1], mode: 1 }] },
  ],
  materials: [
    {
      name: 'M',
      pbrMetallicRoughness: {
        baseColorFactor: [1, 0.5, 0.25, 0.75],
        baseColorTexture: {
          index: 0,
          texCoord: 1,
          extensions: { KHR_texture_transform: { offset: [0.5, 0], rotation: 1, scale: [2, 2] } },
        },
        metallicRoughnessTexture: { index: 1 },
        metallicFactor: 0.5,
      },
      normalTexture: { index: 0, scale: 0.5 },
      occlusionTexture: { index: 1, strength: 0.5 },
      emissiveTexture: { index: 0 },
      emissiveFactor: [1, 1, 0],
      alphaMode: 'MASK',
      alphaCutoff: 0.25,
      doubleSided: true,
      extensions: { KHR_materials_emissive_strength: { emissiveStrength: 3 }, KHR_materials_ior: { ior: 1.4 } },
    },
    {
      extensions: {
        KHR_materials_pbrSpecularGlossiness: {
          diffuseTexture: { index: 0 },
          specularGlossinessTexture: { index: 1 },
          glossinessFactor: 0.7,
        },
      },
    },
    {
      alphaMode: 'BLEND',
      extensions: {
        KHR_materials_unlit: {},
        KHR_materials_transmission: { transmissionFactor: 0.5, transmissionTexture: { index: 0 } },
        KHR_materials_clearcoat: { clearcoatFactor: 1 },
        KHR_materials_volume: { thicknessFactor: 1 },
      },
    },
  ],
  textures: [{ source: 0, sampler: 0 }, { source: 1 }],
  samplers: [{ wrapS: 33071, wrapT: 33648 }],
  images: [PICTURE, { uri: `data:image/png;base64,${Buffer.from(PICTURE).toString('base64')}` }],
  nodes: [
    { mesh: 0, skin: 0, name: 'Body' },
    { name: 'Joint', translation: [1, 2, 3], rotation: [0, 0, 0, 1], scale: [1, 2, 1], children: [2, 3] },
    {
      mesh: 1,
      matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1],
      extensions: { KHR_lights_punctual: { light: 0 } },
    },
    { mesh: 2, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 14 } } } },
    { mesh: 3, camera: 0, extras: { tile: 'a' } },
  ],
  accessors: [{ data: [0, 0, 0, 10, 0, 0, 0, 10, 0], type: 'VEC3' }],
  root: {
    skins: [{ joints: [1] }],
    cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }],
    extensionsUsed: [
      'KHR_lights_punctual',
      'KHR_texture_transform',
      'EXT_mesh_gpu_instancing',
      'KHR_materials_variants',
    ],
    extensions: {
      KHR_lights_punctual: { lights: [{ type: 'spot', intensity: 20, spot: { innerConeAngle: 0.2 } }] },
      KHR_materials_variants: { variants: [{ name: 'Winter' }] },
    },
    animations: [{ channels: [], samplers: [] }],
  },
};

const SIDE = 8;

function gridDocument(): Document {
  const document = new Document();
  const buffer = document.createBuffer();
  const positions: number[] = [];
  const normals: number[] = [];
  const uvs: number[] = [];
  const indices: number[] = [];
  for (let z = 0; z < SIDE; z++) {
    for (let x = 0; x < SIDE; x++) {
      positions.push(x, Math.sin(x) * 0.5, z);
      normals.push(0, 1, 0);
      uvs.push(x / SIDE, z / SIDE);
      if (x + 1 < SIDE && z + 1 < SIDE) {
        const at = z * SIDE + x;
        indices.push(at, at + SIDE, at + 1, at + 1, at + SIDE, at + SIDE + 1);
      }
    }
  }
  const accessor = (type: 'VEC3' | 'VEC2' | 'SCALAR', array: Float32Array | Uint16Array) =>
    document
      .createAccessor()
      .setType(type)
      .setArray(array as Float32Array<ArrayBuffer>)
      .setBuffer(buffer);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(positions)))
    .setAttribute('NORMAL', accessor('VEC3', Float32Array.from(normals)))
    .setAttribute('TEXCOORD_0', accessor('VEC2', Float32Array.from(uvs)))
    .setIndices(accessor('SCALAR', Uint16Array.from(indices)));
  const node = document.createNode('Grid').setMesh(document.createMesh('Grid').addPrimitive(primitive));
  document.createScene().addChild(node);
  return document;
}

async function packedByDraco(method: 'EDGEBREAKER' | 'SEQUENTIAL'): Promise<Uint8Array> {
  const document = gridDocument();
  document
    .createExtension(KHRDracoMeshCompression)
    .setRequired(true)
    .setEncoderOptions({ method: KHRDracoMeshCompression.EncoderMethod[method] });
  return new NodeIO()
    .registerExtensions([KHRDracoMeshCompression])
    .registerDependencies({ 'draco3d.encoder': await draco.createEncoderModule() })
    .writeBinary(document);
}

async function packedByMeshopt(method: 'QUANTIZE' | 'FILTER'): Promise<Uint8Array> {
  await MeshoptEncoder.ready;
  const document = gridDocument();
  document.createExtension(KHRMeshQuantization).setRequired(true);
  document
    .createExtension(EXTMeshoptCompression)
    .setRequired(true)
    .setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod[method] });
  return new NodeIO()
    .registerExtensions([EXTMeshoptCompression, KHRMeshQuantization])
    .registerDependencies({ 'meshopt.encoder': MeshoptEncoder })
    .writeBinary(document);
}

const own = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes);

export const glbSeeds = async (): Promise<Seed[]> => [
  { name: 'rich.glb', bytes: buildGlb(RICH) },
  { name: 'hero.glb', bytes: buildGlb(character()) },
  { name: 'courtyard.glb', bytes: sample('samples/glb/courtyard.glb') },
  { name: 'edgebreaker.glb', bytes: own(await packedByDraco('EDGEBREAKER')) },
  { name: 'sequential.glb', bytes: own(await packedByDraco('SEQUENTIAL')) },
  { name: 'quantized.glb', bytes: own(await packedByMeshopt('QUANTIZE')) },
  { name: 'filtered.glb', bytes: own(await packedByMeshopt('FILTER')) },
];

export const gltfSeeds = (): Seed[] => {
  const rich = buildGltf(RICH, 'rich');
  const hero = buildGltf(character(), 'hero');
  return [
    { name: 'hero.gltf', bytes: hero['hero.gltf'], beside: { 'hero.bin': hero['hero.bin'] } },
    { name: 'rich.gltf', bytes: rich['rich.gltf'], beside: { 'rich.bin': rich['rich.bin'] } },
    {
      name: 'courtyard.gltf',
      bytes: sample('samples/gltf/courtyard.gltf'),
      beside: { 'courtyard.bin': sample('samples/gltf/courtyard.bin') },
    },
  ];
};
