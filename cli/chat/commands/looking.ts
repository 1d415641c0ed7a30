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

const quit = bare('quit', 'leave; running interactions are suspended and can be resumed', {
  kind: 'quit',
});

export const lookingCommands: CommandTable = {
  show: placed('show', 'the whole subject of an open question, or a whole interaction', {
    detail:
      'Without an operand: the question that waits for you, else the focused interaction, else the latest.',
  }),
  diff: placed('diff', 'the changes of all tasks, or of one', {
    detail:
      'Shows each write. A file whose content is as before the task again is only listed as such.',
  }),
  undo: {
    ...worded('undo', '[N|ID]', 'take back the file changes of a task, after a question'),
    detail: 'Without an operand: the newest task with changes to take back. See quorate help undo.',
  },
  tree: bare('tree', 'all interactions with their states and results', {kind: 'tree'}),
  focus: placed('focus', 'which interaction receives what you type', {
    detail: 'With none, typed text begins a new task, also while others run.',
    others: ['none'],
  }),
  cancel: placed('cancel', 'cancel an interaction with its children', {
    detail:
      'Without an operand: the focused interaction. Completed changes stay; quorate undo takes them back.',
  }),
  config: bare('config', 'the settings that differ from the defaults, with their sources', {
    kind: 'config',
  }),
  cost: bare('cost', 'the cost of this conversation', {kind: 'cost'}),
  sessions: worded('sessions', '[WORDS]', 'earlier conversations, or only those with these words'),
  resume: worded(
    'resume',
    '[N|ID]',
    'continue suspended interactions, or an earlier conversation',
    'run',
  ),
  new: bare('new', 'begin a new conversation, without context from this one', {kind: 'new'}),
  export: {
    ...worded('export', '[FILE]', 'the conversation as Markdown, here or in a new file'),
    detail: 'Contains each task with its result. For the journal of one run: quorate export ID.',
  },
  help: worded('help', '[COMMAND]', 'these commands, or one of them', 'command'),
  quit,
  exit: {...quit, summary: 'the same as /quit'},
};
