/** A high-risk call as a proposal. */

import type {AllowRule} from '../domain/allow-rule.ts';
import {hashOf} from '../domain/digest.ts';
import {type Evidence, evidenceLine, evidenceOf} from '../domain/evidence.ts';
import type {Failure} from '../domain/failure.ts';
import {
  type Proposal,
  type ProposedCall,
  reasonsOf,
  type ReviewRound,
  type Seat,
} from '../domain/review.ts';
import type {QuorumSettings, Settings} from '../domain/settings.ts';
import {callSummary, factsOf} from '../domain/tool-facts.ts';
import {callHash, type PreviewOutcome, type ToolInfo} from '../domain/tool.ts';
import {
  engineLine,
  jsonLines,
  listText,
  nameText,
  quotedFrom,
  type SectionText,
  spaced,
  stacked,
} from '../prompts/section-text.ts';
import type {ToolCall} from '../prompts/transcript.ts';

export interface ActionBrief {
  /** The person's request. */
  readonly request: string;
  /** The request as a model rewrote it for the actor: it can't ask for more than the person's. */
  readonly assigned?: string;
  readonly workspace: string;
  readonly evidence: readonly Evidence[];
  /** Why the call is made: the task's description. */
  readonly purpose: string;
  /** Texts of others in the prompt: files that were read, attachments. */
  readonly quoted?: string;
  /** The prompt contains text that a model derived from other texts: it may leak, and vouches for no address. */
  readonly hasRetoldText?: true;
  /** Texts that vouch for the addresses in them. Absent: nothing was read, so any address may be reached. */
  readonly vouchers?: readonly string[];
}

/** The request for judges. `asked`: the person's request, if a model worded `request`. */
export function requestOf({
  request,
  asked,
}: {
  readonly request: string;
  readonly asked?: string | undefined;
}): Pick<ActionBrief, 'request' | 'assigned'> {
  return asked === undefined ? {request} : {request: asked, assigned: request};
}

/** The panel that votes on actions, and its rules. */
export interface PanelRules {
  readonly seats: readonly Seat[];
  readonly quorum: QuorumSettings;
  readonly maxOutputTokens: number;
  /** Permanent permissions of a person: no vote is held on these calls. */
  readonly allow: readonly AllowRule[];
  /** As in {@link Settings}. */
  readonly windows?: Settings['windows'];
}

export function panelRules({
  panel,
  quorum,
  maxOutputTokens,
  allow = [],
  windows,
}: Pick<Settings, 'panel' | 'quorum' | 'maxOutputTokens' | 'allow' | 'windows'>): PanelRules {
  return {seats: panel, quorum, maxOutputTokens, allow, ...(windows ? {windows} : {})};
}

/** A previewed call: exactly this call is voted on and run. */
export type ReadyPreview = Extract<PreviewOutcome, {kind: 'ready'}>;

/** The decision on a call: it may run with exactly the arguments of the preview, or not, with the reasons. */
export type CallReview =
  | {
      readonly kind: 'allowed';
      readonly preview: ReadyPreview;
      /** A person allowed it, instead of the panel or against its decision. */
      readonly by?: 'person';
    }
  | {readonly kind: 'rejected'; readonly reasons: readonly string[]}
  | {readonly kind: 'refused'; readonly failure: Failure}
  /** A call of a turn that is reviewed by itself. */
  | {readonly kind: 'left'};

/** The decisions, in the order of the calls. */
export type ActionReviewOutput = readonly CallReview[];

/** The code of a call that did not run because of another call, or of a change after the vote: nothing speaks against it. */
export const voidCode = 'void';

export function voided(why: string): Extract<CallReview, {kind: 'refused'}> {
  const message = `Not run: ${why}. Call it again if it is still wanted.`;
  return {kind: 'refused', failure: {code: voidCode, message}};
}

/** SHA-256, hex, of a call with its effect: a different diff needs a new decision, even with the same arguments. */
export function actionHash(
  tool: string,
  {args, preview, basedOn = ''}: Pick<ReadyPreview, 'args' | 'preview' | 'basedOn'>,
): string {
  return hashOf({call: callHash(tool, args), preview, basedOn});
}

/** A note for reviewers of an action that was in doubt. */
export const doubtNote =
  'The same call was started before in this run, and its end was not recorded: it may have happened, and would happen again.';

export interface ProposedAction {
  readonly call: ToolCall;
  readonly ready: ReadyPreview;
  readonly brief: ActionBrief;
  readonly tool: ToolInfo | undefined;
  /** The same call was in doubt in this run. */
  readonly isDoubted: boolean;
}

