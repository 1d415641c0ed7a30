/** All that the page shows: the submission as the server last told it, and what is still on its way there. */

import type {Field, Message, Outgoing, Standing, Submission} from './wire.ts';

/** A message that no answer of the server has covered yet. */
export interface Sending extends Outgoing {
  /** The same however often it is sent. */
  readonly key: string;
  /** `heard`: it stands in the conversation, the next question does not yet. */
  readonly fate: 'sending' | 'waiting' | 'heard';
  /** Kept in this tab only. */
  readonly isSecret: boolean;
}

export interface Shown {
  readonly submission: Submission;
  readonly sending: readonly Sending[];
  readonly connection: 'live' | 'lost' | 'offline';
  /** Why what the person did came to nothing. */
  readonly problem?: Problem;
}

export type Problem = 'refused' | 'moved' | 'tooLong' | 'unreached';

export function withStanding(shown: Shown, standing: Standing): Shown {
  const {messages} = shown.submission;
  return {...shown, submission: {...standing, messages}};
}

/** Messages that are known are not told twice, in whatever order they come. */
export function withMessages(shown: Shown, told: readonly Message[]): Shown {
  const {messages} = shown.submission;
  const known = new Set(messages.map(({position}) => position));
  const fresh = told.filter(({position}) => !known.has(position));
  if (fresh.length === 0) return shown;
  const all = [...messages, ...fresh].toSorted((one, other) => one.position - other.position);
  return {
    ...shown,
    submission: {...shown.submission, messages: all},
    sending: markHeard(shown.sending, fresh),
  };
}

/** The stream may tell a message before the request that posted it is answered. */
function markHeard(sending: readonly Sending[], fresh: readonly Message[]): readonly Sending[] {
  const [first, ...others] = sending;
  const isHeard = fresh.some(({from, text}) => from === 'person' && text === first?.text);
  return first && isHeard ? [{...first, fate: 'heard'}, ...others] : sending;
}

/** How far it is, of what applies: what needs no more asking. What is required does until it is done. */
export function progressOf(fields: readonly Field[]): {done: number; total: number} {
  const asked = fields.filter(({status}) => status !== 'notApplicable');
  const settled = asked.filter(
    ({status, required}) =>
      status === 'done' || (!required && (status === 'skipped' || status === 'declined')),
  );
  return {done: settled.length, total: asked.length};
}

export function lastPosition({messages}: Submission): number | undefined {
  return messages.at(-1)?.position;
}

/** Nothing more can be said. */
export function isOver({state, hasEnded}: Standing): boolean {
  return hasEnded || state === 'submitted';
}
