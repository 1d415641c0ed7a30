/** Tool calls whose server asks the person, at a gate that has a bug. */

import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {humanGateMachine} from '../../../machines/human-gate.ts';
import {toolCallMachine} from '../../../machines/loop/tool-call.ts';
import {withBug} from '../../support/buggy.ts';
import type {Scenario} from '../../support/played.ts';
import type {Crash} from './quietly.ts';
import {readFile, runCommand} from './settings.ts';
import {askingScenario, asks} from './tool-call.ts';

const failed = {
  result: {status: 'failed', failure: {code: 'internal', message: 'a bug in a chart'}},
};

/** The person answers, and the server always asks. */
function alwaysAsking(tool: ToolInfo): Scenario {
  const scenario = askingScenario(tool, 'interactive');
  return {
    ...scenario,
    outcomes: (open, log) => (open.port === 'runTool' ? [asks] : scenario.outcomes(open, log)),
  };
}

export const askingCrashes: readonly Crash[] = [
  {
    name: 'the gate of a call whose server asks',
    at: ['xstate.init', 'xstate.done.actor.person'],
    transition: 'tool-call.exclusive.awaitingInput xstate.error.actor.input → failed',
    scenario: (bug) => ({
      ...alwaysAsking(runCommand),
      mayFire: () => false,
      machine: toolCallMachine.provide({actors: {humanGate: withBug(humanGateMachine, bug)}}),
    }),
    output: failed,
  },
  {
    name: 'the gate of a harmless call whose server asks',
    at: ['xstate.init', 'xstate.done.actor.person'],
    transition: 'tool-call.awaitingInput xstate.error.actor.input → failed',
    scenario: (bug) => ({
      ...alwaysAsking(readFile),
      mayFire: () => false,
      machine: toolCallMachine.provide({actors: {humanGate: withBug(humanGateMachine, bug)}}),
    }),
    output: failed,
  },
];
