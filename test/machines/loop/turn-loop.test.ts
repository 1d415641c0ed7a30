/** The turn loop: it ends and says how, calls keep their order, and a model may correct itself. */

import {describe, expect, test} from 'vitest';

import {panelRules} from '../../../machines/loop/action.ts';
import {turnLoopMachine} from '../../../machines/loop/turn-loop.ts';
import type {TurnLoopInput} from '../../../machines/loop/turn.ts';
import {type ByHand, byHand} from '../../support/by-hand.ts';
import {crash} from '../../support/hand-performer.ts';
import {loopInput} from '../events/calls.ts';
import {
  broke,
  calling,
  callingAll,
  failing,
  inDoubt,
  ran,
  refused,
  ruling,
  saying,
} from '../events/outcomes.ts';
import {spawnAsk, usualSettings} from '../events/settings.ts';

const plain: TurnLoopInput = {
  ...loopInput,
  maxTurns: 9,
  maxRefusedTurns: 2,
  retries: {maxRetries: 0, isForAnyFailure: false},
};

const start = (more: Partial<TurnLoopInput> = {}) => byHand(turnLoopMachine, {...plain, ...more});

const read = (path: string) => calling('read_file', {path});

/** Settles a reply, and the run of its only call. */
function turn(loop: ByHand, reply: object, outcome: object): void {
  loop.settle('model', reply);
  loop.settle('run', outcome);
}

/** The messages of the last request to the model. */
function lastMessages(loop: ByHand): readonly {readonly role: string; readonly text: string}[] {
  return loop.requests('callModel').at(-1)?.transcript.messages ?? [];
}

test('a reply without a call is the answer', () => {
  const loop = start();
  loop.settle('model', saying('so it is'));
  expect(loop.output()).toMatchObject({kind: 'answered', answer: 'so it is', steps: []});
});

test('the result of a call is read by the model, and is a step with the thought that led to it', () => {
  const loop = start();
  turn(loop, {...read('x'), text: 'let me see'}, ran);
  expect(lastMessages(loop).at(-1)).toMatchObject({role: 'tool', text: 'done', isError: false});
  loop.settle('model', saying('so it is'));
  expect(loop.output()).toMatchObject({
    steps: [{thought: 'let me see', tool: 'read_file', status: 'succeeded'}],
    evidence: [{tool: 'read_file', ok: true}],
  });
});

test.each(['fail', 'done'])(
  'a call in doubt that a person decided with %s needs a person when it comes again',
  (decision) => {
    const loop = start();
    const ready = {kind: 'ready', args: {path: 'x'}, preview: '+ a line'};
    const write = (): void => {
      loop.settle('model', calling('write_file', {path: 'x'}));
      loop.settle('preview', ready);
      loop.settle('quorum', ruling('approve'));
    };
    write();
    loop.settle('run', inDoubt);
    loop.settle('person', {decision});
    write();
    expect(loop.requests('runTool')).toHaveLength(1);
    expect(loop.requests('askHuman').at(-1)).toMatchObject({
      kind: 'protected',
      reason: 'The end of its first try was not recorded: only a person may allow another.',
      allowed: ['approve', 'reject', 'revise'],
    });
    loop.settle('person', {decision: 'approve'});
    expect(loop.requests('runTool')).toHaveLength(2);
    const texts = loop.requests('screenProposal').map(({proposal}) => proposal.text);
    expect(texts).toEqual([
      expect.not.stringContaining('it may have happened'),
      expect.stringContaining('it may have happened'),
    ]);
  },
);

test('calls of low risk run in parallel; their results are read in the order of the calls', () => {
  const loop = start();
  loop.settle('model', callingAll(['read_file', {path: 'a'}], ['read_file', {path: 'b'}]));
  expect(loop.open()).toEqual(['call:1.0/run', 'call:1.1/run']);
  loop.settle('call:1.1/run', {...ran, text: 'of b'});
  loop.settle('call:1.0/run', {...ran, text: 'of a'});
  expect(
    lastMessages(loop)
      .slice(-2)
      .map(({text}) => text),
  ).toEqual(['of a', 'of b']);
});

test('a call of high risk runs alone, after those before it and before those after it', () => {
  const loop = start();
  loop.settle(
    'model',
    callingAll(['read_file', {path: 'a'}], ['write_file', {path: 'b'}], ['read_file', {path: 'c'}]),
  );
  expect(loop.open()).toEqual(['call:1.0/run']);
  loop.settle('run', ran);
  expect(loop.open()).toEqual(['call:1.1/review/preview']);
  loop.settle('preview', {kind: 'ready', args: {path: 'b'}, preview: '+'});
  loop.settle('quorum', ruling('approve'));
  expect(loop.open()).toEqual(['call:1.1/run']);
  loop.settle('run', ran);
  expect(loop.open()).toEqual(['call:1.2/run']);
});

