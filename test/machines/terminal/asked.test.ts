/** Questions at a terminal: the question that a line answers, changes of the focus, and how a person leaves. */

import {describe, expect, test} from 'vitest';
import {createActor} from 'xstate';

import {
  type AskedEvent,
  type AskedInput,
  askedMachine,
  type AskedQuestion,
  isSeen,
} from '../../../machines/terminal/asked.ts';
import {statesOf, transitionNames} from '../../../machines/testing/chart.ts';
import {type Coverage, noting} from '../../../machines/testing/coverage.ts';

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
