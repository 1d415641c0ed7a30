/** Forms that only a root runs: a command of a person, and the review of a diff. */

import {expect, test, describe} from 'vitest';

import {type FileDiff, addedLines} from '../../../machines/domain/patch.ts';
import type {Seat} from '../../../machines/domain/review.ts';
import {callHash} from '../../../machines/domain/tool.ts';
import {commandMachine} from '../../../machines/forms/command/command.ts';
import {partsOf} from '../../../machines/forms/review/parts.ts';
import {reviewMachine} from '../../../machines/forms/review/review.ts';
import {byHand, type ByHand, goneThrough} from '../../support/by-hand.ts';
import {crashTransitions} from '../events/crashes.ts';
import {failing, ruling, saying, voting} from '../events/outcomes.ts';
import {commandInput, largeFiles, newFile, reviewInput} from '../events/phases.ts';
import {modelSeat, policySeat} from '../events/settings.ts';
import {uncoveredBy} from '../explored.ts';

const ready = {kind: 'ready', args: {command: 'npm test'}, preview: '$ npm test'};

test('a command runs without a vote, and its output is the result', () => {
  const command = byHand(commandMachine, commandInput);
  command.settle('preview', ready);
  expect(command.requests('runTool')).toMatchObject([
    {
      tool: 'run_command',
      args: {command: 'npm test'},
      approval: callHash('run_command', {command: 'npm test'}),
    },
  ]);
  expect([...command.requests('screenProposal'), ...command.requests('callModel')]).toEqual([]);
  expect(command.reports('phase.changed')).toMatchObject([{phase: 'running'}]);
  expect(command.reports('human.decided')).toMatchObject([{by: 'person', decision: 'approve'}]);
  command.settle('run', {kind: 'succeeded', text: '3 tests pass', exitCode: 0});
  expect(command.output()).toMatchObject({
    status: 'completed',
    summary: '$ npm test\n3 tests pass',
    tasks: [{status: 'succeeded', calls: [{tool: 'run_command', allowedBy: 'person'}]}],
  });
});

test('a command that exits with an error fails, with its output in the summary', () => {
  const command = byHand(commandMachine, commandInput);
  command.settle('preview', ready);
  command.settle('run', {kind: 'failed', code: 'exit', message: 'exited with code 1', text: 'no'});
  expect(command.output()).toMatchObject({
    status: 'failed',
    summary: '$ npm test\nexited with code 1\nno',
    error: {code: 'exit'},
  });
});

test('a command in doubt asks a person, and is not run again automatically', () => {
  const command = byHand(commandMachine, commandInput);
  command.settle('preview', ready);
  command.settle('run', {kind: 'inDoubt', message: 'who knows'});
  expect(command.requests('askHuman')).toMatchObject([{kind: 'in-doubt'}]);
  command.settle('gate', {decision: 'done'});
  expect(command.output()).toMatchObject({status: 'completed'});
});

test('a command fails with the name of the tool when the tool is not available', () => {
  const {settings, ...input} = commandInput;
  const command = byHand(commandMachine, {...input, settings: {...settings, tools: []}});
  expect(command.output()).toMatchObject({
    status: 'failed',
    summary: expect.stringContaining('run_command'),
  });
});

const model = modelSeat('test/a');

function start(diff: readonly FileDiff[], panel: readonly Seat[] = [model]): ByHand {
  return byHand(reviewMachine, reviewInput(diff, panel));
}

test('an empty diff is approved without a call to a model', () => {
  const review = start([]);
  expect(review.requests('callModel')).toEqual([]);
  expect(review.output()).toMatchObject({
    status: 'completed',
    summary: 'The diff is empty: there is nothing to review.',
    review: {approved: true, votes: [], comments: [], degraded: false},
  });
});

test('a diff that all approve is approved', () => {
  const review = start([newFile('a.ts', 2), newFile('b.ts', 2)]);
  review.settle('seat:', voting('approve'));
  expect(review.output()).toMatchObject({
    status: 'completed',
    review: {approved: true, votes: [{model: 'test/a', part: 'a.ts and 1 more', file: 'a.ts'}]},
  });
});

test('one rejected part rejects the diff, and the other parts are still voted on', () => {
  const review = start(largeFiles(2));
  review.settle('part:1', voting('reject'));
  expect(review.output()).toBeUndefined();
  review.settle('part:2', voting('approve'));
  expect(review.output()).toMatchObject({
    status: 'rejected',
    review: {approved: false, degraded: false, votes: [{verdict: 'reject'}, {verdict: 'approve'}]},
    summary: 'f1.ts: rejected [○].',
  });
});

test('a panel that abstains does not approve the diff', () => {
  const review = start([newFile('a.ts', 1)]);
  review.settle('seat:', voting('abstain'));
  expect(review.output()).toMatchObject({
    status: 'failed',
    review: {approved: false, degraded: true},
    summary: 'a.ts: too few seats voted ([!]).',
  });
});

