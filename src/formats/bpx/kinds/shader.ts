// Reads shader containers: shaders as bytes, and which of them make a program for each API. Nothing is compiled.

import type { Findings } from '../../findings.ts';
import { type SectionType, SHADER } from '../container/layout.ts';
import type { BpxContainer } from '../container/open.ts';
import { ASSEMBLY, ASSEMBLY_RESERVE, bytesOf, COUNTED_EXT } from '../records.ts';
import type { BpxAssembly, BpxShaders } from '../types.ts';
import { checkCompatibility, recordAt, referred, sectionOf, sectionsOf, typeExtOf } from './sections.ts';

/** Null, with a finding, when a shader or an assembly cannot be read. */
export function readShaders(container: BpxContainer, findings: Findings): BpxShaders | null {
  const { count, compatibility } = typeExtOf(COUNTED_EXT, container, findings);
  checkCompatibility(compatibility, findings);
  const sections = sectionsOf(container, SHADER.shader);
  if (count !== sections.length) {
    findings.report(
      'UC3644',
      'header',
      `number of shaders is not that of the header: ${count} shaders in TypeExt, ${sections.length} Shader sections`,
    );
  }
  for (const type of [SHADER.assemblyVGL, SHADER.assemblyMSL]) {
    for (const { place } of sectionsOf(container, type)) findings.report('UC3672', place, `a section ${type.name}`);
  }
  const indexOf = new Map(sections.map(({ number }, i) => [number, i]));
  const assemblies: BpxAssembly[] = [];
  for (const [api, type] of APIS) {
    const section = sectionOf(container, type);
    if (!section) continue;
    const { bytes, place } = section;
    const reserve = bytes.subarray(bytesOf(ASSEMBLY));
    const isReserved = api === 'OpenGL' && reserve.length === ASSEMBLY_RESERVE;
    if (bytes.length < bytesOf(ASSEMBLY) || (reserve.length > 0 && !isReserved)) {
      findings.report('UC3644', place, `assembly of shaders of another size: ${bytes.length} bytes`);
      continue;
    }
    if (reserve.some((byte) => byte !== 0))
      findings.report('UC3610', place, `reserved bytes of a section are not 0: bytes ${bytesOf(ASSEMBLY)} to 19`);
    const { minVersion, vertex, geometry, pixel } = recordAt(ASSEMBLY, bytes);
    // Every program has a vertex shader: there 0 leads nowhere.
    const shader = (number: number, stage: string, isRequired = false): number | null => {
      if (number === 0 && !isRequired) return null;
      const found = referred(container, number, SHADER.shader, `${place} ${stage}`, findings);
      return found && (indexOf.get(found.number) ?? null);
    };
    assemblies.push({
      api,
      minVersion,
      vertex: shader(vertex, 'vertex shader', true),
      geometry: shader(geometry, 'geometry shader'),
      pixel: shader(pixel, 'pixel shader'),
    });
  }
  const shaders = sections.flatMap(({ bytes }) => (bytes ? [bytes] : []));
  return shaders.length < sections.length ? null : { kind: 'shader', compatibility, shaders, assemblies };
}

const APIS: readonly (readonly [BpxAssembly['api'], SectionType])[] = [
  ['DirectX', SHADER.assemblyDX],
  ['OpenGL', SHADER.assemblyGL],
];
