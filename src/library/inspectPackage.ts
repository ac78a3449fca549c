// inspect() of BPX files and Galileo meshes, and what a USDZ package holds.

import { type Diagnostic, Diagnostics, SourceError } from '../diagnostics/diagnostic.ts';
import type { BpxContent } from '../formats/bpx/types.ts';
import type { Content } from '../importers/content.ts';
import { openUsdz } from '../importers/usdz/openUsdz.ts';

/** A file in a package. */
export interface InspectedEntry {
  readonly path: string;
  readonly bytes: number;
  /** Of its data in the package. */
  readonly offset: number;
}

/** What is in a BPX file. */
export interface BpxDocument {
  readonly source: string;
  readonly kind: 'bpx';
  readonly type: 'texture' | 'model' | 'shader' | 'package';
  readonly layout: 'spec' | 'crate';
  readonly formatVersion: number;
  readonly bytes: number;
  readonly sections: readonly {
    readonly number: number;
    readonly type: number;
    readonly offset: number;
    readonly stored: number;
    /** Null: it cannot be read. */
    readonly unpacked: number | null;
  }[];
  /** What the content counts, by name; empty when it cannot be read. */
  readonly totals: Readonly<Record<string, number>>;
  /** Of a package, in its order. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly warnings: readonly Diagnostic[];
}

/** What is in a Galileo mesh. */
export interface GalileoDocument {
  readonly source: string;
  readonly kind: 'gali';
  readonly uuid: string;
  readonly bytes: number;
  readonly totals: { readonly groups: number; readonly vertices: number; readonly triangles: number };
  readonly groups: readonly {
    readonly vertices: number;
    readonly triangles: number;
    /** How many channels of each there are. */
    readonly texcoords: number;
    readonly colors: number;
    readonly joints: number;
  }[];
  readonly extensions: readonly { readonly name: string; readonly version: number; readonly bytes: number }[];
  readonly warnings: readonly Diagnostic[];
}

/** The files of a package in its order. Throws what openUsdz throws. */
export function packageEntries(content: Content, name: string): InspectedEntry[] {
  // The import of the source reports what is wrong with it.
  const { entries } = openUsdz(content, name, new Diagnostics());
  return entries.map(({ name: path, size, offset }) => ({ path, bytes: size, offset }));
}

function totalsOf(content: BpxContent): Record<string, number> {
  switch (content.kind) {
    case 'texture':
      return { width: content.width, height: content.height, images: content.images.length, mips: content.mips };
    case 'model': {
      const corners = content.arrays.map(({ indices, vertexCount }) => indices?.length ?? vertexCount);
      return {
        arrays: content.arrays.length,
        vertices: content.arrays.reduce((sum, { vertexCount }) => sum + vertexCount, 0),
        triangles: corners.reduce((sum, count) => sum + count / 3, 0),
        bones: content.bones?.length ?? 0,
        animations: content.animations?.length ?? 0,
      };
    }
    case 'shader':
      return { shaders: content.shaders.length, assemblies: content.assemblies.length };
    case 'package':
      return { files: content.assets.length };
    case 'cratePackage':
      return { files: content.objects.length };
  }
}

function filesOf(content: BpxContent): { path: string; bytes: number }[] {
  if (content.kind === 'package') return content.assets.map(({ path, bytes }) => ({ path, bytes: bytes.length }));
  if (content.kind !== 'cratePackage') return [];
  return content.objects.map(({ name, parts }) => ({
    path: name,
    bytes: parts.reduce((sum, part) => sum + part.length, 0),
  }));
}

/** Throws SourceError when header or table of sections cannot be read. */
export async function bpxDocument(bytes: Uint8Array, name: string): Promise<BpxDocument> {
  const { checkBpx } = await import('../formats/bpx/validate.ts');
  const { container, content, diagnostics } = await checkBpx(bytes, name);
  if (!container) throw new SourceError(diagnostics);
  return {
    source: name,
    kind: 'bpx',
    type: container.kind,
    layout: container.layout,
    formatVersion: container.version,
    bytes: bytes.length,
    sections: container.sections.map(({ number, type, pointer, storedSize, bytes: unpacked }) => ({
      number,
      type,
      offset: pointer,
      stored: storedSize,
      unpacked: unpacked?.length ?? null,
    })),
    totals: content ? totalsOf(content) : {},
    files: content ? filesOf(content) : [],
    warnings: diagnostics,
  };
}

/** Throws SourceError for a mesh that cannot be read. */
export async function galileoDocument(bytes: Uint8Array, name: string): Promise<GalileoDocument> {
  const { checkGalileo } = await import('../formats/galileo/validate.ts');
  const { mesh, diagnostics } = await checkGalileo(bytes, name);
  if (!mesh) throw new SourceError(diagnostics);
  const groups = mesh.groups.map(({ indices, positions, texcoords, colors, joints }) => ({
    vertices: positions.length / 3,
    triangles: Math.floor(indices.length / 3),
    texcoords: texcoords.length,
    colors: colors.length,
    joints: joints.length,
  }));
  const hex = Buffer.from(mesh.uuid).toString('hex');
  return {
    source: name,
    kind: 'gali',
    uuid: [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-'),
    bytes: bytes.length,
    totals: {
      groups: groups.length,
      vertices: groups.reduce((sum, { vertices }) => sum + vertices, 0),
      triangles: groups.reduce((sum, { triangles }) => sum + triangles, 0),
    },
    groups,
    extensions: mesh.extensions.map(({ name: own, version, data }) => ({ name: own, version, bytes: data.length })),
    warnings: diagnostics,
  };
}
