/** Commands that begin an interaction, decide at its gate, answer it, or rate its result. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import type {ContextMode, SpawnableForm} from '../../machines/domain/interaction-form.ts';
import {type Message, t} from '../../machines/message.ts';
import {ruleForms, ruleHelp, ruleSpellings, tryParseRule} from '../../machines/panel/rule.ts';
import {takesWords} from '../gate/decide.ts';
import type {Override} from '../line/command.ts';
import {hilModes, modelOverrides, roleNames, scopes, strategies} from '../line/options.ts';
import {meant} from '../line/usage-error.ts';
import {
  type CommandSpec,
  type CommandTable,
  type Operand,
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

// Commands that change the settings of the conversation.

function settings(name: string, values: Readonly<Record<string, string>>): readonly Override[] {
  return Object.entries(values).map(([key, value]) => ({key, value, source: name}));
}

function switchTo(
  name: string,
  summary: Message,
  values: Readonly<Record<string, string>>,
): CommandSpec {
  return bare(name, summary, {
    kind: 'set',
    name: `/${name}`,
    overrides: settings(`/${name}`, values),
  });
}

function choice(
  name: string,
  summary: Message,
  {keys, choices}: {readonly keys: readonly string[]; readonly choices: readonly string[]},
): CommandSpec {
  return {
    takes: `[${choices.join('|')}]`,
    summary,
    operand: choices,
    read: (value) => {
      const [first = ''] = keys;
      if (value === '') return readAs({kind: 'setting', name: `/${name}`, key: first, choices});
      if (!choices.includes(value)) {
        const [known, near] = [choices.join(', '), meant(value, choices)];
        return misread(t`/${name} takes ${known}, not "${value}"${near}`);
      }
      const full = `/${name} ${value}`;
      const values = Object.fromEntries(keys.map((key) => [key, value]));
      return readAs({kind: 'set', name: full, overrides: settings(full, values)});
    },
  };
}

const rule: CommandSpec = {
  takes: '[RULE]',
  summary: t`when the panel has decided: ${ruleSpellings}`,
  operand: ruleForms.map(({start}) => start),
  read: (value) => {
    if (value === '') {
      return readAs({kind: 'setting', name: '/rule', key: 'quorum.rule', choices: [ruleHelp]});
    }
    if (!tryParseRule(value)) {
      return misread(t`"${value}" is not a quorum rule; /rule takes ${ruleHelp}`);
    }
    const overrides = settings(`/rule ${value}`, {'quorum.rule': value});
    return readAs({kind: 'set', name: `/rule ${value}`, overrides});
  },
};

const model: CommandSpec = {
  takes: '[[ROLE=]NAME]',
  summary: t`the model for a role, or for all; without an operand: the models in use`,
  detail: t`Roles are ${roleNames.join(', ')}; review=a,b and participants=a,b name several. Running
interactions use the new model from their next call on.`,
  operand: roleNames.map((role) => `${role}=`),
  read: (value) => {
    if (value === '') return readAs({kind: 'models'});
    if (/\s/.test(value)) {
      return misread(t`/model takes one ROLE=NAME; several models: review=a,b`);
    }
    try {
      const overrides = modelOverrides([value], '/model');
      return readAs({kind: 'set', name: `/model ${value}`, overrides});
    } catch (error) {
      if (error instanceof AppError) return misread(error.wording);
      throw error;
    }
  },
};

export const settingCommands: CommandTable = {
  solo: switchTo('solo', t`one model plans`, {
    'agent.consensus_level': 'solo',
    'agent.strategy': 'quorum',
  }),
  ens: switchTo('ens', t`each model of the panel drafts a plan, and the best one is used`, {
    'agent.consensus_level': 'ensemble',
  }),
  fast: switchTo('fast', t`only the policy reviewers vote: /scope fast`, {
    'agent.phase_scope': 'fast',
  }),
  scope: choice('scope', t`how far a task is taken`, {
    keys: ['agent.phase_scope'],
    choices: scopes,
  }),
  strategy: choice('strategy', t`how a plan is challenged, and a question discussed`, {
    keys: ['agent.strategy', 'discuss.strategy'],
    choices: strategies,
  }),
  rule,
  model,
  hil: choice('hil', t`who decides when the panel can't`, {
    keys: ['agent.hil_mode'],
    choices: hilModes,
  }),
};

// Commands that show, change the focus, and leave.

function placed(
  kind: 'show' | 'diff' | 'focus' | 'cancel',
  summary: Message,
  {detail, others = []}: {readonly detail: Message; readonly others?: readonly string[]},
): CommandSpec {
  return {
    ...(kind === 'diff' ? {} : {inRun: 'always'}),
    takes: `[${['N', ...others].join('|')}]`,
    summary,
    detail,
    operand: 'place',
    read: (rest) => {
      if (rest === '') return readAs({kind});
      if (isPlace(rest) || others.includes(rest)) return readAs({kind, place: rest});
      return misread(t`/${kind} takes a number such as 3 or 3.1, not "${rest}"; /tree shows them`);
    },
  };
}

function worded(
  kind: 'sessions' | 'resume' | 'help' | 'undo' | 'export' | 'fork' | 'rewind',
  takes: string,
  summary: Message,
  operand?: Operand,
): CommandSpec {
  return {
    takes,
    summary,
    ...(operand ? {operand} : {}),
    read: (what) => readAs({kind, what}),
  };
}

const quitting = bare('quit', t`leave; running interactions are suspended and can be resumed`, {
  kind: 'quit',
});
const quit: CommandSpec = {...quitting, inRun: 'always'};

const alsoQuit = {...quitting, summary: t`the same as /quit`};

export const lookingCommands: CommandTable = {
  init: bare('init', t`write AGENTS.md, which describes this repository to agents`, {kind: 'init'}),
  show: placed('show', t`the whole subject of an open question, or a whole interaction`, {
    detail: t`Without an operand: the question that waits for you, else the focused interaction, else the latest.`,
  }),
  diff: placed('diff', t`the changes of all tasks, or of one`, {
    detail: t`Shows each write. A file whose content is as before the task again is only listed as such.`,
  }),
  undo: {
    ...worded('undo', '[N|ID]', t`take back the file changes of a task, after a question`),
    detail: t`Without an operand: the newest task with changes to take back. See quorate help undo.`,
  },
  fork: {
    ...worded(
      'fork',
      'POINT [N|ID]',
      t`continue a run from an earlier point in another way, as a new run`,
    ),
    detail: t`A point is an entry or a name, such as plan.1. Without a run: the latest one. See quorate help fork.`,
  },
  rewind: {
    ...worded(
      'rewind',
      'POINT [N|ID]',
      t`go back to an earlier point of a run with its files, after a question`,
    ),
    detail: t`The later file changes are taken back, and a new run continues from there. See quorate help fork.`,
  },
  tree: {
    ...bare('tree', t`all interactions with their states and results`, {kind: 'tree'}),
    inRun: 'always',
  },
  focus: placed('focus', t`which interaction receives what you type`, {
    detail: t`With none, typed text begins a new task, also while others run.`,
    others: ['none'],
  }),
  cancel: placed('cancel', t`cancel an interaction with its children`, {
    detail: t`Without an operand: the focused interaction. Completed changes stay; quorate undo takes them back.`,
  }),
  config: bare('config', t`the settings that differ from the defaults, with their sources`, {
    kind: 'config',
  }),
  cost: {...bare('cost', t`tokens and cost until now`, {kind: 'cost'}), inRun: 'always'},
  sessions: worded('sessions', '[WORDS]', t`earlier conversations, or only those with these words`),
  resume: worded(
    'resume',
    '[N|ID]',
    t`continue suspended interactions, or an earlier conversation`,
    'run',
  ),
  new: bare('new', t`begin a new conversation, without context from this one`, {kind: 'new'}),
  export: {
    ...worded('export', '[FILE]', t`the conversation as Markdown, here or in a new file`),
    detail: t`Contains each task with its result. For the journal of one run: quorate export ID.`,
  },
  help: {
    ...worded('help', '[COMMAND]', t`these commands, or one of them`, 'command'),
    inRun: 'always',
  },
  quit,
  exit: alsoQuit,
  q: alsoQuit,
};
