/** Tool calls to explore: every vote, every preview, every outcome of the tool, every decision of a person. */

import {fromCallback} from 'xstate';

import type {HilMode} from '../../../machines/domain/settings.ts';
import type {ToolInfo} from '../../../machines/domain/tool.ts';
import {panelRules} from '../../../machines/loop/action.ts';
import {toolCallMachine} from '../../../machines/loop/tool-call.ts';
import type {PortName} from '../../../machines/ports.ts';
import type {ChildEvent} from '../../../machines/tree/spawning.ts';
import {crash} from '../../support/hand-performer.ts';
import type {Scenario} from '../../support/played.ts';
import {decisions} from './human-gate.ts';
import {ruling} from './outcomes.ts';
import {policySeat, smallSettings, spawnAsk} from './settings.ts';

/** The arguments as the model gave them, and as validation returns them: only the latter may run. */
const given = {path: './x', content: 'y'};
export const validated = {path: 'x', content: 'y'};

const outcomes: Readonly<Partial<Record<PortName, readonly object[]>>> = {
  previewTool: [
    {kind: 'ready', args: validated, preview: '+y', basedOn: 'absent'},
    {kind: 'ready', args: validated, preview: '+y', protectedReason: 'it is under .git'},
    {kind: 'refused', code: 'outside', message: 'outside the workspace'},
    crash,
  ],
  screenProposal: [ruling('approve'), ruling('reject'), ruling('abstain')],
  askHuman: decisions,
  runTool: [
    {kind: 'succeeded', text: 'done'},
    {kind: 'failed', code: 'exit', message: 'it failed'},
    {kind: 'failed', code: 'busy', message: 'not now', retryable: true},
    {kind: 'refused', code: 'bad_args', message: 'no'},
    {kind: 'inDoubt', message: 'who knows'},
    {kind: 'cancelled', message: 'stopped'},
    crash,
  ],
};

export function toolCallScenario(
  tool: ToolInfo,
  hilMode: HilMode,
  rejections: number,
  {isOffered = true, isTimed = true, maxRetries = 1} = {},
): Scenario {
  const settings = smallSettings(hilMode, [policySeat]);
  return {
    machine: toolCallMachine,
    input: {
      call: {id: 'call-1', name: tool.name, args: given},
      tool: isOffered ? tool : undefined,
      offered: settings.tools.map(({name}) => name),
      panel: panelRules(settings),
      maxMessageBytes: 1_000,
      retries: {maxRetries, isForAnyFailure: false},
      brief: {request: 'do it', workspace: '/w', evidence: [], purpose: 'to get it done'},
      background: [],
      ...(isTimed ? {timeLeftMs: 1_000} : {}),
    },
    hilMode,
    rejections,
    outcomes: ({port}) => outcomes[port] ?? [],
  };
}

/** The events that a call may receive about an interaction that it spawns. */
const children: readonly ChildEvent[] = [
  {type: 'child.spawned', id: 'root.1'},
  {type: 'child.refused', error: {code: 'maxDepthExceeded', message: 'too deep'}},
  ...(['completed', 'error'] as const).map((status) => ({
    type: 'child.settled' as const,
    id: 'root.1',
    result: {status, summary: 'so it ended'},
    text: '[Ask Result]: so it ended',
  })),
];

/** A call that spawns. It may receive every event about its interaction, at any time. */
export function spawningScenario(hilMode: HilMode, isAwaited: boolean): Scenario {
  const scenario = toolCallScenario(spawnAsk, hilMode, 0);
  const args = isAwaited ? validated : {...validated, wait: false};
  return {
    ...scenario,
    machine: toolCallMachine.provide({actors: {spawnBelow: fromCallback(() => {})}}),
    outcomes: (open, log) =>
      open.port === 'previewTool'
        ? [{kind: 'ready', args, preview: '+y'}]
        : scenario.outcomes(open, log),
    messages: children,
  };
}
