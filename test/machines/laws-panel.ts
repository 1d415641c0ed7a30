/** Laws of a panel, checked against the requests to its seats and their replies. Nothing is read from the chart. */

import type {Seat} from '../../machines/domain/review.ts';
import type {Played} from '../support/played.ts';
import type {PanelScenario} from './events/quorum.ts';
import type {LawfulScenario} from './explored.ts';
import {
  listIn,
  outputOf,
  requestsOf,
  settlementsOf,
  sinceResume,
  unless,
  valueIn,
} from './laws-record.ts';
import {isOutage, isPassing} from './laws-turns.ts';

/** `unjudged`: an abstention that names what the seat cannot judge. `out`: no vote yet. */
type Vote = 'approve' | 'reject' | 'abstain' | 'unjudged' | 'out';

/** A model is called at most this often for an answer, and as often for its repair. */
const maxAttempts = 5;

type Panel = Pick<PanelScenario, 'seats' | 'minParticipation' | 'screen' | 'kind'>;

/** Laws by the rule that each states. They include laws 3 and 4 of the design. */
export function panelLaws(panel: Panel): LawfulScenario['law'] {
  const {seats} = panel;
  const policies = policiesOf(panel);
  const possible = (played: Played) => possibleVerdicts(played, panel);
  const isPolicyOut = (played: Played) =>
    policies.some((policy) => voteAtEnd(played, policy) === 'out');
  return {
    'a model is called at most five times for a ballot, and as often for its repair': (played) =>
      seats.flatMap((seat) => {
        const calls = [...callsOf(played, seat).values()];
        const isModest = calls.length <= 2 && calls.every((count) => count <= maxAttempts);
        return unless(isModest, `${seat.id} is called ${calls.join(' and ')} times`);
      }),
    'an approval is decided as soon as it is certain': (played) =>
      unless(
        played.status() === 'done' || isPolicyOut(played) || !isSettled(possible(played)),
        `it waits, though it can only be ${possible(played).join()}`,
      ),
    'an early decision equals the decision with all ballots': (played) =>
      unless(
        played.status() !== 'done' || possible(played).join() === reportedVerdict(played),
        `${String(reportedVerdict(played))} is reported, ${possible(played).join(' or ')} is possible`,
      ),
    'every policy votes before anything is decided, and before any model is asked': (played) =>
      unless(
        (played.status() !== 'done' && modelsAsked(played) === 0) || !isPolicyOut(played),
        'a policy is left out',
      ),
    'a rejection by a screening policy or one with a veto is the verdict, and models read only a diff after it':
      (played) =>
        unless(
          isPolicyOut(played) ||
            !isRefusedByPolicy(played, panel) ||
            isRejected(played, panel.kind),
          `it is ${played.status()} after ${modelsAsked(played)} calls`,
        ),
    'the verdict of each screening policy is recorded': (played) =>
      unless(
        played.status() !== 'done' ||
          screenedIn(played.output()).join() ===
            panel.screen.map((policy) => `${policy} ${wordOf(played, policy)}`).join(),
        screenedIn(played.output()).join(),
      ),
    'every model that is asked reads what a policy cannot judge': (played) =>
      unreadIn(played, panel.screen),
    'only a ballot that approves is counted as an approval': (played) =>
      played.status() === 'done' ? falseApprovals(played, seats) : [],
    'a round is bound to its proposal, and its record alone suffices to recount it': (played) =>
      unless(
        played.status() !== 'done' ||
          (recounted(played.output()) === reportedVerdict(played) &&
            valueIn(played.output(), 'proposalHash') === 'the hash of the plan'),
        `counted again it is ${recounted(played.output())}`,
      ),
  };
}

function unreadIn(played: Played, screen: readonly string[]): string[] {
  const unjudged = screen.filter((id) => voteOf(played, {id, kind: 'policy'}) === 'unjudged');
  return requestsOf(played.log, 'callModel').flatMap(({path, request}) =>
    unjudged.flatMap((id) =>
      unless(
        JSON.stringify(request.transcript)
          .split(/(?<!\\)\\n/)
          .some((line) => line.includes(id) && line.includes(`: can't judge`)),
        `${path} does not read what ${id} can't judge`,
      ),
    ),
  );
}

