/** The words of a gate, at which a person decides. */

import type {HumanDecision, HumanQuestionKind} from '../../machines/domain/human.ts';
import {inLanguages} from '../language.ts';
import {countText} from '../render/numbers.ts';

type Meanings = Readonly<Partial<Record<HumanDecision['decision'], string>>>;

const planInEnglish: Meanings = {
  approve: 'Execute this plan as-is',
  always: 'The same, and permit its command in this folder from now on',
  reject: 'Abort the agent; a reason may follow',
  edit: 'Edit plan manually',
};

const actionInEnglish: Meanings = {
  approve: 'Run exactly this action',
  always: 'Run it now, and permit it in this folder from now on',
  reject: 'Do not run it; a reason may follow',
};

const meaningsInEnglish: Readonly<Record<HumanQuestionKind, Meanings>> = {
  plan: planInEnglish,
  confirmation: planInEnglish,
  action: actionInEnglish,
  protected: actionInEnglish,
  result: {approve: 'Accept the result', reject: 'Fail the run; a reason may follow'},
  debate: {
    approve: 'Accept the position nevertheless',
    reject: 'Reject the position; a reason may follow',
  },
  'in-doubt': {
    retry: 'It did not happen: run it again',
    done: 'It happened: continue',
    fail: 'Count it as failed',
    approve: 'Continue',
    reject: 'Count it as failed',
  },
};

const en = {
  titles: {
    plan: 'Plan Requires Human Intervention',
    confirmation: 'Plan Waits for Confirmation',
    action: 'Action Requires Human Intervention',
    protected: 'Protected Path Requires Human Intervention',
    result: 'Result Requires Human Intervention',
    debate: 'Debate Requires Human Intervention',
    'in-doubt': 'Outcome in Doubt Requires Human Intervention',
  } satisfies Readonly<Record<HumanQuestionKind, string>> as Readonly<
    Record<HumanQuestionKind, string>
  >,
  previews: {
    plan: 'Changes',
    confirmation: 'Changes',
    action: 'Action',
    protected: 'Action',
    result: 'Result',
    debate: 'Position and open objections',
    'in-doubt': 'What may have happened',
  } satisfies Readonly<Record<HumanQuestionKind, string>> as Readonly<
    Record<HumanQuestionKind, string>
  >,
  meanings: meaningsInEnglish,
  reasonMayFollow: 'a reason may follow',
  reasonOption: '--reason TEXT says why',
  commands: 'Commands:',
  help: 'Show these commands',
  quit: 'Decide later: the run is suspended',
  show: 'Show all of it',
  always: 'The same for every command that begins with these words',
  request: 'Request:',
  history: 'Review History:',
  revision: (round: number) => `Rev ${round}`,
  round: (round: number) => `Round ${round}`,
  times: (count: number) => ` (${count} times)`,
  objective: 'Plan Objective:',
  tasks: 'Tasks:',
  reasoning: 'Reasoning:',
  cut: (lines: number) => `cut: /show shows all ${countText(lines, 'line')}`,
  decidingOn: (hash: string) => `Deciding on sha256 ${hash}`,
  inFolder: (folder: string) => `in ${folder}`,
  below: (place: string) => `for the interaction ${place} below the run's own`,
  needsSlash: 'a command begins with a slash',
  noCommand: (name: string) => `/${name} is not a command here`,
  near: (name: string) => `; did you mean /${name}?`,
  tooMuch: (name: string) => `/${name} takes nothing after it`,
  nothingToAllow: 'there is nothing to allow here',
  allow: (command: string, folder: string) =>
    `Allow every command that begins with "${command}" in ${folder} without asking? [y/N] `,
  noPlan: 'there is no plan to edit here',
  unchanged: 'The plan is unchanged: /approve runs it as it is.',
  invalid: 'The plan is not valid:',
  editAgain: 'Edit it again? [Y/n] ',
  noEditor: 'no editor found: set VISUAL or EDITOR to one',
  exitCode: (code: number) => `exit code ${code}`,
  notStarted: (program: string, why: string) => `${program} could not be started: ${why}`,
  editorFailed: (program: string, how: string) =>
    `${program} ended with ${how}: nothing was changed`,
  more: (read: number, all: number) => `-- ${read} of ${all} lines: Enter for more, q to stop -- `,
  elsewhere: 'this was decided elsewhere in the meantime',
  caution: (count: number) => `${count} approvals in a row: /show shows the whole subject`,
  waiting: (reason: string) => `waiting for a person: ${reason}`,
  decideWith: (command: string) => `decide with: ${command}`,
  alsoWaiting: (reason: string, hash: string) => `also waiting: ${reason} (sha256 ${hash})`,
  askedOnTerminal: 'Answer on a terminal',
  lookAtRun: 'Look at the whole run',
  endRun: 'End the run',
  runPlanInFile: 'Run the plan in FILE instead',
  suspended: 'suspended; ',
  fixed: 'when this is fixed, ',
  continue: 'continue with',
  aborted: (what: string) => `aborted: ${what}`,
};

