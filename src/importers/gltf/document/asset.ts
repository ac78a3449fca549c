// What a glTF file says of itself (glTF 2.0, 3.2), and which of its elements applications have noted something in.

import type { SceneAsset } from '../../../scene/types.ts';
import type { Element } from './element.ts';

/** Lists of elements whose `extras` have no place in any output. */
const LISTS = {
  scenes: 'scene',
  meshes: 'mesh',
  materials: 'material',
  textures: 'texture',
  images: 'image',
  cameras: 'camera',
  animations: 'animation',
  skins: 'skin',
} as const;
/** Names of morph targets stand in the extras of meshes, and are kept as names. */
const KNOWN = new Set(['targetNames', 'MSFT_screencoverage']);

export function readAsset(root: Element): { readonly asset?: SceneAsset } {
  const asset = root.child('asset');
  const copyright = asset?.string('copyright') ?? '';
  const extras = asset?.note();
  const lost = Object.entries(LISTS).flatMap(([list, one]) => {
    const noted = root.elements(list).filter((element) => element.extras().some(([key]) => !KNOWN.has(key)));
    const { length: count } = noted;
    return count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${list}`];
  });
  const deep = root.elements('nodes').filter((node) => node.extras().length > 0 && node.note() === undefined).length;
  if (deep > 0) lost.push(`${deep === 1 ? '1 node' : `${deep} nodes`}, nested too deep`);
  const found = {
    ...(copyright === '' ? {} : { copyright }),
    ...(extras === undefined ? {} : { extras }),
    ...(lost.length > 0 ? { lost } : {}),
  };
  return Object.keys(found).length > 0 ? { asset: found } : {};
}
