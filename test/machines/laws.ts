/** Laws of explored runs, checked against the log of requests, outcomes, messages and reports. */

import {canonicalJson} from '../../machines/domain/digest.ts';
import type {HilMode} from '../../machines/domain/settings.ts';
import {callHash, type ToolInfo} from '../../machines/domain/tool.ts';
import {actionHash} from '../../machines/loop/action.ts';
import type {Logged} from '../support/hand-performer.ts';
import {validated} from './events/model-call.ts';
import type {Law} from './explored.ts';
import {verdictIn} from './laws-panel.ts';
import {listIn, unless, valueIn} from './laws-record.ts';

type Settlement = Extract<Logged, {type: 'settled'}>;

function settlements(log: readonly Logged[], port: string): Settlement[] {
  return log.flatMap((logged) =>
    logged.type === 'settled' && logged.port === port ? [logged] : [],
  );
}

/** As JSON holds them. */
function isSame(value: unknown, other: unknown): boolean {
  return canonicalJson(value) === canonicalJson(other);
}

function isReport(report: unknown, type: string): boolean {
  return typeof report === 'object' && report !== null && 'type' in report && report.type === type;
}

/** Laws 1, 5 and 10. A protected path is approved by a person. */
export function toolCallLaws(tool: ToolInfo, hilMode: HilMode): Readonly<Record<string, Law>> {
  return {
    'a call runs or spawns only after it was approved with exactly these arguments': (played) => {
      const isLoud = played.reports.some((report) => isReport(report, 'warning'));
      return unapproved(played.log, tool, hilMode === 'auto_approve' && isLoud);
    },
    'a call that must not be repeated runs once, and again only if a person retries it': ({
      log,
    }) => {
      const runs = log.filter(isRun).length;
      const retries = wordsOf(log).filter((word) => word === 'retry').length;
      const isHeld = tool.repeatability !== 'once' || runs <= 1 + retries;
      return unless(isHeld, `${runs} runs, ${retries} retries by persons`);
    },
    'the result says truthfully whether the call was done': (played) => {
      if (played.status() !== 'done') return [];
      const isReportedDone = valueIn(played.output(), 'result', 'status') === 'succeeded';
      return unless(
        isReportedDone === isTrulyDone(played.log),
        `the result is ${JSON.stringify(played.output())}`,
      );
    },
  };
}

/** The runs of the tool and the interactions that it spawned without an approval of exactly this call. */
function unapproved(log: readonly Logged[], tool: ToolInfo, isByMode: boolean): string[] {
  return log.flatMap((logged, at) => {
    const before = log.slice(0, at);
    const isReportedAsCalled =
      logged.type === 'reported' && isReport(logged.report, 'tool.called') && tool.spawns;
    if (isReportedAsCalled)
      return unless(isAllowed(before, tool, isByMode), 'it spawns without approval');
    if (!isRun(logged) || tool.risk !== 'high') return [];
    return [
      ...unless(isAsApproved(logged, tool), `it asks for ${JSON.stringify(logged)}`),
      ...unless(isAllowed(before, tool, isByMode), 'it runs without approval'),
    ];
  });
}

/** True when the entry requests a run of the tool. */
function isRun(logged: Logged): boolean {
  return logged.type === 'requested' && logged.port === 'runTool';
}

/** The decisions of persons, in order; undefined for an outcome without a decision. */
function wordsOf(log: readonly Logged[]): unknown[] {
  return settlements(log, 'askHuman').map(({outcome}) =>
    'decision' in outcome ? outcome.decision : undefined,
  );
}

/** True when the request has the validated arguments, and its approval is their hash. */
function isAsApproved(logged: Logged, tool: ToolInfo): boolean {
  const request = logged.type === 'requested' ? logged.request : undefined;
  return (
    valueIn(request, 'tool') === tool.name &&
    valueIn(request, 'approval') === callHash(tool.name, validated) &&
    isSame(valueIn(request, 'args'), validated)
  );
}

function isAllowed(before: readonly Logged[], tool: ToolInfo, isByMode: boolean): boolean {
  const preview = settlements(before, 'previewTool').at(-1)?.outcome ?? {};
  const shown = 'preview' in preview ? String(preview.preview) : '';
  const basedOn = 'basedOn' in preview ? String(preview.basedOn) : '';
  const hash = actionHash(tool.name, {args: validated, preview: shown, basedOn});
  const byPanel = settlements(before, 'screenProposal').some(
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
  const ballots = listIn(outcome, 'ballots');
  return ballots.length > 0 && ballots.every((ballot) => verdictIn(ballot) === 'approve');
}

function isDoubt(question: unknown): boolean {
  return (
    typeof question === 'object' &&
    question !== null &&
    'kind' in question &&
    question.kind === 'in-doubt'
  );
}

/** True when the last outcome says that the call was done: of its tool, of its interaction, or of a person in doubt. */
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
