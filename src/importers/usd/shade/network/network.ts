// Follows the connections of a shading network from an input to the shader node or the value that feeds it
// (UsdShadeConnectableAPI, UsdShadeUtils::GetValueProducingAttributes).

import type { Opinion, Stage, StageAttribute, StagePrim } from '../../compose/stage/stage.ts';
import { textOf } from '../../compose/values/values.ts';
import type { Notes } from '../../notes.ts';

/** The source of an input: an output of a node, an authored value, or none. */
export type Source =
  | { readonly kind: 'node'; readonly node: StagePrim; readonly output: string }
  | {
      readonly kind: 'value';
      readonly opinion: Opinion;
      /** The attribute with the value: the input itself, or an input of a NodeGraph or Material. */
      readonly attribute: StageAttribute;
      /** The colour space authored on that attribute, else on the input; '' for none. */
      readonly colorSpace: string;
    }
  | { readonly kind: 'none' };

const NONE: Source = { kind: 'none' };

/** The identifier of a shader; '' if a source file or source code implements it. */
export function shaderId(node: StagePrim): string {
  const source = textOf(node.attribute('info:implementationSource')?.get()?.value) ?? 'id';
  return source === 'id' ? (textOf(node.attribute('info:id')?.get()?.value) ?? '') : '';
}

export class Network {
  readonly #stage: Stage;
  readonly #notes: Notes;

  constructor(stage: Stage, notes: Notes) {
    this.#stage = stage;
    this.#notes = notes;
  }

  /** The source of `inputs:name` of a node. Connections are stronger than values; a broken one is ignored (UC1901). */
  input(prim: StagePrim, name: string): Source {
    return this.follow(prim.attribute(`inputs:${name}`));
  }

  /** The value of an input; null if it has none or a node feeds it. */
  value(prim: StagePrim, name: string): Opinion | null {
    const source = this.input(prim, name);
    return source.kind === 'value' ? source.opinion : null;
  }

  /**
   * Follows the connections of an attribute through inputs and outputs of NodeGraphs and Materials. Of several
   * connections, the first is used (UC1902). A loop counts as a broken connection.
   */
  follow(start: StageAttribute | null): Source {
    if (start === null) return NONE;
    const authored = (attribute: StageAttribute): Source | null => {
      const opinion = attribute.get();
      if (!opinion) return null;
      const colorSpace = textOf(attribute.metadata('colorSpace')) || textOf(start.metadata('colorSpace')) || '';
      return { kind: 'value', opinion, attribute, colorSpace };
    };
    const own = (): Source => authored(start) ?? NONE;
    const broken = (why: string): Source => {
      this.#notes.report('UC1901', start.path, why);
      return own();
    };
    const seen = new Set<string>();
    let attribute = start;
    for (;;) {
      this.#noteAnimation(attribute);
      const connections = attribute.connections();
      if (connections.length === 0) {
        return authored(attribute) ?? own();
      }
      if (connections.length > 1) {
        this.#notes.report('UC1902', attribute.path, `${connections.length} connections; ${connections[0]} is used`);
      }
      const target = connections[0];
      if (seen.has(target)) return broken(`the connections form a loop through ${target}`);
      seen.add(target);
      const dot = target.lastIndexOf('.');
      const node = dot > 0 ? this.#stage.prim(target.slice(0, dot)) : undefined;
      if (!node) return broken(`connected to ${target}, which does not exist`);
      const name = target.slice(dot + 1);
      if (node.typeName === 'Shader' && name.startsWith('outputs:')) {
        return { kind: 'node', node, output: name.slice('outputs:'.length) };
      }
      const next = node.attribute(name);
      if (!next) return broken(`connected to ${target}, which does not exist`);
      attribute = next;
    }
  }

  #noteAnimation(attribute: StageAttribute): void {
    if (!attribute.isAnimated) return;
    const prim = attribute.path.slice(0, attribute.path.lastIndexOf('.'));
    this.#notes.report('UC1702', prim, `frozen: ${attribute.name}`);
  }
}