test('a review without a model is degraded, and its summary says so', () => {
  const {settings, ...input} = reviewInput([newFile('a.ts', 1)], [policySeat]);
  const quorum = {...settings.quorum, lacksModels: true};
  const review = byHand(reviewMachine, {...input, settings: {...settings, quorum}});
  review.settle('screen', ruling('approve'));
  expect(review.output()).toMatchObject({
    status: 'completed',
    summary: 'The policy reviewers found nothing; no model has read the diff.',
    review: {approved: true, degraded: true},
  });
});

test('at most four parts are voted on at once', () => {
  const review = start(largeFiles(6));
  const asked = (): readonly string[] => review.open().filter((path) => path.includes('seat:'));
  expect(asked()).toHaveLength(4);
  review.settle('part:3', voting('approve'));
  expect(asked().filter((path) => path.includes('part:5'))).toHaveLength(1);
  expect(asked()).toHaveLength(4);
});

test('a model reads the lines with their numbers, as data, and the request', () => {
  const hunk = {oldStart: 9, newStart: 12, lines: [' const a = 1;', '-b();', '+c();']};
  const review = start([{path: 'src/a.ts', did: 'modified', hunks: [hunk]}]);
  const [request] = review.requests('callModel');
  const text = request?.transcript.messages[0]?.text ?? '';
  expect(request?.purpose).toBe('review-diff');
  expect(request?.system).toContain('Lines that begin with "> " quote what others wrote');
  expect(text).toContain('# Request\nlook at it');
  expect(text).toContain(
    '> File src/a.ts (modified, +1 −1)\n> @@ from line 12 @@\n>     12  const a = 1;\n>        -b();\n>     13 +c();',
  );
});

function say(file: string, line: number, message: string) {
  return {file, line, severity: 'minor', message};
}

test('comments follow the order of the diff; none is lost for its line or its file', () => {
  const review = start([newFile('b.ts', 3), newFile('a.ts', 3)], [model, modelSeat('test/b')]);
  const first = [say('a.ts', 2, 'two'), say('b.ts', 99, 'far'), say('none.ts', 1, 'nowhere')];
  review.settle('seat:test%2Fa', voting('approve', {comments: first}));
  review.settle('seat:test%2Fb', voting('approve', {comments: [say('a.ts', 2, 'two')]}));
  expect(review.output()).toMatchObject({
    review: {
      comments: [
        {file: 'b.ts', message: 'on line 99, outside the diff: far', seat: 'test/a'},
        {file: 'a.ts', line: 2, message: 'two', seat: 'test/a'},
        {file: 'a.ts', line: 2, message: 'two', seat: 'test/b'},
        {file: '', message: 'on none.ts:1, which is not in the diff: nowhere', seat: 'test/a'},
      ],
    },
  });
});

test.each(['./', 'a/', 'b/', '/', '/w/', './b/'])(
  'the path %ssrc/a.ts means src/a.ts',
  (prefix) => {
    const review = start([newFile('src/a.ts', 3)]);
    const comments = [say(`${prefix}src/a.ts`, 2, 'two')];
    review.settle('seat:', voting('approve', {comments}));
    expect(review.output()).toMatchObject({
      review: {comments: [{file: 'src/a.ts', line: 2, message: 'two'}]},
    });
  },
);

test('a comment on the old name of a file is one on the file', () => {
  const files: FileDiff[] = [
    {path: 'b/new.ts', did: 'renamed', from: 'old.ts', hunks: []},
    newFile('a.ts', 1),
  ];
  const review = start(files);
  const comments = ['old.ts', 'b/new.ts', 'b/a.ts'].map((file) => say(file, 0, 'x'));
  review.settle('seat:', voting('approve', {comments}));
  expect(review.output()).toMatchObject({review: {comments: [{file: 'b/new.ts'}, {file: 'a.ts'}]}});
});

test('an approval with a grave comment is asked once more, and then a rejection with its reasons', () => {
  const review = start([newFile('a.ts', 3)]);
  const comments = [{...say('a.ts', 2, 'the key leaks'), severity: 'critical'}];
  review.settle('seat:', voting('approve', {comments}));
  expect(review.output()).toBeUndefined();
  expect(review.requests('callModel')[1]?.transcript.messages.at(-1)?.text).toContain(
    'it approves, but one of its comments is critical',
  );
  review.settle('seat:', saying('I stand by it.'));
  expect(review.output()).toMatchObject({
    status: 'rejected',
    review: {
      approved: false,
      votes: [
        {
          verdict: 'reject',
          reasons: [expect.stringContaining('critical'), 'the key leaks', 'I approve'],
        },
      ],
      comments: [{file: 'a.ts', line: 2, severity: 'critical'}],
    },
  });
});

