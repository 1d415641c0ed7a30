/** The state of a debate. */

import type {Failure} from '../../domain/failure.ts';
import {isBlocking, isOpen, type Objection} from '../../domain/ledger.ts';
import type {Participant, Settings} from '../../domain/settings.ts';
import type {Fact} from '../../facts/fact.ts';
import type {PollOutput} from '../../panel/poll.ts';
import {answerIn} from '../../questions/question.ts';
import {messageSections, type PendingMessage} from '../../tree/messages.ts';
import type {Ground} from '../ground.ts';

export interface DebateInput {
  readonly ground: Ground;
  /** The debated text, such as a plan, instead of a position of the proponent. It can't be revised. */
  readonly given?: string;
  readonly settings: Pick<Settings, 'debate' | 'discuss' | 'context' | 'maxOutputTokens'>;
}

export interface DebateOutput {
  readonly outcome: 'settled' | 'escalated' | 'failed';
  readonly position: string;
  readonly reasons: readonly string[];
  readonly objections: readonly Objection[];
  readonly rounds: number;
  /** Missing turns, with the role, the round and the reason. */
  readonly notes: readonly string[];
  readonly failure?: Failure;
}

export interface DebateState extends DebateInput, Omit<DebateOutput, 'outcome'> {
  /** The open objections (ids) and the position when the round began. */
  readonly before: {readonly open: readonly string[]; readonly position: string};
}

export type Role = 'proponent' | 'opponent' | 'moderator';

export function openDebate(input: DebateInput): DebateState {
  const before = {open: [], position: ''};
  return {
    ...input,
    position: input.given ?? '',
    reasons: [],
    objections: [],
    rounds: 0,
    notes: [],
    before,
  };
}

export function outputOf(state: DebateState, outcome: DebateOutput['outcome']): DebateOutput {
  const {position, reasons, objections, rounds, notes, failure} = state;
  return {outcome, position, reasons, objections, rounds, notes, ...(failure ? {failure} : {})};
}

export function openIds({objections}: Pick<DebateState, 'objections'>): readonly string[] {
  return objections.filter(isOpen).map(({id}) => id);
}

export function isSettled({objections}: DebateState): boolean {
  return !objections.some(isBlocking);
}

/** True if the round changed neither the position nor the open objections. */
export function isStalled(state: DebateState): boolean {
  const {before, position} = state;
  return position === before.position && openIds(state).join() === before.open.join();
}

export function speakerOf({settings}: DebateState, role: Role): Participant {
  return role === 'moderator' ? settings.discuss.moderator : settings.debate[role];
}

/** A note about a missing turn. Undefined if the role answered. */
function silenceOf(state: DebateState, role: Role, replies: PollOutput): string | undefined {
  const answer = replies[role];
  if (answer?.kind !== 'unanswered') return undefined;
  const when = state.rounds === 0 ? '' : ` in round ${state.rounds}`;
  return `the ${role} (${speakerOf(state, role).id}) said nothing${when}: ${answer.because}`;
}

function noted(state: DebateState, role: Role, replies: PollOutput): Partial<DebateState> {
  const silence = silenceOf(state, role, replies);
  return silence === undefined ? {} : {notes: [...state.notes, silence]};
}

export function withPosition(state: DebateState, replies: PollOutput): Partial<DebateState> {
  const answer = replies['proponent'] && answerIn('take_position', replies['proponent']);
  if (answer) return {position: answer.position, reasons: answer.arguments};
  const message = silenceOf(state, 'proponent', replies) ?? 'there is no position';
  return {failure: {code: 'no_position', message}};
}

export function withMessagesInGround(
  {ground, settings}: DebateState,
  items: readonly PendingMessage[],
): Partial<DebateState> {
  const {maxEntryBytes} = settings.context;
  return {ground: {...ground, pendingMessages: messageSections(items, maxEntryBytes)}};
}

export function withRound(state: DebateState): Partial<DebateState> {
  const {position, rounds} = state;
  return {rounds: rounds + 1, before: {open: openIds(state), position}};
}

export function withAttack(state: DebateState, replies: PollOutput): Partial<DebateState> {
  const attack = replies['opponent'] && answerIn('raise_objections', replies['opponent']);
  if (!attack) return noted(state, 'opponent', replies);
  const {objections: known, rounds: round} = state;
  const kept = known.map((each) =>
    attack.withdrawn.includes(each.id) ? {...each, ruling: 'withdrawn' as const} : each,
  );
  const fresh = attack.objections.map((each, index): Objection =>
    Object.assign({id: `O${known.length + index + 1}`, round}, each),
  );
  return {objections: [...kept, ...fresh]};
}

export function withDefence(state: DebateState, replies: PollOutput): Partial<DebateState> {
  const defence = replies['proponent'] && answerIn('answer_objections', replies['proponent']);
  if (!defence) return noted(state, 'proponent', replies);
  const {revised_position: revised} = defence;
  const mayRevise = state.given === undefined && revised !== undefined;
  return {
    objections: state.objections.map((each) => {
      const own = defence.answers.find(({id}) => id === each.id);
      if (!own) return each;
      const {isConceded: _, ...rest} = each;
      return {...rest, answer: own.answer, ...(own.concedes ? {isConceded: true as const} : {})};
    }),
    ...(mayRevise ? {position: revised} : {}),
  };
}

export function withRulings(state: DebateState, replies: PollOutput): Partial<DebateState> {
  const rulings = replies['moderator'] && answerIn('rule_on_objections', replies['moderator']);
  if (!rulings) return noted(state, 'moderator', replies);
  return {
    objections: state.objections.map((each) => {
      const own = rulings.find(({id}) => id === each.id);
      return own ? {...each, ruling: own.ruling, reason: own.reason} : each;
    }),
  };
}

/** Reports a turn, with the position and the objections after it. */
export function turnReport(state: DebateState, role: Role, replies: PollOutput): Fact {
  const {rounds: round, position, objections} = state;
  const because = silenceOf(state, role, replies);
  return {
    type: 'debate.turn',
    round,
    role,
    participant: speakerOf(state, role).id,
    position,
    objections,
    ...(because === undefined ? {} : {because}),
  };
}
