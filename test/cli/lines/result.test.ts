/** A result as text: the answer first, then what it rests on, with titles in the language of the request. */

import {expect, test} from 'vitest';

import {resultLines} from '../../../cli/lines/result.ts';
import {plainStyle} from '../../../cli/lines/style.ts';
import type {Discussion} from '../../../machines/domain/discussion.ts';
import type {RunResult} from '../../../machines/domain/result.ts';

const result: RunResult = {
  type: 'result',
  status: 'completed',
  exitCode: 0,
  interaction: 'i',
  form: 'agent',
  summary: 'Fix the port\nfrom the tool\nThe port is 8080.\n1 of 1 task succeeded.',
  answer: 'The port is 8080.',
  changes: [{path: 'a.txt', added: 1, removed: 1}],
  usage: {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0},
};

function shown(given: Partial<RunResult>): string {
  return resultLines({...result, ...given}, {style: plainStyle, width: 80}).join('\n');
}

test('the closing answer stands below the first line, and raw output below it', () => {
  expect(shown({})).toMatch(
    /^completed: Fix the port\nThe port is 8080\.\n\nfrom the tool\n1 of 1 task succeeded\.\n\nChanges\n/,
  );
});

test('a result that was rejected shows its answer below the reasons', () => {
  const summary = 'The panel rejected the result.\n- a: too slow';
  expect(shown({status: 'failed', exitCode: 1, summary})).toMatch(
    /^failed: The panel rejected the result\.\n- a: too slow\n\nAnswer\n {2}The port is 8080\.\n/,
  );
});

test('titles are in the language of the request', () => {
  expect(shown({language: 'ja'})).toContain('\n\n変更\n  a.txt');
  const sources = [{place: 'a.txt:1', quote: 'port'}];
  expect(shown({form: 'ask', language: 'ja', sources})).toContain('\n\n出典\n  a.txt:1');
});

test('a discussion in Japanese has Japanese titles', () => {
  const discussion: Discussion = {
    strategy: 'quorum',
    conclusion: '残す',
    key_points: ['安い'],
    agreements: [],
    disagreements: [],
    ranking: [],
    degraded: false,
    notes: [],
    answers: [],
  };
  expect(shown({form: 'discuss', language: 'ja', discussion})).toMatch(
    /^結論\n {2}残す\n\n要点\n {2}- 安い/,
  );
});

test('an answer without its contradicted claims says that they were removed', () => {
  expect(shown({form: 'ask', degraded: true})).toContain(
    'Claims that the record contradicts were removed from the answer.',
  );
});
