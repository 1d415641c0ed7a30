/** Commands that answer a question at a gate. */

import type {HumanDecision} from '../../../machines/domain/human.ts';
import {type Message, t} from '../../../machines/message.ts';
import {takesWords} from '../../gate/command.ts';
import {readAs, type CommandSpec, type CommandTable} from '../command.ts';

const detail: Message = t`N is the number of the interaction that asks; it is needed only when several ask.`;

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
