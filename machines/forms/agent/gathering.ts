/**
 * The context that a plan needs, read with read-only tools.
 *
 * surveying → exploring → gathered / failed
 */

import {assign, setup} from 'xstate';

import {cap} from '../../domain/buffer.ts';
import type {Evidence} from '../../domain/evidence.ts';
import {type Failure, toFailure} from '../../domain/failure.ts';
import {isProviderFailure} from '../../domain/model.ts';
import type {Settings} from '../../domain/settings.ts';
import {turnLoopMachine} from '../../loop/turn-loop.ts';
import type {TurnLoopInput, TurnLoopOutput} from '../../loop/turn-state.ts';
import {surveyWorkspace} from '../../ports.ts';
import {exploreMessage, explorerSystem} from './explorer-prompt.ts';

export interface GatheringInput {
  readonly request: string;
  readonly workspace: string;
  readonly settings: Settings;
}

export interface GatheringOutput {
  readonly context: string;
  /** What was read. */
  readonly evidence: readonly Evidence[];
  /** Set when the provider can't serve this run at all. */
  readonly failure?: Failure;
}

export interface GatheringContext extends GatheringInput {
  readonly survey: string;
  readonly report: string;
  readonly evidence: readonly Evidence[];
  readonly failure?: Failure;
}

export const gatheringMachine = setup({
  types: {} as {context: GatheringContext; input: GatheringInput; output: GatheringOutput},
  actors: {surveyWorkspace, turnLoop: turnLoopMachine},
  actions: {
    takeSurvey: assign((_, {text, read}: {text: string; read: readonly string[]}) => ({
      survey: text,
      evidence: read.map(evidenceOfRead),
    })),
    takeReport: assign(({context}, {answer, evidence}: TurnLoopOutput) => ({
      report: answer,
      evidence: [...context.evidence, ...evidence],
    })),
    takeFailure: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isProviderFailure: (_, {failure}: TurnLoopOutput) =>
      failure !== undefined && isProviderFailure(failure.code),
  },
}).createMachine({
  id: 'gathering',
  context: ({input}) => ({...input, survey: '', report: '', evidence: []}),
  initial: 'surveying',
  states: {
    surveying: {
      invoke: {
        src: 'surveyWorkspace',
        id: 'survey',
        input: ({context}) => ({
          workspace: context.workspace,
          maxBytes: context.settings.context.maxEntryBytes,
        }),
        onDone: {
          target: 'exploring',
          actions: {type: 'takeSurvey', params: ({event}) => event.output},
        },
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    exploring: {
      invoke: {
        src: 'turnLoop',
        id: 'turns',
        input: ({context}) => loopInput(context),
        onDone: [
          {
            guard: {type: 'isProviderFailure', params: ({event}) => event.output},
            target: 'failed',
            actions: {type: 'takeFailure', params: ({event}) => failureIn(event.output)},
          },
          {target: 'gathered', actions: {type: 'takeReport', params: ({event}) => event.output}},
        ],
        onError: {
          target: 'failed',
          actions: {type: 'takeFailure', params: ({event}) => toFailure(event.error)},
        },
      },
    },
    gathered: {type: 'final'},
    failed: {type: 'final'},
  },
  output: ({context}) => outputOf(context),
});

function loopInput({
  request,
  workspace,
  settings,
  survey,
  evidence,
}: GatheringContext): TurnLoopInput {
  const readOnly = settings.tools.filter(({risk}) => risk === 'low').map(({name}) => name);
  return {
    purpose: 'explore',
    model: settings.agent.explorationModel,
    system: explorerSystem,
    message: exploreMessage(request, survey),
    offered: readOnly,
    settings,
    maxTurns: settings.agent.maxToolTurns,
    retries: {maxRetries: settings.agent.maxToolRetries, isForAnyFailure: false},
    isDegradable: false,
    isWithheld: false,
    tellsSteps: false,
    brief: {request, workspace, evidence, purpose: 'gathering context'},
    context: '',
    name: 'gathering',
    rejectionsInARow: 0,
  };
}

function evidenceOfRead(path: string): Evidence {
  return {tool: 'read_file', did: 'read', target: path, ok: true};
}

function failureIn({failure}: TurnLoopOutput): Failure {
  return failure ?? {code: 'internal', message: 'no failure'};
}

function outputOf({
  survey,
  report,
  evidence,
  settings,
  failure,
}: GatheringContext): GatheringOutput {
  const text = [survey, report].filter((part) => part !== '').join('\n\n');
  return {
    context: cap(text, settings.context.maxTotalBytes),
    evidence,
    ...(failure ? {failure} : {}),
  };
}
