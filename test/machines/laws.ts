/** What must be true of explored runs, told from what passed between the charts and the world. */

import {expect} from 'vitest';

import type {HumanQuestionKind} from '../../machines/domain/human.ts';
import type {Seat} from '../../machines/domain/review.ts';
import type {HilMode} from '../../machines/domain/settings.ts';
import {callHash, type ToolInfo} from '../../machines/domain/tool.ts';
import type {Happening} from '../support/puppet.ts';
import type {World} from '../support/world.ts';
import {validated} from './events/tool-call.ts';
import {staleGates} from './laws-approval.ts';
import {listIn, valueIn} from './laws-record.ts';

type Vote = 'approve' | 'reject' | 'abstain' | 'out';
type Settlement = Extract<Happening, {type: 'settled'}>;

function settlements(happenings: readonly Happening[], port: string): Settlement[] {
  return happenings.flatMap((happening) =>
    happening.type === 'settled' && happening.port === port ? [happening] : [],
  );
}

/** A model is called at most this often for one answer, and again for one repair. */
const maxAttempts = 5;
const transient = new Set(['rateLimited', 'overloaded', 'network']);

/** What a seat has said so far, as its last reply shows. */
function voteOf(world: World, seat: Seat): Vote {
  const own = world.happenings.filter(
    (happening) => 'path' in happening && happening.path.includes(encodeURIComponent(seat.id)),
  );
  const asked = own.flatMap((each) => (each.type === 'requested' ? [each.path] : []));
  const attempts = Map.groupBy(asked, (path) => path);
  expect(attempts.size).toBeLessThanOrEqual(2);
  for (const of of attempts.values()) expect(of.length).toBeLessThanOrEqual(maxAttempts);
  const last = own.at(-1);
  if (last?.type !== 'settled') return 'out';
  const mayRetry = (attempts.get(last.path)?.length ?? 0) < maxAttempts;
  return mayRetry && isTransient(last.outcome) ? 'out' : verdictOfReply(last.outcome);
}

function isTransient(outcome: object): boolean {
  return 'kind' in outcome && transient.has(String(outcome.kind));
}

function verdictOfReply(outcome: object): Vote {
  if ('ballot' in outcome) return verdictIn(outcome.ballot);
  const calls: unknown[] = 'calls' in outcome && Array.isArray(outcome.calls) ? outcome.calls : [];
  const [call] = calls;
  return typeof call === 'object' && call && 'args' in call ? verdictIn(call.args) : 'abstain';
}

/** The scenarios' ballots are well-formed, but for those of another round. */
function verdictIn(ballot: unknown): Vote {
  if (typeof ballot !== 'object' || ballot === null || 'round' in ballot) return 'abstain';
  const verdict = 'verdict' in ballot ? ballot.verdict : '';
  return verdict === 'approve' || verdict === 'reject' ? verdict : 'abstain';
}

/** Majority of the seats, in the most literal way. */
function verdictOf(
  votes: readonly Vote[],
  seats: readonly Pick<Seat, 'veto'>[],
  minParticipation: number,
) {
  const approvals = votes.filter((vote) => vote === 'approve').length;
  const cast = votes.filter((vote) => vote === 'approve' || vote === 'reject').length;
  if (cast < minParticipation) return 'noQuorum';
  const vetoed = seats.some(({veto}, i) => veto && votes[i] !== 'approve');
  return approvals * 2 > seats.length && !vetoed ? 'approved' : 'rejected';
}

/** The verdicts that are still possible while some seats are out. */
function possibleVerdicts(votes: readonly Vote[], seats: readonly Seat[], minimum: number) {
  const ways = votes.reduce<Vote[][]>(
    (all, vote) =>
      (vote === 'out' ? (['approve', 'reject', 'abstain'] as const) : [vote]).flatMap((way) =>
        all.map((before) => [...before, way]),
      ),
    [[]],
  );
  return [...new Set(ways.map((way) => verdictOf(way, seats, minimum)))];
}

/**
 * Laws 3 and 4: no silent seat helps to approve, and the early decision is the decision with all ballots in. No policy
 * that can be heard is left out, and the record can be counted again from itself alone.
 */
export function checkPanel(world: World, seats: readonly Seat[], minParticipation: number): void {
  const isOver = world.happenings.some(
    (happening) => happening.type === 'fired' && happening.timer.includes('deadline'),
  );
  const heard = seats.map((seat) => voteOf(world, seat));
  const votes = isOver ? heard.map((vote) => (vote === 'out' ? 'abstain' : vote)) : heard;
  const possible = possibleVerdicts(votes, seats, minParticipation);
  const isPolicyOut = seats.some(({kind}, i) => kind === 'policy' && votes[i] === 'out');
  if (world.status() === 'working') {
    if (!isPolicyOut) expect([['approved'], ['noQuorum']]).not.toContainEqual(possible);
    return;
  }
  expect(isPolicyOut).toBe(false);
  expect(possible).toHaveLength(1);
  expect(recounted(world.output())).toBe(possible[0]);
  expect(world.output()).toMatchObject({
    verdict: possible[0],
    approved: possible[0] === 'approved',
    proposalHash: 'the hash of the plan',
  });
  const approving = seats.filter((_, i) => heard[i] === 'approve').map(({id}) => id);
  expect(approvalsOf(world.output())).toEqual(approving);
}

