/** Commands of a person to explore: every preview, every outcome, and a cancel at every moment. */

import {commandMachine} from '../../../machines/forms/command/command.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Played} from '../../support/played.ts';
import type {LawfulScenario} from '../explored.ts';
import {stopFaults} from '../laws-agent.ts';
import {outputOf, settlementsOf, unless, valueIn} from '../laws-record.ts';
import {answering} from './answers.ts';
import {policySeat, runCommand, smallSettings} from './settings.ts';

const line = 'npm test';
const ready = {kind: 'ready', args: {command: line}, preview: `$ ${line}`};

export function commandInput() {
  const settings = {...smallSettings('interactive', [policySeat]), tools: [runCommand]};
  return {request: line, workspace: '/w', settings};
}

/** Nobody votes, and the form completes only after the tool or a person has answered. */
function commandFaults(played: Played): string[] {
  const {log} = played;
  const asked =
    settlementsOf(log, 'screenProposal').length + settlementsOf(log, 'callModel').length;
  if (played.status() !== 'done') return unless(asked === 0, 'somebody voted on it');
  const isCompleted = valueIn(outputOf(played), 'status') === 'completed';
  const answers = [...settlementsOf(log, 'runTool'), ...settlementsOf(log, 'askHuman')];
  return [
    ...unless(asked === 0, 'somebody voted on it'),
    ...unless(!isCompleted || answers.length > 0, 'it is completed though nothing was run'),
    ...stopFaults(played),
  ];
}

export const commands: readonly LawfulScenario[] = [
  {
    name: 'with every outcome',
    scenario: {
      machine: commandMachine,
      input: commandInput(),
      outcomes: answering({
        previewTool: [ready, {kind: 'refused', code: 'outside', message: 'outside'}, crash],
        runTool: [
          {kind: 'succeeded', text: 'fine', exitCode: 0},
          {kind: 'failed', code: 'exit', message: 'exited with code 1', exitCode: 1},
          {kind: 'inDoubt', message: 'who knows'},
          crash,
        ],
        'ask-in-doubt': [{decision: 'done'}, {decision: 'fail'}],
      }),
      messages: [{type: 'user.cancel'}],
    },
    law: commandFaults,
  },
];
