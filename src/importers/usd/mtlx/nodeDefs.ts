// Finds the definition of a MaterialX node (MaterialX specification 1.39, "Custom Nodes"; MaterialXCore/Node.cpp,
// Node::getNodeDef): the definition that the node names, else one of its category whose output and input types fit. The
// definitions of the document come before those of the standard libraries.

import type { MtlxDocument, MtlxElement } from './document.ts';
import type { NodeDef, Port } from './nodeDef.ts';
import { standardNodes } from './standardNodes.ts';

/** The limit of definitions of one node category. The standard libraries have at most 49; more make matching slow. */
const MAX_OVERLOADS = 256;
/** The limit of inputs and outputs in all definitions of a document. Inherited ones count in each heir. */
const MAX_PORTS = 500_000;

function ports(element: MtlxElement, category: string): MtlxElement[] {
  return element.children.filter((child) => child.category === category && child.name !== '');
}

/** The inputs and outputs of a definition of the document, including inherited ones. */
function interfaceOf(element: MtlxElement, document: MtlxDocument): { inputs: Port[]; outputs: Port[] } {
  const chain: MtlxElement[] = [];
  for (let at: MtlxElement | null = element; at && !chain.includes(at); at = document.find(at.get('inherit'), at)) {
    if (chain.length >= 32) document.limit(element, 'definitions inherit from each other in a chain longer than 32');
    chain.push(at);
  }
  const inputs = new Map<string, Port>();
  const outputs = new Map<string, Port>();
  for (const def of chain.reverse()) {
    for (const input of ports(def, 'input')) inputs.set(input.name, { name: input.name, type: input.get('type') });
    for (const output of ports(def, 'output'))
      outputs.set(output.name, { name: output.name, type: output.get('type') });
  }
  return { inputs: [...inputs.values()], outputs: [...outputs.values()] };
}

/**
 * The node graph that implements each definition, by the name of the definition. Either the graph names the definition,
 * or an `implementation` element names both.
 */
function implementations(document: MtlxDocument): Map<string, MtlxElement> {
  const graphs = new Map<string, MtlxElement>();
  for (const child of document.children) {
    const def = document.find(child.get('nodedef'), child);
    if (def?.category !== 'nodedef') continue;
    const graph = child.category === 'nodegraph' ? child : null;
    const named = child.category === 'implementation' ? document.find(child.get('nodegraph'), child) : null;
    const found = graph ?? named;
    if (found && !graphs.has(def.name)) graphs.set(def.name, found);
  }
  return graphs;
}

/** The types of the inputs of definitions by the names of the inputs. */
const inputTypes = new WeakMap<NodeDef, ReadonlyMap<string, string>>();

function typesOf(def: NodeDef): ReadonlyMap<string, string> {
  const known = inputTypes.get(def) ?? new Map(def.inputs.map((port) => [port.name, port.type]));
  inputTypes.set(def, known);
  return known;
}

function fits(def: NodeDef, node: MtlxElement, inputs: ReadonlyMap<string, string>): boolean {
  if (def.type !== node.get('type')) return false;
  const version = node.get('version');
  if (version === '' ? !def.isDefault : version !== def.version) return false;
  if (inputs.size > def.inputs.length) return false;
  const types = typesOf(def);
  for (const [name, type] of inputs) if (types.get(name) !== type) return false;
  return true;
}

/** The definition of a node. `exact`: the inputs of the node fit it. */
export interface FoundDef {
  readonly def: NodeDef;
  readonly exact: boolean;
}

export class NodeDefs {
  readonly #found = new Map<MtlxElement, FoundDef | null>();
  readonly #byName = new Map<string, NodeDef>();
  readonly #byNode = new Map<string, NodeDef[]>();

  constructor(document: MtlxDocument) {
    const graphs = implementations(document);
    const explicitDefaults = new Set<string>();
    const elements = document.children.filter((child) => child.category === 'nodedef');
    for (const element of elements) {
      if (element.get('isdefaultversion') === 'true') explicitDefaults.add(element.get('node'));
    }
    let portCount = 0;
    for (const element of elements) {
      const { inputs, outputs } = interfaceOf(element, document);
      portCount += inputs.length + outputs.length;
      if (portCount > MAX_PORTS) document.limit(element, `definitions have more than ${MAX_PORTS} inputs and outputs`);
      const node = element.get('node');
      const byNode = this.#byNode.get(node) ?? [];
      if (byNode.length === MAX_OVERLOADS)
        document.limit(element, `more than ${MAX_OVERLOADS} definitions of <${node}>`);
      const def: NodeDef = {
        name: element.name,
        node,
        type: outputs.length === 1 ? outputs[0].type : outputs.length > 1 ? 'multioutput' : element.get('type'),
        version: element.get('version'),
        isDefault: explicitDefaults.has(node) ? element.get('isdefaultversion') === 'true' : true,
        inputs,
        // A definition of MaterialX 1.36 has no output element; its own type is that of its only output.
        outputs: outputs.length > 0 ? outputs : [{ name: 'out', type: element.get('type') }],
        implementation: graphs.get(element.name) ?? null,
      };
      byNode.push(def);
      this.#byNode.set(node, byNode);
      this.#byName.set(def.name, def);
    }
    for (const defs of standardNodes().values()) {
      for (const def of defs) if (!this.#byName.has(def.name)) this.#byName.set(def.name, def);
    }
  }

  /** The definition with a name; null if there is none. */
  named(name: string): NodeDef | null {
    return this.#byName.get(name) ?? null;
  }

  /**
   * The definition of a node. If the inputs fit no definition, it is the first one with the node's output type, as in
   * MaterialX; null if there is none.
   */
  of(node: MtlxElement): FoundDef | null {
    const known = this.#found.get(node);
    if (known !== undefined) return known;
    const found = this.#match(node);
    this.#found.set(node, found);
    return found;
  }

  #match(node: MtlxElement): FoundDef | null {
    const named = this.named(node.get('nodedef'));
    if (named) return { def: named, exact: true };
    const inputs = new Map(node.inputs.map((input) => [input.name, input.get('type')]));
    const libraries = [this.#byNode.get(node.category) ?? [], standardNodes().get(node.category) ?? []];
    for (const defs of libraries) {
      const def = defs.find((candidate) => fits(candidate, node, inputs));
      if (def) return { def, exact: true };
    }
    for (const defs of libraries) {
      const def = defs.find((candidate) => candidate.type === node.get('type'));
      if (def) return { def, exact: false };
    }
    return null;
  }
}
