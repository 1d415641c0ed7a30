/** Commands that begin an interaction, decide at its gate, answer it, or rate its result. */

import type {HumanDecision} from '../../machines/domain/human.ts';
import type {ContextMode, SpawnableForm} from '../../machines/domain/interaction-form.ts';
import {type Message, t} from '../../machines/message.ts';
import {takesWords} from '../gate/decide.ts';
import {meant} from '../line/usage-error.ts';
import {
  type CommandSpec,
  type CommandTable,
  type Reading,
  bare,
  isPlace,
  misread,
  readAs,
} from './command.ts';

const modes: Readonly<Record<string, ContextMode>> = {
  '--fresh': 'fresh',
  '--projected': 'projected',
  '--full': 'full',
};
const flags = Object.keys(modes);

const beginDetail: Message = t`While the focused interaction runs, the new one begins below it and reports its result to it; otherwise it is
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
    detail: beginDetail,
    operand: flags,
    takesText: true,
    inRun: 'always',
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

// Commands that answer a question at a gate.

const decisionDetail: Message = t`N is the number of the interaction that asks; it is needed only when several ask.`;

function decision(
  name: HumanDecision['decision'],
  summary: Message,
  takes = '[N]',
): readonly [string, CommandSpec] {
  return [
    name,
    {
      takes,
      summary,
      detail: decisionDetail,
      operand: 'gate',
      inRun: 'gate',
      ...(takesWords(name) ? {takesText: true} : {}),
      read: (rest) => readAs({kind: 'decide', decision: name, rest}),
    },
  ];
}

export const decidingCommands: CommandTable = Object.fromEntries([
  decision(
    'approve',
    t`approve the proposal that waits for you; a reason may follow`,
    '[N] [REASON]',
  ),
  decision(
    'always',
    t`approve, and from now on the same command, too; with its first words: every command that begins with them`,
    '[N] [WORDS]',
  ),
  decision('reject', t`reject the proposal; a reason may follow`, '[N] [REASON]'),
  decision(
    'edit',
    t`edit the plan that waits for you; the edited plan runs; a reason may follow`,
    '[N] [REASON]',
  ),
  decision(
    'revise',
    t`have the plan or action made again as these words say; a sentence without a command does the same`,
    '[N] WORDS',
  ),
  decision('retry', t`the action in doubt did not happen: do it again`),
  decision('done', t`the action happened: continue`),
  decision('fail', t`count the action as failed`),
]);

// Commands that answer an interview.

const answerDetail: Message = t`Text without a command answers the focused interview. N is the number of another interview that waits for an answer.
You can also correct earlier answers in your own words.`;

/** The interview itself reads the word. */
function told(word: string, summary: Message): CommandSpec {
  return {
    takes: '[N]',
    summary,
    operand: 'ask',
    inRun: 'interview',
    read: (rest) => {
      if (rest === '') return readAs({kind: 'answer', text: `/${word}`});
      if (isPlace(rest)) return readAs({kind: 'answer', place: rest, text: `/${word}`});
      return misread(t`/${word} takes the number of an interview, not "${rest}"`);
    },
  };
}

export const answeringCommands: CommandTable = {
  answer: {
    takes: '[N] [TEXT]',
    summary: t`answer the question of an interview`,
    detail: answerDetail,
    operand: 'ask',
    takesText: true,
    read: (rest) => {
      const [, first = '', after = ''] = /^(\S+)\s+([^]+)$/.exec(rest) ?? [];
      return readAs(
        isPlace(first) ? {kind: 'answer', place: first, text: after} : {kind: 'answer', text: rest},
      );
    },
  },
  skip: told('skip', t`skip this question`),
  why: told('why', t`show why it is asked`),
  back: {
    takes: '[NAME]',
    summary: t`answer the previous question again; /back NAME: the named one`,
    inRun: 'interview',
    read: (name) => readAs(name === '' ? {kind: 'answer', text: '/back'} : {kind: 'back', name}),
  },
  review: {
    takes: '[NAME]',
    summary: t`all answers so far; /review NAME: one of them in full`,
    inRun: 'interview',
    read: (name) => readAs({kind: 'review', name}),
  },
  submit: {
    ...bare('submit', t`submit the answers, once they are shown to you`, {kind: 'submit'}),
    inRun: 'interview',
  },
  pause: told('pause', t`take a break`),
  restart: told('restart', t`start over, without the answers so far`),
};

// The command that rates the last result.

const ratings = ['up', 'down'] as const;

export const ratingCommands: CommandTable = {
  rate: {
    takes: 'up|down [WORDS]',
    summary: t`rate the latest result: was it what you wanted?`,
    detail: t`The words are your own: no model reads them. The last rating counts. See quorate help show.`,
    operand: ratings,
    takesText: true,
    read: (rest) => {
      const [given = '', words = ''] = [/^\S+/.exec(rest)?.[0], /^\S+\s+([^]*)$/.exec(rest)?.[1]];
      const rating = ratings.find((each) => each === given);
      if (rating) return readAs({kind: 'rate', rating, words});
      return misread(t`/rate takes up or down, and words of your own; not "${given}"`);
    },
  },
};
