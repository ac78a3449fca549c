// List ops in usda text (OpenUSD, SdfListOp). One statement sets one of the six lists of a field; several statements
// about the same field are combined.

import type { ListOp } from '../../layer.ts';
import { MAX_KEY, type UsdaCursor } from '../cursor.ts';

export type ListOpKind = 'explicit' | 'added' | 'prepended' | 'appended' | 'deleted' | 'ordered';

const KEYWORDS: Readonly<Record<string, ListOpKind>> = {
  add: 'added',
  prepend: 'prepended',
  append: 'appended',
  delete: 'deleted',
  reorder: 'ordered',
};

const EMPTY: ListOp<never> = {
  isExplicit: false,
  explicit: [],
  added: [],
  prepended: [],
  appended: [],
  deleted: [],
  ordered: [],
};

/** Reads a list op keyword and the blanks after it; null if there is none at the cursor. */
export function acceptListOpKeyword(cursor: UsdaCursor): ListOpKind | null {
  for (const word of Object.keys(KEYWORDS)) {
    const start = cursor.pos;
    if (!cursor.acceptWord(word)) continue;
    cursor.skipInline();
    // In `add = 1`, `add` is the name of a metadata field.
    if (cursor.atWord) return KEYWORDS[word] as ListOpKind;
    cursor.pos = start;
  }
  return null;
}

/**
 * The list op with one of its lists replaced. An explicit list drops the other lists, and any other list drops an
 * explicit one. OpenUSD refuses lists with equal items; here one of the equal items is kept, with a warning. Items with
 * the same `key` are equal.
 */
export function setListOpItems<T>(
  cursor: UsdaCursor,
  op: ListOp<T> | undefined,
  kind: ListOpKind,
  items: readonly T[],
  key: (item: T, index: number) => string,
): ListOp<T> {
  if (items.length === 0 && kind !== 'explicit') {
    cursor.fail('UC1501', 'None or an empty list can only be set without add, prepend, append, delete or reorder');
  }
  const seen = new Set<string>();
  const unique = items.filter((item, index) => {
    const k = key(item, index);
    // Keep items with long keys without a look-up, which would be slow (see MAX_KEY).
    if (k.length > MAX_KEY) return true;
    return !seen.has(k) && seen.add(k);
  });
  if (unique.length < items.length) cursor.lenient('duplicates', 'a list names one item more than once');
  const isExplicit = kind === 'explicit';
  const base = op && op.isExplicit === isExplicit ? op : (EMPTY as ListOp<T>);
  return { ...base, isExplicit, [kind]: unique };
}
