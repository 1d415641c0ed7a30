/**
 * A panel deciding one proposal: policies screen it, then models vote by a rule.
 *
 * opened → screening → screened → vetoed, without asking a model; polling: undecided → approved / noQuorum, as soon as the
 * remaining ballots cannot change it; collectingReasons → rejected, because a rejection waits for the reasons of seats that
 * can still give them; collectingComments → vetoed, because a vetoed diff is still commented on; counted → approved /
 * rejected / noQuorum / vetoed, when all ballots are in or the deadline has passed
 */

import {assign, sendTo, setup} from 'xstate';

import {crashIn, onCrash, otherwise, outputIn} from '../actor-end.ts';
import {type Failure, toFailure} from '../domain/failure.ts';
import {ownMember} from '../domain/json.ts';
import {
  type CallDecision,
  type CallVerdict,
  isVetoed,
  type ModelVote,
  type Proposal,
  reasonsIn,
  type ReviewRound,
  type Screening,
  type Seat,
  seatSummary,
} from '../domain/review.ts';
import type {Fact} from '../facts/fact.ts';
import {report} from '../facts/record.ts';
import {type PortOutcome, type PortRequest, screenProposal, type Settled} from '../ports.ts';
import {type Ballot, noVerdict} from '../questions/ballot.ts';
import {answerIn} from '../questions/question.ts';
import {ownInteraction, triggerFired} from '../tree/rules.ts';
import {
  pollMachine,
  type PollOutput,
  type SeatAnswer,
  type SeatAnswered,
  type SeatAsked,
  type SeatMissed,
} from './poll.ts';
import {countedSeatsIn, type RecordedRound, verdictOf} from './recorded-votes.ts';
import {
  isCommentedOn,
  isExpected,
  openCount,
  policiesOf,
  pollOf,
  type QuorumContext,
  type QuorumInput,
  screenedBy,
  screeningOf,
  silenced,
  unscreened,
  withoutMiss,
} from './round.ts';
import {
  type CountedSeat,
  countedVoteOf,
  decide,
  decideEarly,
  ruleOrStrictest,
  type Verdict,
} from './rule.ts';

