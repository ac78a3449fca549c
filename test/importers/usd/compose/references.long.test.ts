// References that multiply without end.

import { expect, it } from 'vitest';
import { stageOf } from '../importText.ts';

it('references that multiply end at a limit', () => {
  const links = Array.from({ length: 30 }, (_, i) => {
    const both = `[</p${i + 1}>, </p${i + 1}x>]`;
    return `def "p${i}" (references = ${both}) {}\ndef "p${i}x" (references = ${both}) {}`;
  });
  const body = `${links.join('\n')}\ndef "p30" {}\ndef "p30x" {}`;
  const { stage, said } = stageOf(body);
  expect(stage.prim('/p0')).toBeDefined();
  expect(said()).toContain('UC1714 /p0');
});
