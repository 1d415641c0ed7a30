/** The state of an action's review as data: its proposal and its permissions. */

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
import type {Failure} from '../domain/failure.ts';
import type {Grant} from '../domain/human.ts';
import {isVetoed, type Proposal, type ReviewRound} from '../domain/review.ts';
import {callHash, type PreviewRequest, type ToolInfo} from '../domain/tool.ts';
import {rulesMade, wasInDoubt} from '../facts/fact.ts';
import {factsAround} from '../facts/record.ts';
import type {HumanGateOutput} from '../human-gate.ts';
import {type QuorumInput, screeningOf} from '../panel/round.ts';
import type {PortRequest} from '../ports.ts';
import type {Section} from '../prompts/sections.ts';
import type {ToolCall} from '../prompts/transcript.ts';
import {
  type ActionBrief,
  actionHash,
  actionProposal,
  type PanelRules,
  type ProposedAction,
  type ReadyPreview,
  turnProposal,
} from './action.ts';
import {egressReason} from './leak-guard.ts';

/** After this many rejected actions in a row, anywhere in the tree, a person is asked. */
export const rejectionsUntilPerson = 3;

/** The length of the previews and arguments in one proposal, in UTF-16 units. Calls beyond it are reviewed by themselves. */
const maxProposed = 120_000;

export interface ReviewedCall {
  readonly call: ToolCall;
  /** Its tool's entry in the catalogue. */
  readonly tool: ToolInfo | undefined;
}

export interface ActionReviewInput {
  /** One call, or the high-risk calls of a turn in their order. */
  readonly calls: readonly ReviewedCall[];
  readonly panel: PanelRules;
  /** Set when the call was allowed with the plan that contains it. */
  readonly granted?: Grant;
  /** Set when the review of its turn has allowed the call. */
  readonly approved?: ApprovedAction;
  readonly brief: ActionBrief;
  /** Additional sections for reviewers. */
  readonly background: readonly Section[];
}

export interface ApprovedAction {
  /** The `actionHash` of the preview that was approved. */
  readonly hash: string;
  readonly by?: 'person';
}

/** A previewed call. */
export interface Action extends ReviewedCall {
  readonly preview: ReadyPreview;
  /** The same call was in doubt in this run: only a person may allow another try. */
  readonly isDoubted: boolean;
  /** Why only a person may allow it. */
  readonly personReason?: string | undefined;
  /** The rule by which a person has permanently allowed it, or commands with its prefix. */
  readonly standingRule?: AllowRule | undefined;
}

export interface ActionReviewContext extends ActionReviewInput {
  /** The calls up to now with their previews. */
  readonly actions: readonly Action[];
  readonly round?: ReviewRound;
  /** Rejected actions in a row, this one included. */
  readonly row: number;
  /** The decision at the gate. */
  readonly word?: HumanGateOutput;
  readonly failure?: Failure;
}

/** The request for the next call. */
export function previewRequest({calls, actions, brief}: ActionReviewContext): PreviewRequest {
  const {workspace, evidence, request} = brief;
  const {name: tool, args} = calls[actions.length]?.call ?? {name: '', args: {}};
  const written = filesWritten(evidence);
  const earlier = actions.map(({call, preview}) => ({tool: call.name, args: preview.args}));
  return {
    tool,
    args,
    workspace,
    request,
    ...(written.length > 0 ? {written} : {}),
    ...(earlier.length > 0 ? {earlier} : {}),
  };
}

/** The state with the preview of the next call. */
export function previewed(
  context: ActionReviewContext,
  preview: ReadyPreview,
  self: AnyActorRef,
): Pick<ActionReviewContext, 'actions'> {
  const {calls, actions, panel, brief} = context;
  const next = calls[actions.length];
  if (!next) return {actions};
  const facts = factsAround(self);
  const rules = [...(preview.allow ?? panel.allow), ...rulesMade(facts)];
  const personReason =
    preview.protectedReason ?? egressReason(brief, preview.reaches ?? [], rules.map(allowedText));
  const action = {
    ...next,
    preview,
    isDoubted: wasInDoubt(facts, callHash(next.call.name, preview.args)),
    ...(personReason === undefined ? {} : {personReason}),
  };
  const subject = isForPerson(action) ? undefined : subjectOf(action, brief);
  const standingRule = subject && ruleFor(subject, rules);
  return {actions: [...actions, {...action, ...(standingRule ? {standingRule} : {})}]};
}

/** True if another call belongs to the proposal, after the preview of the next one. */
export function hasMore({calls, actions}: ActionReviewContext, preview: ReadyPreview): boolean {
  const previews = [...actions.map((action) => action.preview), preview];
  const length = previews.reduce(
    (sum, {preview: text, args}) => sum + text.length + JSON.stringify(args).length,
    0,
  );
  return previews.length < calls.length && length < maxProposed;
}

