import {expect, test} from 'vitest';

import {nextMark, marksOf} from '../../../../cli/inspect/page/browser/derived/decisions.ts';
import {entryLine, requestsOf} from '../../../../cli/inspect/page/browser/derived/entry-line.ts';
import {journalRows} from '../../../../cli/inspect/page/browser/derived/journal-rows.ts';
import type {Moments} from '../../../../machines/trace/moments.ts';
import {entry, momentsOf, noted, received, requested} from './trace-steps.ts';

function lines(moments: Moments): string[] {
  return moments.steps.map((step) => {
    const {type, line} = entryLine(step, requestsOf(moments));
    return `${type} ${line}`;
  });
}

test('an entry is one line in the words of the journal', () => {
  const key = 'i/seat:a/model#1';
  const calls = [{name: 'cast_ballot', args: {verdict: 'approve', reasons: ['good']}}];
  const moments = momentsOf(
    requested(key, 'callModel', 'mock/a'),
    entry({type: 'settled', key, outcome: {kind: 'ok', text: '', calls}}),
    entry({type: 'settled', key, outcome: {kind: 'overloaded', message: 'try\n later'}}),
    received({type: 'human.decided', decision: 'approve'}),
    noted({type: 'quorum.decided', verdict: 'rejected', summary: '[●○○]', title: 'A plan'}),
    entry({type: 'fired', timer: 3}),
    entry({type: 'closed', result: {status: 'completed', summary: 'all done'}}),
  );
  expect(lines(moments).slice(1)).toEqual([
    'settled callModel mock/a → cast_ballot approve',
    'settled callModel mock/a → overloaded try later',
    'received human.decided approve',
    'noted quorum.decided rejected [●○○] A plan',
    'fired timer 3',
    'closed completed all done',
  ]);
});

test('a long line is cut', () => {
  const [line = ''] = lines(momentsOf(received({type: 'user.said', text: 'x'.repeat(5000)})));
  expect(line.length).toBeLessThan(320);
  expect(line).toMatch(/x…$/);
});

test('an event of a program names the actor that received it', () => {
  const cause = {kind: 'event', to: 'door', event: {type: 'open', by: 'Ada'}} as const;
  expect(lines(momentsOf({cause}))).toEqual(['open door {"by":"Ada"}']);
});

test('a gap is a row before the step that follows it', () => {
  const moments = momentsOf({seq: 0}, {seq: 5}, {seq: 6});
  const first = {from: 1, to: 4, reason: 'removed'};
  const last = {from: 7, reason: 'unreadable'};
  const rows = journalRows(moments, [last, first]);
  expect(rows.count).toBe(5);
  expect([0, 1, 2, 3, 4].map((row) => rows.at(row))).toEqual([
    {kind: 'step', index: 0},
    {kind: 'gap', gap: first},
    {kind: 'step', index: 1},
    {kind: 'step', index: 2},
    {kind: 'gap', gap: last},
  ]);
  expect([0, 1, 2].map((index) => rows.rowOf(index))).toEqual([0, 2, 3]);
});

test('votes, gates and plans are marked once each, and can be walked in both directions', () => {
  const question = {type: 'human.requested', gate: 'g', question: {}};
  const vote = {type: 'quorum.decided', proposalHash: 'f0', round: 1, approved: false};
  const moments = momentsOf({}, noted(vote), noted(vote), noted(question), {});
  const {marks} = marksOf(moments);
  expect(marks).toEqual([
    {index: 1, kind: 'rejected'},
    {index: 3, kind: 'gate'},
  ]);
  expect([nextMark(marks, 1, 1), nextMark(marks, 3, 1)]).toEqual([3, undefined]);
  expect([nextMark(marks, 3, -1), nextMark(marks, 1, -1)]).toEqual([1, undefined]);
});
