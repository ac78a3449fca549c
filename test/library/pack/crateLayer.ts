// Crates with one texture, for packages.

import { asset, attribute, double, prim, token, writeCrate } from '../../importers/usd/crateWriter.ts';

export function crateWith(texture: string): Uint8Array {
  return writeCrate({
    '/': { defaultPrim: token('T'), metersPerUnit: double(1), upAxis: token('Y') },
    '/T': prim('Shader'),
    '/T.inputs:file': attribute('asset', asset(texture)),
  });
}
