/** Reads how tests ended from the output of their runner: TAP and node:test, pytest, Jest, Vitest, go test, cargo test. */

import {stripVTControlCharacters} from 'node:util';

export interface TestReport {
  /** Absent: the runner does not print it. */
  readonly passed?: number;
  readonly failed: number;
  /** The names of failed tests, each once. */
  readonly failing: readonly string[];
}

interface Runner {
  /** With the groups `passed` and `failed`; several reports add up. */
  readonly sums: readonly RegExp[];
  /** With the group `name`. */
  readonly failing: RegExp;
  /** Without a sum, these lines are counted. */
  readonly counted?: {readonly passed?: RegExp; readonly failed: RegExp};
}

const runners: readonly Runner[] = [
  {
    sums: [/^[#ℹ] pass (?<passed>\d+)$/gmu, /^[#ℹ] fail (?<failed>\d+)$/gmu],
    failing:
      /^\s*(?:not ok \d+ (?:- )?(?!.*# (?:SKIP|TODO))|✖ (?!failing tests:))(?<name>.+?)(?: \([\d.]+m?s\))?$/gmu,
    counted: {passed: /^ok \d+\b/gm, failed: /^not ok \d+\b(?!.*# (?:SKIP|TODO))/gm},
  },
  {
    sums: [
      /^=* ?(?:(?<failed>\d+) failed, )?(?<passed>\d+) passed\b.* in [\d.]+s\b.*$/gm,
      /^=* ?(?<failed>\d+) (?:failed|errors?)(?!.*passed).* in [\d.]+s\b.*$/gm,
    ],
    failing: /^(?:FAILED|ERROR) (?<name>\S+)/gm,
  },
  {
    sums: [
      /^Tests:\s+(?:(?<failed>\d+) failed, )?(?:\d+ \w+, )*?(?:(?<passed>\d+) passed, )?\d+ total$/gm,
    ],
    failing: /^ +● (?<name>.+)$/gm,
  },
  {
    sums: [
      /^\s*Tests\s+(?:(?<failed>\d+) failed)?(?: \| )?(?:(?<passed>\d+) passed)?(?: \| .*)? \(\d+\)$/gm,
    ],
    failing: /^\s*FAIL\s+(?:\|[^|]*\|\s*)?(?<name>\S+ > .+)$/gm,
  },
  {
    sums: [/^test result: (?:ok|FAILED)\. (?<passed>\d+) passed; (?<failed>\d+) failed;/gm],
    failing: /^test (?<name>\S+) \.\.\. FAILED$/gm,
  },
  {
    sums: [],
    failing: /^\s*--- FAIL: (?<name>\S+)/gm,
    counted: {passed: /^--- PASS: /gm, failed: /^--- FAIL: /gm},
  },
];

/** Undefined for the output of another program. */
export function readTestReport(output: string): TestReport | undefined {
  const text = stripVTControlCharacters(output).replaceAll('\r', '');
  for (const runner of runners) {
    const report = reportOf(runner, text);
    if (report) return report;
  }
  return undefined;
}

function reportOf({sums, failing, counted}: Runner, text: string): TestReport | undefined {
  const found = sums.flatMap((sum) => [...text.matchAll(sum)]);
  const passed = found.length > 0 ? sumOf(found, 'passed') : countOf(counted?.passed, text);
  const failed = found.length > 0 ? sumOf(found, 'failed') : countOf(counted?.failed, text);
  if (passed + failed === 0) return undefined;
  const names = [...text.matchAll(failing)].flatMap(({groups}) => groups?.['name']?.trim() ?? []);
  const isPassedKnown = found.length > 0 || passed > 0;
  return {
    ...(isPassedKnown ? {passed} : {}),
    failed,
    failing: failed === 0 ? [] : [...new Set(names)],
  };
}

function sumOf(found: readonly RegExpExecArray[], name: string): number {
  return found.reduce((sum, {groups}) => sum + Number(groups?.[name] ?? 0), 0);
}

function countOf(pattern: RegExp | undefined, text: string): number {
  return pattern ? [...text.matchAll(pattern)].length : 0;
}
