/** A high-risk call as a proposal, and every outcome of a call as a result. */

import {hashOf} from '../domain/digest.ts';
import {type Evidence, evidenceLine} from '../domain/evidence.ts';
import type {Failure} from '../domain/failure.ts';
import type {HumanDecision, HumanQuestion} from '../domain/human.ts';
import type {Denied} from '../domain/result.ts';
import {
  type Proposal,
  type ProposedCall,
  reasonsOf,
  type ReviewRound,
  type Seat,
} from '../domain/review.ts';
import type {QuorumSettings, Settings} from '../domain/settings.ts';
import {callSummary, factsOf} from '../domain/tool-facts.ts';
import {
  callHash,
  type PreviewOutcome,
  type ToolInfo,
  type ToolOutcome,
  type ToolRequest,
  type ToolResult,
  unknownTool,
} from '../domain/tool.ts';
import type {ToolCall} from '../domain/transcript.ts';

export interface ActionBrief {
  readonly request: string;
  readonly workspace: string;
  readonly evidence: readonly Evidence[];
  /** Why the call is made: the task's description. */
  readonly purpose: string;
}

/** Who votes on actions, and how. */
export interface PanelRules {
  readonly seats: readonly Seat[];
  readonly quorum: QuorumSettings;
  readonly maxOutputTokens: number;
}

export function panelRules({panel, quorum, maxOutputTokens}: Settings): PanelRules {
  return {seats: panel, quorum, maxOutputTokens};
}

/** A previewed call: what is voted on, and what runs. */
export type ReadyPreview = Extract<PreviewOutcome, {kind: 'ready'}>;

/** Whether a call may run: with exactly the arguments of the preview, or why not. */
export type ActionReviewOutput =
  | {readonly kind: 'allowed'; readonly preview: ReadyPreview}
  | {readonly kind: 'rejected'; readonly reasons: readonly string[]}
  | {readonly kind: 'refused'; readonly failure: Failure};

/** SHA-256, hex, of a call with what it would do: another diff is another decision, whatever its arguments. */
export function actionHash(
  tool: string,
  {args, preview, basedOn = ''}: Pick<ReadyPreview, 'args' | 'preview' | 'basedOn'>,
): string {
  return hashOf({call: callHash(tool, args), preview, basedOn});
}

export function actionProposal(
  call: ToolCall,
  ready: ReadyPreview,
  brief: ActionBrief,
  tools: readonly ToolInfo[],
): Proposal {
  const {request, workspace, evidence, purpose} = brief;
  const proposed = proposedCall({tool: call.name, args: ready.args}, tools);
  return {
    kind: 'action',
    title: callSummary(call.name, ready.args, proposed.facts),
    hash: actionHash(call.name, ready),
    text: [
      `Task: ${purpose}`,
      `Tool: ${call.name}`,
      `Arguments: ${JSON.stringify(ready.args, undefined, 2)}`,
      `Effect:\n${ready.preview}`,
      ...(evidence.length > 0
        ? [`Read or run so far:\n${evidence.map(evidenceLine).join('\n')}`]
        : ['Nothing was read or run so far.']),
    ].join('\n'),
    facts: {
      request,
      workspace,
      evidence,
      calls: [proposed],
      claims: [],
      ...(ready.basedOn === undefined ? {} : {basedOn: ready.basedOn}),
    },
  };
}

/** A call with what its tool says of itself. */
export function proposedCall(
  call: Pick<ProposedCall, 'tool' | 'args'>,
  tools: readonly ToolInfo[],
): ProposedCall {
  const info = tools.find(({name}) => name === call.tool);
  return info ? {...call, facts: factsOf(info)} : call;
}

/** What a model is told of an outcome, and what is kept of it. */
export function toolResult(
  {name: tool, args}: Pick<ToolCall, 'name' | 'args'>,
  outcome: ToolOutcome,
): ToolResult {
  const base = {tool, args};
  if (outcome.kind === 'succeeded') return successResult(base, outcome);
  if (outcome.kind === 'failed') return failureResult(base, outcome);
  if (outcome.kind === 'refused') {
    return failedResult(base, 'refused', {code: outcome.code, message: outcome.message});
  }
  return failedResult(base, 'inDoubt', {code: outcome.kind, message: outcome.message});
}

