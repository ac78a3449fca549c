// KHR_xmp_json_ld: metadata such as authors and licences. It changes nothing that is drawn.

import type { Extension } from '../extension.ts';

export const KHR_XMP_JSON_LD: Extension = {
  name: 'KHR_xmp_json_ld',
  support: 'unneeded',
  effect: 'It holds metadata such as authors and licences.',
};
