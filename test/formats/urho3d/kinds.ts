// Files as the text of the format describes them, for the test of the table of kinds.

import type { LiteralKinds } from '../literalKinds.ts';

export const LITERALS: LiteralKinds = {
  mdl: ['.mdl', 'UMD2\x01\0\0\0'],
  ani: ['.ani', 'UANI'],
  pak: ['.pak', 'ULZ4'],
  shader: ['.vs3 .ps3 .vs4 .ps4', 'USHD\0\0\x03\0'],
  script: ['.asc', 'ASBC\0'],
  material: ['.xml', '<?xml version="1.0"?>\n<material>'],
  scene: ['.xml', '<!-- town --><scene id="1">'],
  record: ['.json', '{"generator": "untold-cook", "target": "urho3d", "files": []}'],
};
