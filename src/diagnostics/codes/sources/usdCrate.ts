// USD crate layers (binary): codes UC1400-UC1499.

import type { CodeEntry } from '../../entry.ts';

export const USD_CRATE = {
  UC1400: {
    severity: 'error',
    title: 'not a USD crate, or cut off',
    cause: 'The file is no binary USD layer, or it ends before the table of contents that its header points at.',
    remedy: 'export or download the file again',
  },
  UC1401: {
    severity: 'error',
    title: 'crate version not supported',
    cause: 'Binary USD layers of versions 0.0.1 to 0.14 are read; another major version is another format.',
    remedy: 'write the layer again with `usdcat -o new.usdc old.usdc` of OpenUSD, or as text (.usda)',
  },
  UC1402: {
    severity: 'warning',
    title: 'crate version newer than known',
    cause: 'The layer was written by a newer OpenUSD than this reader knows; what is new in it may be missing.',
    remedy:
      'write the layer again with an older version (USD_WRITE_NEW_USDC_FILES_AS_VERSION=0.10.0), or as text (.usda)',
  },
  UC1403: {
    severity: 'error',
    title: 'crate section missing',
    cause: 'One of the six sections that every binary USD layer has is not in its table of contents.',
    remedy: 'export or download the file again',
  },
  UC1404: {
    severity: 'error',
    title: 'crate structure broken',
    cause: 'The tokens, paths, fields or specs of the layer contradict themselves or the length of the file.',
    remedy: 'export or download the file again; check it with `usdchecker` of OpenUSD',
  },
  UC1405: {
    severity: 'error',
    title: 'crate value broken',
    cause: 'The stored value of a field contradicts itself or the length of the file.',
    remedy: 'export or download the file again; check it with `usdchecker` of OpenUSD',
  },
  UC1406: {
    severity: 'error',
    exit: 5,
    title: 'crate content too large',
    cause: 'A part of the layer unpacks to more than this reader allows, as damaged or malicious files do.',
    remedy: 'split the scene into several layers; if it is not that large, export it again',
  },
  UC1407: {
    severity: 'warning',
    title: 'unknown value type',
    cause: 'A field holds a type of value that this reader does not know; newer versions of USD may have added it.',
    remedy:
      'write the layer again with an older crate version (USD_WRITE_NEW_USDC_FILES_AS_VERSION=0.10.0) if the field matters to the scene',
  },
  UC1408: {
    severity: 'warning',
    title: 'spline not evaluated',
    cause:
      'The attribute is animated by a spline or an animation block (crate 0.12 and later); its default value is used.',
    remedy: 'author a default value, or bake the animation to time samples',
  },
  UC1409: {
    severity: 'warning',
    title: 'array edit left out',
    cause: 'The field edits the array of a weaker layer instead of holding one (crate 0.14), which is not supported.',
    remedy: 'flatten the stage with `usdcat --flatten` of OpenUSD before cooking',
  },
  UC1410: {
    severity: 'warning',
    title: 'duplicate spec',
    cause: 'The layer describes the same prim or property more than once; the first description counts.',
    remedy: 'write the layer again with OpenUSD or the tool that made it',
  },
  UC1411: {
    severity: 'warning',
    title: 'spec left out',
    cause: 'A spec of the layer has no path or is of a kind that USD does not define.',
    remedy: 'write the layer again with OpenUSD or the tool that made it',
  },
  UC1412: {
    severity: 'warning',
    title: 'obsolete spec left out',
    cause:
      'Early versions of USD had expressions, mappers and attributes of relationship targets; no scene is drawn from them.',
    remedy: 'nothing to do: no scene is drawn from such specs; a layer that OpenUSD writes again has none',
  },
  UC1413: {
    severity: 'warning',
    title: 'duplicate field',
    cause: 'A spec of the layer has the same field more than once; the first one counts.',
    remedy: 'write the layer again with OpenUSD or the tool that made it',
  },
} as const satisfies Record<string, CodeEntry>;
