// A report in SARIF 2.1.0 (OASIS standard, 27 March 2020; sections are named below), as code scanning of GitHub, Azure DevOps
// and editors read it.

import { type Code, type Environment, explain } from '../../index.ts';
import { VERSION } from '../version.ts';
import { fingerprints } from './fingerprint.ts';
import { type Finding, findings, type Outcome } from './outcome.ts';
import { placeOf } from './repositoryPath.ts';

/** 3.27.10 level. */
const LEVEL = { error: 'error', warning: 'warning', info: 'note' } as const;

/** 3.4.4: the folder that relative URIs begin at. Its own URI is left out: it differs between machines. */
const BASE = '%SRCROOT%';

/** Names may hold half of a surrogate pair, for which there is no UTF-8. */
const encoded = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** 3.4.3: a URI reference. Files outside the working folder may have absolute paths, which stand alone. */
function artifactLocation(file: string): object {
  const path = file.split('/').map(encoded).join('/');
  if (/^[A-Za-z]:\//.test(file)) return { uri: `file:///${file[0]}:${path.slice(path.indexOf('/'))}` };
  return file.startsWith('/') ? { uri: `file://${path}` } : { uri: path, uriBaseId: BASE };
}

/** With a full stop unless it ends in a mark already. */
const ended = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

/** 3.49: a rule for each code that occurs, in the order of codes. */
function ruleOf(code: Code): object {
  const { severity, title, cause, remedy } = explain(code);
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: cause },
    help: { text: `Remedy: ${ended(remedy)}` },
    defaultConfiguration: { level: LEVEL[severity] },
  };
}

/**
 * Paths are relative to the repository where GITHUB_WORKSPACE names it. Reports with the same results are equal byte by byte:
 * there are no times and no absolute folders in them.
 */
export function sarif(outcome: Outcome, cwd: string, environment: Environment['env']): unknown {
  const found = findings(outcome);
  const codes = [...new Set(found.map(({ item }) => item.code))].sort();
  const ruleIndex = new Map(codes.map((code, i) => [code, i]));
  // A finding without a file has no location: it is a notification of the run (3.20.21).
  const located = found.filter(({ file }) => file !== '');
  const prints = fingerprints(located);
  const placed = (finding: Finding) => placeOf(finding, cwd, environment.GITHUB_WORKSPACE);
  const message = (finding: Finding) => ({
    text: `${ended(placed(finding).text)} Remedy: ${ended(finding.item.remedy)}`,
  });
  const result = (finding: Finding, i: number) => {
    const { item } = finding;
    return {
      ruleId: item.code,
      ruleIndex: ruleIndex.get(item.code),
      level: LEVEL[item.severity],
      message: message(finding),
      locations: [
        {
          // Code scanning of GitHub shows nothing without a region.
          physicalLocation: { artifactLocation: artifactLocation(placed(finding).path), region: { startLine: 1 } },
          ...(item.path === '' ? {} : { logicalLocations: [{ fullyQualifiedName: item.path }] }),
        },
      ],
      partialFingerprints: { 'untoldFinding/v1': prints[i] },
    };
  };
  const notifications = found
    .filter(({ file }) => file === '')
    .map((finding) => ({
      descriptor: { id: finding.item.code, index: ruleIndex.get(finding.item.code) },
      level: LEVEL[finding.item.severity],
      message: message(finding),
    }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'untold', version: VERSION, semanticVersion: VERSION, rules: codes.map(ruleOf) },
        },
        originalUriBaseIds: {
          [BASE]: { description: { text: 'The repository, or else the folder in which the command ran.' } },
        },
        invocations: [
          {
            executionSuccessful: outcome.exitCode === 0,
            exitCode: outcome.exitCode,
            toolExecutionNotifications: notifications,
          },
        ],
        columnKind: 'utf16CodeUnits',
        results: located.map(result),
      },
    ],
  };
}
