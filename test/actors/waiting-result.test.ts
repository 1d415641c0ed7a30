/** A run that waits for a person says all that it asks, not only what it asked first. */

import {expect, test} from 'vitest';

import {Ledger} from '../../actors/ledger.ts';
import {suspendedResult} from '../../actors/run-result.ts';
import {answerLines} from '../../cli/lines/waiting.ts';
import type {HumanQuestion} from '../../machines/domain/human.ts';

function asks(name: string): HumanQuestion {
  return {
    kind: 'protected',
    request: 'write',
    reason: `only a person may allow ${name}`,
    allowed: ['approve', 'reject'],
    preview: `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${name}`,
    history: [],
    proposalHash: name.repeat(64),
  };
}

const ledger = new Ledger({maxCostUsd: 1, maxModelCalls: 1, timeoutMs: 1}, () => undefined);
const facts = {id: 'x', form: 'agent', workspace: '/w', ledger} as const;
const course = {parts: {}, aborted: []};

function waitingFor(first: HumanQuestion, ...others: readonly HumanQuestion[]) {
  return suspendedResult({why: 'waiting', questions: [first, ...others]}, facts, course);
}

test('several questions stand in its result, each with what it is about', () => {
  const {waiting, summary} = waitingFor(asks('a'), asks('b'), asks('c'));
  expect(waiting).toMatchObject({
    workspace: '/w',
    digest: 'a'.repeat(64),
    others: ['b', 'c'].map((name) => ({
      workspace: '/w',
      question: {reason: `only a person may allow ${name}`},
      diff: `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+${name}`,
      digest: name.repeat(64),
    })),
  });
  expect(summary).toBe(
    'Waiting for a person: only a person may allow a; also: only a person may allow b; also: only a person may allow c',
  );
  expect(waiting && answerLines('x', waiting)).toContain(
    `also waiting: protected: only a person may allow b (sha256 ${'b'.repeat(64)})`,
  );
});

test('one question stands alone', () => {
  const {waiting, summary} = waitingFor(asks('a'));
  expect(waiting).not.toHaveProperty('others');
  expect(summary).toBe('Waiting for a person: only a person may allow a');
});
