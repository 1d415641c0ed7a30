/** Requests to the seats of a poll and their answers, as data. */

import type {DoneActorEvent, ErrorActorEvent} from 'xstate';

import {type Outage, outageIn, toFailure} from '../domain/failure.ts';
import {ownMember} from '../domain/json.ts';
import type {ModelOutcome, ModelRequest} from '../domain/model.ts';
import {isOutage} from '../domain/model.ts';
import type {Delivered} from '../ports.ts';
import {
  isUnserved,
  type QuestionInput,
  type QuestionOutput,
  whyUnanswered,
} from '../questions/question.ts';
import type {Answer} from '../questions/questions.ts';

/** A seat whose model answers a structured question, or a speaker that replies in prose. */
export type PollSeat =
  | {readonly id: string; readonly filledBy: 'model'; readonly ask: QuestionInput}
  | {readonly id: string; readonly filledBy: 'speaker'; readonly ask: ModelRequest};

export interface PollInput {
  /** The subject of the poll, such as a proposal's hash: every answer is reported with it. */
  readonly subject: string;
  /** Ids are unique. */
  readonly seats: readonly PollSeat[];
  readonly deadlineMs: number;
  /** With this many answers the poll ends without seats that can't be called. Absent: it waits for them. */
  readonly enough?: number;
}

/** The answer of a seat, or why there is none. `at`: epoch ms, 0 without a reply. `ms`: duration, absent without a reply. */
export type SeatAnswer = {readonly at: number; readonly ms?: number} & (
  | ({readonly kind: 'answered'} & Answer)
  | {readonly kind: 'said'; readonly text: string}
  | {
      readonly kind: 'unanswered';
      readonly because: string;
      /** The problems of its answer. */
      readonly detail?: string;
      /** Set if its model could not be called, but may be available later. */
      readonly outage?: Outage;
    }
);

/** To the parent of the poll: an answer has arrived. */
export interface SeatAnswered {
  readonly type: 'seat.settled';
  readonly subject: string;
  readonly seat: string;
  readonly answer: SeatAnswer;
}

/** To the parent of the poll: a seat's model can't be called. It is asked again when the run is resumed. */
export interface SeatMissed {
  readonly type: 'seat.missed';
  readonly subject: string;
  readonly seat: string;
  /** A short reason for the record. */
  readonly because: string;
}

/** To the parent of the poll: a missed seat is asked again. */
export interface SeatAsked {
  readonly type: 'seat.asked';
  readonly subject: string;
  readonly seat: string;
}

/** By seat; every seat has an answer. */
export type PollOutput = Readonly<Record<string, SeatAnswer>>;

export interface PollState extends PollInput {
  readonly answers: PollOutput;
  /** Outages of seats that could not be asked. */
  readonly missed: Readonly<Record<string, Outage>>;
}

export type SeatId = `seat:${string}`;
export type SeatOutput = QuestionOutput | (ModelOutcome & Delivered);

export interface ActorAnswer {
  readonly actorId: string;
  readonly answer: SeatAnswer;
}

export interface Miss {
  readonly seat: string;
  readonly outage: Outage;
  readonly because: string;
}

export const lateAnswer = unanswered('deadline passed');
export const unseatedAnswer = unanswered('no longer on the panel');

/** Seats without an answer. */
export function seatsOut({seats, answers}: PollState): readonly PollSeat[] {
  return seats.filter(({id}) => !Object.hasOwn(answers, id));
}

/** Seats without an answer that may still give one. */
export function seatsAtWork(state: PollState): readonly PollSeat[] {
  return seatsOut(state).filter(({id}) => !Object.hasOwn(state.missed, id));
}

/** True if the poll can end without the seats that can't be called. */
export function hasEnough({enough, answers}: PollState): boolean {
  if (enough === undefined) return false;
  return Object.values(answers).filter(({kind}) => kind !== 'unanswered').length >= enough;
}

/** The outage of the first missed seat. */
export function lackOf({missed}: PollState): Outage {
  const [outage] = Object.values(missed);
  return outageIn(outage ? {outage} : {});
}

export function seatActor(seat: string): SeatId {
  return `seat:${encodeURIComponent(seat)}`;
}

function seatOfActor(actorId: string): string {
  return decodeURIComponent(actorId.slice('seat:'.length));
}

export function taken({answers}: PollState, {actorId, answer}: ActorAnswer): Partial<PollState> {
  return {answers: {...answers, [seatOfActor(actorId)]: answer}};
}

export function seatAnswered({subject}: PollState, {actorId, answer}: ActorAnswer): SeatAnswered {
  return {type: 'seat.settled', subject, seat: seatOfActor(actorId), answer};
}

export function isMissed(output: SeatOutput): boolean {
  return missIn(output) !== undefined;
}

function missIn(output: SeatOutput): Outage | undefined {
  if (isOfQuestion(output)) return isUnserved(output) ? whyUnanswered(output) : undefined;
  if (output.kind === 'ok' || !isOutage(output.kind)) return undefined;
  return {code: output.kind, message: output.message};
}

function isOfQuestion(output: SeatOutput): output is QuestionOutput {
  return output.kind === 'answered' || output.kind === 'unanswered';
}

export function missFrom(
  {seats}: PollState,
  {actorId, output}: DoneActorEvent<SeatOutput, SeatId>,
): Miss {
  const seat = seatOfActor(actorId);
  const model = seats.find(({id}) => id === seat)?.ask.model ?? seat;
  const failure = missIn(output) ?? toFailure('it could not be asked');
  return {seat, outage: {model, ...failure}, because: outageReason(failure)};
}

function outageReason({code, message}: Outage): string {
  return `${code}: ${message}`;
}

export function answerFrom({actorId, output}: DoneActorEvent<SeatOutput, SeatId>): ActorAnswer {
  return {actorId, answer: seatAnswer(output)};
}

function seatAnswer(output: SeatOutput): SeatAnswer {
  if (!isOfQuestion(output)) return speakerAnswer(output);
  const {at, ms} = output;
  if (output.kind === 'unanswered') {
    const {because, failure} = output;
    const {detail} = failure;
    return {kind: 'unanswered', because, ...(detail === undefined ? {} : {detail}), at, ms};
  }
  const {asked: _, transcript: __, ...answer} = output;
  return answer;
}

function speakerAnswer(outcome: ModelOutcome & Delivered): SeatAnswer {
  const {at, ms, kind} = outcome;
  if (kind !== 'ok') return {kind: 'unanswered', because: `${kind}: ${outcome.message}`, at, ms};
  const text = outcome.text.toWellFormed().trim();
  return text === ''
    ? {kind: 'unanswered', because: 'it said nothing', at, ms}
    : {kind: 'said', text, at, ms};
}

/** A seat whose actor crashed, which is a bug, counts as unanswered. */
export function silenceFrom({actorId, error}: ErrorActorEvent<unknown, SeatId>): ActorAnswer {
  return {actorId, answer: unanswered(toFailure(error).message)};
}

function unanswered(because: string): SeatAnswer {
  return {kind: 'unanswered', because, at: 0};
}

export function allAnswers({seats, answers, missed}: PollState): PollOutput {
  return Object.fromEntries(
    seats.map(({id}) => [id, ownMember(answers, id) ?? missingAnswer(ownMember(missed, id))]),
  );
}

function missingAnswer(outage: Outage | undefined): SeatAnswer {
  if (!outage) return lateAnswer;
  return {kind: 'unanswered', because: outageReason(outage), at: 0, outage};
}