function isRejected(played: Played, kind: PanelScenario['kind']): boolean {
  if (kind === 'diff' && played.status() !== 'done') return modelsAsked(played) > 0;
  return (
    played.status() === 'done' &&
    reportedVerdict(played) === 'rejected' &&
    (kind === 'diff' || modelsAsked(played) === 0)
  );
}

function reportedVerdict(played: Played): unknown {
  return valueIn(outputOf(played), 'verdict');
}

function isSettled(possible: readonly string[]): boolean {
  return possible.length === 1 && possible[0] !== 'rejected';
}

function falseApprovals(played: Played, seats: readonly Seat[]): string[] {
  const round = played.output();
  const approving = seats.filter((seat) => voteOf(played, seat) === 'approve').map(({id}) => id);
  const counted = listIn(round, 'votes').flatMap((vote) =>
    valueIn(vote, 'approved') === true ? [String(valueIn(vote, 'model'))] : [],
  );
  return unless(
    counted.join() === approving.join(),
    `${approving.join()} approved, ${counted.join()} is counted`,
  );
}

/** The number of model calls. */
function modelsAsked({log}: Played): number {
  return requestsOf(log, 'callModel').length;
}

type Voice = Pick<Seat, 'id' | 'kind'>;

/** Policies that have a seat and policies that screen, each once. */
function policiesOf({seats, screen}: Panel): readonly Voice[] {
  const sitting = seats.filter(({kind}) => kind === 'policy').map(({id}) => id);
  return [...new Set([...sitting, ...screen])].map((id) => ({id, kind: 'policy'}));
}

/** The verdict of a screening policy. One that ended without a ballot rejects. */
function wordOf(played: Played, policy: string): Vote {
  const voice = {id: policy, kind: 'policy'} as const;
  const vote = voteAtEnd(played, voice);
  if (vote === 'out') return 'abstain';
  return ballotOf(played, policy) === undefined ? 'reject' : vote;
}

function isRefusedByPolicy(played: Played, {seats, screen}: Panel): boolean {
  const sitting = seats.filter(({kind, veto}) => veto && kind === 'policy');
  return (
    screen.some((policy) => wordOf(played, policy) === 'reject') ||
    sitting.some((seat) => voteAtEnd(played, seat) === 'reject')
  );
}

function screenedIn(round: unknown): string[] {
  return listIn(round, 'screened').map(
    (each) => `${String(valueIn(each, 'policy'))} ${verdictIn(each)}`,
  );
}

/** The ballot of a policy, once the screening is settled. */
function ballotOf({log}: Pick<Played, 'log'>, policy: string): unknown {
  const settled = settlementsOf(log, 'screenProposal').at(-1);
  const index = settled?.request.policies.indexOf(policy) ?? -1;
  return valueIn(settled?.outcome, 'ballots', String(index));
}

function ownOf({log}: Pick<Played, 'log'>, seat: Voice): Played['log'] {
  if (seat.kind === 'policy')
    return log.filter((each) => 'port' in each && each.port === 'screenProposal');
  return log.filter(
    (logged) => 'path' in logged && logged.path.includes(encodeURIComponent(seat.id)),
  );
}

/** The number of requests for each question to a seat since the run was last resumed. */
function callsOf(played: Played, seat: Voice): ReadonlyMap<string, number> {
  const asked = ownOf({log: sinceResume(played.log)}, seat).flatMap((each) =>
    each.type === 'requested' ? [each.path] : [],
  );
  return new Map([...Map.groupBy(asked, (path) => path)].map(([path, all]) => [path, all.length]));
}

/** The vote in a seat's last reply; `out` before there is one. */
function voteOf(played: Played, seat: Voice): Vote {
  const last = ownOf(played, seat).at(-1);
  if (last?.type !== 'settled') return 'out';
  if (seat.kind === 'policy') return verdictIn(ballotOf(played, seat.id));
  return isOutage(last.outcome) ? 'out' : verdictOfReply(last.outcome);
}

/**
 * A seat without a vote abstains when its deadline passes, or when no resume will come. A seat whose model can't be called
 * is out. Policies and models have separate deadlines.
 */
