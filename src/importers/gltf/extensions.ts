// Which extensions of glTF are read, which are passed over on purpose, and what is said about the others.

import type { Element } from './element.ts';
import { quote } from './element.ts';
import type { Notes } from './notes.ts';

const KNOWN: ReadonlySet<string> = new Set([
  'EXT_mesh_gpu_instancing',
  'EXT_meshopt_compression',
  'EXT_texture_avif',
  'EXT_texture_webp',
  'KHR_draco_mesh_compression',
  'KHR_lights_punctual',
  'KHR_materials_anisotropy',
  'KHR_materials_clearcoat',
  'KHR_materials_diffuse_transmission',
  'KHR_materials_dispersion',
  'KHR_materials_emissive_strength',
  'KHR_materials_ior',
  'KHR_materials_iridescence',
  'KHR_materials_pbrSpecularGlossiness',
  'KHR_materials_sheen',
  'KHR_materials_specular',
  'KHR_materials_transmission',
  'KHR_materials_unlit',
  'KHR_materials_variants',
  'KHR_materials_volume',
  'KHR_mesh_quantization',
  'KHR_meshopt_compression',
  'KHR_node_visibility',
  'KHR_texture_basisu',
  'KHR_texture_transform',
  // Nothing of these is drawn: metadata, and ways to animate and to select.
  'KHR_animation_pointer',
  'KHR_node_hoverability',
  'KHR_node_selectability',
  'KHR_xmp_json_ld',
]);

/** Throws UC1305 for a required extension that is not known; gathers the unknown optional ones in one warning. */
export function checkExtensions(root: Element, notes: Notes): void {
  const required = root.strings('extensionsRequired');
  const unknown = [...new Set(required.filter((name) => !KNOWN.has(name)))];
  if (unknown.length > 0) {
    root.fail('UC1305', `the file requires ${unknown.slice(0, 8).map(quote).join(', ')}`);
  }
  for (const name of new Set(root.strings('extensionsUsed'))) {
    if (KNOWN.has(name)) continue;
    notes.add('UC1306', '', 'extensionsUsed', name, (names) => `what these extensions say is left out: ${names}`);
  }
}
