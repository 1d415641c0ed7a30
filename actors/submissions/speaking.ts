/** Messages of a respondent, and the replies: the next question, or the reason of a refusal. */

import {nodeCrypto} from '../journal/node-crypto.ts';
import type {Receipt, SubmissionRecords} from '../journal/submissions.ts';
import type {RunEvent} from '../runtime-api.ts';
import {type Awake, untilQuiet} from './awake.ts';
import type {Read, Message, Standing} from './standing.ts';

interface Words {
  readonly text?: string | undefined;
  /** The field that the text answers, independent of the open question; without a text, a request to be asked about it. */
  readonly field?: string | undefined;
}

export interface Said extends Words {
  /** The number of messages that the respondent has seen: refused when there are more. Absent: not checked. */
  readonly seen?: number | undefined;
  /** A message with the same key is processed only once. */
  readonly key?: string | undefined;
}

export type Outcome =
  | {
      readonly kind: 'answered';
      readonly state: Standing['state'];
      /** The messages from this one on. */
      readonly messages: readonly Message[];
      /** The next question is not open yet. */
      readonly isPending: boolean;
    }
  | {
      readonly kind: 'refused';
      /** `unavailable`: a model can't be reached, and the message is kept; or it could not be recorded. */
      readonly code: 'not_now' | 'conversation_moved' | 'key_reused' | 'unavailable';
      readonly message: string;
      /** When it can't be submitted: the required fields that are not done. */
      readonly open?: readonly string[];
    };

export interface Speaking {
  readonly say: (id: string, said: Said) => Promise<Outcome>;
  /** Submits. A repeated call has the same outcome. */
  readonly confirm: (id: string) => Promise<Outcome>;
}

export interface SpeakingDeps {
  readonly awake: Awake;
  readonly read: Read;
  readonly records: SubmissionRecords;
  readonly patienceMs: number;
}

export function createSpeaking(deps: SpeakingDeps): Speaking {
  const {read} = deps;
  /** Submissions with a message in process: each takes one message at a time. */
  const speaking = new Set<string>();
  const alone = async (id: string, work: () => Promise<Outcome>): Promise<Outcome> => {
    if (speaking.has(id)) return atWork;
    speaking.add(id);
    try {
      return await work();
    } finally {
      speaking.delete(id);
    }
  };
  const sayOnce = createSayOnce(deps);
  const inFlight = new Map<string, Promise<Outcome>>();
  return {
    say: async (id, said) => {
      const {key} = said;
      if (key === undefined) return await alone(id, async () => await say(id, said, deps));
      const name = `${id} ${key}`;
      const outcome = inFlight.get(name) ?? alone(id, async () => await sayOnce(id, said, key));
      inFlight.set(name, outcome);
      return await outcome.finally(() => inFlight.delete(name));
    },
    confirm: async (id) =>
      await alone(id, async () => {
        const standing = await read(id);
        const {messages, canSubmit, state, isAtWork} = standing;
        if (state === 'submitted') return answered(standing, messages.length);
        if (!canSubmit || isAtWork) return notToSubmit(standing);
        const event = {type: 'person.replied', confirms: true} as const;
        return await speak(id, event, messages.length, deps);
      }),
  };
}

async function say(id: string, said: Said, deps: SpeakingDeps): Promise<Outcome> {
  const standing = await deps.read(id);
  const refused = refusalOf(standing, said);
  return refused ?? (await speak(id, eventOf(said), standing.messages.length, deps));
}

function createSayOnce(deps: SpeakingDeps) {
  const receipts = createReceipts(deps.records);
  const goOn = async (
    id: string,
    event: RunEvent | undefined,
    receipt: Receipt,
  ): Promise<Outcome> => {
    const {before} = receipt;
    const outcome = await speak(id, event, before, deps);
    if (outcome.kind === 'answered' && !outcome.isPending)
      await receipts.end(id, receipt, before + outcome.messages.length);
    return outcome;
  };
  const answer = async (
    id: string,
    said: Said & {readonly key: string},
    known: Receipt | undefined,
  ): Promise<Outcome> => {
    if (known && known.digest !== digestOf(id, said)) return keyReused;
    const standing = await deps.read(id);
    if (known?.after !== undefined) return answered(standing, known.before, known.after);
    if (known && standing.messages[known.before]?.from === 'person')
      return await goOn(id, undefined, known);
    const refused = refusalOf(standing, said);
    if (refused) return refused;
    if (known) return await goOn(id, eventOf(said), known);
    const begun = await receipts.begin(id, said, standing.messages.length);
    // Another server may have begun to answer it.
    return await answer(id, said, begun);
  };
  return async (id: string, said: Said, key: string): Promise<Outcome> =>
    await answer(id, {...said, key}, await deps.records.findReceipt(id, key));
}

