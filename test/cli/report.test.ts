// Reports of a call in files, and annotations: what other programs read, checked by their own rules.

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { SaxesParser } from 'saxes';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { annotations } from '../../src/cli/reports/annotations.ts';
import { codeQuality } from '../../src/cli/reports/codeQuality.ts';
import { junit } from '../../src/cli/reports/junit.ts';
import type { Outcome } from '../../src/cli/reports/outcome.ts';
import { sarif } from '../../src/cli/reports/sarif.ts';
import { type Code, diagnostic, explain } from '../../src/index.ts';
import { usdz } from '../importers/usd/usdzWriter.ts';
import { untold } from '../support/command.ts';
import { put, temporaryFolder } from '../support/files.ts';
import { squareGltf } from '../support/squareGltf.ts';

/** The schema of the OASIS standard. */
const SARIF_SCHEMA = '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json';
// It is of draft 04; what it uses means the same in later ones.
const { $schema: _, id: __, ...sarifSchema } = createRequire(import.meta.url)(SARIF_SCHEMA);
const isSarif = new Ajv({ strict: false, unicodeRegExp: false, validateFormats: false, allErrors: true }).compile(
  sarifSchema,
);

function expectSarif(document: unknown): void {
  isSarif(document);
  expect(isSarif.errors).toBe(null);
}

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** The elements of an XML text in order. Throws for what is not well-formed. */
function elements(xml: string): Element[] {
  const all: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    all.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return all;
}

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const json = (name: string) => JSON.parse(read(name));

const ALL = ['r/a, b.sarif', 'r/a.junit.xml', 'r/a.codequality.json', 'r/a.json'].flatMap((name) => ['--report', name]);

/** One source that cooks with a warning, one that is broken, and one without geometry. */
function props(): void {
  put(folder, 'my art/good.gltf', squareGltf({ image: 'gone.png' }));
  put(folder, 'my art/broken é%.gltf', '{"asset": ');
  put(folder, 'my art/empty.gltf', '{"asset":{"version":"2.0"}}');
}

