import { describe, expect, it } from 'vitest';
import { applyListOp, reorder } from '../../../../../src/importers/usd/compose/values/listOp.ts';
import type { ListOp } from '../../../../../src/importers/usd/layer.ts';

function op(parts: Partial<ListOp<string>>): ListOp<string> {
  const empty = { isExplicit: false, explicit: [], added: [], prepended: [], appended: [], deleted: [], ordered: [] };
  return { ...empty, ...parts };
}

describe('list operations', () => {
  it('an explicit list replaces, even when it is empty', () => {
    expect(applyListOp(op({ isExplicit: true, explicit: ['c', 'c', 'd'] }), ['a'])).toEqual(['c', 'd']);
    expect(applyListOp(op({ isExplicit: true }), ['a'])).toEqual([]);
  });

  it('deletes, adds what is absent, and moves prepended and appended blocks', () => {
    expect(applyListOp(op({ deleted: ['b'] }), ['a', 'b', 'c'])).toEqual(['a', 'c']);
    expect(applyListOp(op({ added: ['a', 'd'] }), ['a', 'b'])).toEqual(['a', 'b', 'd']);
    expect(applyListOp(op({ prepended: ['c', 'x'] }), ['a', 'b', 'c'])).toEqual(['c', 'x', 'a', 'b']);
    expect(applyListOp(op({ appended: ['a', 'x'] }), ['a', 'b', 'c'])).toEqual(['b', 'c', 'a', 'x']);
  });

  it('applies delete before add before prepend before append before reorder', () => {
    const all = op({ deleted: ['a'], added: ['a'], prepended: ['p'], appended: ['p'], ordered: ['p', 'b'] });
    // a b -> b -> b a -> p b a -> b a p -> p, then b with a that follows it
    expect(applyListOp(all, ['a', 'b'])).toEqual(['p', 'b', 'a']);
  });

  it('reordering takes unnamed followers along and leaves the front in place', () => {
    expect(reorder(['f', 'a', 'x', 'b', 'y'], ['b', 'a', 'nowhere'])).toEqual(['f', 'b', 'y', 'a', 'x']);
    expect(reorder(['a', 'b'], ['nowhere'])).toEqual(['a', 'b']);
  });
});
