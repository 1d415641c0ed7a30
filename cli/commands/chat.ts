/** `quorate chat`: a conversation, line by line; also the default of `quorate` without words on a terminal. */

import type {Earlier} from '../chat/earlier.ts';
import type {Command, Parsed} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';

export const chat: Command = {
  summary: {
    en: 'a conversation: tasks, questions and discussions side by side; also: quorate alone on a terminal',
    ja: '会話: タスク、質問、議論を並行して。端末で quorate だけでも始まる',
  },
  detail: {
    en: `Reads lines while tasks run:

  solo> Fix the broken test in user_service      a task
  solo 1> only the unit tests, please            read by it at its next turn; /replace TEXT starts again instead
  solo 1> /ask what does the retry limit do?     a question below the task, which receives the answer
  solo 1> /approve                               answers the question that waits for you
  solo 1> !git status                            runs a shell command of your own, without a vote

/help lists the commands, /help COMMAND describes one, Tab completes them. A line that ends in \\ continues in the next one; a
paste of several lines is one message. Ctrl-C suspends running interactions, so that nothing is lost; pressed again, it leaves;
/cancel ends them. Ctrl-D and /quit leave and suspend running interactions.

From a pipe or a file, each line is read when the one before it has ended. The first line that can't be done ends the
conversation (exit 2), and so does a question to a person (exit 4). Both print the number of unread lines. The exit code is
the last one of its interactions that is not 0. On a terminal it is 4 if a suspended interaction waits for you, 130 if one
was running, else 0.`,
    ja: `入力を 1 行ずつ読み、作業しながら続けます。

  solo> user_service の壊れたテストを直して      タスク
  solo 1> 単体テストだけにして                   次の番でタスクに渡す。/replace TEXT ならやり直し
  solo 1> /ask 再試行の上限は何のため？          タスクの下の質問。答えはタスクにも渡る
  solo 1> /approve                               待っている質問に答える
  solo 1> !git status                            自分のシェルコマンドを投票なしで実行

/help はコマンドの一覧、/help COMMAND はその説明、Tab は補完です。行末の \\ で次の行に続き、複数行の貼り付けは 1 つの
メッセージになります。Ctrl-C は作業を中断し（何も失われません）、もう一度押すと終了します。/cancel は取り消します。
Ctrl-D と /quit で終了し、作業中のものは中断されます。

パイプやファイルからは、前の行が終わってから次の行を取ります。できない行で終わり（終了コード 2）、人への質問でも
終わります（4）。どちらも読まれなかった行数を示します。終了コードは、うまくいかなかった最後のものの値です。
端末では 0、待つものや作業中のものを残したときは 4 と 130 です。`,
  },
  operands: {
    usage: '[ID]',
    what: {en: 'the ID of a conversation, with --resume', ja: '会話の ID（--resume とともに）'},
    least: 0,
    most: 1,
  },
  options: [
    {
      name: 'resume',
      text: {
        en: 'continue the earlier conversation, or the run, with this ID; without an ID: list them',
        ja: '以前の会話か実行を ID で続ける。ID がなければ一覧を示す',
      },
    },
    {
      name: 'continue',
      text: {
        en: 'continue the latest conversation of this folder',
        ja: 'このフォルダの最新の会話を続ける',
      },
    },
  ],
  obeys: ['log', 'models', 'rule', 'panel', 'phases', 'tasks', 'limits'],
  examples: [
    'quorate chat --ensemble',
    'quorate chat --continue',
    'printf "/scope plan-only\\nAdd a test\\n" | quorate chat',
  ],
  run: async (parsed, terminal) => {
    const earlier = earlierIn(parsed);
    const {openChat} = await import('../chat/open-chat.ts');
    return await openChat(parsed, terminal, earlier);
  },
};

/** Throws AppError `usage`. */
function earlierIn({flags, operands: [id]}: Parsed): Earlier | undefined {
  if (flags['continue']) {
    if (!flags['resume'] && id === undefined) return {kind: 'latest'};
    throw usageError({
      en: '--continue resumes the latest conversation; another one: --resume ID',
      ja: '--continue は最新の会話を再開します。ほかの会話は --resume ID です',
    });
  }
  if (flags['resume']) return id === undefined ? {kind: 'list'} : {kind: 'one', id};
  if (id === undefined) return undefined;
  throw usageError({
    en: `quorate chat takes no words except an ID after --resume, not "${id}"; type a task in it, or: quorate "${id}"`,
    ja: `quorate chat は --resume の後の ID 以外の語（"${id}"）を取りません。タスクは会話の中で書くか: quorate "${id}"`,
  });
}
