/** A human gate, and a question on a terminal. */

import {describe, expect, test} from 'vitest';
import {createActor} from 'xstate';

import type {HumanQuestionKind} from '../../machines/domain/human.ts';
import type {HilMode} from '../../machines/domain/settings.ts';
import {decisionsIn} from '../../machines/facts/fact.ts';
import {humanGateMachine} from '../../machines/human-gate.ts';
import {
  type AskedEvent,
  type AskedInput,
  askedMachine,
  type AskedQuestion,
  isSeen,
} from '../../machines/terminal/asked.ts';
import {statesOf, transitionNames} from '../../machines/testing/chart.ts';
import {byHand, goneThrough} from '../support/by-hand.ts';
import {type Coverage, noting} from '../support/coverage.ts';
import {crash} from '../support/hand-performer.ts';
import {crashTransitions} from './events/crashes.ts';
import {uncoveredBy} from './explored.ts';

function start(
  kind: HumanQuestionKind,
  hilMode: HilMode = 'interactive',
  history: readonly object[] = [],
) {
  const question = {
    kind,
    request: 'do it',
    reason: 'nobody else can',
    proposalHash: 'the hash',
    history,
    allowed: ['approve', 'reject'],
  };
  return byHand(humanGateMachine, {question}, {hilMode});
}

const byPerson = (decision: string) => ({by: 'person', decision: {decision}});

test.each(['approve', 'always', 'reject', 'edit', 'revise', 'retry', 'done', 'fail'])(
  'in interactive mode a person decides: %s',
  (decision) => {
    const gate = start('plan');
    expect(gate.output()).toBeUndefined();
    gate.settle('person', {decision});
    expect(gate.output()).toMatchObject(byPerson(decision));
  },
);

test.each(['plan', 'confirmation', 'action', 'result'] as const)(
  'auto_approve answers for a person about a %s, and warns',
  (kind) => {
    const gate = start(kind, 'auto_approve');
    expect(gate.output()).toEqual({by: 'auto_approve', decision: {decision: 'approve'}});
    expect(gate.requests('askHuman')).toEqual([]);
    expect(gate.reports('warning')).toHaveLength(1);
  },
);

test.each(['protected', 'in-doubt'] as const)(
  'auto_approve never answers a question that needs a person: %s',
  (kind) => {
    const gate = start(kind, 'auto_approve');
    expect(gate.open()).toEqual(['person']);
    gate.settle('person', {decision: 'approve'});
    expect(gate.output()).toMatchObject(byPerson('approve'));
    expect(gate.reports('warning')).toEqual([]);
  },
);

const refusal = {policy: 'policy/scope', verdict: 'reject', rules: ['bounds'], reasons: ['no']};
const vetoed = {screened: [refusal], votes: [], vetoes: [], seats: ['a'], timestamp: 7};

describe('a proposal that a policy has vetoed', () => {
  test.each(['plan', 'action', 'result'] as const)(
    'is rejected by auto_approve with a reason that names the veto: %s',
    (kind) => {
      const gate = start(kind, 'auto_approve', [{...vetoed, screened: []}, vetoed]);
      const reason = 'vetoed by policy/scope (bounds); only a person may overrule a veto';
      expect(gate.output()).toEqual({by: 'auto_approve', decision: {decision: 'reject', reason}});
      expect(gate.reports('warning')).toEqual([]);
      expect(gate.requests('askHuman')).toEqual([]);
    },
  );

  test('stays vetoed when something else was voted on since', () => {
    const own = {...vetoed, proposalHash: 'the hash'};
    const other = {...vetoed, screened: [], proposalHash: 'another hash'};
    const gate = start('plan', 'auto_approve', [own, other]);
    expect(gate.output()).toMatchObject({by: 'auto_approve', decision: {decision: 'reject'}});
  });

  test('may be approved by a person', () => {
    const gate = start('plan', 'interactive', [vetoed]);
    gate.settle('person', {decision: 'approve'});
    expect(gate.output()).toMatchObject(byPerson('approve'));
  });

  test('waits for a person where only a person may answer', () => {
    expect(start('protected', 'auto_approve', [vetoed]).open()).toEqual(['person']);
  });

  test('does not block a later version', () => {
    const gate = start('confirmation', 'auto_approve', [vetoed, {...vetoed, screened: []}]);
    expect(gate.output()).toMatchObject({decision: {decision: 'approve'}});
  });
});

