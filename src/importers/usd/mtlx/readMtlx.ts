// Reads a MaterialX document as a USD layer, for references such as @looks.mtlx@</MaterialX/Materials/Wood>. The layer
// is the same that the UsdMtlx file format of OpenUSD makes (usdMtlx/reader.cpp). A table of the standard node
// definitions replaces the MaterialX libraries.

import type { Diagnostics } from '../../../diagnostics/diagnostic.ts';
import type { Layer } from '../layer.ts';
import { MtlxDocument, type MtlxElement, type ReadInclude } from './document.ts';
import { LayerWriter, token } from './layerWriter.ts';
import { MaterialWriter } from './materials.ts';
import { NodeDefs } from './nodeDefs.ts';
import { isNode, NodeWriter } from './nodes.ts';

export type { IncludedDocument, ReadInclude } from './document.ts';

/** Elements that change the look of a scene and are not read, with the words for them in messages. */
const UNREAD: Readonly<Record<string, string>> = {
  look: 'looks',
  lookgroup: 'looks',
  collection: 'collections',
  variantset: 'variants',
  geominfo: 'geometry properties',
  propertyset: 'property sets',
  propertyassign: 'property sets',
  material: 'materials of MaterialX 1.37 and older',
  shaderref: 'materials of MaterialX 1.37 and older',
};

function noteUnread(document: MtlxDocument): void {
  const first = new Map<string, MtlxElement>();
  const counts = new Map<string, number>();
  for (const child of document.children) {
    const what = Object.hasOwn(UNREAD, child.category) && child.get('type') === '' ? UNREAD[child.category] : undefined;
    if (what === undefined) continue;
    if (!first.has(what)) first.set(what, child);
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  for (const [what, child] of first) {
    document.report(
      'UC1956',
      child,
      `${what}: ${counts.get(what)} ${counts.get(what) === 1 ? 'element is' : 'elements are'} not read`,
    );
  }
}

/** Whether the bytes start like XML, as a MaterialX document does. */
export function isXml(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 256)).replace(/^(?:ï»¿|ÿþ|þÿ)/, '');
  return /^\s*<\0?[?!\w]/.test(start.replaceAll('\0', ''));
}

/**
 * Reads a whole MaterialX 1.38 or 1.39 document. `identifier` names it in the layer and in messages; asset paths in the
 * document are relative to it. `include` reads the documents that it includes; without `include` they are left out
 * (UC1953).
 *
 * The layer has the default prim /MaterialX with Materials, Shaders and NodeGraphs. Elements that are left out are
 * reported (UC1953 to UC1958). Throws SourceError with line and column: UC1950 if the bytes are not XML or not
 * MaterialX, UC1951 if the document exceeds a limit, and the errors of `include`.
 */
export function readMtlx(
  bytes: Uint8Array,
  identifier: string,
  diagnostics: Diagnostics,
  include: ReadInclude | null = null,
): Layer {
  const document = new MtlxDocument(bytes, identifier, diagnostics, include);
  const version = document.root.get('version');
  const writer = new LayerWriter(identifier, document.size);
  const space = document.root.get('colorspace');
  if (space !== '') {
    const data = new Map([['colorSpace', { type: 'String', array: false, value: space } as const]]);
    writer.root.set('customLayerData', { type: 'Dictionary', array: false, value: data });
  }
  if (document.root.has('cms')) writer.root.set('colorManagementSystem', token(document.root.get('cms')));
  if (document.children.some((child) => isNode(child) || child.category === 'nodegraph')) {
    writer.root.set('defaultPrim', token('MaterialX'));
    writer.prim('/MaterialX', '');
    const nodes = new NodeWriter(document, new NodeDefs(document), writer);
    new MaterialWriter(document, nodes, writer).write();
    nodes.write();
  }
  noteUnread(document);
  return { identifier, format: 'mtlx', version, specs: writer.specs };
}
