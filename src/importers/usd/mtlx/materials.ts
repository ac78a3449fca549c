// Writes the material nodes of a MaterialX document as Material prims (OpenUSD, usdMtlx/reader.cpp). The shaders of a
// material are references to prims below /MaterialX/Shaders. Each input of a shader is also an input of the material.
// The node graphs that feed the inputs are references below the material.

import type { MtlxDocument, MtlxElement } from './document.ts';
import type { LayerWriter } from './layerWriter.ts';
import { token } from './layerWriter.ts';
import type { NodeDef } from './nodeDef.ts';
import { NODE_GRAPHS, type NodeWriter, nameOf } from './nodes.ts';

const MATERIALS = '/MaterialX/Materials';
const SHADERS = '/MaterialX/Shaders';

/** The output of a shader and of its material, by the type of shader. */
const OUTPUTS: Readonly<Record<string, string>> = {
  surfaceshader: 'surface',
  displacementshader: 'displacement',
  volumeshader: 'volume',
};

export class MaterialWriter {
  readonly #document: MtlxDocument;
  readonly #nodes: NodeWriter;
  readonly #writer: LayerWriter;

  constructor(document: MtlxDocument, nodes: NodeWriter, writer: LayerWriter) {
    this.#document = document;
    this.#nodes = nodes;
    this.#writer = writer;
  }

  write(): void {
    const materials = this.#document.children.filter((child) => child.name !== '' && child.get('type') === 'material');
    if (materials.length > 0) this.#writer.prim(MATERIALS, '');
    for (const material of materials) this.#writeMaterial(material);
  }

  #writeMaterial(material: MtlxElement): void {
    const path = `${MATERIALS}/${material.name}`;
    const prim = this.#writer.prim(path, 'Material');
    this.#writer.applySchema(prim, 'MaterialXConfigAPI');
    const version = this.#document.root.get('version');
    this.#writer.attribute(path, 'config:mtlx:version', 'string', { type: 'String', array: false, value: version });
    this.#nodes.document(prim, material);
    for (const input of material.inputs) {
      const output = OUTPUTS[input.get('type')];
      if (output === undefined) continue;
      if (input.name === 'backsurfaceshader') {
        this.#document.report('UC1958', input, 'the surface shader of back faces is left out');
        continue;
      }
      this.#writeShader(path, input, output);
    }
    const inherited = this.#document.find(material.get('inherit'), material);
    if (inherited?.get('type') === 'material') this.#writer.specialize(prim, `${MATERIALS}/${inherited.name}`);
    else if (material.has('inherit'))
      this.#document.report('UC1954', material, `there is no material '${material.get('inherit')}'`);
  }

  /** Writes the shader that an input of a material names, and connects the output of the material to it. */
  #writeShader(material: string, input: MtlxElement, output: string): void {
    const node = input.has('nodegraph') ? null : this.#document.find(input.get('nodename'), input);
    const result = `outputs:mtlx:${output}`;
    if (!node || node.category === 'nodegraph') {
      // The input names a node graph whose output is a shader.
      const source = this.#feed(material, input);
      if (source !== null) this.#writer.attribute(material, result, 'token').connect(source);
      return;
    }
    const def = this.#nodes.defOf(node);
    if (!def) return;
    const path = `${material}/${node.name}`;
    const graph = this.#nodes.implementation(def);
    const prim = this.#writer.prim(path, graph === null ? 'Shader' : 'NodeGraph');
    this.#writer.reference(prim, graph ?? this.#writeShared(node, def, output));
    for (const port of def.inputs) {
      const own = this.#nodes.declare(material, `inputs:${nameOf(port)}`, port);
      this.#nodes.declare(path, `inputs:${nameOf(port)}`, port).connect(own.path);
    }
    for (const port of node.inputs) {
      const own = this.#nodes.input(material, port, true);
      const source = this.#feed(material, port) ?? own.path;
      const typed = { name: port.name, type: port.get('type') };
      this.#nodes.declare(path, `inputs:${port.name}`, typed).connect(source);
    }
    const shaderOutput = graph === null ? output : def.outputs.length > 0 ? nameOf(def.outputs[0]) : 'out';
    this.#writer.attribute(material, result, 'token').connect(`${path}.outputs:${shaderOutput}`);
  }

  /** Writes the shader prim that materials reference, with its identifier and its output. */
  #writeShared(node: MtlxElement, def: NodeDef, output: string): string {
    const path = `${SHADERS}/${node.name}`;
    if (this.#writer.has(path)) return path;
    this.#writer.prim(SHADERS, '');
    this.#nodes.document(this.#writer.prim(path, 'Shader'), node);
    this.#writer.attribute(path, 'info:id', 'token', token(def.name), true);
    this.#writer.attribute(path, `outputs:${output}`, 'token');
    return path;
  }

  /**
   * Adds a reference to the nodes that feed an input below the material, and returns the path of the output to connect
   * to; null if no node feeds the input.
   */
  #feed(material: string, port: MtlxElement): string | null {
    const source = this.#nodes.source(port);
    if (source === null) return null;
    const { graph } = source;
    const isAlone = graph !== null && !this.#nodes.readsTopLevel(graph);
    // A graph that reads nodes of the top level is referenced together with all of these nodes.
    const origin = isAlone ? `${NODE_GRAPHS}/${graph.name}` : this.#nodes.topLevel();
    const prim = this.#writer.prim(`${material}${origin.slice(origin.lastIndexOf('/'))}`, '');
    if (!prim.has('references')) this.#writer.reference(prim, origin);
    return this.#nodes.picked(material, port, { ...source, path: `${prim.path}${source.path.slice(origin.length)}` });
  }
}