export type GateTexts = Readonly<typeof en>;

const planInJapanese: Meanings = {
  approve: 'この計画をそのまま実行する',
  always: '同じ。以後、このフォルダではそのコマンドを尋ねない',
  reject: 'エージェントを止める。理由を添えられる',
  edit: '計画を自分で編集する',
};

const actionInJapanese: Meanings = {
  approve: 'この操作だけを実行する',
  always: '今実行し、以後、このフォルダでは尋ねない',
  reject: '実行しない。理由を添えられる',
};

const ja: GateTexts = {
  titles: {
    plan: '計画に人の判断が必要です',
    confirmation: '計画が確認を待っています',
    action: '操作に人の判断が必要です',
    protected: '保護されたパスに人の判断が必要です',
    result: '結果に人の判断が必要です',
    debate: '討論に人の判断が必要です',
    'in-doubt': '結果が不明な作用に人の判断が必要です',
  },
  previews: {
    plan: '変更',
    confirmation: '変更',
    action: '操作',
    protected: '操作',
    result: '結果',
    debate: '立場と、未解決の反論',
    'in-doubt': '起きたかもしれないこと',
  },
  meanings: {
    plan: planInJapanese,
    confirmation: planInJapanese,
    action: actionInJapanese,
    protected: actionInJapanese,
    result: {approve: '結果を受け入れる', reject: '実行を失敗とする。理由を添えられる'},
    debate: {approve: 'それでも立場を保つ', reject: '立場を保たない。理由を添えられる'},
    'in-doubt': {
      retry: '起きていない: もう一度行う',
      done: '起きた: 続ける',
      fail: '失敗とする',
      approve: '続ける',
      reject: '失敗とする',
    },
  },
  reasonMayFollow: '理由を添えられる',
  reasonOption: '理由は --reason TEXT',
  commands: 'コマンド:',
  help: 'このコマンドの一覧',
  quit: '後で決める（実行は中断します）',
  show: '全体を見る',
  always: 'これらの語で始まるものすべてに同じ',
  request: '依頼:',
  history: 'これまでの審査:',
  revision: (round) => `改訂 ${round}`,
  round: (round) => `第 ${round} 回`,
  times: (count) => `（${count} 回）`,
  objective: '計画の目的:',
  tasks: 'タスク:',
  reasoning: '理由:',
  cut: (lines) => `省略: /show で全 ${lines} 行を表示`,
  decidingOn: (hash) => `決定の対象: sha256 ${hash}`,
  inFolder: (folder) => `フォルダ: ${folder}`,
  below: (place) => `実行の下の対話 ${place} のための決定`,
  needsSlash: 'コマンドはスラッシュで始まります',
  noCommand: (name) => `/${name} というコマンドはここにありません`,
  near: (name) => `。/${name} のことですか？`,
  tooMuch: (name) => `/${name} の後には何も書けません`,
  nothingToAllow: 'ここに許可するものはありません',
  allow: (command, folder) =>
    `${folder} で "${command}" で始まるものを、尋ねずに許可しますか？ [y/N] `,
  noPlan: 'ここに編集する計画はありません',
  unchanged: '計画は変わっていません。/approve でそのまま実行します。',
  invalid: '計画に誤りがあります:',
  editAgain: 'もう一度編集しますか？ [Y/n] ',
  noEditor: 'エディターがありません。VISUAL か EDITOR に設定してください',
  exitCode: (code) => `終了コード ${code}`,
  notStarted: (program, why) => `${program} を起動できません: ${why}`,
  editorFailed: (program, how) => `${program} が ${how} で終わりました。何も変えていません`,
  more: (read, all) => `-- ${all} 行中 ${read} 行: Enter で続き、q で終わり -- `,
  elsewhere: 'この間にほかで決定されました',
  caution: (count) => `${count} 回続けて承認しました。/show で決定の対象の全体を見られます`,
  waiting: (reason) => `人の判断を待っています: ${reason}`,
  decideWith: (command) => `決定するには: ${command}`,
  alsoWaiting: (reason, hash) => `ほかの待機: ${reason} (sha256 ${hash})`,
  askedOnTerminal: '端末で尋ねられる',
  lookAtRun: '実行の全体を見る',
  endRun: '実行を取り消す',
  runPlanInFile: '代わりに FILE の計画を実行する',
  suspended: '中断しました。',
  fixed: '解決したら、',
  continue: '再開するには',
  aborted: (what) => `中止: ${what}`,
};

export const gateTexts = inLanguages({en, ja});
