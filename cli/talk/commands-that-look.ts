/** Commands that show, change the focus, and leave. */

import {type Message, t} from '../../machines/message.ts';
import {
  bare,
  isPlace,
  misread,
  readAs,
  type CommandSpec,
  type CommandTable,
  type Operand,
} from './command.ts';

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