describe('reports of a cook', () => {
  test('tell of good, broken and skipped sources in every format', async () => {
    props();
    const ran = await untold(folder, ['cook', 'my art', '--out', 'o', '--missing-texture', 'drop', '--json', ...ALL]);
    expect(ran.code).toBe(1);

    const log = json('r/a, b.sarif');
    expectSarif(log);
    const [{ tool, results, invocations }] = log.runs;
    expect(invocations[0]).toMatchObject({ executionSuccessful: false, exitCode: 1 });
    expect(results.map((result: { ruleId: string; level: string }) => [result.ruleId, result.level])).toContainEqual([
      'UC1301',
      'error',
    ]);
    for (const { ruleId, ruleIndex, locations } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(tool.driver.rules[ruleIndex].fullDescription.text).toBe(explain(ruleId).cause);
      const { uri, uriBaseId } = locations[0].physicalLocation.artifactLocation;
      expect([uriBaseId, uri]).toEqual(['%SRCROOT%', expect.stringMatching(/^my%20art\//)]);
    }
    const uris = results.map(
      (result: (typeof results)[0]) => result.locations[0].physicalLocation.artifactLocation.uri,
    );
    expect(uris).toContain('my%20art/broken%20%C3%A9%25.gltf');

    const [suites, suite, ...inside] = elements(read('r/a.junit.xml'));
    expect([suites.name, suite.name]).toEqual(['testsuites', 'testsuite']);
    expect(suite.attributes).toMatchObject({ tests: '3', failures: '1', errors: '0', skipped: '1' });
    const cases = inside.filter(({ name }) => name === 'testcase').map(({ attributes }) => attributes.name);
    expect(cases).toEqual(['my art/broken é%.gltf', 'my art/empty.gltf', 'my art/good.gltf']);
    const failure = inside.find(({ name }) => name === 'failure')!;
    expect(failure.attributes.type).toBe('UC1301');
    expect(failure.text).toContain('error UC1301 my art/broken é%.gltf: ');
    expect(inside.find(({ name }) => name === 'skipped')?.attributes.message).toMatch(/^UC1021: /);
    expect(inside.find(({ name }) => name === 'system-out')?.text).toContain('gone.png');

    const quality: ReturnType<typeof json> = json('r/a.codequality.json');
    expect(quality.map((item: (typeof quality)[0]) => [item.check_name, item.severity])).toContainEqual([
      'UC1301',
      'major',
    ]);
    expect(quality[0].location.lines).toEqual({ begin: 1 });
    const prints = quality.map((item: (typeof quality)[0]) => item.fingerprint);
    expect(new Set(prints).size).toBe(prints.length);

    expect(read('r/a.json')).toBe(ran.stdout);
    expect(readdirSync(join(folder, 'r')).length).toBe(4);
  });

  test('are the same for the same outcome, and replace those of the run before', async () => {
    props();
    const run = async () => {
      await untold(folder, ['cook', 'my art', '--out', 'o', '--missing-texture', 'drop', ...ALL]);
      return ALL.filter((name) => name.startsWith('r/') && name !== 'r/a.json').map(read);
    };
    const first = await run();
    expect(await run()).toEqual(first);
    rmSync(join(folder, 'my art/broken é%.gltf'));
    expect((await run())[1]).not.toBe(first[1]);
  });

  test('are written when the call is refused', async () => {
    const code = (await untold(folder, ['cook', 'gone/*.glb', '--out', 'o', ...ALL])).code;
    expect(code).toBeGreaterThan(0);
    expectSarif(json('r/a, b.sarif'));
    expect(json('r/a, b.sarif').runs[0].invocations[0].exitCode).toBe(code);
    expect(elements(read('r/a.junit.xml'))[1].attributes).toMatchObject({ tests: '1' });
    expect(elements(read('r/a.junit.xml'))[3].attributes.type).toBe(json('r/a.json').diagnostics[0].code);
    const refused = json('r/a.json');
    expect(refused).toMatchObject({ schemaVersion: 1, results: [], diagnostics: [{ severity: 'error' }] });
    expect(json('r/a.codequality.json')[0].check_name).toBe(refused.diagnostics[0].code);

    expect(
      (await untold(folder, ['cook', 'gone.glb', '--out', 'o', '--pipeline', 'nix', '--report', 'p.json'])).code,
    ).toBe(2);
    expect(json('p.json').diagnostics[0].code).toBe('UC1007');
  });

  test('are refused by their ending, before anything is cooked', async () => {
    props();
    const { code, stderr } = await untold(folder, ['cook', 'my art', '--out', 'o', '--report', 'a.xml']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error UC1003 --report: "a\.xml" .*\.sarif, .*\.junit\.xml, .*\.codequality\.json, \.json or \.html$/m,
    );
    expect(readdirSync(folder)).toEqual(['my art']);
    const watched = await untold(folder, ['cook', 'my art', '--out', 'o', '--watch', '--report', 'a.sarif']);
    expect([watched.code, watched.stderr]).toEqual([2, expect.stringMatching(/^error UC1062 --report/m)]);
  });

  test('replace no file that is no report', async () => {
    props();
    put(folder, 'notes.json', '{"mine": true}');
    mkdirSync(join(folder, 'dir.sarif'));
    for (const name of ['notes.json', 'dir.sarif', 'my art/broken é%.gltf.sarif']) {
      if (name.endsWith('gltf.sarif')) put(folder, name, '{}');
      const { code, stderr } = await untold(folder, ['cook', 'my art', '--out', 'o', '--report', name]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`error UC4001 ${name}: it is no `)]);
    }
    expect(read('notes.json')).toBe('{"mine": true}');
    // The manifest of this very cook.
    const { code, stderr } = await untold(folder, [
      'cook',
      'my art/good.gltf',
      '--out',
      'o',
      '--report',
      'o/good.json',
      '--missing-texture',
      'drop',
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('error UC4001 o/good.json')]);
    expect(json('o/good.json').schemaVersion).toBeUndefined();
  });

  test('that cannot be written end the call with 3 and are told in the document', async () => {
    props();
    put(folder, 'file', 'no folder');
    const { code, stdout, stderr } = await untold(folder, [
      'cook',
      'my art/good.gltf',
      '--missing-texture',
      'drop',
      '--out',
      'o',
      '--json',
      '--report',
      'file/a.sarif',
      '--report',
      'b.json',
    ]);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^error UC4000 .*file/m)]);
    expect(JSON.parse(stdout)).toMatchObject({ results: [{ status: 'ok' }], diagnostics: [{ code: 'UC4000' }] });
    expect(json('b.json').results[0].status).toBe('ok');
  });
});