export function actionProposal(action: ProposedAction): Proposal {
  const {call, ready, brief, tool, isDoubted} = action;
  const {request, assigned, workspace, evidence, purpose} = brief;
  const proposed = proposedCall({tool: call.name, args: ready.args}, tool ? [tool] : []);
  return {
    kind: 'action',
    title: callSummary(call.name, ready.args, proposed.facts),
    hash: actionHash(call.name, ready),
    text: [
      `Task: ${purpose}`,
      `Tool: ${call.name}`,
      `Arguments: ${JSON.stringify(ready.args, undefined, 2)}`,
      `Effect:\n${ready.preview}`,
      ...(isDoubted ? [doubtNote] : []),
      ...(evidence.length > 0
        ? [`Done so far:\n${evidence.map(evidenceLine).join('\n')}`]
        : [nothingDone]),
    ].join('\n'),
    shown: stacked(
      ...calledLines(action),
      doneLines(brief),
      knownLines(ready),
      quotedFrom(engineLine`Task`, purpose),
      ...effectLines(ready),
    ),
    facts: {
      request,
      ...(assigned === undefined ? {} : {assigned}),
      workspace,
      evidence,
      calls: [proposed],
      claims: [],
      ...(ready.confinement === undefined ? {} : {confinement: ready.confinement}),
      ...(ready.basedOn === undefined ? {} : {basedOn: ready.basedOn}),
    },
  };
}

/**
 * The high-risk calls of a turn as one proposal. Each is a part with a hash of its own, judged as if those before it had
 * run: only the files that these name as written count as read.
 */
export function turnProposal(actions: readonly [ProposedAction, ...ProposedAction[]]): Proposal {
  const [{brief}] = actions;
  const parts = actions.map((action, at) =>
    actionProposal({...action, brief: withPending(brief, actions.slice(0, at))}),
  );
  const count = actions.length;
  const [{facts} = {facts: undefined}] = parts;
  const {request, assigned, workspace} = facts ?? brief;
  return {
    kind: 'action',
    title: `${count} actions: ${parts.map(({title}) => title).join('; ')}`,
    hash: hashOf({calls: parts.map(({hash}) => hash)}),
    text: actions
      .map((action, at) => `Call ${at + 1} of ${count}\n${actionProposal(action).text}`)
      .join('\n\n'),
    shown: spaced(
      stacked(quotedFrom(engineLine`Task`, brief.purpose), doneLines(brief)),
      ...actions.map((action, at) =>
        stacked(
          engineLine`Call ${at + 1} of ${count}`,
          ...calledLines(action),
          knownLines(action.ready),
          ...effectLines(action.ready),
        ),
      ),
    ),
    facts: {
      request,
      ...(assigned === undefined ? {} : {assigned}),
      workspace,
      evidence: brief.evidence,
      calls: parts.flatMap((part) => part.facts.calls),
      claims: [],
    },
    parts,
  };
}

function withPending(brief: ActionBrief, earlier: readonly ProposedAction[]): ActionBrief {
  const pending = earlier.flatMap(({call, ready, tool}) =>
    evidenceOf(
      [{tool: call.name, args: ready.args, status: 'succeeded', text: ''}],
      tool ? [tool] : [],
    ),
  );
  const evidence = pending.map(seenAs);
  return {...brief, evidence: [...brief.evidence, ...evidence]};
}

/** The output of a command that has not run was not read: only its effects count. */
function seenAs(evidence: Evidence): Evidence {
  return {...evidence, ok: evidence.did === 'wrote'};
}

const nothingDone = 'Nothing was read, written or run so far.';

function calledLines({call, isDoubted}: ProposedAction): readonly SectionText[] {
  return [engineLine`Tool: ${nameText(call.name)}`, isDoubted ? engineLine`${doubtNote}` : ''];
}

/** What was read in the survey and by the worker is one line. */
function doneLines({evidence}: ActionBrief): SectionText {
  const texts = new Set(evidence.map((each) => `${nameText(each.tool)} ${doneText(each)}`));
  const done = [...texts].map((text) => engineLine`${text}`);
  return done.length > 0 ? stacked(engineLine`Done:`, listText(done)) : engineLine`${nothingDone}`;
}

function knownLines({facts = []}: ReadyPreview): SectionText {
  if (facts.length === 0) return '';
  const known = facts.map((fact) => engineLine`${fact}`);
  return stacked(engineLine`Known of this call:`, listText(known));
}

function effectLines({args, preview, facts = []}: ReadyPreview): readonly SectionText[] {
  return [
    quotedFrom(engineLine`Arguments`, jsonLines(args)),
    quotedFrom(engineLine`Effect`, withoutLines(preview, facts)),
  ];
}

function withoutLines(text: string, lines: readonly string[]): string {
  return text
    .split('\n')
    .filter((line) => !lines.includes(line))
    .join('\n');
}

/** A target is in quotation marks, unless it is one word, so that its name can't look like an outcome. */
function doneText({target, ok, command, exitCode = 0}: Evidence): string {
  if (command !== undefined) return `wrote ${nameText(target)}`;
  if (exitCode !== 0) return `${nameText(target)} (exit code ${exitCode})`;
  return `${nameText(target)}${ok ? '' : ' (failed)'}`;
}

/** A call with the declared facts of its tool. */
export function proposedCall(
  call: Pick<ProposedCall, 'tool' | 'args'>,
  tools: readonly ToolInfo[],
): ProposedCall {
  const info = tools.find(({name}) => name === call.tool);
  return info ? {...call, facts: factsOf(info)} : call;
}

/** Every reason against an action: the panel's, or a sentence when nobody gave one. */
export function reasonsAgainst(round: ReviewRound): string[] {
  const reasons = reasonsOf(round);
  if (reasons.length > 0) return reasons;
  return [`the panel did not approve it: ${round.verdict} ${round.summary}`];
}
