/**
 * The messages that other processes leave for a run: cancels, a request for the run, and decisions of a person at another machine
 * of a shared journal. Any program that can write to the journal can leave anything, also a command that the run itself has
 * started: a cancel and a request grant nothing, and a decision counts only with the signature of an enrolled machine.
 */

import type {HumanDecision} from '../../machines/domain/human.ts';
import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import type {Engine} from '../engine/engine.ts';
import type {Incoming} from '../engine/incoming.ts';
import type {EnrolledHost, Hosts, Journal} from '../journal/journal.ts';
import {parsePublicKey, readSigned} from '../journal/signing-key.ts';
import type {RunEvent} from '../runtime-api.ts';

const refusal =
  'another program left a message for this run in the journal that is neither a cancel nor a decision of an enrolled machine; it was removed and ignored';

export interface MessageEvents {
  readonly warn: (message: string) => void;
  /** Another process asks for the run. */
  readonly onWanted: () => void;
  /** Passes a decision on; resolves with false when it does not count. Absent: none is left for a run of this journal. */
  readonly decide?: (left: Json, message: number) => Promise<boolean>;
}

/**
 * Passes cancels to the engine, and decisions on, as they arrive; the entry that records one removes its message, so that the
 * process that continues the run finds what was not recorded. Removes other messages, with one warning. An inbox that can't be
 * read ends the run.
 */
export function watchInbox(
  id: string,
  inbox: Journal['inbox'],
  engine: Pick<Engine, 'take' | 'fail'>,
  {warn, onWanted, decide}: MessageEvents,
): {readonly stop: () => void; readonly firstRead: Promise<void>} {
  let hasWarned = false;
  let last = 0;
  const ignore = async (messages: readonly Message[]): Promise<void> => {
    if (messages.some(({event}) => !isRequest(event)) && !hasWarned) {
      hasWarned = true;
      warn(refusal);
    }
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
    await ignore(others.filter(({event}) => !isDecision(event)));
    if (others.some(({event}) => isRequest(event))) onWanted();
    const decisions = others.filter(({event}) => isDecision(event));
    await Promise.all(
      decisions.map(async (one) => {
        if ((await decide?.(one.event, one.id)) !== true) await ignore([one]);
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
  return {stop, firstRead: decide ? read() : Promise.resolve()};
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

const decisionType = 'decision.relayed';

export type GateDecision = {readonly gate: string} & HumanDecision;

/** The message; undefined when this machine has no key. */
export function relayedDecision(
  run: string,
  decision: GateDecision,
  sign: NonNullable<Hosts['sign']>,
): JsonObject | undefined {
  const signed = sign(JSON.stringify({relayed: {run, decision}}));
  return signed && {type: decisionType, signed};
}

function isDecision(message: Json): boolean {
  return isJsonObject(message) && message['type'] === decisionType;
}

/** The decision for this run; undefined unless one of the machines has signed it. */
export function decisionIn(
  message: Json,
  run: string,
  hosts: readonly EnrolledHost[],
): Extract<RunEvent, {readonly type: 'human.decided'}> | undefined {
  const signed = isJsonObject(message) ? message['signed'] : undefined;
  const keys = hosts.map(({key}) => parsePublicKey(key));
  const statement = readSigned(signed, new Map(keys.map(({id, key}) => [id, key])));
  const relayed = isJsonObject(statement) ? statement['relayed'] : undefined;
  if (!isJsonObject(relayed) || relayed['run'] !== run) return undefined;
  const decision = relayed['decision'];
  return isGateDecision(decision) ? {type: 'human.decided', ...decision} : undefined;
}

/** A signed decision has the form that this program gave it. */
function isGateDecision(value: unknown): value is GateDecision {
  return isJsonObject(value) && typeof value['gate'] === 'string' && 'decision' in value;
}