test('reports of validate have a case for each file', async () => {
  props();
  await untold(folder, ['cook', 'my art/good.gltf', '--out', 'o', '--missing-texture', 'drop']);
  put(folder, 'o/bad.untold', 'UNTOLD?');
  const { code, stdout } = await untold(folder, ['validate', 'o', '--json', ...ALL]);
  expect(code).toBe(1);
  expectSarif(json('r/a, b.sarif'));
  const files = JSON.parse(stdout).files.map(({ path }: { path: string }) => path);
  const cases = elements(read('r/a.junit.xml')).filter(({ name }) => name === 'testcase');
  expect(cases.map(({ attributes }) => attributes.name)).toEqual(files);
  expect(read('r/a.json')).toBe(stdout);
});

test('SARIF and code quality name the package of what lies in it, from the repository on', async () => {
  const layer = '#usda 1.0\n(defaultPrim = "A"\n upAxis = "Y")\ndef Xform "A" (references = @b.usda@) {}\n';
  const files = Object.entries({ 'a.usda': layer, 'b.usda': '#usda 1.0\ndef Mesh "B" {' }).map(
    ([name, text]) => [name, new TextEncoder().encode(text)] as const,
  );
  put(folder, 'art/town.usdz', usdz(files));
  const env = { GITHUB_WORKSPACE: folder, CI_PROJECT_DIR: folder };
  const args = ['cook', 'town.usdz', '--out', 'o', '--report', 'r.sarif', '--report', 'r.codequality.json'];
  const { stderr } = await untold(join(folder, 'art'), args, env);
  expect(stderr).toContain('town.usdz[a.usda]');
  expectSarif(json('art/r.sarif'));
  const { results } = json('art/r.sarif').runs[0];
  const located = results.map((one: ReturnType<typeof json>) => [
    one.locations[0].physicalLocation.artifactLocation.uri,
    one.message.text,
  ]);
  expect(new Set(located.map(([uri]: string[]) => uri))).toEqual(new Set(['art/town.usdz']));
  expect(located.some(([, text]: string[]) => text.startsWith('a.usda /'))).toBe(true);
  const quality = json('art/r.codequality.json');
  expect(new Set(quality.map((one: ReturnType<typeof json>) => one.location.path))).toEqual(new Set(['art/town.usdz']));
  expect(quality.some(({ description }: { description: string }) => description.startsWith('a.usda /'))).toBe(true);
});

test('what is cooked as one is no file: its findings are those of the call, and name it', async () => {
  put(folder, 'a.gltf', squareGltf({}));
  put(folder, 'b.gltf', squareGltf({}));
  const args = ['cook', 'a.gltf', 'b.gltf', '--as-one', 'town', '--out', 'o', '--max-output-bytes', '1000', ...ALL];
  expect((await untold(folder, args)).code).toBe(5);
  expectSarif(json('r/a, b.sarif'));
  const [{ results, invocations }] = json('r/a, b.sarif').runs;
  expect(results.map((one: ReturnType<typeof json>) => one.message.text)).not.toContainEqual(
    expect.stringMatching(/^town/),
  );
  expect(invocations[0].toolExecutionNotifications[0].message.text).toMatch(/^town: the output has /);
  const failed = json('r/a.codequality.json').find(({ check_name }: { check_name: string }) => check_name === 'UC1209');
  expect([failed.location.path, failed.description]).toEqual(['.', expect.stringMatching(/^town: /)]);
});

