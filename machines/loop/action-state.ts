/** The state of an action's review as data: its proposal, its permissions and its output. */

import type {AnyActorRef} from 'xstate';

import {
  allowedText,
  type AllowRule,
  type AllowSubject,
  allowSubject,
  isLeftToRule,
  ruleFor,
  runsUnknownCode,
} from '../domain/allow-rule.ts';
import {filesWritten} from '../domain/evidence.ts';
import {type Failure, toFailure} from '../domain/failure.ts';
import type {Grant} from '../domain/human.ts';
import {isVetoed, type Proposal, type ReviewRound} from '../domain/review.ts';
import {callHash, type PreviewOutcome, type PreviewRequest, type ToolInfo} from '../domain/tool.ts';
import {rulesMade, wasInDoubt} from '../facts/folds.ts';
import {factsAround} from '../facts/record.ts';
import type {HumanGateOutput} from '../human-gate.ts';
import {type QuorumInput, screeningOf} from '../panel/round.ts';
import type {PortRequest} from '../ports.ts';
import type {Section} from '../prompts/sections.ts';
import type {ToolCall} from '../prompts/transcript.ts';
import {
  type ActionBrief,
  actionProposal,
  type ActionReviewOutput,
  type PanelRules,
  type ReadyPreview,
  reasonsAgainst,
} from './action.ts';
import {egressReason} from './leak-guard.ts';

/** After this many rejected actions in a row, anywhere in the tree, a person is asked. */
export const rejectionsUntilPerson = 3;

export interface ActionReviewInput {
  readonly call: ToolCall;
  /** Its tool's entry in the catalogue. */
  readonly tool: ToolInfo | undefined;
  readonly panel: PanelRules;
  /** Set when the call was allowed with the plan that contains it. */
  readonly granted?: Grant;
  readonly brief: ActionBrief;
  /** Additional sections for reviewers. */
  readonly background: readonly Section[];
}

export interface ActionReviewContext extends ActionReviewInput {
  readonly preview?: ReadyPreview;
  /** The same call was in doubt in this run: only a person may allow another try. */
  readonly isDoubted: boolean;
  /** Why only a person may allow it. */
  readonly personReason?: string | undefined;
  /** The rule by which a person has permanently allowed it, or commands with its prefix. */
  readonly standingRule?: AllowRule | undefined;
  readonly round?: ReviewRound;
  /** Rejected actions in a row, this one included. */
  readonly row: number;
  /** The decision at the gate. */
  readonly word?: HumanGateOutput;
  readonly failure?: Failure;
}

export function previewRequest({call, brief}: ActionReviewContext): PreviewRequest {
  const {workspace, evidence, request} = brief;
  const written = filesWritten(evidence);
  return {
    tool: call.name,
    args: call.args,
    workspace,
    request,
    ...(written.length > 0 ? {written} : {}),
  };
}

/** The part of the state that depends on the preview. */
export function previewed(
  context: ActionReviewContext,
  preview: ReadyPreview,
  self: AnyActorRef,
): Partial<ActionReviewContext> {
  const facts = factsAround(self);
  const isDoubted = wasInDoubt(facts, callHash(context.call.name, preview.args));
  const rules = [...(preview.allow ?? context.panel.allow), ...rulesMade(facts)];
  const personReason =
    preview.protectedReason ??
    egressReason(context.brief, preview.reaches ?? [], rules.map(allowedText));
  const known = {...context, preview, isDoubted, personReason};
  const subject = lastingSubject(known);
  const standingRule = subject && ruleFor(subject, rules);
  return {
    preview,
    isDoubted,
    ...(personReason === undefined ? {} : {personReason}),
    ...(standingRule ? {standingRule} : {}),
  };
}

function readyPreview({call, preview}: ActionReviewContext): ReadyPreview {
  return preview ?? {kind: 'ready', args: call.args, preview: ''};
}

export function proposalOf(context: ActionReviewContext): Proposal {
  const {call, tool, brief, isDoubted} = context;
  return actionProposal({call, ready: readyPreview(context), brief, tool, isDoubted});
}

export function quorumInput(context: ActionReviewContext): QuorumInput {
  const {seats, quorum, maxOutputTokens} = context.panel;
  return {
    round: 1,
    proposal: proposalOf(context),
    seats,
    settings: quorum,
    maxOutputTokens,
    background: context.background,
    history: [],
  };
}