/** The review is of one call, not of the calls of a turn. */
function isOfOne({calls}: ActionReviewInput): boolean {
  return calls.length === 1;
}

/** The actions that are voted on: of a turn, those with a standing rule are reviewed by themselves. */
export function proposedActions(context: ActionReviewContext): readonly Action[] {
  return isOfOne(context)
    ? context.actions
    : context.actions.filter(({standingRule}) => !standingRule);
}

export function proposalOf(context: ActionReviewContext): Proposal {
  const {brief} = context;
  const [first, ...more] = proposedActions(context).map(
    ({call, tool, preview, isDoubted}): ProposedAction => ({
      call,
      ready: preview,
      brief,
      tool,
      isDoubted,
    }),
  );
  if (!first) throw new Error('a review without a preview has no proposal');
  return more.length === 0 ? actionProposal(first) : turnProposal([first, ...more]);
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
  const standingRule = standingRuleOf(context);
  const input = quorumInput(context);
  const {facts} = input.proposal;
  const request = [facts.request, ...(standingRule ? [allowedText(standingRule)] : [])].join('\n');
  return screeningOf({...input, proposal: {...input.proposal, facts: {...facts, request}}});
}

/** For the review of one call: the rule that may allow it. */
export function standingRuleOf(context: ActionReviewContext): AllowRule | undefined {
  return isOfOne(context) ? context.actions[0]?.standingRule : undefined;
}

export function withoutRule({actions}: ActionReviewContext): Pick<ActionReviewContext, 'actions'> {
  return {actions: actions.map((action) => ({...action, standingRule: undefined}))};
}

/**
 * A person's approval of a plan covers the calls in it. A mode's approval covers only calls that need no person and were
 * judged with the plan, so neither calls left to a rule nor calls that run unknown code. Neither approval covers a call
 * that was in doubt, or that writes a file which has changed since.
 */
export function isGranted(context: ActionReviewContext): boolean {
  const {granted, actions, brief, panel} = context;
  const [action] = actions;
  if (!action || granted?.hash !== callHash(action.call.name, action.call.args)) return false;
  if (action.isDoubted || !isAsShown(granted, action.preview)) return false;
  if (granted.by === 'person') return true;
  return (
    action.personReason === undefined &&
    !isLeftOut(action, brief, panel) &&
    !runsUnknownCode(action.preview.basedOn)
  );
}

/** True if the basis of the preview, such as the file to write, is the same as when the call was allowed. */
function isAsShown({basedOn}: Grant, preview: ReadyPreview): boolean {
  return basedOn === undefined || basedOn === preview.basedOn;
}

/** True if the vote on the plan left this call to a rule. */
function isLeftOut({call, tool}: Action, {workspace}: ActionBrief, panel: PanelRules): boolean {
  return isLeftToRule({args: call.args, facts: tool, workspace}, panel.allow);
}

/** True if the review of the turn has allowed exactly the current effect of the call, and a person did if only a person may. */
export function isApproved({approved, actions}: ActionReviewContext): boolean {
  const [action] = actions;
  if (!action || approved?.hash !== actionHash(action.call.name, action.preview)) return false;
  return approved.by === 'person' || !isForPerson(action);
}

/** True if enough actions in a row were rejected to ask a person. */
export function isRowFull({row}: ActionReviewContext): boolean {
  return row >= rejectionsUntilPerson;
}

/** The subject of a permanent permission at the gate; undefined for several calls, and for one that needs a person each time. */
export function lastingSubject(context: ActionReviewContext): AllowSubject | undefined {
  const [action, ...more] = proposedActions(context);
  if (!action || more.length > 0) return undefined;
  const isOnce = isForPersonAlone(context) || isVetoed(context.round);
  return isOnce ? undefined : subjectOf(action, context.brief);
}

function subjectOf({tool, preview}: Action, {workspace}: ActionBrief): AllowSubject | undefined {
  const {args, basedOn} = preview;
  return allowSubject({args, facts: tool, workspace, basedOn});
}

export function byRule(context: ActionReviewContext) {
  const rule = standingRuleOf(context);
  const reason = `allowed for good in this folder: ${rule ? allowedText(rule) : ''}`;
  return {by: 'rule', decision: 'approve', reason} as const;
}

export function isForPerson({personReason, isDoubted}: Action): boolean {
  return personReason !== undefined || isDoubted;
}

/** True if neither a panel nor a mode may allow it: it touches a protected place, or may have happened already. */
export function isForPersonAlone(context: ActionReviewContext): boolean {
  return proposedActions(context).some(isForPerson);
}
