// List ops as text builds them: one statement sets one of the six lists, several statements on one field add up
// (OpenUSD, SdfListOp).

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

/** Reads a list-op keyword and the blanks after it; null when none stands here. */
export function acceptListOpKeyword(cursor: UsdaCursor): ListOpKind | null {
  for (const word of Object.keys(KEYWORDS)) {
    const start = cursor.pos;
    if (!cursor.acceptWord(word)) continue;
    cursor.skipInline();
    // `add = 1` is metadata of that name.
    if (cursor.atWord) return KEYWORDS[word] as ListOpKind;
    cursor.pos = start;
  }
  return null;
}

/**
 * The list op with one of its lists set. Setting the explicit list drops the others and the other way round. Equal items
 * of a list, which OpenUSD refuses, are kept once with a warning; `key` tells items apart, by
 * their place when it must.
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
    // Too long to look up: kept without a question.
    if (k.length > MAX_KEY) return true;
    return !seen.has(k) && seen.add(k);
  });
  if (unique.length < items.length) cursor.lenient('duplicates', 'a list names one item more than once');
  const isExplicit = kind === 'explicit';
  const base = op && op.isExplicit === isExplicit ? op : (EMPTY as ListOp<T>);
  return { ...base, isExplicit, [kind]: unique };
}