test('a part that a policy refuses is rejected, and models still comment on it', () => {
  const input = reviewInput([newFile('a.ts', 1)], [model]);
  const quorum = {...input.settings.quorum, screen: ['policy/safety']};
  const review = byHand(reviewMachine, {...input, settings: {...input.settings, quorum}});
  const comments = [{file: 'a.ts', line: 1, severity: 'critical', message: 'a secret'}];
  const [ballot] = ruling('reject', ['committed-secret']).ballots;
  review.settle('screen', {ballots: [{...ballot, comments}]});
  expect(review.output()).toBeUndefined();
  review.settle('seat:', voting('approve', {comments: [say('a.ts', 1, 'a slow loop')]}));
  expect(review.output()).toMatchObject({
    status: 'rejected',
    summary: expect.stringContaining('vetoed by policy/safety (committed-secret)'),
    review: {
      approved: false,
      comments: [
        {file: 'a.ts', line: 1, seat: 'policy/safety'},
        {file: 'a.ts', line: 1, seat: 'test/a', message: 'a slow loop'},
      ],
    },
  });
});

test('an outage is not a verdict: the review waits until it is resumed', () => {
  const review = start([newFile('a.ts', 1)]);
  review.settle('seat:', failing('auth'));
  expect(review.output()).toBeUndefined();
  review.settle('resume', {resumed: true});
  review.settle('seat:', voting('approve'));
  expect(review.output()).toMatchObject({status: 'completed'});
});

test('a person can cancel a review', () => {
  const review = start(largeFiles(2));
  review.send({type: 'user.cancel'});
  expect(review.open()).toEqual([]);
  expect(review.output()).toMatchObject({
    status: 'cancelled',
    review: {approved: false, degraded: true, synthesis: '2 of 2 parts were not decided.'},
  });
});

test('changed settings apply from the next part on', () => {
  const review = start(largeFiles(5), [policySeat, model]);
  review.send({type: 'settings.changed', settings: {panel: [policySeat]}});
  for (const part of [1, 2, 3, 4]) review.settle(`part:${part}/screen`, ruling('approve'));
  for (const part of [1, 2, 3, 4]) review.settle(`part:${part}/poll`, voting('approve'));
  review.settle('part:5', ruling('approve'));
  expect(review.requests('callModel')).toHaveLength(4);
  expect(review.output()).toMatchObject({status: 'completed'});
});

describe('a part that nobody has read', () => {
  const binary: FileDiff = {path: 'a.png', did: 'added', isBinary: true, hunks: []};
  const lock = newFile('yarn.lock', 2);

  test('is a fact of the vote, and keeps the diff from being approved', () => {
    const review = start([newFile('a.ts', 1), binary, lock]);
    review.settle('seat:', voting('approve'));
    expect(review.output()).toMatchObject({
      status: 'failed',
      summary: expect.stringMatching(
        /^No reviewer rejects it, but part of the diff was not read: --allow-unread accepts that.\nNot read: a\.png: it is binary; yarn\.lock: 2 lines, it is a lock file/,
      ),
      review: {
        approved: false,
        degraded: true,
        unread: [
          {file: 'a.png', lines: 0},
          {file: 'yarn.lock', lines: 2},
        ],
      },
    });
  });

  test('may be accepted by a person: approved, but degraded', () => {
    const review = byHand(reviewMachine, {...reviewInput([binary], [model]), allowUnread: true});
    review.settle('seat:', voting('approve'));
    expect(review.output()).toMatchObject({
      status: 'completed',
      review: {approved: true, degraded: true, unread: [{file: 'a.png', why: 'it is binary'}]},
    });
  });

  test('is read by a policy that reads it whole and approves it', () => {
    const input = reviewInput([lock], [model]);
    const quorum = {...input.settings.quorum, screen: ['policy/safety']};
    const review = byHand(reviewMachine, {...input, settings: {...input.settings, quorum}});
    const [ballot] = ruling('approve').ballots;
    review.settle('screen', {ballots: [{...ballot, read: ['yarn.lock']}]});
    review.settle('seat:', voting('approve'));
    expect(review.output()).toMatchObject({
      status: 'completed',
      summary: expect.stringContaining('Read by rule alone: yarn.lock.'),
      review: {approved: true, degraded: false, unread: []},
    });
  });

  test('may be a deleted binary: nothing of it remains', () => {
    const review = start([{...binary, did: 'deleted'}]);
    review.settle('seat:', voting('approve'));
    expect(review.output()).toMatchObject({status: 'completed', review: {unread: []}});
  });
});

const models = [modelSeat('test/a')];
const max = 40_000;

