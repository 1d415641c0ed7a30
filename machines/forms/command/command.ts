/**
 * The command form: one command of a person's own, without a vote.
 *
 * running → completed / failed. Another end: cancelled.
 */

import {assign, type ErrorActorEvent, setup} from 'xstate';

import {onCrash} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import type {FinalStatus, FormOutput, FormParts, TaskResult} from '../../domain/result.ts';
import {callHash, type ToolResult} from '../../domain/tool.ts';
import type {Fact} from '../../facts/fact.ts';
import {report} from '../../facts/record.ts';
import {panelRules} from '../../loop/action.ts';
import type {ToolCallInput} from '../../loop/call-state.ts';
import {toolCallMachine} from '../../loop/tool-call.ts';
import {asChart} from '../../machine-type.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import type {ToolCall} from '../../prompts/transcript.ts';
import type {FormEvent, FormInput, FormNow} from '../../tree/form-event.ts';
import {pathOf} from '../../tree/path.ts';
import {resultOfCall} from '../agent/execution/task-result.ts';
import {phase, reportPhase} from '../phases.ts';

type CommandInput = Pick<
  FormInput<'tools' | 'panel' | 'quorum' | 'maxOutputTokens' | 'allow' | 'context'>,
  'request' | 'workspace' | 'settings'
>;

interface CommandState extends CommandInput {
  /** The command as a task of the run, once it has ended. */
  readonly task?: TaskResult;
  readonly failure?: Failure;
}

type Now = Pick<FormNow<CommandState>, 'state'>;

const machine = setup({
  types: {} as {
    context: CommandState;
    input: CommandInput;
    output: FormOutput;
    events: FormEvent | ErrorActorEvent;
    tags: 'phase' | 'failure';
  },
  actors: {toolCall: toolCallMachine},
  actions: {
    reportPhase,
    reportApproval: report(({context, self}) => approvalFact(context, pathOf(self))),
    takeResult: assign(({context}, result: ToolResult) => ({task: taskOf(context, result)})),
    takeCrash: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isSuccess: (_, {status}: ToolResult) => status === 'succeeded',
  },
}).createMachine({
  id: 'command',
  context: ({input}) => input,
  initial: 'running',
  on: {'user.cancel': '.cancelled'},
  states: {
    running: {
      ...phase('running', 'reportApproval'),
      invoke: {
        src: 'toolCall',
        id: 'call',
        input: ({context}) => commandCallInput(context),
        onDone: [
          {
            guard: {type: 'isSuccess', params: ({event}) => event.output.result},
            target: 'completed',
            actions: {type: 'takeResult', params: ({event}) => event.output.result},
          },
          {
            target: 'failed',
            actions: {type: 'takeResult', params: ({event}) => event.output.result},
          },
        ],
        onError: onCrash('failed', 'takeCrash'),
      },
    },
    completed: {type: 'final', output: ending('completed')},
    failed: {type: 'final', tags: 'failure', output: ending('failed')},
    cancelled: {type: 'final', tags: 'failure', output: ending('cancelled')},
  },
  output: ({event}) => event.output as FormOutput,
});

export const commandMachine = asChart<CommandState, FormEvent, CommandInput, FormOutput>(machine);

/** Its request is the command line. */
export function commandCall(request: string): ToolCall {
  return {id: 'call', name: 'run_command', args: {command: request}};
}

/** No vote is held: the person's word covers exactly this call. */
function commandCallInput({request, workspace, settings}: CommandState): ToolCallInput {
  const call = commandCall(request);
  const {tools, context} = settings;
  return {
    call,
    isTyped: true,
    granted: {by: 'person', hash: callHash(call.name, call.args)},
    tool: tools.find(({name}) => name === call.name),
    offered: tools.map(({name}) => name),
    panel: panelRules(settings),
    retries: {maxRetries: 0, isForAnyFailure: false},
    maxMessageBytes: context.maxEntryBytes,
    brief: {request, workspace, evidence: [], purpose: 'A person runs a command.'},
    background: [],
  };
}

/** `gate`: the path of the actor that runs the command; no question is asked. */
function approvalFact({request}: CommandState, gate: string): Fact {
  const {name, args} = commandCall(request);
  return {
    type: 'human.decided',
    gate,
    decision: 'approve',
    reason: 'typed by the person',
    proposalHash: callHash(name, args),
    by: 'person',
    title: request,
    detail: {},
  };
}

function taskOf({request, settings}: CommandState, result: ToolResult): TaskResult {
  const {name: tool, args} = commandCall(request);
  const task = {id: 'command', description: request, tool, args, context_mode: 'fresh'} as const;
  return resultOfCall(task, result, settings.tools);
}

/** The output of a final state. */
function ending(status: FinalStatus): (end: {context: CommandState}) => FormOutput {
  return ({context}) => {
    const {task, failure = task?.failure, request} = context;
    const end = status === 'cancelled' ? 'A person cancelled it.' : task?.output;
    return {
      status,
      summary: [`$ ${request}`, end ?? failure?.message ?? ''].join('\n').trimEnd(),
      ...commandPartialResult({state: context}),
      ...(failure ? {error: failure} : {}),
    };
  };
}

export function commandPartialResult({state: {task}}: Now): FormParts {
  return task ? {tasks: [task]} : {};
}

export function commandShared({state: {request, task}}: Now): SharedPart[] {
  const text = [`$ ${request}`, task?.output ?? ''].join('\n');
  return [{title: 'Command of the person', text, brief: briefLine(`$ ${request}`)}];
}