test('calls that spawn are voted on in parallel, because they change nothing in the workspace', () => {
  const loop = start({tools: [...plain.tools, spawnAsk], offered: ['read_file', 'spawn_ask']});
  loop.settle(
    'model',
    callingAll(['spawn_ask', {request: 'a'}], ['read_file', {path: 'b'}], ['spawn_ask', {}]),
  );
  expect(loop.open()).toEqual([
    'call:1.0/review/preview',
    'call:1.1/run',
    'call:1.2/review/preview',
  ]);
});

describe('it ends', () => {
  test('at the third identical call in a row, which is not made', () => {
    const loop = start();
    turn(loop, read('x'), ran);
    turn(loop, read('x'), ran);
    loop.settle('model', read('x'));
    expect(loop.output()).toMatchObject({kind: 'exhausted', stopped: 'repeated_call'});
    expect(loop.requests('runTool')).toHaveLength(2);
  });

  test('at the fourth identical call where they are rejected: the third is put to a person', () => {
    const loop = start();
    const write = calling('write_file', {path: 'x'});
    const reject = (): void => {
      loop.settle('model', write);
      loop.settle('preview', {kind: 'ready', args: {path: 'x'}, preview: '+'});
      loop.settle('quorum', ruling('reject'));
    };
    reject();
    reject();
    expect(loop.output()).toBeUndefined();
    reject();
    expect(loop.requests('askHuman')).toMatchObject([
      {kind: 'action', reason: 'The panel rejected 3 actions in a row.'},
    ]);
    loop.settle('gate', {decision: 'reject'});
    loop.settle('model', write);
    expect(loop.output()).toMatchObject({kind: 'exhausted', stopped: 'repeated_call'});
    expect(loop.requests('runTool')).toEqual([]);
  });

  test('after its last turn, with the steps that it took', () => {
    const loop = start({maxTurns: 2});
    turn(loop, read('x'), ran);
    turn(loop, read('y'), ran);
    expect(loop.output()).toMatchObject({kind: 'exhausted', stopped: 'max_turns'});
    expect(loop.output()).toMatchObject({steps: [{args: {path: 'x'}}, {args: {path: 'y'}}]});
  });

  test('after its last turn with a report, for which it has no tools, if it is to report', () => {
    const loop = start({maxTurns: 2, reportsAtLimit: true});
    turn(loop, read('x'), ran);
    expect(lastMessages(loop).at(-1)).toMatchObject({
      role: 'tool',
      text: 'done\n\n[1 turn is left.]',
    });
    turn(loop, read('y'), ran);
    expect(lastMessages(loop).slice(-2)).toMatchObject([
      {role: 'tool', text: 'done'},
      {role: 'user', text: expect.stringContaining('Report what is done, what is left')},
    ]);
    expect(loop.requests('callModel').at(-1)).toMatchObject({
      toolChoice: 'none',
      tools: ['read_file', 'write_file'],
    });
    loop.settle('model', {...read('z'), text: 'x is read, y is left'});
    expect(loop.output()).toMatchObject({
      kind: 'exhausted',
      stopped: 'max_turns',
      answer: 'x is read, y is left',
      steps: [{args: {path: 'x'}}, {args: {path: 'y'}}],
    });
  });

  test('without a report if the model gives none, and waits for a provider that is down', () => {
    const loop = start({maxTurns: 1, reportsAtLimit: true});
    turn(loop, read('x'), {...ran, text: 'a long text '.repeat(1_000)});
    loop.settle('model', failing('auth'));
    expect(loop.open()).toEqual(['resume']);
    loop.settle('resume', {resumed: true});
    loop.settle('model', failing('contextOverflow'));
    expect(loop.requests('callModel').at(-1)).toMatchObject({toolChoice: 'none'});
    loop.settle('model', failing('truncated'));
    expect(loop.output()).toMatchObject({kind: 'exhausted', stopped: 'max_turns', answer: ''});
  });

  test('after too many turns in a row whose calls are all refused; any other turn resets the count', () => {
    const loop = start();
    for (const path of ['a', 'b']) turn(loop, read(path), refused);
    turn(loop, read('c'), ran);
    for (const path of ['d', 'e']) turn(loop, read(path), refused);
    expect(loop.output()).toBeUndefined();
    loop.settle('model', calling('no_such_tool', {}));
    expect(loop.output()).toMatchObject({kind: 'exhausted', stopped: 'invalid_calls'});
  });

  test('when its time is over, while the model thinks or between turns', () => {
    const late = start({timeLimitMs: 2});
    late.pass('time.over');
    expect(late.output()).toMatchObject({kind: 'exhausted', stopped: 'time_limit'});
    expect(late.open()).toEqual([]);
    const slow = start({timeLimitMs: 2});
    turn(slow, read('x'), ran);
    expect(slow.output()).toMatchObject({stopped: 'time_limit', steps: [{status: 'succeeded'}]});
  });

  test('at a tool that fails for good, if the loop may degrade', () => {
    const loop = start({isDegradable: true});
    turn(loop, read('x'), broke);
    expect(loop.output()).toMatchObject({kind: 'degraded', stopped: 'tool_failure'});
    const patient = start();
    turn(patient, read('x'), broke);
    expect(lastMessages(patient).at(-1)).toMatchObject({text: 'it failed', isError: true});
  });
});