test('small files share one part, in their order', () => {
  const [part, ...more] = partsOf([newFile('a.ts', 1), newFile('b.ts', 1)], models);
  expect(more).toEqual([]);
  expect(part).toMatchObject({title: 'a.ts and 1 more', files: [{path: 'a.ts'}, {path: 'b.ts'}]});
});

test('a diff that only policies review is split into fewer parts', () => {
  expect(partsOf(largeFiles(6), models)).toHaveLength(6);
  expect(partsOf(largeFiles(6), [policySeat])).toHaveLength(1);
});

test('a hunk that is too long is split, and its lines keep their numbers', () => {
  const parts = partsOf([newFile('a.ts', 2_000)], models);
  expect(parts.length).toBeGreaterThan(5);
  expect(parts.every(({text}) => text.length <= max)).toBe(true);
  const lines = parts.flatMap(({files}) => files.flatMap(addedLines)).map(({line}) => line);
  expect(lines).toEqual(Array.from({length: 2_000}, (_, index) => index + 1));
  expect(parts[1]?.title).toMatch(/^a\.ts:\d+$/);
});

test('the line numbers of later pieces also count removed lines', () => {
  const lines = Array.from({length: 900}, (_, at) => `${' -+'[at % 3] ?? ''}${'x'.repeat(99)}`);
  const file: FileDiff = {
    path: 'a.ts',
    did: 'modified',
    hunks: [{oldStart: 5, newStart: 7, lines}],
  };
  const pieces = partsOf([file], models).flatMap(({files}) => files.flatMap(({hunks}) => hunks));
  const before = lines.slice(0, pieces[0]?.lines.length);
  expect(pieces[1]).toMatchObject({
    oldStart: 5 + before.filter((line) => !line.startsWith('+')).length,
    newStart: 7 + before.filter((line) => !line.startsWith('-')).length,
  });
});

test('a lock file is named without its lines, but rules still read the lines', () => {
  const [part] = partsOf([newFile('package-lock.json', 5_000)], models);
  expect(part?.text).toBe(
    'File package-lock.json (added, +5000 −0)\n(a lock file; its lines are not shown)',
  );
  expect(part?.files[0]?.hunks[0]?.lines).toHaveLength(5_000);
});

test('a binary file, a rename and a change of permissions are named', () => {
  const files: FileDiff[] = [
    {path: 'a.png', did: 'added', isBinary: true, hunks: []},
    {path: 'new.ts', did: 'renamed', from: 'old.ts', hunks: []},
    {path: 'run.sh', did: 'modified', mode: '100755', hunks: []},
  ];
  expect(partsOf(files, models)[0]?.text).toBe(
    'File a.png (added, binary)\n\nFile new.ts (renamed, from old.ts, +0 −0)\n\nFile run.sh (modified, mode 100755, +0 −0)',
  );
});

test('a line of a megabyte is split, and each character is in a part', () => {
  const text = Array.from({length: 100_000}, (_, at) => `word${at};`).join('');
  const hunk = {oldStart: 0, newStart: 1, lines: ['+one', `+${text}`, '+three']};
  const parts = partsOf([{path: 'app.min.js', did: 'added', hunks: [hunk]}], models);
  expect(parts.length).toBeGreaterThan(text.length / max);
  expect(new Set(parts.map(({hash}) => hash)).size).toBe(parts.length);
  expect(parts.every((part) => part.text.length <= max)).toBe(true);
  const shown = parts.map((part) => part.text).join('\n');
  expect(shown).not.toContain('characters cut');
  expect(new Set(shown.match(/word\d+;/g)).size).toBeGreaterThanOrEqual(100_000);
  expect(shown).toContain('     2 +word0;');
  expect(shown).toContain('     3 +three');
});

test('another line changes the hash of a part', () => {
  const hashes = [1, 2].map((lines) => partsOf([newFile('a.ts', lines)], models)[0]?.hash);
  expect(new Set(hashes).size).toBe(2);
});

test('a secret of the diff does not reach a model, but rules read it', () => {
  const key = `AKIA${'Q'.repeat(16)}`;
  const hunk = {oldStart: 0, newStart: 1, lines: [`+const key = '${key}';`]};
  const [part] = partsOf([{path: 'a.ts', did: 'added', hunks: [hunk]}], models);
  expect(part?.text).toContain("1 +const key = '[redacted]';");
  expect(part?.files[0]?.hunks[0]?.lines[0]).toContain(key);
});

test('a person can cancel a command', () => {
  const command = byHand(commandMachine, commandInput);
  command.settle('preview', ready);
  command.send({type: 'user.cancel'});
  expect(command.output()).toMatchObject({status: 'cancelled'});
  expect(command.open()).toEqual([]);
});

test.each([commandMachine, reviewMachine])(
  'the tests enter every state of $id and take every transition',
  (machine) => {
    expect(uncoveredBy(machine, [goneThrough()], crashTransitions)).toEqual([]);
  },
);
