/** Commands that answer a question at a gate. */

import type {HumanDecision} from '../../../machines/domain/human.ts';
import {takesWords} from '../../gate/command.ts';
import type {Texts} from '../../language.ts';
import {readAs, type CommandSpec, type CommandTable} from '../command.ts';

const detail: Texts = {
  en: 'N is the number of the interaction that asks; it is needed only when several ask.',
  ja: 'N は質問している対話の番号です。複数の対話が質問しているときだけ要ります。',
};

function decision(
  name: HumanDecision['decision'],
  summary: Texts,
  takes = '[N]',
): readonly [string, CommandSpec] {
  return [
    name,
    {
      takes,
      summary,
      detail,
      operand: 'gate',
      ...(takesWords(name) ? {takesText: true} : {}),
      read: (rest) => readAs({kind: 'decide', decision: name, rest}),
    },
  ];
}

export const decidingCommands: CommandTable = Object.fromEntries([
  decision(
    'approve',
    {
      en: 'approve the proposal that waits for you; a reason may follow',
      ja: '待っている提案を承認する。理由を添えられる',
    },
    '[N] [REASON]',
  ),
  decision(
    'always',
    {
      en: 'approve, and from now on the same command, too; with its first words: every command that begins with them',
      ja: '承認し、以後も同じコマンドを承認する。先頭の語を書くと、それで始まるすべて',
    },
    '[N] [WORDS]',
  ),
  decision(
    'reject',
    {en: 'reject the proposal; a reason may follow', ja: '提案を却下する。理由を添えられる'},
    '[N] [REASON]',
  ),
  decision(
    'edit',
    {
      en: 'edit the plan that waits for you; the edited plan runs; a reason may follow',
      ja: '待っている計画を編集し、編集した計画を実行する。理由を添えられる',
    },
    '[N] [REASON]',
  ),
  decision('retry', {
    en: 'the action in doubt did not happen: do it again',
    ja: '結果が不明な操作は起きていない: もう一度行う',
  }),
  decision('done', {en: 'the action happened: continue', ja: '操作は起きた: 続ける'}),
  decision('fail', {en: 'count the action as failed', ja: '操作を失敗とする'}),
]);
