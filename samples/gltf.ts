// Writes a sample scene as glTF 2.0: one JSON with one buffer, and either loose textures beside it or, in a GLB,
// everything inside. Polygons become fans, corners that agree in all attributes one vertex.

import type { SampleNode, SampleScene } from './courtyard.ts';
import { faceNormal } from './shapes.ts';

interface GltfFiles {
  json: Record<string, unknown>;
  bin: Buffer;
}

/** The document and its buffer; images are embedded in the buffer or named as `<folder>/<file>`. */
export function gltfDocument(scene: SampleScene, imageFolder: string | null): GltfFiles {
  const pieces: Buffer[] = [];
  let size = 0;
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  const addView = (bytes: Buffer, target?: number): number => {
    const padding = (4 - (size % 4)) % 4;
    pieces.push(Buffer.alloc(padding), bytes);
    size += padding;
    bufferViews.push({ buffer: 0, byteOffset: size, byteLength: bytes.length, ...(target ? { target } : {}) });
    size += bytes.length;
    return bufferViews.length - 1;
  };
  const addAccessor = (values: number[], type: string, width: number): number => {
    const bytes = Buffer.from(Float32Array.from(values).buffer);
    const stored = new Float32Array(bytes.buffer, bytes.byteOffset, values.length);
    const range = (pick: (...v: number[]) => number) =>
      Array.from({ length: width }, (_, c) => {
        let best = stored[c];
        for (let i = c; i < stored.length; i += width) best = pick(best, stored[i]);
        return best;
      });
    const bounds = type === 'VEC3' ? { min: range(Math.min), max: range(Math.max) } : {};
    accessors.push({
      bufferView: addView(bytes, 34962),
      componentType: 5126,
      count: values.length / width,
      type,
      ...bounds,
    });
    return accessors.length - 1;
  };

  const imageNames = Object.keys(scene.textures);
  const images = imageNames.map((name) =>
    imageFolder === null
      ? { name: name.replace(/\.png$/, ''), mimeType: 'image/png', bufferView: addView(scene.textures[name]) }
      : { uri: `${imageFolder}/${name}` },
  );
  const textureOf = (name: string) => ({ index: imageNames.indexOf(name) });

  const materials = scene.materials.map((m) => {
    const strength = Math.max(1, ...(m.emissive ?? []));
    const extensions = {
      ...(strength > 1 ? { KHR_materials_emissive_strength: { emissiveStrength: strength } } : {}),
      ...(m.transmission ? { KHR_materials_transmission: { transmissionFactor: m.transmission } } : {}),
    };
    return {
      name: m.name,
      pbrMetallicRoughness: {
        baseColorFactor: m.baseColor,
        metallicFactor: m.ormTexture ? 1 : m.metallic,
        roughnessFactor: m.roughness,
        ...(m.baseTexture ? { baseColorTexture: textureOf(m.baseTexture) } : {}),
        ...(m.ormTexture ? { metallicRoughnessTexture: textureOf(m.ormTexture) } : {}),
      },
      ...(m.ormTexture ? { occlusionTexture: textureOf(m.ormTexture) } : {}),
      ...(m.normalTexture ? { normalTexture: textureOf(m.normalTexture) } : {}),
      ...(m.emissive ? { emissiveFactor: m.emissive.map((e) => e / strength) } : {}),
      ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
      ...(m.alphaCutoff !== undefined ? { alphaMode: 'MASK', alphaCutoff: m.alphaCutoff, doubleSided: true } : {}),
    };
  });

  const meshes = scene.meshes.map((mesh) => ({
    name: mesh.name,
    primitives: mesh.parts.map((part) => {
      const positions: number[] = [];
      const normals: number[] = [];
      const uvs: number[] = [];
      const indices: number[] = [];
      const known = new Map<string, number>();
      for (const face of part.faces) {
        const normal = faceNormal(face);
        const corners = face.map((corner) => {
          const key = [...corner, ...normal].join();
          const found = known.get(key);
          if (found !== undefined) return found;
          positions.push(...corner.slice(0, 3));
          normals.push(...normal);
          uvs.push(corner[3], 1 - corner[4]);
          known.set(key, known.size);
          return known.size - 1;
        });
        for (let i = 1; i + 1 < corners.length; i++) indices.push(corners[0], corners[i], corners[i + 1]);
      }
      const attributes = {
        POSITION: addAccessor(positions, 'VEC3', 3),
        NORMAL: addAccessor(normals, 'VEC3', 3),
        TEXCOORD_0: addAccessor(uvs, 'VEC2', 2),
      };
      const view = addView(Buffer.from(Uint16Array.from(indices).buffer), 34963);
      accessors.push({ bufferView: view, componentType: 5123, count: indices.length, type: 'SCALAR' });
      const material = scene.materials.findIndex((m) => m.name === part.material);
      return { attributes, indices: accessors.length - 1, material };
    }),
  }));

  const nodes: object[] = [];
  const addNode = (node: SampleNode): number => {
    const children = (node.children ?? []).map(addNode);
    nodes.push({
      name: node.name,
      ...(node.mesh ? { mesh: scene.meshes.findIndex((m) => m.name === node.mesh) } : {}),
      ...(node.matrix ? { matrix: node.matrix } : {}),
      ...(children.length > 0 ? { children } : {}),
    });
    return nodes.length - 1;
  };
  const roots = scene.nodes.map(addNode);

  const bin = Buffer.concat(pieces);
  return {
    json: {
      asset: { version: '2.0', generator: 'untold samples' },
      extensionsUsed: [
        'KHR_materials_emissive_strength',
        ...(scene.materials.some((m) => m.transmission) ? ['KHR_materials_transmission'] : []),
      ],
      scene: 0,
      scenes: [{ name: scene.name, nodes: roots }],
      nodes,
      meshes,
      materials,
      textures: imageNames.map((_, source) => ({ source, sampler: 0 })),
      samplers: [{ wrapS: 10497, wrapT: 10497 }],
      images,
      accessors,
      bufferViews,
      buffers: [{ byteLength: bin.length }],
    },
    bin,
  };
}

/** The scene as one GLB. */
export function writeGlb(scene: SampleScene): Buffer {
  const { json, bin } = gltfDocument(scene, null);
  return glbOf(json, bin);
}

/** A document and its buffer as one GLB. */
export function glbOf(json: object, bin: Buffer): Buffer {
  const pad = (bytes: Buffer, fill: number) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, fill)]);
  const chunk = (type: string, bytes: Buffer) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, bytes]);
  };
  const body = Buffer.concat([
    chunk('JSON', pad(Buffer.from(JSON.stringify(json)), 0x20)),
    chunk('BIN\0', pad(bin, 0)),
  ]);
  const head = Buffer.alloc(12);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([head, body]);
}