export const quorumMachine = setup({
  types: {} as {
    context: QuorumContext;
    input: QuorumInput;
    output: ReviewRound;
    events: SeatAsked | SeatAnswered | SeatMissed;
  },
  actors: {poll: pollMachine, screenProposal},
  actions: {
    takeScreening: assign(({context}, outcome: Settled<'screenProposal'>) =>
      withAnswers(context, screenedBy(context, outcome)),
    ),
    takeNoScreening: assign(({context}, {message}: Failure) =>
      withAnswers(context, unscreened(context, message)),
    ),
    takeAnswer: assign(({context}, {seat, answer}: SeatAnswered) =>
      withAnswers(context, {[seat]: answer}),
    ),
    takeMiss: assign(({context: {missed}}, {seat, because}: SeatMissed) => ({
      missed: {...missed, [seat]: because},
    })),
    forgetMiss: assign(({context}, seat: string) => withoutMiss(context, seat)),
    takeAll: assign(({context}, answers: PollOutput) => withLastAnswers(context, answers)),
    takeNoPoll: assign(({context}, {message}: Failure) =>
      withLastAnswers(context, silenced(context, message)),
    ),
    settle: assign(({context}, verdict: Verdict) => ({round: roundOf(context, verdict)})),
    reportStart: report(({context: {input}}) => ({
      type: 'quorum.started',
      round: input.round,
      kind: input.proposal.kind,
      title: input.proposal.title,
      rule: input.settings.rule,
      seats: input.seats.map(({id}) => id),
    })),
    reportScreening: report(({context}) =>
      policyVotes(context).map((vote) => ballotCast(context.input, vote)),
    ),
    reportBallot: report(({context}, seat: string) => {
      const vote = voteOf(context, seat);
      return vote && ballotCast(context.input, vote);
    }),
    fireRejection: sendTo(ownInteraction, ({context: {input}}) =>
      triggerFired(`${input.proposal.kind}.rejected`),
    ),
    fireNoQuorum: sendTo(ownInteraction, triggerFired('quorum.noQuorum')),
    reportDecision: report(
      ({context: {round}}) => round && {type: 'quorum.decided' as const, ...round},
    ),
  },
  guards: {
    hasPolicies: ({context: {input}}) => policiesOf(input).length > 0,
    isRefused: ({context}) => isRefused(context),
    isCommentedOn: ({context}) => isRefused(context) && isCommentedOn(context),
    isExpected: ({context}, event: SeatAsked | SeatAnswered | SeatMissed) =>
      isExpected(context, event),
    isUnserved: ({context}) => isUnserved(context),
    isDecided: ({context}, verdict: Verdict) => context.verdict === verdict,
  },
  delays: {
    deadline: ({context}) => context.input.settings.deadlineMs,
    feedbackGrace: ({context}) => context.input.settings.feedbackGraceMs,
  },
}).createMachine({
  id: 'quorum',
  context: ({input}) => openCount(input),
  initial: 'opened',
  on: {
    'seat.settled': {
      guard: {type: 'isExpected', params: ({event}) => event},
      actions: [
        {type: 'takeAnswer', params: ({event}) => event},
        {type: 'reportBallot', params: ({event}) => event.seat},
      ],
    },
  },
  states: {
    opened: {
      tags: 'choice',
      entry: 'reportStart',
      always: [{guard: 'hasPolicies', target: 'screening'}, {target: 'polling'}],
    },
    screening: {
      invoke: {
        src: 'screenProposal',
        id: 'screen',
        input: ({context: {input}}) => screeningOf(input),
        onDone: {
          target: 'screened',
          actions: [{type: 'takeScreening', params: outputIn}, 'reportScreening'],
        },
        onError: {
          target: 'screened',
          actions: [{type: 'takeNoScreening', params: crashIn}, 'reportScreening'],
        },
      },
      after: {
        deadline: {
          target: 'screened',
          actions: {type: 'takeNoScreening', params: toFailure('deadline passed')},
        },
      },
    },
    screened: {
      tags: 'choice',
      always: [
        {guard: 'isCommentedOn', target: 'polling.collectingComments'},
        {guard: 'isRefused', target: 'vetoed'},
        {target: 'polling'},
      ],
    },
    polling: {
      invoke: {
        src: 'poll',
        id: 'poll',
        input: ({context}) => pollOf(context, unjudgedBy(context)),
        onDone: otherwise('counted', 'takeAll'),
        onError: onCrash('counted', 'takeNoPoll'),
      },
      on: {
        'seat.missed': {
          guard: {type: 'isExpected', params: ({event}) => event},
          actions: {type: 'takeMiss', params: ({event}) => event},
        },
        'seat.asked': {
          guard: {type: 'isExpected', params: ({event}) => event},
          actions: {type: 'forgetMiss', params: ({event}) => event.seat},
        },
      },
      initial: 'undecided',
      states: {
        undecided: {
          always: [
            {guard: {type: 'isDecided', params: 'approved'}, target: '#quorum.approved'},
            {guard: {type: 'isDecided', params: 'noQuorum'}, target: '#quorum.noQuorum'},
            {guard: {type: 'isDecided', params: 'rejected'}, target: 'collectingReasons'},
          ],
        },
        collectingReasons: {
          always: {guard: 'isUnserved', target: '#quorum.rejected'},
          after: {feedbackGrace: '#quorum.rejected'},
        },
        collectingComments: {
          always: {guard: 'isUnserved', target: '#quorum.vetoed'},
        },
      },
    },
    counted: {
      tags: 'choice',
      always: [
        {guard: 'isRefused', target: 'vetoed'},
        {guard: {type: 'isDecided', params: 'approved'}, target: 'approved'},
        {guard: {type: 'isDecided', params: 'noQuorum'}, target: 'noQuorum'},
        {target: 'rejected'},
      ],
    },
    vetoed: {
      type: 'final',
      tags: 'failure',
      entry: [{type: 'settle', params: 'rejected'}, 'reportDecision', 'fireRejection'],
    },
    approved: {
      type: 'final',
      entry: [{type: 'settle', params: 'approved'}, 'reportDecision'],
    },
    rejected: {
      type: 'final',
      tags: 'failure',
      entry: [{type: 'settle', params: 'rejected'}, 'reportDecision', 'fireRejection'],
    },
    noQuorum: {
      type: 'final',
      entry: [{type: 'settle', params: 'noQuorum'}, 'reportDecision', 'fireNoQuorum'],
    },
  },
  output: ({context}) => recordIn(context),
});

function ballotCast({round, proposal}: QuorumInput, vote: ModelVote): Fact {
  return {type: 'ballot.cast', round, kind: proposal.kind, vote};
}

function recordIn({round}: QuorumContext): ReviewRound {
  if (!round) throw new Error('the quorum ended without the record of its round');
  return round;
}

// A panel's count: votes from the answers, the verdict, and the record of the round.