const unknowing = {policy: 'policy/safety', verdict: 'abstain', rules: [], unknown: ['frobnicate']};
const unjudged = {...vetoed, screened: [unknowing], approved: false};

describe('a proposal that no reviewer by rule could judge', () => {
  test.each(['plan', 'confirmation', 'action', 'result'] as const)(
    'is for a person alone, also in mode auto_approve: %s',
    (kind) => {
      const gate = start(kind, 'auto_approve', [unjudged]);
      expect(gate.open()).toEqual(['person']);
      gate.settle('person', {decision: 'approve'});
      expect(gate.output()).toMatchObject(byPerson('approve'));
    },
  );

  test('is rejected by every mode where another has vetoed it', () => {
    const both = {...unjudged, screened: [unknowing, refusal]};
    expect(start('plan', 'auto_approve', [both]).output()).toMatchObject({
      by: 'auto_approve',
      decision: {decision: 'reject'},
    });
  });

  test('is rejected by auto_reject', () => {
    expect(start('action', 'auto_reject', [unjudged]).output()).toMatchObject({
      by: 'auto_reject',
      decision: {decision: 'reject'},
    });
  });

  test('may be confirmed by a mode once the models have approved it', () => {
    const gate = start('confirmation', 'auto_approve', [{...unjudged, approved: true}]);
    expect(gate.output()).toMatchObject({by: 'auto_approve', decision: {decision: 'approve'}});
  });
});

test('auto_reject rejects at once, and fails a call in doubt', () => {
  expect(start('plan', 'auto_reject').output()).toMatchObject({decision: {decision: 'reject'}});
  expect(start('protected', 'auto_reject').output()).toMatchObject({
    decision: {decision: 'reject'},
  });
  expect(start('in-doubt', 'auto_reject').output()).toEqual({
    by: 'auto_reject',
    decision: {decision: 'fail'},
  });
});

test('a change of mode reaches an open gate, which then stops asking', () => {
  const gate = start('plan');
  gate.send({type: 'settings.changed', hilMode: 'auto_approve'});
  expect(gate.output()).toMatchObject({by: 'auto_approve'});
  expect(gate.open()).toEqual([]);
});

test('a change of mode that may not answer leaves the gate open, and asks nobody twice', () => {
  const gate = start('protected');
  gate.send({type: 'settings.changed', hilMode: 'auto_approve'});
  gate.send({type: 'settings.changed', hilMode: 'interactive'});
  expect(gate.open()).toEqual(['person']);
  expect(gate.requests('askHuman')).toHaveLength(1);
});

test('a question that is lost in a crash is rejected, never approved', () => {
  const gate = start('action', 'interactive');
  gate.settle('person', crash);
  expect(gate.output()).toEqual({by: 'auto_reject', decision: {decision: 'reject'}});
});

test('the record and a report hold the decision, its author and the hash of its subject', () => {
  const gate = start('plan');
  gate.settle('person', {decision: 'reject', reason: 'too risky', at: 5});
  expect(decisionsIn(gate.facts())).toEqual([
    {by: 'person', decision: 'reject', reason: 'too risky', hash: 'the hash', at: 5},
  ]);
  expect(gate.reports('human.decided')).toMatchObject([
    {by: 'person', decision: 'reject', reason: 'too risky', proposalHash: 'the hash'},
  ]);
});

const coverage: Coverage = {entered: new Set(), taken: new Set()};

function terminal(turns: AskedInput['turns']) {
  const actor = createActor(askedMachine, {input: {turns}, inspect: noting(coverage)}).start();
  const send = (...events: readonly AskedEvent[]): void =>
    events.forEach((event) => actor.send(event));
  return {
    send,
    asks: (...questions: readonly AskedQuestion[]) =>
      send(...questions.map((question) => ({type: 'question.asked', question, at: 10}) as const)),
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
    current: () => actor.getSnapshot().context.current,
    output: () => actor.getSnapshot().output,
  };
}

const gate = (key: string, interaction = 'r'): AskedQuestion => ({key, interaction, kind: 'gate'});
const interview = (key: string, interaction = 'r'): AskedQuestion => ({
  key,
  interaction,
  kind: 'interview',
});

