/** Commands that show, change the focus, and leave. */

import type {Texts} from '../../language.ts';
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
  summary: Texts,
  {detail, others = []}: {readonly detail: Texts; readonly others?: readonly string[]},
): CommandSpec {
  return {
    takes: `[${['N', ...others].join('|')}]`,
    summary,
    detail,
    operand: 'place',
    read: (rest) => {
      if (rest === '') return readAs({kind});
      if (isPlace(rest) || others.includes(rest)) return readAs({kind, place: rest});
      return misread({
        en: `/${kind} takes a number such as 3 or 3.1, not "${rest}"; /tree shows them`,
        ja: `/${kind} の後には 3 や 3.1 のような番号を書きます（"${rest}" は番号ではありません）。番号は /tree で分かります`,
      });
    },
  };
}

function worded(
  kind: 'sessions' | 'resume' | 'help' | 'undo' | 'export' | 'fork' | 'rewind',
  takes: string,
  summary: Texts,
  operand?: Operand,
): CommandSpec {
  return {
    takes,
    summary,
    ...(operand ? {operand} : {}),
    read: (what) => readAs({kind, what}),
  };
}

const quit = bare(
  'quit',
  {
    en: 'leave; running interactions are suspended and can be resumed',
    ja: '終了する。実行中の対話は中断し、再開できる',
  },
  {kind: 'quit'},
);

const alsoQuit = {...quit, summary: {en: 'the same as /quit', ja: '/quit と同じ'}};

export const lookingCommands: CommandTable = {
  init: bare(
    'init',
    {
      en: 'write AGENTS.md, which describes this repository to agents',
      ja: 'リポジトリをエージェントに説明する AGENTS.md を書く',
    },
    {kind: 'init'},
  ),
  show: placed(
    'show',
    {
      en: 'the whole subject of an open question, or a whole interaction',
      ja: '待っている質問の対象、または対話の全体',
    },
    {
      detail: {
        en: 'Without an operand: the question that waits for you, else the focused interaction, else the latest.',
        ja: '引数がなければ、待っている質問、なければフォーカス中の対話、なければ最新の対話を見せます。',
      },
    },
  ),
  diff: placed(
    'diff',
    {en: 'the changes of all tasks, or of one', ja: 'すべてのタスク、または一つのタスクの変更'},
    {
      detail: {
        en: 'Shows each write. A file whose content is as before the task again is only listed as such.',
        ja: '書き込みを一つずつ見せます。内容がタスクの前に戻ったファイルは、そのことだけを示します。',
      },
    },
  ),
  undo: {
    ...worded('undo', '[N|ID]', {
      en: 'take back the file changes of a task, after a question',
      ja: '確認の後、タスクによるファイルの変更を元に戻す',
    }),
    detail: {
      en: 'Without an operand: the newest task with changes to take back. See quorate help undo.',
      ja: '引数がなければ、元に戻す変更がある最新のタスクです。quorate help undo をご覧ください。',
    },
  },
  fork: {
    ...worded('fork', 'POINT [N|ID]', {
      en: 'continue a run from an earlier point in another way, as a new run',
      ja: '実行を以前の時点から別のやり方で、新しい実行として続ける',
    }),
    detail: {
      en: 'A point is an entry or a name, such as plan.1. Without a run: the latest one. See quorate help fork.',
      ja: '時点はエントリーの番号か、plan.1 のような名前です。実行を書かなければ最新のものです。quorate help fork をご覧ください。',
    },
  },
  rewind: {
    ...worded('rewind', 'POINT [N|ID]', {
      en: 'go back to an earlier point of a run with its files, after a question',
      ja: '確認の後、実行の以前の時点にファイルごと戻る',
    }),
    detail: {
      en: 'The later file changes are taken back, and a new run continues from there. See quorate help fork.',
      ja: '後のファイルの変更を元に戻し、そこから新しい実行として続けます。quorate help fork をご覧ください。',
    },
  },
  tree: bare(
    'tree',
    {en: 'all interactions with their states and results', ja: 'すべての対話と、その状態と結果'},
    {kind: 'tree'},
  ),
  focus: placed(
    'focus',
    {en: 'which interaction receives what you type', ja: '入力した文を受け取る対話を選ぶ'},
    {
      detail: {
        en: 'With none, typed text begins a new task, also while others run.',
        ja: 'none を書くと、ほかの対話が動いていても、入力した文は新しいタスクになります。',
      },
      others: ['none'],
    },
  ),
  cancel: placed(
    'cancel',
    {en: 'cancel an interaction with its children', ja: '対話を、その下の対話とともに取り消す'},
    {
      detail: {
        en: 'Without an operand: the focused interaction. Completed changes stay; quorate undo takes them back.',
        ja: '引数がなければ、フォーカス中の対話です。済んだ変更は残ります。quorate undo で元に戻せます。',
      },
    },
  ),
  config: bare(
    'config',
    {
      en: 'the settings that differ from the defaults, with their sources',
      ja: '既定と異なる設定と、その出所',
    },
    {kind: 'config'},
  ),
  cost: bare('cost', {en: 'the cost of this conversation', ja: 'この会話の費用'}, {kind: 'cost'}),
  sessions: worded('sessions', '[WORDS]', {
    en: 'earlier conversations, or only those with these words',
    ja: '以前の会話、またはこれらの語を含むもの',
  }),
  resume: worded(
    'resume',
    '[N|ID]',
    {
      en: 'continue suspended interactions, or an earlier conversation',
      ja: '中断した対話、または以前の会話を続ける',
    },
    'run',
  ),
  new: bare(
    'new',
    {
      en: 'begin a new conversation, without context from this one',
      ja: 'この会話の文脈なしで、新しい会話を始める',
    },
    {kind: 'new'},
  ),
  export: {
    ...worded('export', '[FILE]', {
      en: 'the conversation as Markdown, here or in a new file',
      ja: '会話を Markdown で、ここか新しいファイルに書き出す',
    }),
    detail: {
      en: 'Contains each task with its result. For the journal of one run: quorate export ID.',
      ja: '各タスクとその結果を含みます。一つの実行のジャーナルは quorate export ID です。',
    },
  },
  help: worded(
    'help',
    '[COMMAND]',
    {en: 'these commands, or one of them', ja: 'このコマンドの一覧、または一つの説明'},
    'command',
  ),
  quit,
  exit: alsoQuit,
  q: alsoQuit,
};
