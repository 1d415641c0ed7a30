/** Laws of a panel, told from what its seats were asked and said: nothing here is read from the chart. */

import type {Seat} from '../../machines/domain/review.ts';
import type {World} from '../support/world.ts';
import {isPassing} from './laws-models.ts';
import {listIn, outputOf, unless, valueIn} from './laws-record.ts';
import type {Expedition} from './survey.ts';

type Vote = 'approve' | 'reject' | 'abstain' | 'out';

/** A model is called at most this often for one answer, and again for one repair. */
const maxAttempts = 5;

/** By the rule that each states. Laws 3 and 4 of the design are among them. */
export function panelLaws(seats: readonly Seat[], minParticipation: number): Expedition['law'] {
  const possible = (world: World) =>
    possibleVerdicts(
      seats.map((seat) => voteAtEnd(world, seat)),
      seats,
      minParticipation,
    );
  const isPolicyOut = (world: World) =>
    seats.some((seat) => seat.kind === 'policy' && voteAtEnd(world, seat) === 'out');
  return {
    'a model is called five times for a ballot, and as often for its repair': (world) =>
      seats.flatMap((seat) => {
        const calls = [...callsOf(world, seat).values()];
        const isModest = calls.length <= 2 && calls.every((count) => count <= maxAttempts);
        return unless(isModest, `${seat.id} is called ${calls.join(' and ')} times`);
      }),
    'an approval is decided as soon as it is certain': (world) =>
      unless(
        world.status() === 'done' || isPolicyOut(world) || !isSettled(possible(world)),
        `it waits, though it can only be ${possible(world).join()}`,
      ),
    'the early decision is the decision with all ballots in': (world) =>
      unless(
        world.status() !== 'done' || possible(world).join() === told(world),
        `${String(told(world))} is told, ${possible(world).join(' or ')} is possible`,
      ),
    'every policy is heard before anything is decided': (world) =>
      unless(world.status() !== 'done' || !isPolicyOut(world), 'one is left out'),
    'only a ballot that approves is counted as an approval': (world) =>
      world.status() === 'done' ? falseApprovals(world, seats) : [],
    'a round is bound to its proposal, and can be counted again from itself alone': (world) =>
      unless(
        world.status() !== 'done' ||
          (recounted(world.output()) === told(world) &&
            valueIn(world.output(), 'proposalHash') === 'the hash of the plan'),
        `counted again it is ${recounted(world.output())}`,
      ),
  };
}

function told(world: World): unknown {
  return valueIn(outputOf(world), 'verdict');
}

function isSettled(possible: readonly string[]): boolean {
  return possible.length === 1 && possible[0] !== 'rejected';
}

function falseApprovals(world: World, seats: readonly Seat[]): string[] {
  const round = world.output();
  const approving = seats.filter((seat) => voteOf(world, seat) === 'approve').map(({id}) => id);
  const counted = listIn(round, 'votes').flatMap((vote) =>
    valueIn(vote, 'approved') === true ? [String(valueIn(vote, 'model'))] : [],
  );
  return unless(
    counted.join() === approving.join(),
    `${approving.join()} approved, ${counted.join()} is counted`,
  );
}

function ownOf(world: World, seat: Seat): World['happenings'] {
  return world.happenings.filter(
    (happening) => 'path' in happening && happening.path.includes(encodeURIComponent(seat.id)),
  );
}

/** How often each question to a seat was asked. */
function callsOf(world: World, seat: Seat): ReadonlyMap<string, number> {
  const asked = ownOf(world, seat).flatMap((each) =>
    each.type === 'requested' ? [each.path] : [],
  );
  return new Map([...Map.groupBy(asked, (path) => path)].map(([path, all]) => [path, all.length]));
}

/** What a seat has said so far, as its last reply shows. */
function voteOf(world: World, seat: Seat): Vote {
  const last = ownOf(world, seat).at(-1);
  if (last?.type !== 'settled') return 'out';
  const mayRetry = (callsOf(world, seat).get(last.path) ?? 0) < maxAttempts;
  return mayRetry && isPassing(last.outcome) ? 'out' : verdictOfReply(last.outcome);
}

/** Once the deadline has passed, who is out abstains. */
function voteAtEnd(world: World, seat: Seat): Vote {
  const isOver = world.happenings.some(
    (happening) => happening.type === 'fired' && happening.timer.includes('deadline'),
  );
  const vote = voteOf(world, seat);
  return isOver && vote === 'out' ? 'abstain' : vote;
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
