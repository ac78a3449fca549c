// Positions that payloads share where several of them are drawn as one: literal rows.

import { expect, test } from 'vitest';
import { BorderMap } from '../../src/geometry/lod/borders.ts';

const rows = (...positions: number[]) => Uint32Array.from(positions.flatMap((p) => [p, p + 1, p + 2]));
const shared = (map: BorderMap) => [...map.sharedRows()].filter((_, i) => i % 3 === 0);

test('payloads without an owner share what two of them have', () => {
  const map = new BorderMap();
  map.add(rows(10, 20, 30));
  map.add(rows(30, 40));
  map.add(rows(50, 10));
  expect(shared(map)).toEqual([10, 30]);
});

test('payloads of one owner share with others alone', () => {
  const map = new BorderMap();
  map.add(rows(10, 20, 30), 0);
  map.add(rows(20, 30, 40), 0);
  expect(shared(map)).toEqual([]);
  map.add(rows(30, 50), 1);
  map.add(rows(50, 60), 1);
  map.add(rows(40, 70));
  map.add(rows(70, 60));
  expect(shared(map)).toEqual([30, 40, 60, 70]);
  // What is shared already stays so, whoever comes next.
  map.add(rows(30, 40), 0);
  expect(shared(map)).toEqual([30, 40, 60, 70]);
});

test('many positions keep their owners', () => {
  const map = new BorderMap();
  const many = Array.from({ length: 5000 }, (_, i) => 10 * i);
  map.add(rows(...many), 7);
  map.add(rows(...many.slice(4000)), 7);
  map.add(rows(...many.slice(2000, 2003)), 8);
  expect(shared(map)).toEqual([20000, 20010, 20020]);
});
