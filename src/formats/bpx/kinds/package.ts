// Reads packages in the layout of the text: a registry of paths, and a section for each file.

import type { Findings } from '../../findings.ts';
import { PACKAGE } from '../container/layout.ts';
import type { BpxContainer } from '../container/open.ts';
import { BpxStrings } from '../container/strings.ts';
import { ASSET, bytesOf, COUNTED_EXT } from '../records.ts';
import type { BpxAsset, BpxPackage } from '../types.ts';
import { checkCompatibility, PathCheck, recordAt, referred, sectionOf, sectionsOf, typeExtOf } from './sections.ts';

/** Null, with a finding, when registry or strings cannot be read. */
export function readPackage(container: BpxContainer, findings: Findings): BpxPackage | null {
  const { count, compatibility } = typeExtOf(COUNTED_EXT, container, findings);
  checkCompatibility(compatibility, findings);
  const registry = sectionOf(container, PACKAGE.registry);
  const names = sectionOf(container, PACKAGE.strings);
  if (!registry || !names) return null;
  const strings = new BpxStrings(names.bytes, names.place, findings);
  const held = registry.bytes.length / bytesOf(ASSET);
  if (held !== count) {
    findings.report(
      'UC3644',
      registry.place,
      `number of assets is not that of the header: ${registry.bytes.length} bytes are ${held} assets, TypeExt says ${count}`,
    );
  }
  const paths = new PathCheck(findings);
  const used = new Set<number>();
  const assets: BpxAsset[] = [];
  for (let i = 0; i < Math.min(count, Math.floor(held)); i++) {
    const place = `assets/${i}`;
    const asset = recordAt(ASSET, registry.bytes, i * bytesOf(ASSET));
    const path = strings.at(asset.path, place);
    if (path !== null) paths.check(path, place);
    const file = referred(container, asset.file, PACKAGE.file, place, findings);
    if (!file) continue;
    used.add(file.number);
    if (path !== null && file.bytes !== null) assets.push({ path, bytes: file.bytes });
  }
  for (const { number, place } of sectionsOf(container, PACKAGE.file)) {
    if (!used.has(number)) findings.report('UC3627', place, 'file of a package that no asset names: no asset names it');
  }
  return { kind: 'package', compatibility, assets };
}