describe('annotations', () => {
  const GITHUB = { GITHUB_ACTIONS: 'true' };

  test('are on stderr, relative to the repository, errors first', async () => {
    props();
    const args = ['cook', '.', '--out', 'o', '--missing-texture', 'drop', '--json'];
    const { stdout, stderr } = await untold(join(folder, 'my art'), args, { ...GITHUB, GITHUB_WORKSPACE: folder });
    const lines = stderr.split('\n').filter((line) => line.startsWith('::'));
    expect(lines[0]).toMatch(
      /^::error file=my art\/broken é%25\.gltf,title=UC1301 glTF JSON cannot be parsed::line 1.*%0Acheck the element/,
    );
    expect(lines.some((line) => line.startsWith('::warning file=my art/good.gltf,'))).toBe(true);
    expect(lines.some((line) => line.startsWith('::notice'))).toBe(false);
    expect(JSON.parse(stdout).results.length).toBe(3);
  });

  test('tell of a refused call, and follow --quiet, --hide, --log-format and --no-annotations', async () => {
    props();
    const lines = async (...args: string[]) =>
      (await untold(folder, args, GITHUB)).stderr.split('\n').filter((line) => line.startsWith('::'));
    expect(await lines('cook', 'gone.glb', '--out', 'o')).toEqual([expect.stringMatching(/^::error .*title=UC/)]);
    const good = ['cook', 'my art/good.gltf', '--out', 'o', '--missing-texture', 'drop'];
    const [line] = await lines(...good);
    const code = /title=(UC\d+)/.exec(line)?.[1] ?? '';
    expect(await lines(...good, '--hide', code)).toEqual([]);
    expect(await lines(...good, '--quiet')).toEqual([]);
    expect(await lines(...good, '--no-annotations')).toEqual([]);
    expect(await lines(...good, '--log-format', 'json')).toEqual([]);
    expect((await untold(folder, good)).stderr).not.toContain('::warning');
  });
});

describe('hostile names and messages', () => {
  const item = (code: Code, path: string, message: string) =>
    diagnostic(code, 'a\u0000:,%\n\ud800<&">.usd', path, message);
  const list = Array.from({ length: 12 }, (_, i) => item('UC1203', `/A${i}`, 'x\u001b[31m]]>\ufffe\r\n::error::'));
  const outcome: Outcome = {
    command: 'cook',
    exitCode: 1,
    cases: [
      {
        name: 'a.usd',
        status: 'failed',
        diagnostics: [...list, item('UC1835', '', 'dome'), item('UC1203', '', 'again')],
      },
      { name: 'b.usd', status: 'failed', diagnostics: [...list, diagnostic('UC4000', 'o', '', 'no space')] },
    ],
    diagnostics: [diagnostic('UC1003', '', '--out', 'bad')],
    document: () => ({}),
  };

  test('make a SARIF log, each finding once', () => {
    const log = sarif(outcome, '/w', {}) as { runs: { results: { partialFingerprints: object }[] }[] };
    expectSarif(log);
    expect(log.runs[0].results.length).toBe(15);
    expect(new Set(log.runs[0].results.map((result) => JSON.stringify(result.partialFingerprints))).size).toBe(15);
  });

  test('make well-formed XML', () => {
    const all = elements(junit(outcome));
    expect(all[1].attributes).toMatchObject({ tests: '3', failures: '2', errors: '1' });
    expect(all.filter(({ name }) => name === 'failure' || name === 'error').map(({ name }) => name)).toEqual([
      'failure',
      'error',
      'failure',
    ]);
    expect(all.find(({ name }) => name === 'failure')?.text).toContain('\\u001b[31m]]>');
  });

  test('make single lines of annotations, ten of a kind', () => {
    const lines = annotations(outcome, '/w', {}, () => true);
    expect(lines.length).toBe(11);
    expect(lines.slice(0, 10).every((line) => line.startsWith('::error file=a\\u0000%3A%2C%25'))).toBe(true);
    for (const line of lines) expect(line).not.toMatch(/[\r\n]/);
  });

  test('make code quality findings with paths, and fingerprints that outlast figures in messages', () => {
    const found = codeQuality(outcome, '/w', {}) as { location: { path: string }; fingerprint: string }[];
    expect(found.at(-1)?.location.path).toBe('.');
    const [{ fingerprint }] = codeQuality(
      { ...outcome, cases: [{ ...outcome.cases[0], diagnostics: [item('UC1203', '/A0', 'other words')] }] },
      '/w',
      {},
    ) as { fingerprint: string }[];
    expect(fingerprint).toBe(found[0].fingerprint);
  });
});