function voteAtEnd(played: Played, seat: Voice): Vote {
  const {log} = played;
  const timer = seat.kind === 'policy' ? 'quorum.screening' : '/poll ';
  const vote = voteOf(played, seat);
  if (vote !== 'out') return vote;
  const resume = settlementsOf(log, 'awaitResume').at(-1);
  if (valueIn(resume?.outcome, 'crash') !== undefined) return 'abstain';
  if (isMissed(played, seat)) return vote;
  const last = ownOf(played, seat).findLast(({type}) => type === 'requested');
  const asked = last ? log.lastIndexOf(last) : -1;
  const isOver = log
    .slice(asked + 1)
    .some(
      (logged) =>
        logged.type === 'fired' &&
        logged.timer.includes(timer) &&
        logged.timer.includes('deadline'),
    );
  return isOver ? 'abstain' : vote;
}

/** True when the last reply says that the model can't be called, and no repeat follows. */
function isMissed(played: Played, seat: Voice): boolean {
  const last = ownOf(played, seat).at(-1);
  if (last?.type !== 'settled' || !isOutage(last.outcome)) return false;
  const mayRetry = (callsOf(played, seat).get(last.path) ?? 0) < maxAttempts;
  return !(mayRetry && isPassing(last.outcome));
}

function verdictOfReply(outcome: object): Vote {
  const [call] = listIn(outcome, 'calls');
  return verdictIn(valueIn(call, 'args'));
}

/** The scenarios' ballots are well-formed, except those of another round. An approval with a grave comment rejects. */
export function verdictIn(ballot: unknown): Vote {
  if (valueIn(ballot, 'round') !== undefined) return 'abstain';
  const verdict = valueIn(ballot, 'verdict');
  const isGrave = listIn(ballot, 'comments').some((one) => valueIn(one, 'severity') !== 'minor');
  if (verdict === 'approve' && isGrave) return 'reject';
  if (verdict === 'approve' || verdict === 'reject') return verdict;
  return listIn(ballot, 'unknown').length > 0 ? 'unjudged' : 'abstain';
}

/** The verdict by majority of the seats, computed literally. */
function verdictOf(
  votes: readonly Vote[],
  seats: readonly Pick<Seat, 'veto'>[],
  minParticipation: number,
): string {
  if (seats.some(({veto}, i) => veto && votes[i] === 'reject')) return 'rejected';
  const approvals = votes.filter((vote) => vote === 'approve').length;
  const cast = votes.filter((vote) => vote === 'approve' || vote === 'reject').length;
  if (cast < minParticipation) return 'noQuorum';
  const isUnjudged = seats.some(({veto}, i) => veto && votes[i] === 'unjudged');
  if (isUnjudged && !votes.includes('reject')) return 'noQuorum';
  const vetoed = seats.some(({veto}, i) => veto && votes[i] !== 'approve');
  return approvals * 2 > seats.length && !vetoed ? 'approved' : 'rejected';
}

/** The verdicts that are still possible while some seats are out. */
function possibleVerdicts(played: Played, panel: Panel): string[] {
  const {seats, screen, minParticipation} = panel;
  if (screen.some((policy) => wordOf(played, policy) === 'reject')) return ['rejected'];
  const votes = seats.map((seat) => voteAtEnd(played, seat));
  const ways = votes.reduce<Vote[][]>(
    (all, vote) =>
      (vote === 'out' ? (['approve', 'reject', 'abstain'] as const) : [vote]).flatMap((way) =>
        all.map((before) => [...before, way]),
      ),
    [[]],
  );
  return [...new Set(ways.map((way) => verdictOf(way, seats, minParticipation)))];
}

/** The verdict that follows from a round's own members. */
function recounted(round: unknown): string {
  if (screenedIn(round).some((each) => each.endsWith(' reject'))) return 'rejected';
  const votes = listIn(round, 'votes');
  const ids = listIn(round, 'seats');
  const verdicts = ids.map((seat) =>
    verdictIn(votes.find((vote) => valueIn(vote, 'model') === seat)),
  );
  const seats = ids.map((seat) => ({veto: listIn(round, 'vetoes').includes(seat)}));
  return verdictOf(verdicts, seats, Number(valueIn(round, 'participation', 'required')));
}
