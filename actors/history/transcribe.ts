/**
 * Copies the entries of a run under another id and into another folder. The charts of the original and of the copy are replayed
 * side by side: the original proves that the entries belong to it, and the copy yields the digests of its own entries.
 */

import type {Snapshot} from 'xstate';

import {AppError} from '../../machines/domain/app-error.ts';
import {canonicalJson} from '../../machines/domain/digest.ts';
import {asJson, isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {isNoted} from '../../machines/facts/progress.ts';
import {ports} from '../../machines/port-natures.ts';
import {treeMachine} from '../../machines/tree/tree.ts';
import {type ActorReport, ActorTree} from '../engine/actor-tree.ts';
import type {Effect, Move} from '../engine/effect.ts';
import {bodyOf, type Incoming} from '../engine/incoming.ts';
import {applyEntry, markRequested} from '../engine/replay.ts';
import {isSliceOver, nextTurn} from '../engine/slices.ts';
import type {Entry, EntryBody, Origin} from '../journal/journal.ts';
import {moveIn} from '../run/run-input.ts';
import {mapTexts} from './map-texts.ts';

/** The name and the place of a copy. */
export interface CopyPlace {
  readonly id: string;
  readonly workspace: string;
  /** Absent: a session of its own. */
  readonly session?: string | undefined;
}

/** An entry of the copy, and its time: epoch ms. */
export interface Copied {
  readonly body: EntryBody;
  readonly at: number;
}

export class Transcription {
  readonly #id: string;
  readonly #place: CopyPlace;
  readonly #original: ActorTree;
  readonly #copy: ActorTree;
  readonly #notes = new NotePairs();
  /** By the key of an effect of the original: the key of the same effect of the copy. */
  readonly #keys = new Map<string, string>();
  readonly #copied: Copied[] = [];

  /** `entries`: all entries of the original. {@link copy} takes the ones to copy. */
  constructor(id: string, entries: readonly Entry[], place: CopyPlace) {
    this.#id = id;
    this.#place = place;
    this.#original = treeFor(this.#notes.original, moveIn(entries));
    this.#copy = treeFor(this.#notes.copy);
  }

  /** The entries of the copy up to now. */
  get copied(): readonly Copied[] {
    return this.#copied;
  }

  /** Effects of the copy that have no outcome. */
  get open(): readonly Effect[] {
    return this.#copy.effects.open;
  }

  /** The final snapshot of the copy; undefined while it is active. */
  get end(): Snapshot<unknown> | undefined {
    return this.#copy.end;
  }

  /**
   * Copies entries, in time slices, except the last one of an ended run. Rejects with AppError `divergence`, which names the entry,
   * when these charts do not replay the original, or the copy takes another course.
   */
  async copy(entries: readonly Entry[], origin?: Origin): Promise<void> {
    await this.#copyFrom(entries, 0, origin);
  }

  /** Adds an entry that the original does not have, at the time of the last one. */
  receive(event: JsonObject): void {
    this.#deliver({kind: 'received', event}, this.#copy.at);
  }

  /** Adds the outcome that an effect of the original received later, at the time of the last entry. */
  take(entry: Extract<Entry, {readonly type: 'settled'}>): void {
    const effect = this.effectOf(entry.key);
    if (effect === undefined || !isJsonObject(entry.outcome)) return;
    const {outcome, ms} = entry;
    this.#deliver({kind: 'settled', effect, outcome, ms}, this.#copy.at);
  }

  /** The effect of the copy that corresponds to one of the original. */
  effectOf(key: string): Effect | undefined {
    return this.#copy.effects.get(this.#keys.get(key) ?? key);
  }

  async #copyFrom(entries: readonly Entry[], from: number, origin?: Origin): Promise<void> {
    let next = from;
    for (; next < entries.length && !isSliceOver(); next += 1) {
      const entry = entries[next];
      if (entry) this.#copyEntry(entry, origin);
    }
    if (next >= entries.length) return;
    await nextTurn();
    await this.#copyFrom(entries, next, origin);
  }

  #copyEntry(entry: Entry, origin: Origin | undefined): void {
    applyEntry({tree: this.#original}, entry);
    const {at} = entry;
    const mark = this.#markOf(entry);
    if (entry.type === 'noted') {
      const {by} = entry;
      const body: EntryBody = {type: 'noted', note: this.#noteOf(entry), ...(by ? {by} : {})};
      this.#copied.push({body: {...body, ...mark}, at});
    } else if (entry.type === 'requested' && entry.isLost !== true) {
      const body = {...this.#requestOf(entry), ...mark};
      markRequested(this.#copy, body, at);
      this.#copied.push({body, at});
    } else if (entry.type !== 'closed') this.#deliver(this.#incomingOf(entry), at, mark, origin);
    this.#pairEffects(entry);
  }

  #deliver(
    incoming: Incoming,
    at: number,
    mark: Pick<EntryBody, 'digest' | 'ran'> = {},
    origin?: Origin,
  ): void {
    const body = bodyOf(incoming);
    const first = body.type === 'opened' && origin ? {...body, origin} : body;
    this.#copied.push({body: {...first, ...mark}, at});
    this.#copy.deliver(incoming, at);
  }

  /** Both trees fold their trails at the same entries. */
  #markOf({digest, ran}: Entry): Pick<EntryBody, 'digest' | 'ran'> {
    return {
      ...(digest === undefined ? {} : {digest: this.#copy.trail.fold()}),
      ...(ran === undefined ? {} : {ran}),
    };
  }

  #noteOf({note}: Extract<Entry, {readonly type: 'noted'}>): JsonObject {
    return this.#notes.pairOf(note) ?? this.#renamedIn(note);
  }

  #requestOf(entry: Requested & Entry): Requested {
    const {seq: _, at: __, hash: ___, digest: ____, ran: _____, ...body} = entry;
    const effect = this.effectOf(entry.key);
    if (!effect) throw this.#strayed(entry);
    const {key, digest, nature, request} = effect;
    const audited = body.callHash === undefined ? {} : nature.audited?.(request);
    return {...body, ...audited, key, request: digest};
  }

  #incomingOf(entry: Exclude<Entry, {readonly type: 'noted' | 'closed'}>): Incoming {
    switch (entry.type) {
      case 'opened': {
        const {version, input} = entry;
        const {id, workspace, session} = this.#place;
        const {session: _, ...own} = input;
        const named = session === undefined ? {} : {session};
        return {kind: 'opened', version, input: {...own, id, workspace, ...named}};
      }
      case 'received':
        return {kind: 'received', event: this.#eventOf(entry.event)};
      case 'fired':
        return {kind: 'fired', timer: entry.timer};
      case 'requested':
        return {kind: 'lost', key: this.#renamed(entry.key), request: entry.request};
      case 'settled': {
        const effect = this.effectOf(entry.key);
        if (!effect || !isJsonObject(entry.outcome)) throw this.#strayed(entry);
        return {kind: 'settled', effect, outcome: entry.outcome, ms: entry.ms};
      }
      default:
        return entry satisfies never;
    }
  }

  /** Without the folder to which the original moved. A decision names the proposal of the copy. */
  #eventOf(event: JsonObject): JsonObject {
    const renamed = this.#renamedIn(event);
    const {workspace: _, ...rest} = renamed;
    if (event['type'] === 'run.resumed') return rest;
    const {gate, proposalHash} = renamed;
    const effect = typeof gate === 'string' ? this.#copy.effects.get(gate) : undefined;
    if (proposalHash === undefined || effect?.port !== 'askHuman') return renamed;
    return {...renamed, proposalHash: effect.request.proposalHash};
  }

  /** The course of the copy is that of the original: both wait for the same ports, in the same order. */
  #pairEffects(entry: Entry): void {
    const [own = [], original = []] = [this.#copy, this.#original].map(({effects}) => effects.open);
    const isSame =
      own.length === original.length && original.every(({port}, at) => own[at]?.port === port);
    if (!isSame) throw this.#strayed(entry);
    for (const [at, {key}] of original.entries()) this.#keys.set(key, own[at]?.key ?? key);
  }

  #strayed({seq, type}: Entry): AppError {
    return new AppError(
      'divergence',
      `entry ${seq} (${type}) can't be copied: the copy takes another course`,
    );
  }

  #renamed(text: string): string {
    const {id} = this.#place;
    const [old, key] = [this.#id, this.#keys.get(text)];
    if (key !== undefined) return key;
    if (text === old) return id;
    if (text.startsWith(`${old}.`)) return `${id}${text.slice(old.length)}`;
    return text.replaceAll(`interaction:${old}.`, `interaction:${id}.`);
  }

  #renamedIn(value: JsonObject): JsonObject {
    return mapTexts(value, (text) => this.#renamed(text));
  }
}

type Requested = Extract<EntryBody, {readonly type: 'requested'}>;

/** The notes that the charts of the original and of the copy make, in the same order. */
class NotePairs {
  readonly #original: string[] = [];
  readonly #copy: JsonObject[] = [];
  #next = 0;

  readonly original = ({report, actor}: ActorReport): void => {
    if (isNoted(report)) this.#original.push(canonicalJson({...report, actor}));
  };

  readonly copy = ({report, actor}: ActorReport): void => {
    if (isNoted(report)) this.#copy.push(asJson({...report, actor}));
  };

  /** The note of the copy that corresponds to a recorded one; undefined for a note that its charts did not make. */
  pairOf(note: JsonObject): JsonObject | undefined {
    const at = this.#original.indexOf(canonicalJson(note), this.#next);
    if (at < 0) return undefined;
    this.#next = at + 1;
    return this.#copy[at];
  }
}

function treeFor(onReport: (reported: ActorReport) => void, move?: Move): ActorTree {
  return new ActorTree({logic: treeMachine, ports, move, onReport});
}
