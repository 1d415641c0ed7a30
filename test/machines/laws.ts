/** What must be true of explored runs, told from what passed between the charts and whoever performs. */

import {expect} from 'vitest';

import type {HumanQuestionKind} from '../../machines/domain/human.ts';
import type {HilMode} from '../../machines/domain/settings.ts';
import {callHash, type ToolInfo} from '../../machines/domain/tool.ts';
import {actionHash} from '../../machines/loop/action.ts';
import type {Logged} from '../support/hand-performer.ts';
import type {Played} from '../support/played.ts';
import {validated} from './events/tool-call.ts';
import {staleGates} from './laws-approval.ts';
import {verdictIn} from './laws-panel.ts';
import {valueIn} from './laws-record.ts';

type Settlement = Extract<Logged, {type: 'settled'}>;

function settlements(log: readonly Logged[], port: string): Settlement[] {
  return log.flatMap((logged) =>
    logged.type === 'settled' && logged.port === port ? [logged] : [],
  );
}

/** A mode answers only where it may; where only a person may, a person did. */
export function checkGate(played: Played, kind: HumanQuestionKind): void {
  expect(staleGates(played)).toEqual([]);
  if (played.status() !== 'done') return;
  const said = settlements(played.log, 'askHuman')
    .map(({outcome}) => outcome)
    .filter((outcome) => 'decision' in outcome);
  expect(said.length).toBeLessThanOrEqual(1);
  if (said.length === 1) {
    expect(played.output()).toMatchObject({by: 'person', decision: {...said[0]}});
    return;
  }
  const modes = played.reports.filter((report) => isReport(report, 'warning')).length;
  const needsPerson = kind === 'protected' || kind === 'in-doubt';
  const refusal = kind === 'in-doubt' ? 'fail' : 'reject';
  const rejected = {by: 'auto_reject', decision: {decision: refusal}};
  const approved = {by: 'auto_approve', decision: {decision: 'approve'}};
  expect(needsPerson ? [rejected] : [rejected, approved]).toContainEqual(played.output());
  expect(modes).toBe(isApproval(played.output()) ? 1 : 0);
}

function isReport(report: unknown, type: string): boolean {
  return typeof report === 'object' && report !== null && 'type' in report && report.type === type;
}

function isApproval(output: unknown): boolean {
  return (
    typeof output === 'object' && output !== null && 'by' in output && output.by === 'auto_approve'
  );
}

/**
 * Laws 1 and 10: what runs was approved with exactly these arguments, a protected path by a person; what must not be
 * repeated ran once, and again only on a person's word. Of whatever happened, one truthful result is told.
 */
export function checkToolCall(played: Played, tool: ToolInfo, hilMode: HilMode): void {
  const isLoud = played.reports.some((report) => isReport(report, 'warning'));
  const isByMode = hilMode === 'auto_approve' && isLoud;
  checkAllowed(played.log, tool, isByMode);
  const runs = played.log.filter(isRun);
  const retriesByPerson = wordsOf(played.log).filter((word) => word === 'retry').length;
  if (tool.repeatability === 'once') expect(runs.length).toBeLessThanOrEqual(1 + retriesByPerson);
  if (played.status() !== 'done') return;
  const succeeded = {result: {status: 'succeeded'}};
  if (isTrulyDone(played.log)) expect(played.output()).toMatchObject(succeeded);
  else expect(played.output()).not.toMatchObject(succeeded);
}

/** What runs, and what is begun below. */
function checkAllowed(log: readonly Logged[], tool: ToolInfo, isByMode: boolean): void {
  for (const [at, logged] of log.entries()) {
    const before = log.slice(0, at);
    if (logged.type === 'requested' && logged.port === 'runTool' && tool.risk === 'high') {
      checkApproved(before, logged.request, tool, isByMode);
    }
    if (tool.spawns && logged.type === 'reported' && isReport(logged.report, 'tool.called')) {
      expect(isAllowed(before, tool, isByMode)).toBe(true);
    }
  }
}

function isRun(logged: Logged): boolean {
  return logged.type === 'requested' && logged.port === 'runTool';
}

/** What persons said, in order. */
function wordsOf(log: readonly Logged[]): unknown[] {
  return settlements(log, 'askHuman').map(({outcome}) =>
    'decision' in outcome ? outcome.decision : undefined,
  );
}

function checkApproved(
  before: readonly Logged[],
  request: unknown,
  tool: ToolInfo,
  isByMode: boolean,
): void {
  const approval = callHash(tool.name, validated);
  expect(request).toMatchObject({tool: tool.name, args: validated, approval});
  expect(isAllowed(before, tool, isByMode)).toBe(true);
}

function isAllowed(before: readonly Logged[], tool: ToolInfo, isByMode: boolean): boolean {
  const preview = settlements(before, 'previewTool').at(-1)?.outcome ?? {};
  const shown = 'preview' in preview ? String(preview.preview) : '';
  const basedOn = 'basedOn' in preview ? String(preview.basedOn) : '';
  const hash = actionHash(tool.name, {args: validated, preview: shown, basedOn});
  const byPanel = settlements(before, 'consultPolicy').some(
    (vote) => covers(vote.request, 'proposal', hash) && isVoteFor(vote.outcome),
  );
  const byPerson = settlements(before, 'askHuman').some(
    ({request: question, outcome}) =>
      covers({question}, 'question', hash) &&
      'decision' in outcome &&
      outcome.decision === 'approve',
  );
  const isProtected = 'protectedReason' in preview;
  return isProtected ? byPerson : byPanel || byPerson || isByMode;
}

function covers(request: unknown, part: string, hash: string): boolean {
  const found: unknown = JSON.parse(JSON.stringify(request))[part];
  if (typeof found !== 'object' || found === null) return false;
  return ['hash', 'proposalHash'].some((key) => new Map(Object.entries(found)).get(key) === hash);
}

function isVoteFor(outcome: object): boolean {
  return 'ballot' in outcome && verdictIn(outcome.ballot) === 'approve';
}

function isDoubt(question: unknown): boolean {
  return (
    typeof question === 'object' &&
    question !== null &&
    'kind' in question &&
    question.kind === 'in-doubt'
  );
}

/** Whether the last word on the call, of the tool, of what it spawned, or of a person about a doubt, is that it was done. */
function isTrulyDone(log: readonly Logged[]): boolean {
  const last = log.findLast(({type}) => ['settled', 'fired', 'sent'].includes(type));
  if (last?.type === 'sent') return valueIn(last.event, 'result', 'status') === 'completed';
  if (last?.type !== 'settled') return false;
  const {outcome} = last;
  return (
    ('kind' in outcome && outcome.kind === 'succeeded') ||
    ('decision' in outcome && outcome.decision === 'done' && isDoubt(last.request))
  );
}
