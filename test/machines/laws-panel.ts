/** Laws of a panel, told from what its seats were asked and said: nothing here is read from the chart. */

import type {Seat} from '../../machines/domain/review.ts';
import type {Played} from '../support/played.ts';
import type {LawfulScenario} from './explored.ts';
import {isOutage, isPassing} from './laws-models.ts';
import {listIn, outputOf, settlementsOf, sinceResume, unless, valueIn} from './laws-record.ts';

type Vote = 'approve' | 'reject' | 'abstain' | 'out';

/** A model is called at most this often for one answer, and again for one repair. */
const maxAttempts = 5;

/** By the rule that each states. Laws 3 and 4 of the design are among them. */
export function panelLaws(seats: readonly Seat[], minParticipation: number): LawfulScenario['law'] {
  const possible = (played: Played) =>
    possibleVerdicts(
      seats.map((seat) => voteAtEnd(played, seat)),
      seats,
      minParticipation,
    );
  const isPolicyOut = (played: Played) =>
    seats.some((seat) => seat.kind === 'policy' && voteAtEnd(played, seat) === 'out');
  return {
    'a model is called five times for a ballot, and as often for its repair': (played) =>
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
    'the early decision is the decision with all ballots in': (played) =>
      unless(
        played.status() !== 'done' || possible(played).join() === told(played),
        `${String(told(played))} is told, ${possible(played).join(' or ')} is possible`,
      ),
    'every policy is heard before anything is decided': (played) =>
      unless(played.status() !== 'done' || !isPolicyOut(played), 'one is left out'),
    'only a ballot that approves is counted as an approval': (played) =>
      played.status() === 'done' ? falseApprovals(played, seats) : [],
    'a round is bound to its proposal, and can be counted again from itself alone': (played) =>
      unless(
        played.status() !== 'done' ||
          (recounted(played.output()) === told(played) &&
            valueIn(played.output(), 'proposalHash') === 'the hash of the plan'),
        `counted again it is ${recounted(played.output())}`,
      ),
  };
}

function told(played: Played): unknown {
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

function ownOf({log}: Pick<Played, 'log'>, seat: Seat): Played['log'] {
  return log.filter(
    (logged) => 'path' in logged && logged.path.includes(encodeURIComponent(seat.id)),
  );
}

/** How often each question to a seat was asked since the run was last resumed. */
function callsOf(played: Played, seat: Seat): ReadonlyMap<string, number> {
  const asked = ownOf({log: sinceResume(played.log)}, seat).flatMap((each) =>
    each.type === 'requested' ? [each.path] : [],
  );
  return new Map([...Map.groupBy(asked, (path) => path)].map(([path, all]) => [path, all.length]));
}

/** What a seat has said so far, as its last reply shows. */
function voteOf(played: Played, seat: Seat): Vote {
  const last = ownOf(played, seat).at(-1);
  if (last?.type !== 'settled') return 'out';
  return isOutage(last.outcome) ? 'out' : verdictOfReply(last.outcome);
}

/** Who has not been heard when the deadline passes abstains; who could not be asked is out, while there is a resume to wait for. */
function voteAtEnd(played: Played, seat: Seat): Vote {
  const {log} = played;
  const vote = voteOf(played, seat);
  if (vote !== 'out') return vote;
  const resume = settlementsOf(log, 'awaitResume').at(-1);
  if (valueIn(resume?.outcome, 'crash') !== undefined) return 'abstain';
  if (isMissed(played, seat)) return vote;
  const last = ownOf(played, seat).findLast(({type}) => type === 'requested');
  const asked = last ? log.lastIndexOf(last) : -1;
  const isOver = log
    .slice(asked + 1)
    .some((logged) => logged.type === 'fired' && logged.timer.includes('deadline'));
  return isOver ? 'abstain' : vote;
}

/** Its last reply says that its model can't be called, and no pause is waited for. */
function isMissed(played: Played, seat: Seat): boolean {
  const last = ownOf(played, seat).at(-1);
  if (last?.type !== 'settled' || !isOutage(last.outcome)) return false;
  const mayRetry = (callsOf(played, seat).get(last.path) ?? 0) < maxAttempts;
  return !(mayRetry && isPassing(last.outcome));
}

function verdictOfReply(outcome: object): Vote {
  if ('ballot' in outcome) return verdictIn(outcome.ballot);
  const [call] = listIn(outcome, 'calls');
  return verdictIn(valueIn(call, 'args'));
}

/** The scenarios' ballots are well-formed, but for those of another round. */
export function verdictIn(ballot: unknown): Vote {
  if (valueIn(ballot, 'round') !== undefined) return 'abstain';
  const verdict = valueIn(ballot, 'verdict');
  return verdict === 'approve' || verdict === 'reject' ? verdict : 'abstain';
}

/** Majority of the seats, in the most literal way. */
function verdictOf(
  votes: readonly Vote[],
  seats: readonly Pick<Seat, 'veto'>[],
  minParticipation: number,
): string {
  const approvals = votes.filter((vote) => vote === 'approve').length;
  const cast = votes.filter((vote) => vote === 'approve' || vote === 'reject').length;
  if (cast < minParticipation) return 'noQuorum';
  const vetoed = seats.some(({veto}, i) => veto && votes[i] !== 'approve');
  return approvals * 2 > seats.length && !vetoed ? 'approved' : 'rejected';
}

/** The verdicts that are still possible while some seats are out. */
function possibleVerdicts(
  votes: readonly Vote[],
  seats: readonly Seat[],
  minimum: number,
): string[] {
  const ways = votes.reduce<Vote[][]>(
    (all, vote) =>
      (vote === 'out' ? (['approve', 'reject', 'abstain'] as const) : [vote]).flatMap((way) =>
        all.map((before) => [...before, way]),
      ),
    [[]],
  );
  return [...new Set(ways.map((way) => verdictOf(way, seats, minimum)))];
}

/** The verdict that follows from a round's own members. */
function recounted(round: unknown): string {
  const votes = listIn(round, 'votes');
  const ids = listIn(round, 'seats');
  const verdicts = ids.map((seat) =>
    verdictIn(votes.find((vote) => valueIn(vote, 'model') === seat)),
  );
  const seats = ids.map((seat) => ({veto: listIn(round, 'vetoes').includes(seat)}));
  return verdictOf(verdicts, seats, Number(valueIn(round, 'participation', 'required')));
}