const atWork: Outcome = {
  kind: 'refused',
  code: 'not_now',
  message: 'the previous message is being answered; wait for the next question',
};
const keyReused: Outcome = {
  kind: 'refused',
  code: 'key_reused',
  message: 'this Idempotency-Key was used for another message; use a new one',
};

/** Undefined when the message is accepted. */
function refusalOf({hasEnded, isAtWork, messages}: Standing, {seen}: Said): Outcome | undefined {
  if (hasEnded) return {kind: 'refused', code: 'not_now', message: 'the form is submitted'};
  if (isAtWork) return atWork;
  if (seen === undefined || seen === messages.length) return undefined;
  const message = `the conversation has ${messages.length} messages, not ${seen}; read the new messages`;
  return {kind: 'refused', code: 'conversation_moved', message};
}

function notToSubmit({open, hasEnded, isAtWork, state}: Standing): Outcome {
  const why =
    open.length > 0
      ? `required and not answered: ${open.join(', ')}`
      : `it is ${isAtWork ? 'at work' : state}, not confirming`;
  const message = hasEnded ? 'it has ended' : `nothing can be submitted: ${why}`;
  return {kind: 'refused', code: 'not_now', message, open};
}

function eventOf({text, field}: Words): RunEvent {
  if (text === undefined && field !== undefined) return {type: 'person.replied', field};
  return {type: 'person.replied', text: text ?? '', ...(field === undefined ? {} : {field})};
}

/** Without an event, the message was sent before: then this only waits for the answer. */
async function speak(
  id: string,
  event: RunEvent | undefined,
  before: number,
  {awake, read, records, patienceMs}: SpeakingDeps,
): Promise<Outcome> {
  const end = await awake.use(id, async (run) => {
    // A run that was just woken first applies a changed form.
    await untilQuiet(run, patienceMs);
    const sent = event && sentMeanwhile(run.interview()?.said, event, before);
    if (sent === 'another') return 'moved';
    if (event && sent === undefined) run.send(event);
    const isOver = (await untilQuiet(run, patienceMs)) === 'ended';
    return isOver ? (await run.result).status : undefined;
  });
  if (end === 'moved') return atWork;
  if (end === 'waiting') return unavailable;
  const standing = await read(id);
  // The run has lost its journal or its lease, perhaps before the message was recorded.
  if (end === 'error' && event && sentMeanwhile(standing.messages, event, before) !== 'this')
    return notRecorded;
  await records.update(id, {state: standing.state, updatedAt: Date.now()});
  return answered(standing, before);
}

/** The message that was sent since: this one, or another. */
function sentMeanwhile(
  messages: readonly Pick<Message, 'from' | 'text'>[] | undefined,
  event: RunEvent,
  before: number,
): 'this' | 'another' | undefined {
  const said = messages?.[before];
  if (said?.from !== 'person' || event.type !== 'person.replied') return undefined;
  return 'text' in event && event.text === said.text ? 'this' : 'another';
}

const unavailable: Outcome = {
  kind: 'refused',
  code: 'unavailable',
  message: 'your message is kept, but it cannot be answered now; send it again later',
};

const notRecorded: Outcome = {
  kind: 'refused',
  code: 'unavailable',
  message: 'your message could not be recorded; send it again',
};

/** `after`: for a message that was answered before. */
function answered(standing: Standing, before: number, after?: number): Outcome {
  const {state, messages, isAtWork} = standing;
  return {
    kind: 'answered',
    state,
    messages: messages.slice(before, after),
    isPending: isAtWork && after === undefined,
  };
}

/** Each message with a key is processed only once, also when the server dies between taking the message and answering it. */
interface Receipts {
  /** Called before a message is processed. `before`: the number of messages so far. Resolves with the first receipt of its key. */
  readonly begin: (
    id: string,
    said: Words & {readonly key: string},
    before: number,
  ) => Promise<Receipt>;
  /** Called after it was answered. `after`: the number of messages now. */
  readonly end: (id: string, begun: Receipt, after: number) => Promise<void>;
}

/** How long a message may be sent again. */
const keptMs = 24 * 3_600_000;

function createReceipts(records: SubmissionRecords): Receipts {
  const keep = async (id: string, receipt: Receipt): Promise<Receipt> =>
    await records.keepReceipt(id, receipt, Date.now() - keptMs);
  return {
    begin: async (id, said, before) =>
      await keep(id, {key: said.key, digest: digestOf(id, said), before, at: Date.now()}),
    end: async (id, begun, after) => void (await keep(id, {...begun, after})),
  };
}

function digestOf(id: string, {text, field}: Words): string {
  return nodeCrypto().hash('sha256', JSON.stringify([id, text, field]));
}