test('the turns left are counted from ten turns before the limit, after the results, which stay the same otherwise', () => {
  const loop = start({maxTurns: 13, reportsAtLimit: true});
  for (let at = 1; at <= 12; at++) turn(loop, read(`${at}`), ran);
  const texts = lastMessages(loop).flatMap(({role, text}) => (role === 'tool' ? [text] : []));
  expect(texts.slice(0, 4)).toEqual([
    'done',
    'done',
    ...[10, 9].map((left) => `done\n\n[${left} turns are left.]`),
  ]);
  expect(texts.at(-1)).toBe('done\n\n[1 turn is left.]');
  const [before, after] = loop.requests('callModel').slice(-2);
  expect(after?.transcript.messages.slice(0, before?.transcript.messages.length)).toEqual(
    before?.transcript.messages,
  );
});

test('an unusable reply is requested again, at most twice', () => {
  const loop = start();
  loop.settle('model', failing('truncated'));
  expect(lastMessages(loop).at(-1)?.text).toContain(
    'Your last reply could not be used: it failed.',
  );
  loop.settle('model', failing('protocol'));
  loop.settle('model', failing('truncated'));
  expect(loop.output()).toMatchObject({kind: 'failed', failure: {code: 'truncated'}});
});

test('a conversation that is too long is compacted, at most twice', () => {
  const loop = start();
  for (const path of ['a', 'b', 'c', 'd']) {
    turn(loop, read(path), {...ran, text: 'a long text '.repeat(1_000)});
  }
  const before = JSON.stringify(lastMessages(loop)).length;
  loop.settle('model', failing('contextOverflow'));
  expect(JSON.stringify(lastMessages(loop)).length).toBeLessThan(before);
  loop.settle('model', failing('contextOverflow'));
  loop.settle('model', failing('contextOverflow'));
  expect(loop.output()).toMatchObject({kind: 'failed', failure: {code: 'contextOverflow'}});
});

test('a conversation that cannot be shortened is not sent again', () => {
  const fresh = start();
  fresh.settle('model', failing('contextOverflow'));
  expect(fresh.output()).toMatchObject({kind: 'failed', failure: {code: 'contextOverflow'}});
  const short = start();
  turn(short, read('a'), {...ran, text: 'x'.repeat(2_000)});
  short.settle('model', failing('contextOverflow'));
  expect(lastMessages(short).at(-1)?.text.length).toBeLessThanOrEqual(1_000);
  short.settle('model', failing('contextOverflow'));
  expect(short.output()).toMatchObject({kind: 'failed', failure: {code: 'contextOverflow'}});
});

test('a single result that is too long is shortened as well, and states how much is missing', () => {
  const loop = start();
  turn(loop, read('a'), {...ran, text: 'x'.repeat(200_000)});
  loop.settle('model', failing('contextOverflow'));
  expect(lastMessages(loop).at(-1)?.text).toMatch(
    /^x{5000,8000}\n\[… 19\d{4} characters cut …\]\nx+$/,
  );
  loop.settle('model', failing('contextOverflow'));
  const {text = ''} = lastMessages(loop).at(-1) ?? {};
  const kept = text.replaceAll(/[^x]/g, '').length;
  expect(text.length).toBeLessThanOrEqual(1_000);
  expect(text).toContain(`[… ${200_000 - kept} characters cut …]`);
  loop.settle('model', saying('so it is'));
  expect(loop.output()).toMatchObject({kind: 'answered'});
});