function successResult(
  base: Pick<ToolResult, 'tool' | 'args'>,
  {text, exitCode, written, sources}: Extract<ToolOutcome, {kind: 'succeeded'}>,
): ToolResult {
  return {
    ...base,
    status: 'succeeded',
    text,
    ...(exitCode === undefined ? {} : {exitCode}),
    ...(written ? {written} : {}),
    ...(sources ? {sources} : {}),
  };
}

function failureResult(
  base: Pick<ToolResult, 'tool' | 'args'>,
  {code, message, text, exitCode}: Extract<ToolOutcome, {kind: 'failed'}>,
): ToolResult {
  return {
    ...failedResult(base, 'failed', {code, message}),
    text: text === undefined ? message : `${message}\n${text}`,
    ...(exitCode === undefined ? {} : {exitCode}),
  };
}

function failedResult(
  base: Pick<ToolResult, 'tool' | 'args'>,
  status: ToolResult['status'],
  failure: Failure,
): ToolResult {
  return {...base, status, text: failure.message, failure};
}

export function refusedResult(call: ToolCall, code: string, message: string): ToolResult {
  return failedResult({tool: call.name, args: call.args}, 'refused', {code, message});
}

export function rejectedResult(call: ToolCall, reasons: readonly string[]): ToolResult {
  const message = `Not allowed. ${reasons.join('\n')}`.trim();
  return failedResult({tool: call.name, args: call.args}, 'rejected', {code: 'rejected', message});
}

/** Every reason against an action: the panel's, or a sentence when nobody gave one. */
export function reasonsAgainst(round: ReviewRound): string[] {
  const reasons = reasonsOf(round);
  if (reasons.length > 0) return reasons;
  return [`the panel did not approve it: ${round.verdict} ${round.summary}`];
}

/** Asks a person about an effect of which nobody knows whether it happened. */
export function doubtQuestion(
  call: Pick<ToolCall, 'name' | 'args'>,
  brief: ActionBrief,
  why = 'it was started, and nobody knows whether it finished',
): HumanQuestion {
  const summary = callSummary(call.name, call.args);
  return {
    kind: 'in-doubt',
    request: brief.request,
    reason: `${summary} is in doubt: ${why}`,
    preview: `${summary}\n${JSON.stringify(call.args, undefined, 2)}`,
    proposalHash: callHash(call.name, call.args),
    history: [],
    allowed: ['retry', 'done', 'fail'],
  };
}

/** What a person's word about an effect in doubt comes to. */
export function wordOutcome(decision: HumanDecision['decision']): ToolOutcome {
  if (decision === 'done') {
    return {
      kind: 'succeeded',
      text: 'A person says that this was done. What it printed is not known.',
    };
  }
  return {
    kind: 'failed',
    code: 'in_doubt',
    message: 'Nobody knows whether this was done; it was given up.',
  };
}

export const timeOutOutcome: ToolOutcome = {
  kind: 'failed',
  code: 'time_limit',
  message: 'The time limit of the task ran out.',
};

/** The request of an allowed or harmless call; `allowed` binds it to what was approved. */
export function toolRequest(
  {name, args}: Pick<ToolCall, 'name' | 'args'>,
  {tool, allowed, brief}: {tool?: ToolInfo | undefined; allowed?: ReadyPreview; brief: ActionBrief},
): ToolRequest {
  return {
    tool: name,
    args,
    workspace: brief.workspace,
    repeatability: tool?.repeatability ?? 'once',
    ...(allowed ? {approval: callHash(name, args)} : {}),
    ...(allowed?.basedOn === undefined ? {} : {basedOn: allowed.basedOn}),
  };
}

export function unofferedResult(call: ToolCall, offered: readonly string[]): ToolResult {
  if (call.problem !== undefined) return refusedResult(call, 'bad_args', call.problem);
  return refusedResult(call, 'unknown_tool', unknownTool(call.name, offered));
}

export function deniedOf({name, args}: ToolCall, result: ToolResult | undefined): Denied {
  return {tool: name, summary: callSummary(name, args), reasons: result ? [result.text] : []};
}
