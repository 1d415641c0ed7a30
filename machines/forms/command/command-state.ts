/** The state of a command of a person: its call, approved by the person who typed it, and its result. */

import type {Failure} from '../../domain/failure.ts';
import type {FinalStatus, FormOutput, FormParts, TaskResult} from '../../domain/result.ts';
import {callHash, type ToolResult} from '../../domain/tool.ts';
import type {Fact} from '../../facts/fact.ts';
import {panelRules} from '../../loop/action.ts';
import type {ToolCallInput} from '../../loop/call-state.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import type {ToolCall} from '../../prompts/transcript.ts';
import type {FormInput, FormNow} from '../../tree/form-event.ts';
import {resultOfCall} from '../agent/execution/task-result.ts';

export type CommandInput = Pick<
  FormInput<'tools' | 'panel' | 'quorum' | 'maxOutputTokens' | 'allow' | 'context'>,
  'request' | 'workspace' | 'settings'
>;

export interface CommandState extends CommandInput {
  /** The command as a task of the run, once it has ended. */
  readonly task?: TaskResult;
  readonly failure?: Failure;
}

type Now = Pick<FormNow<CommandState>, 'state'>;

/** Its request is the command line. */
export function commandCall(request: string): ToolCall {
  return {id: 'call', name: 'run_command', args: {command: request}};
}

/** No vote is held: the person's word covers exactly this call. */
export function commandCallInput({request, workspace, settings}: CommandState): ToolCallInput {
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
export function approvalFact({request}: CommandState, gate: string): Fact {
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

export function taskOf({request, settings}: CommandState, result: ToolResult): TaskResult {
  const {name: tool, args} = commandCall(request);
  const task = {id: 'command', description: request, tool, args, context_mode: 'fresh'} as const;
  return resultOfCall(task, result, settings.tools);
}

/** The output of a final state. */
export function ending(status: FinalStatus): (end: {context: CommandState}) => FormOutput {
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