test('faults in a row are counted anew after each reply', () => {
  const loop = start();
  const stumble = (): void => {
    for (const kind of ['network', 'overloaded', 'rateLimited', 'network'] as const) {
      loop.settle('model', failing(kind));
      loop.pass('retryDelay');
    }
  };
  stumble();
  turn(loop, read('x'), ran);
  stumble();
  loop.settle('model', failing('network'));
  expect(loop.open()).toEqual(['resume']);
  expect(loop.reports('model.retried')).toMatchObject(
    [1, 2, 3, 4, 1, 2, 3, 4].map((attempt) => ({model: 'test/decider', attempt})),
  );
});

test('the pause after a passing fault counts towards the time limit', () => {
  const late = start({timeLimitMs: 300});
  late.settle('model', failing('network'));
  late.pass('time.over');
  expect(late.output()).toMatchObject({kind: 'exhausted', stopped: 'time_limit'});
  const slow = start({timeLimitMs: 300});
  slow.settle('model', failing('network'));
  slow.pass('retryDelay');
  turn(slow, read('x'), ran);
  expect(slow.output()).toMatchObject({kind: 'exhausted', stopped: 'time_limit'});
});

test('the loop waits for a provider that is down, then repeats the request unchanged', () => {
  const loop = start();
  loop.settle('model', failing('auth'));
  expect(loop.open()).toEqual(['resume']);
  expect(loop.requests('awaitResume')).toMatchObject([{code: 'auth', message: 'it failed'}]);
  loop.settle('resume', {resumed: true});
  const [first, second] = loop.requests('callModel');
  expect(second).toEqual(first);
  loop.settle('model', saying('done'));
  expect(loop.output()).toMatchObject({kind: 'answered', answer: 'done'});
});

test('the wait for a provider does not count towards the time limit', () => {
  const loop = start({timeLimitMs: 1_000});
  loop.settle('model', failing('auth'));
  expect(loop.open()).toEqual(['resume']);
});

test('a model call that crashes ends the loop as a failure, with the steps up to then', () => {
  const loop = start();
  turn(loop, read('x'), ran);
  loop.settle('model', crash);
  expect(loop.output()).toMatchObject({
    kind: 'failed',
    failure: {code: 'internal'},
    steps: [{status: 'succeeded'}],
  });
});

test('the steps of a turn are in the record as soon as the turn is over', () => {
  const loop = start();
  turn(loop, read('x'), ran);
  expect(loop.facts()).toMatchObject([
    {type: 'tool.settled', tool: 'read_file'},
    {type: 'steps.taken', steps: [{tool: 'read_file'}]},
  ]);
});

function shown(path: string, preview: string) {
  return {kind: 'ready', args: {path}, preview};
}

describe('several high-risk calls in a turn', () => {
  const writes = callingAll(['write_file', {path: 'x'}], ['write_file', {path: 'y'}]);
  const together = panelRules({...usualSettings, quorum: {...usualSettings.quorum, perTurn: true}});

  function voted(more: Partial<TurnLoopInput> = {}): ByHand {
    const loop = start({panel: together, ...more});
    loop.settle('model', writes);
    loop.settle('review/preview', shown('x', '+ x'));
    loop.settle('review/preview', shown('y', '+ y'));
    loop.settle('review/quorum', ruling('approve'));
    return loop;
  }

  test('are one proposal; in a run of an earlier version each call is one', () => {
    const earlier = start();
    earlier.settle('model', writes);
    expect(earlier.requests('previewTool')).toHaveLength(1);
    earlier.settle('call:1.0/review/preview', shown('x', '+ x'));
    expect(earlier.requests('screenProposal')).toMatchObject([{proposal: {facts: {calls: [{}]}}}]);
    expect(voted().requests('screenProposal')).toMatchObject([
      {proposal: {facts: {calls: [{}, {}]}, parts: [{}, {}]}},
    ]);
  });

  test('run one after the other, each with the approved effect, without another vote', () => {
    const loop = voted();
    loop.settle('call:1.0/review/preview', shown('x', '+ x'));
    loop.settle('call:1.0/run', ran);
    loop.settle('call:1.1/review/preview', shown('y', '+ y'));
    loop.settle('call:1.1/run', ran);
    expect(loop.requests('screenProposal')).toHaveLength(1);
    expect(lastMessages(loop).slice(-2)).toMatchObject([{isError: false}, {isError: false}]);
  });

  test('are void when their effects have changed, which is not a turn of refused calls', () => {
    const loop = voted({maxRefusedTurns: 0});
    loop.settle('call:1.0/review/preview', shown('x', '+ another line'));
    expect(lastMessages(loop).slice(-2)).toMatchObject([
      {isSkipped: true, text: expect.stringContaining('has changed since it was allowed')},
      {isSkipped: true, text: expect.stringContaining('has not succeeded')},
    ]);
    loop.settle('model', saying('then not'));
    expect(loop.output()).toMatchObject({kind: 'answered'});
  });
});
