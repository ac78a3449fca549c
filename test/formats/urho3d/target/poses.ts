// Poses of a model of Urho3D as the engine makes them: values of a track replace the transform of its bone relative to the
// parent, and skin matrices are bone times offset (Animation.cpp, Skeleton.cpp). Rows of three by four, column vectors.

import type { Animation, Track } from '../../../../src/formats/urho3d/animation/layout.ts';
import type { Model } from '../../../../src/formats/urho3d/model/layout.ts';
import { vertexColumn } from '../../../../src/formats/urho3d/model/vertices.ts';

type Rows = readonly number[];

const at = (m: Rows, row: number, column: number): number => (row < 3 ? m[row * 4 + column] : column === 3 ? 1 : 0);

const times = (a: Rows, b: Rows): number[] =>
  Array.from({ length: 12 }, (_, i) =>
    [0, 1, 2, 3].reduce((sum, k) => sum + at(a, Math.floor(i / 4), k) * at(b, k, i % 4), 0),
  );

function local(position: Rows, [w, x, y, z]: Rows, scale: Rows): number[] {
  const turn = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  return turn.flatMap((row, i) => [...row.map((value, k) => value * scale[k]), position[i]]);
}

function slerp(a: Rows, b: Rows, share: number): number[] {
  let cos = a.reduce((sum, value, k) => sum + value * b[k], 0);
  const sign = cos < 0 ? -1 : 1;
  cos = Math.min(1, Math.abs(cos));
  const angle = Math.acos(cos);
  if (angle < 1e-6) return [...a];
  return a.map(
    (value, k) => (value * Math.sin((1 - share) * angle) + sign * b[k] * Math.sin(share * angle)) / Math.sin(angle),
  );
}

function sampled({ keys }: Track, time: number): { position: number[] | null; rotation: number[] | null } {
  const last = keys.time.length - 1;
  const found = [...keys.time].findLastIndex((key) => key <= time);
  const key = Math.max(0, found);
  const next = Math.min(key + 1, last);
  const span = keys.time[next] - keys.time[key];
  const share = span > 0 ? Math.min(1, Math.max(0, (time - keys.time[key]) / span)) : 0;
  const row = (values: Float32Array, width: number, of: number) => [...values.subarray(of * width, (of + 1) * width)];
  const { position, rotation } = keys;
  return {
    position: position && row(position, 3, key).map((value, k) => value + (row(position, 3, next)[k] - value) * share),
    rotation: rotation && slerp(row(rotation, 4, key), row(rotation, 4, next), share),
  };
}

/** The vertices of all geometries in a pose, mirrored back to engine space. */
export function posedVertices(model: Model, animation: Animation, time: number): number[][] {
  const { bones, geometries, vertexBuffers } = model;
  const worlds: number[][] = [];
  const worldOf = (i: number): number[] => {
    if (worlds[i]) return worlds[i];
    const bone = bones[i];
    const track = animation.tracks.find(({ bone: name }) => name === bone.name);
    const moved = track ? sampled(track, time) : { position: null, rotation: null };
    const own = local(moved.position ?? bone.position, moved.rotation ?? bone.rotation, bone.scale);
    worlds[i] = bone.parent === i ? own : times(worldOf(bone.parent), own);
    return worlds[i];
  };
  const skin = bones.map((bone, i) => times(worldOf(i), bone.offset));
  return geometries.flatMap(({ levels: [level], boneMapping }) => {
    const buffer = vertexBuffers[level.vertexBuffer];
    const positions = vertexColumn(buffer, 'position')!.values;
    const weights = vertexColumn(buffer, 'blendWeights')!.values;
    const joints = vertexColumn(buffer, 'blendIndices')!.values;
    return Array.from({ length: buffer.vertexCount }, (_, v) => {
      const p = [...positions.subarray(v * 3, v * 3 + 3), 1];
      const posed = [0, 0, 0];
      for (let k = 0; k < 4; k++) {
        const named = joints[v * 4 + k];
        const m = skin[boneMapping.length > 0 ? boneMapping[named] : named];
        for (let i = 0; i < 3; i++)
          posed[i] += weights[v * 4 + k] * [0, 1, 2, 3].reduce((sum, c) => sum + at(m, i, c) * p[c], 0);
      }
      return [posed[0], posed[1], -posed[2]];
    });
  });
}
