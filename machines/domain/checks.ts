/** Checks that the commands of a run made: tests, builds, linters, type checks. */

import type {CallFact} from './result.ts';
import {textsAt} from './tool-facts.ts';
import type {CheckKind} from './tool.ts';

/** A check whose last run failed. */
export interface FailedCheck {
  readonly kind: CheckKind;
  /** As the call had it. */
  readonly command: string;
  readonly exitCode?: number;
}

type Checked = Pick<CallFact, 'args' | 'checks' | 'exitCode'>;

/** The checks whose last run failed, at most one of each kind. A run whose outcome is unknown did not fail. */
export function failedChecks(calls: readonly Checked[]): readonly FailedCheck[] {
  const last = new Map<CheckKind, FailedCheck | undefined>();
  for (const {args, checks = [], exitCode} of calls) {
    const [command = ''] = textsAt(args, ['command']);
    for (const {kind, status} of checks) {
      const end = {kind, command, ...(exitCode === undefined ? {} : {exitCode})};
      last.set(kind, status === 'failed' ? end : undefined);
    }
  }
  return [...last.values()].filter((check) => check !== undefined);
}

export const checkNames: Readonly<Record<CheckKind, string>> = {
  tests: 'the tests',
  build: 'the build',
  lint: 'the linter',
  types: 'the type check',
};

/** `the last run of the tests failed (npm test, exit code 1)` */
export function failedCheckText({kind, command, exitCode}: FailedCheck): string {
  const code = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  return `the last run of ${checkNames[kind]} failed (${command}${code})`;
}
