// Retired codes: each leads to a code of today, is none itself, and is still understood wherever a code is named.

import { expect, test } from 'vitest';
import { CODES } from '../../src/diagnostics/codes.ts';
import { retiredCodes, successorOf } from '../../src/diagnostics/retired.ts';
import { explain, knownCode } from '../../src/index.ts';
import { severityPolicy } from '../../src/library/call/policy.ts';

test('a retired code is used once, by a successor that is in use', () => {
  const retired = retiredCodes().flatMap(([code, old]) => {
    expect(CODES, code).toHaveProperty(code);
    return old;
  });
  expect(retired.length).toBeGreaterThan(100);
  expect(new Set(retired).size).toBe(retired.length);
  for (const code of retired) expect(code in CODES, code).toBe(false);
});

test('options and `explain` take a retired code for its successor', () => {
  expect(successorOf('UC3608')).toBe('UC3601');
  expect(successorOf('UC3601')).toBeUndefined();
  expect(knownCode('3608', '--deny')).toBe('UC3601');
  expect(explain('uc3608').code).toBe('UC3601');
  const policy = severityPolicy({ deny: ['UC3331'], allow: ['UC3125'], warn: [] });
  expect([[...policy.deny], [...policy.allow]]).toEqual([['UC3330'], ['UC3120']]);
  expect(() => severityPolicy({ allow: ['UC3608'] })).toThrow(/UC3601 is an error/);
});

test('container formats have a code a class of fault', () => {
  const containers = Object.keys(CODES).filter((code) => /^UC(30|31[0-8]|33|35|36|39)/.test(code));
  expect(containers.length).toBeLessThanOrEqual(95);
});
