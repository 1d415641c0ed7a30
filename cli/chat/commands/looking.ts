/** Commands that show, change the focus, and leave. */

import {
  bare,
  isPlace,
  misread,
  readAs,
  type CommandSpec,
  type CommandTable,
  type Operand,
} from '../command.ts';

function placed(
  kind: 'show' | 'diff' | 'focus' | 'cancel',
  summary: string,
  {detail, others = []}: {readonly detail: string; readonly others?: readonly string[]},
): CommandSpec {
  return {
    takes: `[${['N', ...others].join('|')}]`,
    summary,
    detail,
    operand: 'place',
    read: (rest) => {
      if (rest === '') return readAs({kind});
      if (isPlace(rest) || others.includes(rest)) return readAs({kind, place: rest});
      return misread(`/${kind} takes a number such as 3 or 3.1, not "${rest}"; /tree shows them`);
    },
  };
}

function worded(
  kind: 'sessions' | 'resume' | 'help' | 'undo' | 'export',
  takes: string,
  summary: string,
  operand?: Operand,
): CommandSpec {
  return {
    takes,
    summary,
    ...(operand ? {operand} : {}),
    read: (what) => readAs({kind, what}),
  };
}

const quit = bare('quit', 'leave; what works is suspended, and can be resumed', {kind: 'quit'});

export const lookingCommands: CommandTable = {
  show: placed('show', 'all that you are asked about, or all of an interaction', {
    detail: 'With nothing after it: what waits for you, else what is in focus, else the latest.',
  }),
  diff: placed('diff', 'the changes of all tasks, or of one', {
    detail: 'Write by write. Of a file that holds again what it held before the task, only that.',
  }),
  undo: {
    ...worded('undo', '[N|ID]', 'take back what a task did to files, after a question'),
    detail:
      'With nothing after it: the newest task that has something to take back. See quorate help undo.',
  },
  tree: bare('tree', 'what was begun, what it came to, and what works', {kind: 'tree'}),
  focus: placed('focus', 'whom your words go to', {
    detail: 'With none, what you type begins a new task, also while others work.',
    others: ['none'],
  }),
  cancel: placed('cancel', 'end an interaction and all below it', {
    detail:
      'With nothing after it: what is in focus. What was done stays done; quorate undo takes it back.',
  }),
  config: bare('config', 'every setting that is not the default, and where it comes from', {
    kind: 'config',
  }),
  cost: bare('cost', 'what this conversation has taken', {kind: 'cost'}),
  sessions: worded('sessions', '[WORDS]', 'earlier conversations, those with these words'),
  resume: worded(
    'resume',
    '[N|ID]',
    'go on with what was suspended, or with an earlier one',
    'run',
  ),
  new: bare('new', 'begin a new conversation, which knows nothing of this one', {kind: 'new'}),
  export: {
    ...worded('export', '[FILE]', 'the conversation as Markdown, here or in a new file'),
    detail: 'Each task with its result. The record of one, entry by entry: quorate export ID.',
  },
  help: worded('help', '[COMMAND]', 'these commands, or one of them', 'command'),
  quit,
  exit: {...quit, summary: 'the same as /quit'},
};
