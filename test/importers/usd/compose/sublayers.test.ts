import { describe, expect, it } from 'vitest';
import { layer, primPaths, stageOf, valueAt } from '../importText.ts';

const root = (subLayers: string, more = '') => `(\n subLayers = [${subLayers}]\n${more}\n)\n`;

describe('sublayers', () => {
  it('are weaker than their layer, and the first listed is stronger than the second, depth first', () => {
    const { stage, said } = stageOf('def "p" { int a = 1 }', root('@./a.usda@, @./b.usda@'), {
      'a.usda': layer('over "p" { int a = 2\n int b = 2 }', 'subLayers = [@./sub/deep.usda@]'),
      'sub/deep.usda': layer('over "p" { int b = 3\n int c = 3 }', 'subLayers = [@../deeper.usda@]'),
      'deeper.usda': layer('over "p" { int d = 4 }'),
      'b.usda': layer('over "p" { int c = 5\n int d = 5\n int e = 5 }'),
    });
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => valueAt(stage, `/p.${name}`))).toEqual([1, 2, 3, 4, 5]);
    expect(said()).toEqual([]);
  });

  it('accumulate offsets and scales: stage time = offset + scale * layer time', () => {
    const samples = 'def "p" { double a.timeSamples = { 0: 0, 10: 100 } }';
    const at = (time: number) => {
      const files = {
        'a.usda': layer('', 'subLayers = [@./b.usda@ (offset = 5; scale = 3)]'),
        'b.usda': layer(samples),
      };
      return valueAt(stageOf('', root('@./a.usda@ (offset = 100; scale = 2)'), files, { time }).stage, '/p.a');
    };
    // b's 0 is a's 5, which is the root's 110; b's 10 is a's 35, the root's 170; halfway is 140.
    expect(at(110)).toBe(0);
    expect(at(140)).toBe(50);
    expect(at(170)).toBe(100);
    expect(at(0)).toBe(0);
    expect(at(1000)).toBe(100);
  });

  it('with another rate of time codes keep their seconds', () => {
    const files = { 'a.usda': layer('def "p" { double a.timeSamples = { 0: 0, 48: 48 } }', 'timeCodesPerSecond = 48') };
    // The root runs at 24: second 0.5 is 12 here and 24 there.
    const { stage } = stageOf('', root('@./a.usda@'), files, { time: 12 });
    expect(valueAt(stage, '/p.a')).toBe(24);
    const byFrames = { 'a.usda': layer('def "p" { double a.timeSamples = { 0: 0, 48: 48 } }', 'framesPerSecond = 48') };
    expect(
      valueAt(stageOf('', root('@./a.usda@', ' timeCodesPerSecond = 96'), byFrames, { time: 48 }).stage, '/p.a'),
    ).toBe(24);
  });

  it('running backwards have their last sample first', () => {
    const files = { 'a.usda': layer('def "p" { double a.timeSamples = { 0: 7, 10: 8 } }') };
    expect(valueAt(stageOf('', root('@./a.usda@ (scale = -1)'), files).stage, '/p.a')).toBe(8);
  });

  describe('joined with a rate of time codes that is not positive', () => {
    const moving = { 'a.usda': layer('def "p" { double a.timeSamples = { 0: 0, 100: 100 } }') };
    const opened = (rate: string, time?: number) =>
      stageOf('', root('@./a.usda@', rate), moving, time === undefined ? {} : { time });

    it('run backwards where it is negative: the earliest value is the last sample, as in OpenUSD', () => {
      const { stage, diagnostics } = opened('timeCodesPerSecond = -1');
      expect(valueAt(stage, '/p.a')).toBe(100);
      expect(diagnostics.list.map((d) => `${d.code} ${d.severity} ${d.file}: ${d.message}`)).toEqual([
        'UC1727 warning /scene/town.usda: timeCodesPerSecond is -1: time runs backwards',
      ]);
      // The sublayer runs at 24: its time t is at -t / 24 in the stage.
      expect(valueAt(opened('timeCodesPerSecond = -1', -2).stage, '/p.a')).toBe(48);
      expect(valueAt(opened('timeCodesPerSecond = -48', -20).stage, '/p.a')).toBe(10);
    });

    it('keep the ratio of the other rates where it gives none: zero, infinity and NaN are as if not authored', () => {
      for (const rate of ['0', 'inf', '-inf', 'nan']) {
        const { stage, diagnostics } = opened(`timeCodesPerSecond = ${rate}`, 30);
        expect(valueAt(stage, '/p.a'), rate).toBe(30);
        expect(diagnostics.list.map((d) => `${d.code} ${d.path}`)).toEqual(['UC1727 /']);
        expect(diagnostics.list[0].message).toMatch(/ is (0|-?Infinity|NaN): it counts as not authored$/);
      }
      // framesPerSecond is what counts next: 48 against the 24 of the sublayer.
      expect(valueAt(opened('timeCodesPerSecond = 0\n framesPerSecond = 48', 30).stage, '/p.a')).toBe(15);
    });

    it('and in the weaker layer, said once however many arcs lead there', () => {
      const files = {
        'a.usda': layer(
          'def "q" { double a.timeSamples = { 0: 0, 100: 100 } }',
          'timeCodesPerSecond = -24\n defaultPrim = "q"',
        ),
      };
      const body = 'def "p" (references = @./a.usda@) {}\ndef "r" (references = @./a.usda@) {}';
      const { stage, said } = stageOf(body, '()\n', files);
      expect(['/p.a', '/r.a'].map((path) => valueAt(stage, path))).toEqual([100, 100]);
      expect(said()).toEqual(['UC1727 /']);
    });

    it('say nothing of a layer that no arc joins with another', () => {
      const { stage, said } = stageOf(
        'def "p" { double a.timeSamples = { 0: 7, 9: 8 } }',
        '(\n timeCodesPerSecond = 0\n)\n',
      );
      expect(valueAt(stage, '/p.a')).toBe(7);
      expect(said()).toEqual([]);
    });

    it('stay unscaled where the ratio is beyond what a number holds (UC1725)', () => {
      const tiny = {
        'a.usda': layer('def "p" { double a.timeSamples = { 0: 0, 100: 100 } }', 'timeCodesPerSecond = 1e-300'),
      };
      const { stage, said } = stageOf('', root('@./a.usda@', 'timeCodesPerSecond = 1e300'), tiny, { time: 30 });
      expect(valueAt(stage, '/p.a')).toBe(30);
      expect(said()).toEqual(['UC1725 /']);
    });
  });

  it('that are missing or lead back are errors that name the layer, and the rest composes', () => {
    const files = { 'a.usda': layer('def "q" {}', 'subLayers = [@./town.usda@, @./a.usda@, @gone.usda@, @./x.abc@]') };
    const { stage, diagnostics } = stageOf('def "p" {}', root('@./a.usda@, @./none.usda@'), files);
    expect(primPaths(stage)).toEqual(['/q', '/p']);
    const found = diagnostics.list.map((d) => `${d.code} ${d.severity} ${d.file} ${d.message}`);
    // Found from the last of a list to its first; the order of reports is sorted later.
    expect(found.sort()).toEqual([
      expect.stringMatching(/^UC1710 error \/scene\/a.usda .*@gone.usda@.*UC1203/),
      expect.stringMatching(/^UC1710 error \/scene\/town.usda .*@.\/none.usda@/),
      expect.stringMatching(/^UC1713 error \/scene\/a.usda .*@.\/a.usda@/),
      expect.stringMatching(/^UC1713 error \/scene\/a.usda .*@.\/town.usda@/),
      expect.stringMatching(/^UC1716 error \/scene\/a.usda .*x.abc/),
    ]);
  });

  it('that are missing are warnings when they are dropped, and the result is said to be incomplete', () => {
    const { stage, diagnostics } = stageOf('def "p" {}', root('@./none.usda@'), {}, { missingAsset: 'drop' });
    expect(primPaths(stage)).toEqual(['/p']);
    stage.finish();
    expect(diagnostics.list.map((d) => `${d.code} ${d.severity}`)).toEqual(['UC1710 warning', 'UC1719 warning']);
  });

  it('may be listed twice without being a circle', () => {
    const files = {
      'a.usda': layer('', 'subLayers = [@./c.usda@]'),
      'b.usda': layer('', 'subLayers = [@./c.usda@]'),
      'c.usda': layer('def "p" {}'),
    };
    const { stage, said } = stageOf('', root('@./a.usda@, @./b.usda@'), files);
    expect(primPaths(stage)).toEqual(['/p']);
    expect(said()).toEqual([]);
  });

  it('that multiply crosswise end at a limit', () => {
    const files: Record<string, Uint8Array> = {};
    for (let i = 0; i < 20; i++)
      files[`l${i}.usda`] = layer('', `subLayers = [@./l${i + 1}.usda@, @./l${i + 1}.usda@]`);
    files['l20.usda'] = layer('def "p" {}');
    expect(() => stageOf('', root('@./l0.usda@'), files)).toThrow('UC1714');
  });

  it('list what each layer reorders', () => {
    const files = { 'a.usda': layer('def "x" {}\ndef "y" {}\ndef "z" {}') };
    expect(
      primPaths(stageOf('reorder rootPrims = ["z", "x"]\nover "new" {}', root('@./a.usda@'), files).stage),
    ).toEqual([
      // `new` follows z in the list, and so it does when z moves.
      '/z',
      '/new',
      '/x',
      '/y',
    ]);
  });
});