/** Asks the policies whether a standing rule may cover the call. A call that a person allows for good counts as requested. */
export function screeningInput(context: ActionReviewContext): PortRequest<'screenProposal'> {
  const {standingRule} = context;
  const input = quorumInput(context);
  const {facts} = input.proposal;
  const request = [facts.request, ...(standingRule ? [allowedText(standingRule)] : [])].join('\n');
  return screeningOf({...input, proposal: {...input.proposal, facts: {...facts, request}}});
}

/**
 * A person's approval of a plan covers the calls in it. A mode's approval covers only calls that need no person and were
 * judged with the plan, so neither calls left to a rule nor calls that run unknown code. Neither approval covers a call
 * that was in doubt, or that writes a file which has changed since.
 */
export function isGranted(context: ActionReviewContext): boolean {
  const {granted, call, isDoubted, preview} = context;
  if (isDoubted || granted?.hash !== callHash(call.name, call.args)) return false;
  if (!isAsShown(granted, preview)) return false;
  if (granted.by === 'person') return true;
  return !isProtected(context) && !isLeftOut(context) && !runsUnknownCode(preview?.basedOn);
}

/** True if the basis of the preview, such as the file to write, is the same as when the call was allowed. */
function isAsShown({basedOn}: Grant, preview: ReadyPreview | undefined): boolean {
  return basedOn === undefined || basedOn === preview?.basedOn;
}

/** True if the vote on the plan left this call to a rule. */
function isLeftOut({call, tool, brief, panel}: ActionReviewContext): boolean {
  const {workspace} = brief;
  return isLeftToRule({args: call.args, facts: tool, workspace}, panel.allow);
}

/** True if enough actions in a row were rejected to ask a person. */
export function isRowFull({row}: ActionReviewContext): boolean {
  return row >= rejectionsUntilPerson;
}

/** The subject of a permanent permission at the gate; undefined for a call that needs a person each time. */
export function lastingSubject(context: ActionReviewContext): AllowSubject | undefined {
  const isOnce = isForPersonAlone(context) || isVetoed(context.round);
  return isOnce ? undefined : subjectOf(context);
}

function subjectOf({tool, brief, preview, call}: ActionReviewContext): AllowSubject | undefined {
  const {args, basedOn} = preview ?? {args: call.args};
  return allowSubject({args, facts: tool, workspace: brief.workspace, basedOn});
}

export function byRule({standingRule}: ActionReviewContext) {
  const reason = `allowed for good in this folder: ${standingRule ? allowedText(standingRule) : ''}`;
  return {by: 'rule', decision: 'approve', reason} as const;
}

function isProtected({personReason}: ActionReviewContext): boolean {
  return personReason !== undefined;
}

/** True if neither a panel nor a mode may allow it: it touches a protected place, or may have happened already. */
export function isForPersonAlone(context: ActionReviewContext): boolean {
  return isProtected(context) || context.isDoubted;
}

export function allowed(context: ActionReviewContext): ActionReviewOutput {
  const by = context.standingRule
    ? 'person'
    : (isGranted(context) ? context.granted : context.word)?.by;
  return {
    kind: 'allowed',
    preview: readyPreview(context),
    ...(by === 'person' ? {by} : {}),
  };
}

/** Rejected by the panel, or at the gate after it. */
export function rejected({round, word}: ActionReviewContext): ActionReviewOutput {
  const panel = round && !round.approved ? reasonsAgainst(round) : [];
  if (!word) return {kind: 'rejected', reasons: panel};
  const {decision, by} = word;
  const givenReason =
    decision.decision === 'reject' && decision.reason !== undefined ? `: ${decision.reason}` : '';
  const who = by === 'person' ? 'a person' : by;
  return {kind: 'rejected', reasons: [`${who} rejected it${givenReason}`, ...panel]};
}

export function refused({failure}: ActionReviewContext): ActionReviewOutput {
  return {kind: 'refused', failure: failure ?? toFailure('not decided')};
}

/** For `params` of a transition whose guard has checked that the preview is ready. */
export function readyOf(outcome: PreviewOutcome): ReadyPreview {
  return outcome.kind === 'ready' ? outcome : {kind: 'ready', args: {}, preview: ''};
}

export function failureOf(outcome: PreviewOutcome): Failure {
  return outcome.kind === 'ready'
    ? toFailure('the preview was ready')
    : {code: outcome.code, message: outcome.message};
}