function ballotIn(answer: SeatAnswer): Ballot | undefined {
  return (
    answerIn('cast_ballot', answer) ??
    answerIn('review_calls', answer) ??
    answerIn('review_diff', answer)
  );
}

function screenings({input, received}: QuorumContext): Screening[] {
  const policies = policiesOf(input);
  return input.settings.screen.map((policy) => {
    const known = policies.find((each) => each.policy === policy);
    return screeningBy(policy, received[known?.id ?? policy]);
  });
}

function screeningBy(policy: string, answer: SeatAnswer | undefined): Screening {
  const ballot = answer && ballotIn(answer);
  if (ballot) {
    const {verdict, rules = [], unknown, reasons, read, comments, calls} = ballot;
    return {
      policy,
      verdict,
      rules,
      ...(unknown ? {unknown} : {}),
      reasons,
      ...(read ? {read} : {}),
      ...(comments ? {comments} : {}),
      ...(calls ? {calls} : {}),
    };
  }
  const because = answer?.kind === 'unanswered' ? answer.because : 'no ballot';
  // Screening fails closed: a policy without an answer rejects.
  return {policy, verdict: 'reject', rules: [noVerdict], reasons: [because]};
}

/** Reasons of reviewers by rule that can't judge the proposal, for the models. */
function unjudgedBy(context: QuorumContext): string[] {
  return reasonsIn(screenings(context).filter(({unknown = []}) => unknown.length > 0));
}

/** True if every policy approves or can't judge. A missing ballot counts as neither. */
export function isUnopposed(
  {policies}: PortRequest<'screenProposal'>,
  {ballots}: PortOutcome<'screenProposal'>,
): boolean {
  return policies.every((_, index) =>
    ['approve', 'unjudged'].includes(countedVoteOf(ballots[index])),
  );
}

/** The votes of policies that have a seat. */
function policyVotes(context: QuorumContext): ModelVote[] {
  const sitting = context.input.seats.filter(({kind}) => kind === 'policy');
  return sitting.flatMap(({id}) => voteOf(context, id) ?? []);
}

/** True if a screening policy or a seat with a veto rejects the proposal: no other vote can approve it. */
function isRefused(context: QuorumContext): boolean {
  return isVetoed(roundOf(context, 'rejected'));
}

/** Undefined while the seat has not answered. */
function voteOf({input, received}: QuorumContext, id: string): ModelVote | undefined {
  const seat = input.seats.find((each) => each.id === id);
  const answer = ownMember(received, id);
  if (!seat || !answer) return undefined;
  const ballot = ballotIn(answer);
  if (ballot) return toVote(seat, ballot, answer.ms);
  return answer.kind === 'unanswered'
    ? toAbstention(seat, answer.because, answer)
    : toAbstention(seat, 'no ballot', answer);
}

function countedSeats(context: QuorumContext): CountedSeat[] {
  return context.input.seats.map(({id, weight, veto}) => ({
    seat: id,
    weight,
    veto,
    vote: countedVoteOf(voteOf(context, id)),
  }));
}

type Counted = Pick<QuorumContext, 'received' | 'verdict'>;

/**
 * The count after further answers, with the verdict if the remaining ballots can't change it. After the last answer the poll
 * is about to end, and its end decides.
 */
export function withAnswers(context: QuorumContext, answers: PollOutput): Counted {
  const {input, rule} = context;
  const received = {...context.received, ...answers};
  if (input.seats.every(({id}) => Object.hasOwn(received, id))) return {received};
  const seats = countedSeats({...context, received});
  return {received, verdict: decideEarly(rule, seats, input.settings.minParticipation)};
}

/** The count after the last answers, with the verdict. A seat without an answer abstains. */
export function withLastAnswers(context: QuorumContext, answers: PollOutput): Counted {
  const received = {...context.received, ...answers};
  const {minParticipation} = context.input.settings;
  return {
    received,
    verdict: decide(context.rule, countedSeats({...context, received}), minParticipation),
  };
}

/** True if no remaining seat can be asked now: no further reasons can arrive. */
function isUnserved({input, received, missed}: QuorumContext): boolean {
  const out = input.seats.filter(({id}) => !Object.hasOwn(received, id));
  return out.length > 0 && out.every(({id}) => Object.hasOwn(missed, id));
}

/** After the decision, a seat that could not be asked counts as unanswered. */
function withMisses({missed, received, ...context}: QuorumContext): QuorumContext {
  const silent = Object.entries(missed).map(
    ([id, because]) => [id, {kind: 'unanswered', because, at: 0}] as const,
  );
  return {...context, missed, received: {...Object.fromEntries(silent), ...received}};
}

