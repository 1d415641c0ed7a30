/** The event loop of a person at a terminal, with a dialogue that records its input. */

import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';

import {createAsked} from '../../../cli/terminal/asking.ts';
import type {Dialogue} from '../../../cli/terminal/dialogue.ts';
import {createPrompter, type Prompter} from '../../../cli/terminal/prompter.ts';
import {createSurface, type Surface} from '../../../cli/terminal/surface.ts';
import type {AskedInput, AskedQuestion} from '../../../machines/terminal/asked.ts';
import {createTestTerminal, type TestTerminal} from '../gate/person.ts';

let terminal: TestTerminal;
let surface: Surface;
let prompter: Prompter;
let open: readonly AskedQuestion[];
let events: string[];

beforeEach(() => {
  terminal = createTestTerminal();
  surface = createSurface({stderr: terminal.output, env: {NO_COLOR: '1'}});
  [open, events] = [[], []];
});
afterEach(async () => {
  await prompter.close();
  surface.close();
});

const gate = (key: string): AskedQuestion => ({key, interaction: 'r', kind: 'gate'});

function start(isKeyboardLent: boolean, more: Partial<Dialogue<AskedQuestion>> = {}): void {
  const turns: AskedInput['turns'] = 'asks' in more ? 'conversation' : 'one-by-one';
  const dialogue: Dialogue<AskedQuestion> = {
    asks: {
      questions: () => open,
      put: ({key}) => surface.print([`question ${key}`]),
      onTaken: () => void events.push('taken'),
      onFreed: () => void events.push('freed'),
    },
    prompt: (question) => `${question?.key ?? 'nothing'}> `,
    complete: (line) => [[], line],
    receive: async (text, {question}) => {
      events.push(`${question?.key}: ${text}`);
      open = open.filter((each) => each !== question);
      return undefined;
    },
    onLeft: (why) => void events.push(why),
    ...more,
  };
  prompter = createPrompter(dialogue, {
    asked: createAsked(turns),
    surface,
    input: terminal.input,
    isKeyboardLent,
  });
}

function ask(...questions: readonly AskedQuestion[]): void {
  open = questions;
  prompter.refresh();
}

describe('with a borrowed keyboard', () => {
  test('questions are served one by one, each with the keyboard, and text typed ahead is discarded', async () => {
    start(true);
    terminal.type('ahead\n');
    ask(gate('a'), gate('b'));
    await terminal.sees('a> ');
    terminal.type('yes\n');
    await terminal.sees('b> ');
    terminal.type('no\n');
    await vi.waitFor(() =>
      expect(events).toEqual(['taken', 'a: yes', 'freed', 'taken', 'b: no', 'freed']),
    );
  });

  test('a question that is settled elsewhere frees the keyboard', async () => {
    start(true);
    ask(gate('a'));
    await terminal.sees('a> ');
    terminal.type('half a li');
    await terminal.sees('half a li');
    ask();
    terminal.type('ne\n');
    await vi.waitFor(() => expect(events).toEqual(['taken', 'freed']));
  });

  test('Ctrl-C typed ahead interrupts', async () => {
    start(true);
    terminal.type('\u0003');
    ask(gate('a'));
    await vi.waitFor(() => expect(events).toEqual(['taken', 'interrupted']));
  });
});

describe('with a keyboard that stays open', () => {
  test('a line that was begun before a gate was shown does not decide', async () => {
    start(false);
    ask();
    await terminal.sees('nothing> ');
    terminal.type('y');
    await terminal.sees('y');
    ask(gate('a'));
    await terminal.sees('a> y');
    const drawn = terminal.screen().split('a> ').length;
    terminal.type('\n');
    await terminal.sees('a> ', drawn);
    terminal.type('no\n');
    await vi.waitFor(() => expect(events).toEqual(['taken', 'a: no', 'freed']));
  });

  test('a terminal that is closed leaves the question waiting', async () => {
    start(false);
    ask(gate('a'));
    terminal.input.end();
    await vi.waitFor(() => expect(events).toEqual(['taken', 'waiting']));
  });
});

test('in a conversation lines are performed in their order, and the second Ctrl-C leaves', async () => {
  start(false, {
    asks: {refresh: () => {}},
    receive: async (text) => {
      events.push(`begins ${text}`);
      if (text === 'slow') await terminal.sees('^C');
      events.push(text);
      return undefined;
    },
    onWarned: () => void events.push('warned'),
  });
  terminal.type('slow\nnext\n');
  await vi.waitFor(() => expect(events).toEqual(['begins slow']));
  terminal.type('\u0003');
  const obeyed = ['begins slow', 'warned', 'slow', 'begins next', 'next'];
  await vi.waitFor(() => expect(events).toEqual([...obeyed]));
  terminal.type('\u0003');
  await vi.waitFor(() => expect(events).toEqual([...obeyed, 'interrupted']));
});
