/** Commands that begin an interaction. */

import type {ContextMode, SpawnableForm} from '../../../machines/domain/interaction-form.ts';
import {type Message, t} from '../../../machines/message.ts';
import {meant} from '../../line/usage-error.ts';
import {misread, readAs, type CommandSpec, type CommandTable, type Reading} from '../command.ts';

const modes: Readonly<Record<string, ContextMode>> = {
  '--fresh': 'fresh',
  '--projected': 'projected',
  '--full': 'full',
};
const flags = Object.keys(modes);

const detail: Message = t`While the focused interaction runs, the new one begins below it and reports its result to it; otherwise it is
independent. The context it receives of earlier messages and actions:

  --full        as much as fits
  --projected   a summary
  --fresh       none`;

const nouns = {
  TASK: t`task{:operand}`,
  QUESTION: t`question{:operand}`,
  FORM: t`form{:operand}`,
};
type Noun = keyof typeof nouns;

function beginning(form: SpawnableForm, noun: Noun, summary: Message): CommandSpec {
  return {
    takes: `[${flags.join('|')}] ${noun}`,
    summary,
    detail,
    operand: flags,
    takesText: true,
    read: (rest) => readBeginning(form, noun, rest),
  };
}

function readBeginning(form: SpawnableForm, noun: Noun, rest: string): Reading {
  const [, flag = '', request = ''] = /^(--\S*)?\s*([^]*)$/.exec(rest) ?? [];
  const contextMode = modes[flag];
  if (flag !== '' && contextMode === undefined) {
    const [known, near] = [flags.join(', '), meant(flag, flags)];
    return misread(t`/${form} takes ${known}, not ${flag}${near}`);
  }
  if (request === '') {
    return misread(t`/${form} needs a ${nouns[noun]} after it`);
  }
  return readAs({kind: 'begin', form, request, ...(contextMode ? {contextMode} : {})});
}

export const beginCommands: CommandTable = {
  agent: beginning('agent', 'TASK', t`plan a task, have it voted on, run and judge it`),
  ask: beginning('ask', 'QUESTION', t`answer a question with tools that only read`),
  discuss: beginning('discuss', 'QUESTION', t`have several models discuss a question`),
  interview: beginning('interview', 'FORM', t`fill in a form by conversation, field by field`),
  replace: {
    takes: 'TEXT',
    summary: t`cancel the focused interaction, and begin this one with its context`,
    takesText: true,
    read: (request) =>
      request === ''
        ? misread(t`/replace needs the new request after it; /cancel only cancels`)
        : readAs({kind: 'replace', request}),
  },
};
