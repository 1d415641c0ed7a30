/**
 * The messages that other processes leave for a run: cancels, a request for the run, and events of a person at another machine
 * of a shared journal. Any program that can write to the journal can leave anything, also a command that the run itself has
 * started: a cancel and a request grant nothing, and an event counts only once, and only with the signature of an enrolled
 * machine.
 */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import type {Engine} from '../engine/engine.ts';
import type {Incoming} from '../engine/incoming.ts';
import type {EnrolledHost, Journal} from '../journal/journal.ts';
import {parsePublicKey, readSigned, type Sign} from '../journal/signing-key.ts';
import type {RunEvent} from '../runtime-api.ts';

const refusal =
  'another program left a message for this run in the journal that is neither a cancel nor signed by an enrolled machine; it was removed and ignored';
const lateness =
  'a message from another machine came too late, or does not fit the open question; it was removed and ignored';

export interface MessageEvents {
  readonly warn: (message: string) => void;
  /** Another process asks for the run. */
  readonly onWanted: () => void;
  /** Passes a signed event on. Absent: none is left for a run of this journal. */
  readonly pass?: (left: Json, message: number) => Promise<Passed>;
}

/** `foreign`: no enrolled machine has signed it. `repeated`: it was left before. `late`: the run does not take it now. */
export type Passed = 'taken' | 'foreign' | 'repeated' | 'late';

/**
 * Passes cancels to the engine, and signed events on, as they arrive; the entry that records one removes its message, so that the
 * process that continues the run finds what was not recorded. Removes other messages, with one warning. An inbox that can't be
 * read ends the run.
 */
export function watchInbox(
  id: string,
  inbox: Journal['inbox'],
  engine: Pick<Engine, 'take' | 'fail'>,
  {warn, onWanted, pass}: MessageEvents,
): {readonly stop: () => void; readonly firstRead: Promise<void>} {
  let hasWarned = false;
  let last = 0;
  const refuse = (messages: readonly Message[]): void => {
    if (hasWarned || messages.every(({event}) => isRequest(event))) return;
    hasWarned = true;
    warn(refusal);
  };
  const remove = async (messages: readonly Message[]): Promise<void> => {
    if (messages.length > 0)
      await inbox.remove(
        id,
        messages.map((message) => message.id),
      );
  };
  const take = async (): Promise<void> => {
    const messages = (await inbox.read(id)).filter((message) => message.id > last);
    last = messages.at(-1)?.id ?? last;
    const cancels = messages.flatMap(({id: message, event: left}): Incoming[] => {
      const event = cancelIn(left);
      return event ? [{kind: 'received', event, message}] : [];
    });
    if (!engine.take(...cancels)) stop();
    const others = messages.filter(({event}) => !cancelIn(event));
    const [signed, unsigned] = [others.filter(isSigned), others.filter((one) => !isSigned(one))];
    refuse(unsigned);
    await remove(unsigned);
    if (unsigned.some(({event}) => isRequest(event))) onWanted();
    await Promise.all(
      signed.map(async (one) => {
        const passed = (await pass?.(one.event, one.id)) ?? 'foreign';
        if (passed === 'taken') return;
        if (passed === 'late') warn(lateness);
        if (passed === 'foreign') refuse([one]);
        await remove([one]);
      }),
    );
  };
  const read = async (): Promise<void> => {
    try {
      await take();
    } catch (error) {
      engine.fail(error);
    }
  };
  const stop = inbox.watch(id, () => void read());
  return {stop, firstRead: pass ? read() : Promise.resolve()};
}

type Message = Awaited<ReturnType<Journal['inbox']['read']>>[number];

/** The message by which another process asks for a run. */
export const request: JsonObject = {type: 'run.wanted'};

function isRequest(message: Json): boolean {
  return isJsonObject(message) && message['type'] === request['type'];
}

function cancelIn(message: Json): JsonObject | undefined {
  if (!isJsonObject(message)) return undefined;
  const {type, interaction} = message;
  if (type === 'user.cancel') return {type};
  const isBelow = type === 'interaction.cancel' && typeof interaction === 'string';
  return isBelow ? {type, interaction} : undefined;
}

const signedType = 'event.relayed';

function isSigned({event}: Message): boolean {
  return isJsonObject(event) && event['type'] === signedType;
}

/** An event of a person at another machine. `id`: of this message alone. */
export interface Relayed {
  readonly id: string;
  readonly event: Json;
}

/** The message; undefined when this machine has no key. */
export function relayedMessage(run: string, event: RunEvent, sign: Sign): JsonObject | undefined {
  const signed = sign(JSON.stringify({relayed: {run, id: crypto.randomUUID(), event}}));
  return signed && {type: signedType, signed};
}

/** The event for this run; undefined unless one of the machines has signed it. */
export function relayedIn(
  message: Json,
  run: string,
  hosts: readonly EnrolledHost[],
): Relayed | undefined {
  const signed = isJsonObject(message) ? message['signed'] : undefined;
  const keys = hosts.map(({key}) => parsePublicKey(key));
  const statement = readSigned(signed, new Map(keys.map(({id, key}) => [id, key])));
  const relayed = isJsonObject(statement) ? statement['relayed'] : undefined;
  if (!isJsonObject(relayed) || relayed['run'] !== run) return undefined;
  const {id, event} = relayed;
  return typeof id === 'string' && event !== undefined ? {id, event} : undefined;
}

/** The ids of the relayed messages that a run has received: the member `relayed` of their events. */
export function relayedIds(received: readonly JsonObject[]): Set<string> {
  return new Set(received.flatMap(({relayed}) => (typeof relayed === 'string' ? relayed : [])));
}

/** A standing permission belongs to the machine on which it is given. */
export function isLasting(event: unknown): boolean {
  return isJsonObject(event) && event['decision'] === 'always';
}
