/**
 * Copies the entries of a run under another id and into another folder. The charts of the original and of the copy are replayed
 * side by side: the original proves that the entries belong to it, and the copy yields the digests of its own entries.
 */

import {AppError} from '../../machines/domain/app-error.ts';
import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {ports} from '../../machines/port-natures.ts';
import {treeMachine} from '../../machines/tree/tree.ts';
import {ActorTree} from '../engine/actor-tree.ts';
import {type Effect, isOpen} from '../engine/effect.ts';
import {bodyOf, type Incoming} from '../engine/incoming.ts';
import {applyEntry, markRequested} from '../engine/replay.ts';
import {isSliceOver, nextTurn} from '../engine/slices.ts';
import type {Entry, EntryBody, Origin} from '../journal/journal.ts';
import {moveIn} from '../run/run-input.ts';

/** What the copy is called, and where it works. */
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
  readonly #copied: Copied[] = [];

  /** `entries`: all of the original, of which a beginning is copied. */
  constructor(id: string, entries: readonly Entry[], place: CopyPlace) {
    this.#id = id;
    this.#place = place;
    this.#original = quietTree(moveIn(entries));
    this.#copy = quietTree();
  }

  /** The entries of the copy up to now. */
  get copied(): readonly Copied[] {
    return this.#copied;
  }

  /** Effects of the copy that have no outcome. */
  get open(): readonly Effect[] {
    return this.#copy.effects.open;
  }

  /**
   * Copies entries, in time slices. Rejects with AppError `divergence`, which names the entry, when these charts do not replay the
   * original, or the course of the run depends on its folder.
   */
  async copy(entries: readonly Entry[], origin?: Origin): Promise<void> {
    await this.#copyFrom(entries, 0, origin);
  }

  /** Adds an entry that the original does not have, at the time of the last one. */
  receive(event: JsonObject): void {
    this.#deliver({kind: 'received', event}, this.#copy.at);
  }

  /** The outcome of an effect, in the original, that the copy waits for too; undefined when the copy does not. */
  take(entry: Extract<Entry, {readonly type: 'settled'}>): void {
    const effect = this.effectOf(entry.key);
    if (effect === undefined || !isJsonObject(entry.outcome)) return;
    const {outcome, ms} = entry;
    this.#deliver({kind: 'settled', effect, outcome, ms}, this.#copy.at);
  }

  /** The effect of the copy that corresponds to one of the original. */
  effectOf(key: string): Effect | undefined {
    return this.#copy.effects.get(this.#renamed(key));
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
      const {note, by} = entry;
      const own: EntryBody = {type: 'noted', note: this.#renamedIn(note), ...(by ? {by} : {})};
      this.#copied.push({body: {...own, ...mark}, at});
    } else if (entry.type === 'requested' && entry.isLost !== true) {
      const body = {...this.#requestOf(entry), ...mark};
      markRequested(this.#copy, body, at);
      this.#copied.push({body, at});
    } else if (entry.type !== 'closed') this.#deliver(this.#incomingOf(entry), at, mark, origin);
    this.#compare(entry);
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

  #requestOf(entry: Requested & Entry): Requested {
    const {seq: _, at: __, hash: ___, digest: ____, ran: _____, ...body} = entry;
    const effect = this.effectOf(entry.key);
    if (!effect) throw this.#strayed(entry);
    return {...body, key: effect.key, request: effect.digest};
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

  /** Without the folder to which the original moved. */
  #eventOf(event: JsonObject): JsonObject {
    const {workspace: _, ...rest} = this.#renamedIn(event);
    return event['type'] === 'run.resumed' ? rest : this.#renamedIn(event);
  }

  /** The course of the copy is that of the original: the same ports wait in both. */
  #compare(entry: Entry): void {
    const [own, original] = [this.#copy, this.#original].map(({effects}) => effects.open);
    const isSame =
      own?.length === original?.length &&
      original?.every(({key, port}, at) => {
        const other = own?.[at];
        return other?.key === this.#renamed(key) && other.port === port && isOpen(other);
      });
    if (isSame !== true) throw this.#strayed(entry);
  }

  #strayed({seq, type}: Entry): AppError {
    return new AppError(
      'divergence',
      `entry ${seq} (${type}) can't be copied: in another folder the run takes another course`,
    );
  }

  #renamed(text: string): string {
    const {id} = this.#place;
    const old = this.#id;
    if (text === old) return id;
    if (text.startsWith(`${old}.`)) return `${id}${text.slice(old.length)}`;
    return text.replaceAll(`interaction:${old}.`, `interaction:${id}.`);
  }

  #renamedIn(value: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.#renamedValue(member)]),
    );
  }

  #renamedValue(value: Json): Json {
    if (typeof value === 'string') return this.#renamed(value);
    if (Array.isArray(value)) return value.map((each: Json) => this.#renamedValue(each));
    return isJsonObject(value) ? this.#renamedIn(value) : value;
  }
}

type Requested = Extract<EntryBody, {readonly type: 'requested'}>;

function quietTree(move?: ReturnType<typeof moveIn>): ActorTree {
  return new ActorTree({logic: treeMachine, ports, move, onReport: () => {}});
}