/** The record of a round: sufficient for a recount. */
function roundOf(counted: QuorumContext, verdict: Verdict): ReviewRound {
  const context = withMisses(counted);
  const {input, received} = context;
  const {round, proposal, settings, seats} = input;
  const votes = seats.flatMap(({id}) => voteOf(context, id) ?? []);
  const withdrawn = seats.filter(({id}) => !Object.hasOwn(received, id)).map(({id}) => id);
  const cast = votes.filter((vote) => vote.verdict !== 'abstain').length;
  const missed = Object.keys(counted.missed).filter((id) => !Object.hasOwn(counted.received, id));
  const screened = screenings(context);
  const record: ReviewRound = {
    round,
    kind: proposal.kind,
    title: proposal.title,
    proposalHash: proposal.hash,
    rule: settings.rule,
    seats: seats.map(({id}) => id),
    weights: Object.fromEntries(seats.map(({id, weight}) => [id, weight])),
    vetoes: seats.filter(({veto}) => veto).map(({id}) => id),
    participation: {cast, required: settings.minParticipation},
    verdict,
    approved: verdict === 'approved',
    votes,
    summary: seatSummary(seats.map(({id}) => voteOf(context, id)?.verdict)),
    early: withdrawn.length > 0,
    withdrawn,
    ...(missed.length > 0 ? {missed} : {}),
    degraded: votes.some(({abstainedBecause}) => abstainedBecause !== undefined),
    timestamp: Math.max(0, ...Object.values(received).map(({at}) => at)),
    ...(screened.length > 0 ? {screened} : {}),
  };
  return proposal.parts ? {...record, calls: callDecisions(proposal.parts, record)} : record;
}

// Votes for the record, from a ballot or a missing ballot.

export function toVote(seat: Seat, ballot: Ballot, ms?: number): ModelVote {
  return {
    model: seat.id,
    approved: ballot.verdict === 'approve',
    reasoning: ballot.reasons.join('; '),
    ...ballot,
    ...(ms === undefined ? {} : {ms}),
  };
}

/** `reasoning` has the problems of an invalid ballot besides. */
export function toAbstention(
  seat: Seat,
  because: string,
  {ms, detail}: {readonly ms?: number; readonly detail?: string} = {},
): ModelVote {
  return {
    model: seat.id,
    approved: false,
    verdict: 'abstain',
    reasoning: detail === undefined ? because : `${because}: ${detail}`,
    reasons: [],
    confidence: 0,
    abstainedBecause: because,
    ...(ms === undefined ? {} : {ms}),
  };
}

// The votes of a panel on the single calls of a proposal of several.

/** The decision on each call, by the rule of the round. */
function callDecisions(parts: readonly Proposal[], round: RecordedRound): readonly CallDecision[] {
  return parts.map(({title, hash}, at) => ({title, hash, verdict: verdictOnCall(round, at + 1)}));
}

/**
 * `open` unless the remaining ballots can't change it: so the decision on a call never differs from the one with all
 * ballots.
 */
export function verdictOnCall(round: RecordedRound, number: number): CallDecision['verdict'] {
  const rule = ruleOrStrictest(round.rule);
  return verdictOf(onCall(round, number), rule, seatsOnCall(round, number)) ?? 'open';
}

/** A seat that rejects the whole has taken part in the vote on each call, which it rejects unless it approves it. */
export function seatsOnCall(round: RecordedRound, number: number): CountedSeat[] {
  const whole = countedSeatsIn(round);
  return countedSeatsIn(onCall(round, number)).map((seat, at): CountedSeat => {
    const isAgainst = whole[at]?.vote === 'reject' && seat.vote !== 'approve';
    return isAgainst ? Object.assign(seat, {vote: 'reject'}) : seat;
  });
}

/** The round as of a vote on this call alone. */
export function onCall<Round extends RecordedRound | ReviewRound>(
  round: Round,
  number: number,
): Round {
  const {votes, screened} = round;
  return {
    ...round,
    votes: votes.map((vote) => ofCall(vote, number)),
    ...(screened ? {screened: screened.map((each) => ofCall(each, number))} : {}),
  };
}

/** A verdict without any for single calls is the verdict on each of them. */
function ofCall<Said extends {readonly calls?: readonly CallVerdict[]}>(
  said: Said,
  number: number,
): Said {
  const own = said.calls?.find((call) => call.number === number);
  if (!own) return said;
  const {verdict, reasons, rules = [], unknown = []} = own;
  return {...said, verdict, reasons, rules, unknown};
}
