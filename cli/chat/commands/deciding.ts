/** Commands that answer a question at a gate. */

import type {HumanDecision} from '../../../machines/domain/human.ts';
import {takesWords} from '../../gate/command.ts';
import {readAs, type CommandSpec, type CommandTable} from '../command.ts';

const detail =
  'N is the number of the interaction that asks; it may be left out when one of them asks.';

function decision(
  name: HumanDecision['decision'],
  summary: string,
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
  decision('approve', 'say yes to what waits for you; a reason may follow', '[N] [REASON]'),
  decision(
    'always',
    'say yes, and from now on to the same command; with its first words: to whatever begins with them',
    '[N] [WORDS]',
  ),
  decision('reject', 'say no to it; a reason may follow', '[N] [REASON]'),
  decision(
    'edit',
    'edit the plan that waits for you; what you make of it runs; a reason may follow',
    '[N] [REASON]',
  ),
  decision('retry', 'what nobody knows of did not happen: do it again'),
  decision('done', 'it happened: go on'),
  decision('fail', 'count it as failed'),
]);
