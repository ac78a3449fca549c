// Random stages of a few layers whose arcs name each other at random: composition ends, in prims or in coded errors, and
// what it gives is a tree.

import { expect, it } from 'vitest';
import { SourceError } from '../../../../src/diagnostics/diagnostic.ts';
import type { StagePrim } from '../../../../src/importers/usd/compose/stage/stage.ts';
import { layer, stageOf } from '../importText.ts';

/** Numerical Recipes' linear congruential generator: the same scenes everywhere. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const NAMES = ['a', 'b', 'c'];

function randomLayer(pick: (below: number) => number): string {
  const name = () => NAMES[pick(3)];
  const path = () => `/${Array.from({ length: 1 + pick(3) }, name).join('/')}`;
  const arc = () => {
    switch (pick(9)) {
      case 0:
        return `prepend references = <${path()}>`;
      case 1:
        return `append references = @./l${pick(3)}.usda@<${path()}>`;
      case 2:
        return `payload = @./l${pick(3)}.usda@`;
      case 3:
        return `prepend inherits = <${path()}>`;
      case 4:
        return `specializes = <${path()}>`;
      case 5:
        return 'instanceable = true';
      case 6:
        return `variants = { string v = "${name()}" }\nprepend variantSets = "v"`;
      case 7:
        return `delete references = <${path()}>`;
      default:
        return '';
    }
  };
  const prim = (depth: number): string => {
    const children =
      depth < 3 ? NAMES.filter(() => pick(2) === 0).map((child) => [child, prim(depth + 1)] as const) : [];
    const inner = children.map(([child, body]) => `${['def', 'over', 'class'][pick(3)]} "${child}" ${body}`).join('\n');
    const set =
      pick(4) === 0 ? `variantSet "v" = { "${name()}" ( ${arc()}\n ) { def "${name()}" {}\n int n = 2\n } }` : '';
    return `( ${arc()}\n) {\n int n = ${depth}\n rel r = [<${path()}>, <${path()}.n>]\n ${inner}\n ${set}\n}`;
  };
  return NAMES.map((root) => `def "${root}" ${prim(1)}`).join('\n');
}

/** Checks a prim and gives its children. */
function visit(prim: StagePrim): readonly StagePrim[] {
  const names = prim.children.map((child) => child.name);
  expect(new Set(names).size).toBe(names.length);
  for (const child of prim.children) {
    expect(child.path).toBe(`${prim.path}/${child.name}`);
    expect(child.parent).toBe(prim);
  }
  for (const target of prim.relationship('r')?.targets() ?? []) expect(target).toMatch(/^(?:\/[abc])+(?:\.n)?$/);
  prim.attribute('n')?.get();
  return prim.children;
}

it('random stages end in prims or in coded errors', () => {
  let prims = 0;
  let circles = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const pick = generator(seed);
    const relocates = pick(3) === 0 ? '\n relocates = { </a/b>: </a/c>, </b/a/c>: </b/c> }' : '';
    const metadata = `defaultPrim = "${NAMES[pick(3)]}"${relocates}`;
    const files = Object.fromEntries([0, 1, 2].map((i) => [`l${i}.usda`, layer(randomLayer(pick), metadata)]));
    const sublayers = pick(2) === 0 ? '\n subLayers = [@./l0.usda@]' : '';
    try {
      const { stage, diagnostics } = stageOf(randomLayer(pick), `(\n ${metadata}${sublayers}\n)\n`, files);
      const pending = [...stage.children];
      // Arcs that name each other crosswise make many prims of few; a part of them will do.
      for (let prim = pending.pop(), count = 0; prim && count < 500; prim = pending.pop(), count++) {
        prims++;
        pending.push(...visit(prim));
        expect(stage.prim(prim.path)).toBe(prim);
      }
      stage.finish();
      circles += diagnostics.list.some((d) => d.code === 'UC1713') ? 1 : 0;
    } catch (error) {
      if (!(error instanceof SourceError)) throw new Error(`seed ${seed}`, { cause: error });
    }
  }
  expect(prims).toBeGreaterThan(3000);
  expect(circles).toBeGreaterThan(50);
});