describe('one by one', () => {
  test('a question keeps the terminal until it is settled, and gates come before interviews', () => {
    const {asks, send, current, state} = terminal('one-by-one');
    expect(state()).toBe('quiet');
    asks(interview('a'));
    expect([current(), state()]).toEqual(['a', 'asked']);
    asks(interview('b'), gate('g'));
    expect(current()).toBe('a');
    send({type: 'question.settled', key: 'a'});
    expect(current()).toBe('g');
    send({type: 'question.settled', key: 'b'}, {type: 'question.settled', key: 'g'});
    expect([current(), state()]).toEqual([undefined, 'quiet']);
  });

  test('a line is obeyed before the next one is read, and the question may then be asked again', () => {
    const {asks, send, state} = terminal('one-by-one');
    asks(gate('g'));
    send({type: 'line.entered'}, {type: 'line.entered'}, {type: 'line.obeyed'});
    expect(state()).toBe('obeying');
    send({type: 'line.obeyed'});
    expect(state()).toBe('asked');
  });

  test('Ctrl-C interrupts, Ctrl-D and a closed terminal leave the question waiting', () => {
    const ends = (['person.interrupted', 'person.left', 'terminal.closed'] as const).map((type) => {
      const {asks, send, output} = terminal('one-by-one');
      asks(gate('g'));
      send({type});
      return output()?.why;
    });
    expect(ends).toEqual(['interrupted', 'waiting', 'waiting']);
  });
});

describe('in a conversation', () => {
  test('a line answers the interview in focus, but not a gate', () => {
    const {asks, send, current, context} = terminal('conversation');
    send({type: 'focus.changed', focus: '1'});
    asks(gate('g', '1'), interview('other', '2'));
    expect([current(), context().focus]).toEqual([undefined, '1']);
    asks(interview('mine', '1'));
    expect(current()).toBe('mine');
    send({type: 'focus.changed', focus: '2'});
    expect(current()).toBe('other');
  });

  test('the first question of an interview in or below the focus moves the focus to it', () => {
    const {asks, send, context} = terminal('conversation');
    asks(interview('a', '1.1'));
    expect(context().focus).toBe('1.1');
    send({type: 'focus.changed', focus: '1'});
    asks(interview('b', '1.1'), interview('c', '10.1'));
    expect(context().focus).toBe('1');
    asks(interview('d', '1.2'));
    expect(context().focus).toBe('1.2');
  });

  test('Ctrl-C first warns, and leaves only if it is pressed again before a line is entered', () => {
    const {asks, send, state, output} = terminal('conversation');
    asks(gate('g'));
    send({type: 'person.interrupted'});
    expect(state()).toBe('warned');
    send({type: 'line.entered'}, {type: 'line.obeyed'}, {type: 'person.interrupted'});
    expect(state()).toBe('warned');
    send({type: 'person.interrupted'});
    expect(output()).toEqual({why: 'interrupted'});
  });
});

test('text begun before a question was shown does not answer it', () => {
  const {asks, send, context} = terminal('conversation');
  const [first, second] = [interview('a', '1'), interview('b', '1')];
  send({type: 'question.asked', question: first, at: 5});
  expect([4, 5, 6].map((begunAt) => isSeen(context(), first, begunAt))).toEqual([
    false,
    true,
    true,
  ]);
  // The questions of an interview follow one another: text may run ahead of them.
  send({type: 'question.settled', key: 'a'}, {type: 'question.asked', question: second, at: 20});
  expect(isSeen(context(), second, 6)).toBe(true);
  asks(gate('g'));
  expect(isSeen(context(), gate('g'), 9)).toBe(false);
  send({type: 'question.settled', key: 'g'});
  expect(isSeen(context(), gate('g'), 11)).toBe(false);
});

test('the tests enter each state and take each transition', () => {
  expect(statesOf(askedMachine).filter((state) => !coverage.entered.has(state))).toEqual([]);
  expect(transitionNames(askedMachine).filter((name) => !coverage.taken.has(name))).toEqual([]);
});

test('the tests enter every state of humanGate and take every transition', () => {
  expect(uncoveredBy(humanGateMachine, [goneThrough()], crashTransitions)).toEqual([]);
});
