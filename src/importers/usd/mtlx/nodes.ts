// Writes the node graphs and nodes of a MaterialX document as NodeGraph and Shader prims below /MaterialX/NodeGraphs,
// with their connections (OpenUSD, usdMtlx/reader.cpp). Nodes of the top level become direct children of that prim. A
// node with a custom definition is a reference to the graph that implements the definition.

import type { Value } from '../layer.ts';
import type { TextSpec } from '../text/textSpec.ts';
import type { AttributeSpec } from './attributeSpec.ts';
import type { MtlxDocument, MtlxElement } from './document.ts';
import { type LayerWriter, token } from './layerWriter.ts';
import type { NodeDef, Port } from './nodeDef.ts';
import type { NodeDefs } from './nodeDefs.ts';
import { usdTypeName, usdValue } from './values.ts';

export const NODE_GRAPHS = '/MaterialX/NodeGraphs';

/** The categories of elements of a graph or document that are not nodes. */
const NO_NODES = new Set([
  'input',
  'output',
  'parameter',
  'token',
  'nodedef',
  'nodegraph',
  'implementation',
  'backdrop',
  'xi:include',
]);

export function isNode(element: MtlxElement): boolean {
  return element.name !== '' && element.has('type') && !NO_NODES.has(element.category);
}

/** The scope in which the names that an input refers to are looked up. */
interface Scope {
  /** A node graph, or the top level. */
  readonly container: MtlxElement;
  /** The prim that holds the nodes. */
  readonly path: string;
  /** The names of the inputs of the container in the document. */
  readonly interface: ReadonlySet<string>;
}

const NO_INTERFACE: ReadonlySet<string> = new Set();

export class NodeWriter {
  readonly #document: MtlxDocument;
  readonly #defs: NodeDefs;
  readonly #writer: LayerWriter;
  /** The prim path of each graph that is used. */
  readonly #graphs = new Map<MtlxElement, string>();
  /** The graphs to write. */
  readonly #pending: { readonly element: MtlxElement; readonly path: string; readonly def: NodeDef | null }[] = [];
  readonly #readers = new Map<MtlxElement, boolean>();
  readonly #outputs = new Map<NodeDef, ReadonlyMap<string, Port>>();
  #writesTopLevel = false;

  constructor(document: MtlxDocument, defs: NodeDefs, writer: LayerWriter) {
    this.#document = document;
    this.#defs = defs;
    this.#writer = writer;
  }

