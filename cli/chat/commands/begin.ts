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

const detail = `While the focused interaction runs, the new one begins below it and reports its result to it; otherwise it is
independent. The context it receives of earlier messages and actions:

  --full        as much as fits
  --projected   a summary
  --fresh       none`;

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
  interview: beginning('interview', 'FORM', 'fill in a form by conversation, field by field'),
  council: {...discussing, summary: 'the same as /discuss'},
  replace: {
    takes: 'TEXT',
    summary: 'cancel the focused interaction, and begin this one with its context',
    takesText: true,
    read: (request) =>
      request === ''
        ? misread('/replace needs the new request after it; /cancel only cancels')
        : readAs({kind: 'replace', request}),
  },
};
