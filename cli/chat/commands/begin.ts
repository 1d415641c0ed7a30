/** Commands that begin an interaction. */

import type {ContextMode, SpawnableForm} from '../../../machines/domain/interaction-form.ts';
import {didYouMean} from '../../../machines/domain/nearest.ts';
import {misread, readAs, type CommandSpec, type CommandTable, type Reading} from '../command.ts';

const modes: Readonly<Record<string, ContextMode>> = {
  '--fresh': 'fresh',
  '--projected': 'projected',
  '--full': 'full',
};
const flags = Object.keys(modes);

const detail = `While the focused interaction works, it begins below it, and what it comes to is told to it; else it stands for itself.
How much it is told of what was said and done before:

  --full        all that there is room for
  --projected   a summary
  --fresh       nothing`;

function beginning(form: SpawnableForm, noun: string, summary: string): CommandSpec {
  return {
    takes: `[${flags.join('|')}] ${noun}`,
    summary,
    detail,
    operand: flags,
    takesText: true,
    read: (rest) => readBeginning(form, noun, rest),
  };
}

function readBeginning(form: SpawnableForm, noun: string, rest: string): Reading {
  const [, flag = '', request = ''] = /^(--\S*)?\s*([^]*)$/.exec(rest) ?? [];
  const contextMode = modes[flag];
  if (flag !== '' && contextMode === undefined) {
    return misread(`/${form} takes ${flags.join(', ')}, not ${flag}${didYouMean(flag, flags)}`);
  }
  if (request === '') return misread(`/${form} needs a ${noun.toLowerCase()} after it`);
  return readAs({kind: 'begin', form, request, ...(contextMode ? {contextMode} : {})});
}

const discussing = beginning('discuss', 'QUESTION', 'have several models discuss a question');

export const beginCommands: CommandTable = {
  agent: beginning('agent', 'TASK', 'plan a task, have it voted on, run and judge it'),
  ask: beginning('ask', 'QUESTION', 'answer a question with tools that only read'),
  discuss: discussing,
  interview: beginning('interview', 'FORM', 'be asked, field by field, what a form wants to know'),
  council: {...discussing, summary: 'the same as /discuss'},
  replace: {
    takes: 'TEXT',
    summary: 'cancel what is in focus, and begin this with what was done so far',
    takesText: true,
    read: (request) =>
      request === ''
        ? misread('/replace needs what is to be done instead; /cancel only ends it')
        : readAs({kind: 'replace', request}),
  },
};