  /** The definition of a node. Reports UC1955 if there is none or if the inputs do not fit it. */
  defOf(node: MtlxElement): NodeDef | null {
    const found = this.#defs.of(node);
    if (found === null) {
      this.#document.report(
        'UC1955',
        node,
        `no definition of <${node.category}> has the output type '${node.get('type')}'`,
      );
      return null;
    }
    if (!found.exact) {
      this.#document.report(
        'UC1955',
        node,
        `no definition of <${node.category}> has these inputs; ${found.def.name} is used`,
      );
    }
    return found.def;
  }

  /** The path of the prim of a node graph. `write` writes the prim. */
  graph(element: MtlxElement): string {
    return this.#ask(element, `${NODE_GRAPHS}/${element.name}`, null);
  }

  /** The path of the prim of the graph that implements a definition; null if there is none. `write` writes the prim. */
  implementation(def: NodeDef): string | null {
    return def.implementation && this.#ask(def.implementation, `${NODE_GRAPHS}/${def.name}`, def);
  }

  #ask(element: MtlxElement, path: string, def: NodeDef | null): string {
    const known = this.#graphs.get(element);
    if (known !== undefined) return known;
    this.#graphs.set(element, path);
    this.#pending.push({ element, path, def });
    return path;
  }

  /** Whether inputs of a graph read nodes of the top level, which must be siblings of the graph then. */
  readsTopLevel(graph: MtlxElement): boolean {
    const known = this.#readers.get(graph);
    if (known !== undefined) return known;
    const reads = graph.inputs.some((input) => input.has('nodename') || input.has('nodegraph') || input.has('output'));
    this.#readers.set(graph, reads);
    return reads;
  }

  /** The path of the prim of the nodes of the top level. `write` writes the nodes. */
  topLevel(): string {
    this.#writesTopLevel = true;
    return NODE_GRAPHS;
  }

  /** Writes all graphs and nodes whose paths were used. */
  write(): void {
    if (this.#graphs.size > 0 || this.#writesTopLevel) this.#writer.prim(NODE_GRAPHS, '');
    let isTopLevelWritten = false;
    for (;;) {
      const next = this.#pending.pop();
      if (next) this.#writeGraph(next.element, next.path, next.def);
      else if (this.#writesTopLevel && !isTopLevelWritten) {
        isTopLevelWritten = true;
        this.#writeTopLevel();
      } else return;
    }
  }

  #writeTopLevel(): void {
    const { children, root } = this.#document;
    const read = new Set<MtlxElement | null>();
    const nodes = children.filter((node) => isNode(node) && node.get('type') !== 'material');
    for (const node of nodes) {
      for (const input of node.inputs) read.add(this.#document.find(input.get('nodename'), input));
    }
    const scope: Scope = { container: root, path: NODE_GRAPHS, interface: NO_INTERFACE };
    for (const node of nodes) {
      // Surface shaders are written with the materials. Those that other nodes read are written here too.
      if (node.get('type') !== 'surfaceshader' || read.has(node)) this.#writeNode(node, scope);
    }
  }

  #writeGraph(element: MtlxElement, path: string, def: NodeDef | null): void {
    const prim = this.#writer.prim(path, 'NodeGraph');
    this.document(prim, element);
    const names = new Set<string>();
    for (const port of def?.inputs ?? []) {
      names.add(port.name);
      this.declare(path, `inputs:${nameOf(port)}`, port);
    }
    // The values of a definition's inputs are the defaults of the nodes that it defines.
    const definition = def === null ? null : this.#document.find(def.name, element);
    for (const input of definition?.inputs ?? []) this.input(path, input, true);
    const outside: Scope = { container: this.#document.root, path: NODE_GRAPHS, interface: NO_INTERFACE };
    for (const input of element.inputs) {
      names.add(input.qualifiedName);
      this.connect(this.input(path, input, true), input, outside);
    }
    const scope: Scope = { container: element, path, interface: names };
    for (const node of element.children) if (isNode(node)) this.#writeNode(node, scope);
    for (const output of element.outputs) {
      const port = { name: output.name, type: output.get('type') };
      this.connect(this.declare(path, `outputs:${output.name}`, port), output, scope);
    }
  }

  #writeNode(node: MtlxElement, scope: Scope): void {
    const path = `${scope.path}/${node.name}`;
    const def = this.defOf(node);
    const graph = def && this.implementation(def);
    const prim = this.#writer.prim(path, graph === null ? 'Shader' : 'NodeGraph');
    this.document(prim, node);
    if (graph !== null) this.#writer.reference(prim, graph);
    else if (def) this.#writer.attribute(path, 'info:id', 'token', token(def.name), true);
    const isColor = def?.outputs.some((port) => port.type === 'color3' || port.type === 'color4') ?? false;
    for (const input of node.inputs) this.connect(this.input(path, input, isColor), input, scope);
    for (const port of outputsOf(def, node)) this.declare(path, `outputs:${nameOf(port)}`, port);
  }

  /** Declares an attribute of a MaterialX type. A type that USD does not have becomes a token with a renderType. */
  declare(prim: string, name: string, port: Port): AttributeSpec {
    const typeName = usdTypeName(port.type);
    const spec = this.#writer.attribute(prim, name, typeName ?? 'token');
    if (typeName === null && port.type !== '' && !port.type.endsWith('shader'))
      spec.setMetadata('renderType', token(port.type));
    return spec;
  }

  /** Writes an input with its value. `isColor`: if the input is a file, the file holds colours. */
  input(prim: string, input: MtlxElement, isColor: boolean): AttributeSpec {
    const type = input.get('type');
    const spec = this.declare(prim, `inputs:${input.name}`, { name: input.name, type });
    const text = documentationOf(input);
    if (text) spec.setMetadata('documentation', text);
    const value = this.#valueOf(input, type);
    if (value) spec.setValue(value);
    if (input.has('valuecurve')) this.#document.report('UC1958', input, 'the animated value is left out');
    const space = input.active('colorspace');
    const holdsColor = type === 'color3' || type === 'color4' || (type === 'filename' && isColor);
    if (holdsColor && space !== '' && space !== this.#document.root.get('colorspace')) {
      spec.setMetadata('colorSpace', token(space));
    }
    return spec;
  }

  #valueOf(input: MtlxElement, type: string): Value | null {
    const text = input.get('value');
    if (text === '') return null;
    const value = usdValue(type, type === 'filename' ? input.active('fileprefix') + text : text);
    if (value === null && usdTypeName(type) !== null) {
      this.#document.report('UC1957', input, `'${text.slice(0, 40)}' is not a value of type ${type}`);
    }
    return value;
  }

  document(spec: TextSpec, element: MtlxElement): void {
    const text = documentationOf(element);
    if (text) spec.set('documentation', text);
  }

  /**
   * Connects an input, or the output of a graph, to the port that it names. Reports UC1954 if there is no such port.
   */
  connect(attribute: AttributeSpec, port: MtlxElement, scope: Scope): void {
    const target = this.#targetOf(port, scope);
    if (target === null) return;
    const owner = attribute.path.slice(0, attribute.path.lastIndexOf('.'));
    // A swizzle node is a sibling of the node that it feeds, or a child of the graph whose output it feeds.
    const parent = port.category === 'output' ? owner : owner.slice(0, owner.lastIndexOf('/'));
    attribute.connect(this.picked(parent, port, target));
  }

  /**
   * The path to connect an input to: the target, or, if the input selects channels of it, a swizzle node that is
   * written below `parent`. MaterialX 1.38 lets an input select channels.
   */
  picked(parent: string, port: MtlxElement, target: Target): string {
    if (port.has('member')) this.#document.report('UC1958', port, `the member '${port.get('member')}' is left out`);
    const channels = port.get('channels');
    if (channels === '') return target.path;
    const path = `${parent}/${port.parent?.name ?? ''}__${port.name}__swizzle`;
    const to = port.get('type');
    this.#writer.prim(path, 'Shader');
    this.#writer.attribute(path, 'info:id', 'token', token(`ND_swizzle_${target.type}_${to}`), true);
    this.declare(path, 'inputs:in', { name: 'in', type: target.type }).connect(target.path);
    this.#writer.attribute(path, 'inputs:channels', 'string', { type: 'String', array: false, value: channels });
    this.declare(path, 'outputs:out', { name: 'out', type: to });
    return `${path}.outputs:out`;
  }

  #targetOf(port: MtlxElement, scope: Scope): Target | null {
    const lost = (what: string): null => {
      this.#document.report('UC1954', port, what);
      return null;
    };
    const interfaceName = port.get('interfacename');
    if (interfaceName !== '') {
      if (!scope.interface.has(interfaceName)) return lost(`there is no interface input '${interfaceName}'`);
      const path = `${scope.path}.inputs:${interfaceName.replaceAll(':', '__')}`;
      return { path, type: port.get('type'), graph: null };
    }
    const isTop = scope.container === this.#document.root;
    const find = (name: string) => (isTop ? this.#document.find(name, port) : scope.container.child(name));
    const graphName = port.get('nodegraph');
    if (graphName !== '') {
      const graph = isTop ? find(graphName) : null;
      return graph?.category === 'nodegraph'
        ? this.#outputOf(port, graph, scope)
        : lost(`there is no node graph '${graphName}'`);
    }
    let nodeName = port.get('nodename');
    let asks = port;
    if (nodeName === '' && port.category !== 'output' && port.has('output')) {
      const output = find(port.get('output'));
      if (output?.category !== 'output') return lost(`there is no output '${port.get('output')}'`);
      nodeName = output.get('nodename');
      asks = output;
    }
    if (nodeName === '') return null;
    const node = find(nodeName);
    if (node?.category === 'nodegraph' && isTop) return this.#outputOf(asks, node, scope);
    return node && isNode(node) ? this.#outputOf(asks, node, scope) : lost(`there is no node '${nodeName}'`);
  }

  #outputOf(port: MtlxElement, node: MtlxElement, scope: Scope): Target | null {
    const isGraph = node.category === 'nodegraph';
    if (isGraph) this.graph(node);
    else if (scope.container === this.#document.root) this.topLevel();
    const named = port.get('output');
    const output = isGraph ? graphOutput(node, named) : this.#nodeOutput(node, named);
    if (!output) {
      this.#document.report('UC1954', port, `'${node.qualifiedName}' has no output '${named || 'out'}'`);
      return null;
    }
    const path = `${scope.path}/${node.name}.outputs:${nameOf(output)}`;
    return { path, type: output.type, graph: isGraph ? node : null };
  }

  /** The only output of a node, or the one with the name. */
  #nodeOutput(node: MtlxElement, name: string): Port | undefined {
    const def = this.#defs.of(node)?.def ?? null;
    const outputs = outputsOf(def, node);
    if (outputs.length === 1) return outputs[0];
    const known = def && this.#outputs.get(def);
    const byName = known ?? new Map(outputs.map((port) => [port.name, port]));
    if (def) this.#outputs.set(def, byName);
    return byName.get(name || 'out');
  }

  /** The port that an input of a surface shader reads, below the prim of the top level's nodes; null for none. */
  source(port: MtlxElement): Target | null {
    return this.#targetOf(port, { container: this.#document.root, path: NODE_GRAPHS, interface: NO_INTERFACE });
  }
}

function documentationOf(element: MtlxElement): Value | null {
  const text = element.get('doc');
  return text === '' ? null : { type: 'String', array: false, value: text };
}

/** A port that feeds an input. */
export interface Target {
  readonly path: string;
  readonly type: string;
  /** The node graph that has it as an output; null for a port of a node. */
  readonly graph: MtlxElement | null;
}

/** The only output of a node graph, or the one with the name. */
function graphOutput(graph: MtlxElement, name: string): Port | undefined {
  const named = graph.child(name || 'out');
  if (named?.category === 'output') return { name: named.qualifiedName, type: named.get('type') };
  const first = graph.children.find((child) => child.category === 'output');
  const isOnly = first !== undefined && !graph.children.some((child) => child.category === 'output' && child !== first);
  return isOnly ? { name: first.qualifiedName, type: first.get('type') } : undefined;
}

/** The name of a port in USD. Definitions have the names of the document. */
export function nameOf(port: Port): string {
  return port.name.replaceAll(':', '__');
}

/** The outputs of a node: those of its definition, or without one a single output of the node's type. */
function outputsOf(def: NodeDef | null, node: MtlxElement): readonly Port[] {
  return def?.outputs ?? [{ name: 'out', type: node.get('type') }];
}