/** The verdict that follows from a round's own members. */
function recounted(round: unknown): string {
  const votes = listIn(round, 'votes');
  const verdicts = listIn(round, 'seats').map((seat) => {
    const vote = votes.find((each) => valueIn(each, 'model') === seat);
    return verdictIn(typeof vote === 'object' && vote ? vote : {verdict: 'abstain'});
  });
  const seats = listIn(round, 'seats').map((seat) => ({
    veto: listIn(round, 'vetoes').includes(seat),
  }));
  return verdictOf(verdicts, seats, Number(valueIn(round, 'participation', 'required')));
}

function approvalsOf(round: unknown): unknown[] {
  if (typeof round !== 'object' || round === null || !('votes' in round)) return [];
  const votes: unknown[] = Array.isArray(round.votes) ? round.votes : [];
  return votes.flatMap((vote) =>
    typeof vote === 'object' && vote && 'approved' in vote && vote.approved && 'model' in vote
      ? [vote.model]
      : [],
  );
}

/** A mode answers only where it may; where only a person may, a person did. */
export function checkGate(world: World, kind: HumanQuestionKind): void {
  expect(staleGates(world)).toEqual([]);
  if (world.status() !== 'done') return;
  const said = settlements(world.happenings, 'askHuman')
    .map(({outcome}) => outcome)
    .filter((outcome) => 'decision' in outcome);
  expect(said.length).toBeLessThanOrEqual(1);
  if (said.length === 1) {
    expect(world.output()).toMatchObject({by: 'person', decision: {...said[0]}});
    return;
  }
  const modes = world.reports.filter((report) => isReport(report, 'warning')).length;
  const needsPerson = kind === 'protected' || kind === 'in-doubt';
  const refusal = kind === 'in-doubt' ? 'fail' : 'reject';
  const rejected = {by: 'auto_reject', decision: {decision: refusal}};
  const approved = {by: 'auto_approve', decision: {decision: 'approve'}};
  expect(needsPerson ? [rejected] : [rejected, approved]).toContainEqual(world.output());
  expect(modes).toBe(isApproval(world.output()) ? 1 : 0);
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
export function checkToolCall(world: World, tool: ToolInfo, hilMode: HilMode): void {
  const isLoud = world.reports.some((report) => isReport(report, 'warning'));
  const isByMode = hilMode === 'auto_approve' && isLoud;
  for (const [at, happening] of world.happenings.entries()) {
    if (happening.type === 'requested' && happening.port === 'runTool' && tool.risk === 'high') {
      checkApproved(world.happenings.slice(0, at), happening.request, tool, isByMode);
    }
  }
  const runs = world.happenings.filter(isRun);
  const retriesByPerson = wordsOf(world.happenings).filter((word) => word === 'retry').length;
  if (tool.repeatability === 'once') expect(runs.length).toBeLessThanOrEqual(1 + retriesByPerson);
  if (world.status() !== 'done') return;
  const succeeded = {result: {status: 'succeeded'}};
  if (isTrulyDone(world.happenings)) expect(world.output()).toMatchObject(succeeded);
  else expect(world.output()).not.toMatchObject(succeeded);
}

function isRun(happening: Happening): boolean {
  return happening.type === 'requested' && happening.port === 'runTool';
}

/** What persons said, in order. */
function wordsOf(happenings: readonly Happening[]): unknown[] {
  return settlements(happenings, 'askHuman').map(({outcome}) =>
    'decision' in outcome ? outcome.decision : undefined,
  );
}

function checkApproved(
  before: readonly Happening[],
  request: unknown,
  tool: ToolInfo,
  isByMode: boolean,
): void {
  const hash = callHash(tool.name, validated);
  expect(request).toMatchObject({tool: tool.name, args: validated, approval: hash});
  const preview = settlements(before, 'previewTool').at(-1)?.outcome ?? {};
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
  expect(isProtected ? byPerson : byPanel || byPerson || isByMode).toBe(true);
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

/** Whether the last word on the call, of the tool or of a person about a doubt, is that it was done. */
function isTrulyDone(happenings: readonly Happening[]): boolean {
  const last = happenings.findLast(({type}) => type === 'settled' || type === 'fired');
  if (last?.type !== 'settled') return false;
  const {outcome} = last;
  return (
    ('kind' in outcome && outcome.kind === 'succeeded') ||
    ('decision' in outcome && outcome.decision === 'done' && isDoubt(last.request))
  );
}
