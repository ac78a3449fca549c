// List ops (OpenUSD SdfListOp): the edits of a layer, applied to the list that weaker opinions give.

import type { ListOp } from '../../layer.ts';

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}

/**
 * Reorders `list` by `order`. Each named item moves together with the unnamed items that follow it; unnamed items at
 * the front stay at the front. Names that are not in the list have no effect.
 */
export function reorder<T>(list: readonly T[], order: readonly T[]): T[] {
  const present = new Set(list);
  const named = unique(order).filter((item) => present.has(item));
  if (named.length === 0) return [...list];
  const isNamed = new Set(named);
  const front: T[] = [];
  const runs = new Map<T, T[]>();
  let run = front;
  for (const item of list) {
    if (isNamed.has(item)) {
      run = [item];
      runs.set(item, run);
    } else {
      run.push(item);
    }
  }
  return [...front, ...named.flatMap((item) => runs.get(item) ?? [])];
}

/** The list that results when `op` edits `weaker`. Items of the result are unique; they are compared by identity. */
export function applyListOp<T>(op: ListOp<T>, weaker: readonly T[]): T[] {
  if (op.isExplicit) return unique(op.explicit);
  let list = unique(weaker);
  if (op.deleted.length > 0) {
    const deleted = new Set(op.deleted);
    list = list.filter((item) => !deleted.has(item));
  }
  if (op.added.length > 0) list = unique([...list, ...op.added]);
  if (op.prepended.length > 0) list = unique([...op.prepended, ...list]);
  if (op.appended.length > 0) {
    const block = unique(op.appended);
    const moved = new Set(block);
    list = [...list.filter((item) => !moved.has(item)), ...block];
  }
  return op.ordered.length > 0 ? reorder(list, op.ordered) : list;
}

/** The list op with each item replaced by the text that `map` gives for it. */
export function mapListOp<T>(op: ListOp<T>, map: (item: T) => string): ListOp<string> {
  return {
    isExplicit: op.isExplicit,
    explicit: op.explicit.map(map),
    added: op.added.map(map),
    prepended: op.prepended.map(map),
    appended: op.appended.map(map),
    deleted: op.deleted.map(map),
    ordered: op.ordered.map(map),
  };
}
