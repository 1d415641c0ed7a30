/** The commands of the screen, their errors, and what becomes of all other lines. */

import {describe, expect, test} from 'vitest';

import {say} from '../../../cli/language.ts';
import {
  completeScreenCommand,
  readCommand,
  readLine,
  type ScreenCommand,
  screenTable,
} from '../../../cli/screen/commands.ts';
import {commandTable} from '../../../cli/talk/parse.ts';
import type {Completing} from '../../../cli/talk/screen/prompt.ts';

function tab(form: 'agent' | 'ask' | 'discuss', isIndependent = false): ScreenCommand {
  return {kind: 'open-tab', form, isIndependent};
}

const understood: Readonly<Record<string, ScreenCommand>> = {
  'tabnew ask': tab('ask'),
  'tabnew discuss': tab('discuss'),
  'tabnew agent': tab('agent'),
  'tabnew council': tab('discuss'),
  'tabnew! ask': tab('ask', true),
  '  TABNEW   ask  ': tab('ask'),
  'tabnew interview application': {
    kind: 'open-tab',
    form: 'interview',
    isIndependent: false,
    file: 'application',
  },
  'tabnew! interview forms/my form.toml': {
    kind: 'open-tab',
    form: 'interview',
    isIndependent: true,
    file: 'forms/my form.toml',
  },
  tabclose: {kind: 'close-tab'},
  tabs: {kind: 'list-tabs'},
  split: {kind: 'split', direction: 'rows'},
  'split votes': {kind: 'split', direction: 'rows', view: 'votes'},
  'vsplit 3.1': {kind: 'split', direction: 'columns', place: '3.1'},
  only: {kind: 'only'},
  q: {kind: 'close'},
};

test.each(Object.entries(understood))(
  '%s, after a colon, a slash or in command mode',
  (text, screen) => {
    expect(readCommand(text)).toEqual({ok: true, screen});
    expect(readLine(`:${text.trimStart()}`)).toEqual({ok: true, screen});
    expect(readLine(` /${text.trimStart()}`, true)).toEqual({ok: true, screen});
  },
);

test.each([
  ['tabnew', '/tabnew needs a form of interaction after it: agent, ask, discuss, interview'],
  ['tabnew aks', '/tabnew takes agent, ask, discuss, interview, not "aks"; did you mean "ask"?'],
  ['tabnew review', '/tabnew takes agent, ask, discuss, interview, not "review"'],
  ['tabnew! ask why?', '/tabnew! ask takes nothing after it'],
  ['tabnew interview', '/tabnew interview needs a form after it'],
  ['tabclose 2', '/tabclose takes nothing after it'],
  [
    'split vote',
    '/split takes plan, votes, diff, tree, log or a number such as 3.1, not "vote"; did you mean "votes"?',
  ],
  ['vsplit 3.', '/vsplit takes plan, votes, diff, tree, log or a number such as 3.1, not "3."'],
  ['tabnwe ask', 'there is no /tabnwe; did you mean /tabnew? /help lists the commands'],
  ['aprove', 'there is no /aprove; did you mean /approve? /help lists the commands'],
  ['council why?', 'there is no /council; did you mean /discuss? /help lists the commands'],
  ['q!', 'there is no /q!; did you mean /q? /help lists the commands'],
  ['3', 'there is no /3; /help lists the commands'],
  [')', 'there is no /); /help lists the commands'],
])('%s is refused', (text, problem) => {
  const reading = readCommand(text);
  expect(reading.ok ? undefined : say(reading.problem, {})).toBe(problem);
});

test('a refusal is in the language of its reader', () => {
  const reading = readCommand('split vote');
  expect(reading.ok ? '' : say(reading.problem, {language: 'ja'})).toBe(
    '/split に "vote" はありません。使えるのは plan, votes, diff, tree, log か 3.1 のような番号です（"votes" のことですか？）',
  );
});

describe('all other lines', () => {
  test.each([
    ['approve 2', [{kind: 'decide', decision: 'approve', rest: '2'}]],
    ['ask what does it do?', [{kind: 'begin', form: 'ask', request: 'what does it do?'}]],
    ['tree /focus 3', [{kind: 'tree'}, {kind: 'focus', place: '3'}]],
  ])('%s belongs to the conversation', (text, commands) => {
    for (const reading of [readCommand(text), readLine(`/${text}`), readLine(`:${text}`)])
      expect(reading).toEqual({ok: true, commands});
  });

  test('words are words, and nothing is nothing', () => {
    expect(readLine('tabnew ask me')).toEqual({
      ok: true,
      commands: [{kind: 'say', text: 'tabnew ask me'}],
    });
    expect(readLine('/etc/hosts is wrong')).toMatchObject({commands: [{kind: 'say'}]});
    expect(readLine(':) a happy task')).toMatchObject({commands: [{kind: 'say'}]});
    expect(readLine('!npm test')).toMatchObject({commands: [{kind: 'run', command: 'npm test'}]});
    expect(readLine('quit', true)).toMatchObject({commands: [{kind: 'say', text: 'quit'}]});
    expect(readCommand('  ')).toEqual({ok: true, commands: []});
  });
});

const there: Completing = {
  commands: () => Object.keys(commandTable),
  places: () => ['1', '1.1'],
  gates: () => ['1.1'],
  asks: () => [],
  runs: () => [],
  workspace: '/',
};

test.each([
  ['tabn', ['tabnew ', 'tabnew! ']],
  ['tabnew ', ['agent ', 'ask ', 'discuss ', 'interview ']],
  ['tabnew! d', ['discuss ']],
  ['split ', ['plan ', 'votes ', 'diff ', 'tree ', 'log ', '1 ', '1.1 ']],
  ['vsplit 1', ['1 ', '1.1 ']],
  ['s', ['split ', 'solo ', 'scope ', 'strategy ', 'skip ', 'submit ', 'show ', 'sessions ']],
  ['q', ['q ', 'quit ']],
  ['approve ', ['1.1']],
  ['tabs ', []],
])('Tab after "%s" offers %j', (text, found) => {
  expect(completeScreenCommand(text, there)[0]).toEqual(found);
});

test('every command is offered', () => {
  const names = new Set([...Object.keys(screenTable), ...Object.keys(commandTable)]);
  expect(
    completeScreenCommand('', there)[0]
      .map((word) => word.trim())
      .toSorted(),
  ).toEqual([...names].toSorted());
});
