/**
 * A run that another process performs, followed by its entries: a replay that continues as they are written, and performs nothing.
 *
 * following → ended, with the entry that ends the run
 * following → left, when its reader leaves: the run continues where it is
 */

import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanQuestion} from '../../machines/domain/human.ts';
import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import type {InterviewView, OpenAsk} from '../../machines/questionnaire/answers.ts';
import type {InteractionNode} from '../../machines/tree/interaction-tree.ts';
import {interactionsOf, interviewAt, partialResult} from '../../machines/tree/partial-result.ts';
import type {ActorReport, ActorTree, Position} from '../engine/actor-tree.ts';
import type {Incoming} from '../engine/incoming.ts';
import {applyEntry} from '../engine/replay.ts';
import {isSliceOver, nextTurn} from '../engine/slices.ts';
import {type Peeked, viewOf} from '../history/peek.ts';
import {recordedTree} from '../history/record.ts';
import {noSuchRun} from '../journal/chain.ts';
import type {Entry} from '../journal/journal.ts';
import {Meter} from '../metrics/meter.ts';
import {pricesIn} from '../model/prices.ts';
import type {LeaveReason, OpenGate, Run, RunEvent} from '../runtime-api.ts';
import {toReceived} from './inbound.ts';
import {Ledger} from './ledger.ts';
import {relayedMessage} from './messages.ts';
import {createDiscretion, createProgress, isAfter, type Progress} from './progress.ts';
import {question, reportsAbout} from './run-host.ts';
import {isMoving, openedIn, type OpenedInput} from './run-input.ts';
import {
  addressedIn,
  brokenResult,
  resultOfClosing,
  shownNode,
  suspendedResult,
  suspensionAt,
} from './run-result.ts';
import type {RunDeps} from './run.ts';

type FollowDeps = Pick<RunDeps, 'journal' | 'host' | 'priceOf'>;

export interface FollowOptions {
  readonly onEvent?: ((event: ProgressEvent) => void) | undefined;
  /** The number of entries whose events are left out; the questions that are open after them are reported again. Absent: none. */
  readonly from?: number;
}

/** How long after entries were found the next ones are looked for, and the longest time between two looks. */
const soonMs = 100;
const lateMs = 1_000;

/** Rejects with AppError `not_found`, or `journal_corrupt` when its entries are damaged. */
export async function followRun(
  id: string,
  deps: FollowDeps,
  options: FollowOptions = {},
): Promise<FollowedRun> {
  const entries = await deps.journal.log.read(id);
  const opened = openedIn(entries);
  if (!opened) throw noSuchRun(id);
  const run = new FollowedRun(opened, deps, options);
  await run.begin(entries);
  return run;
}

export class FollowedRun implements Run {
  readonly id: string;
  readonly opened = Promise.resolve();
  readonly result: Promise<RunResult>;
  readonly events: AsyncIterable<ProgressEvent>;
  readonly #input: OpenedInput;
  readonly #deps: FollowDeps;
  readonly #progress: Progress;
  readonly #ending = Promise.withResolvers<RunResult>();
  #ledger: Ledger;
  /** Undefined: these charts can't replay the run, which is followed to its end alone. */
  #tree: ActorTree | undefined;
  #last: Pick<Entry, 'seq' | 'hash'> = {seq: -1, hash: ''};
  /** Of the last event that was reported: a run that moves to another folder is replayed from its start. */
  #shown: Position | undefined;
  readonly #from: number;
  #isOver = false;
  #hasWarned = false;
  #timer: NodeJS.Timeout | undefined;
  #moved = Promise.withResolvers<void>();
  /** Messages are left in the order in which they were sent. */
  #posted: Promise<void> = Promise.resolve();

  constructor(input: OpenedInput, deps: FollowDeps, {onEvent, from = 0}: FollowOptions) {
    this.id = input.id;
    this.#input = input;
    this.#deps = deps;
    this.#from = from;
    this.#ledger = this.#newLedger();
    const discretion = createDiscretion(input.form, () => this.interview());
    this.#progress = createProgress(input.id, onEvent, discretion);
    this.events = this.#progress.events;
    this.result = this.#ending.promise;
  }

  /** `entries`: all so far. Rejects for bugs alone. */
  async begin(entries: readonly Entry[]): Promise<void> {
    await this.#replay(entries);
    if (this.#from > 0) this.#reportOpen();
    this.#schedule(soonMs);
  }

  #reportOpen(): void {
    for (const effect of this.#tree?.effects.open ?? []) {
      const source = this.#tree?.sourceOf(effect.actor);
      if (source && effect.nature.settledBy === 'person')
        this.#report({report: question(effect), ...source});
    }
  }

  positionOf(event: ProgressEvent): Position | undefined {
    return this.#progress.positionOf(event);
  }

  eventsAfter(last?: Position): AsyncIterable<ProgressEvent> | undefined {
    return this.#progress.after(last);
  }

  /** A standing permission belongs to the machine on which it is given. */
  gates(): readonly OpenGate[] {
    return this.#view().gates.map(({gate, interaction, question: asked}) => ({
      gate,
      interaction,
      question: withoutLasting(asked),
    }));
  }

  asks(): readonly OpenAsk[] {
    return this.#view().asks;
  }

  interview(interaction = this.id): InterviewView | undefined {
    return interviewAt(this.#tree?.root, interaction);
  }

  interactions(): readonly InteractionNode[] {
    if (!this.#tree) return [];
    const nodes = interactionsOf(this.#tree.root, this.#input);
    return nodes.map((node) => shownNode(node, this.id));
  }

  atWork(): readonly string[] {
    const open = this.#tree?.effects.open ?? [];
    return open.filter(({nature}) => nature.settledBy !== 'person').map(({key}) => key);
  }

  underWay(): readonly string[] {
    return this.#view().underWay;
  }

  async quiet(): Promise<'asked' | 'ended'> {
    if (this.#isOver) return 'ended';
    const {gates, asks, isAtWork} = this.#view();
    if (gates.length + asks.length > 0 && !isAtWork) return 'asked';
    await this.#moved.promise;
    return await this.quiet();
  }

  /** Throws also AppError `usage` for a standing permission, and where the journal takes no messages of other machines. */
  send(event: RunEvent): void {
    this.relay(event).catch((error: unknown) => this.#warn(error));
  }

  /** As `send`; resolves when the message is left for the process of the run, and rejects with AppError `io` when it can't be. */
  relay(event: RunEvent): Promise<void> {
    const message = this.#messageOf(event);
    const posted = this.#posted.then(
      async () => await this.#deps.journal.inbox.post(this.id, message),
    );
    this.#posted = posted.catch(() => {});
    return posted;
  }

  /** Stops following. The run continues where it is. */
  async suspend(why: LeaveReason): Promise<void> {
    await this.#posted;
    const [gates, asks] = [this.gates(), this.asks()];
    const isWaiting = why === 'waiting' && gates.length + asks.length > 0;
    const suspension = isWaiting ? suspensionAt({gates, asks}) : ({why: 'interrupted'} as const);
    const left = suspendedResult(suspension, this.#facts(), {
      parts: partialResult(this.#tree?.root),
      aborted: [],
    });
    this.#finish(
      isWaiting ? left : {...left, summary: 'No longer followed; the run continues where it is.'},
    );
    await this.result;
  }

  #messageOf(event: RunEvent): JsonObject {
    const {form, settings, rootName = this.id} = this.#input;
    const received = toReceived(event, {
      form,
      gates: this.gates(),
      asks: this.asks(),
      interview: (interaction) => this.interview(interaction),
      interactions: this.interactions(),
      tools: settings.tools,
      // The process of the run resolves them.
      settingsEvent: (config) => asJson({type: 'settings.changed', config}),
    });
    // Any process may leave a cancel.
    if (event.type === 'user.cancel' || event.type === 'interaction.cancel')
      return addressedIn(received, rootName);
    const {journal, host} = this.#deps;
    const sign = journal.hosts && host.sign;
    const message = sign && relayedMessage(this.id, pinned(event, received), sign);
    if (message) return message;
    throw new AppError(
      'usage',
      'another process has the run, and only the machines of one journal relay messages to it',
    );
  }

  /** From the first entry: the charts name the folder in which the run works. */
  async #replay(entries: readonly Entry[]): Promise<void> {
    this.#ledger = this.#newLedger();
    const meter = new Meter();
    const tree: ActorTree = recordedTree(entries, {
      onReport: (reported) => this.#report(reported),
      onDeliver: (incoming, at) => {
        this.#learn(incoming);
        const booking = {
          form: this.#input.form,
          ledger: this.#ledger,
          meter,
          effects: tree.effects,
        };
        for (const own of reportsAbout(incoming, booking))
          this.#report({...own, at, position: tree.nextPosition()});
      },
    });
    this.#tree = tree;
    await this.#apply(entries);
  }

  #newLedger(): Ledger {
    const {limits, tooling, prices = {}} = this.#input;
    const ledger = new Ledger(limits, this.#deps.priceOf, tooling?.maxSchemaTokens);
    ledger.learn(prices);
    return ledger;
  }

  #learn(incoming: Incoming): void {
    if (incoming.kind !== 'received' || incoming.event['type'] !== 'settings.changed') return;
    this.#ledger.learn(pricesIn(incoming.event));
  }

  async #apply(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      // oxlint-disable-next-line no-await-in-loop -- one entry after the other
      if (isSliceOver()) await nextTurn();
      if (this.#isOver) return;
      this.#take(entry);
      this.#last = entry;
    }
    this.#moved.resolve();
    this.#moved = Promise.withResolvers();
  }

  #take(entry: Entry): void {
    if (this.#tree) this.#tryApply(this.#tree, entry);
    if (entry.type !== 'closed') return;
    const result = resultOfClosing(entry);
    if (result) this.#finish(result, this.#tree?.nextPosition());
    else this.#finish(this.#broken(new Error('the entry that ends the run holds no result')));
  }

  /** Charts of another version perform a run that these can't replay. */
  #tryApply(tree: ActorTree, entry: Entry): void {
    try {
      applyEntry({tree}, entry);
      if (entry.type === 'noted' && entry.by === 'host') this.#reportAsked(tree, entry.note);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.#tree = undefined;
      this.#warn(error);
    }
  }

  /** The note of a question to a person: its process has reported it then. */
  #reportAsked(tree: ActorTree, {type, gate, ask}: JsonObject): void {
    const key = type === 'human.requested' ? gate : ask;
    const effect = typeof key === 'string' ? tree.effects.get(key) : undefined;
    if (!effect) return;
    const {actor, at} = tree.sourceOf(effect.actor);
    this.#report({report: question(effect), actor, at, position: tree.nextPosition()});
  }

  #report({report, actor, at, position}: ActorReport): void {
    if (position && !isAfter(position, this.#shown)) return;
    this.#shown = position ?? this.#shown;
    const isLeftOut = position && position.entry < this.#from && report.type !== 'result';
    if (!isLeftOut) this.#progress.report(report, actor, at, position);
  }

  #warn(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#progress.report({type: 'warning', message}, '', Date.now());
  }

  #schedule(ms: number): void {
    if (!this.#isOver) this.#timer = setTimeout(() => void this.#look(ms), ms);
  }

  async #look(waitedMs: number): Promise<void> {
    try {
      const isMore = await this.#readOn();
      this.#hasWarned = false;
      this.#schedule(isMore ? soonMs : Math.min(waitedMs * 2, lateMs));
    } catch (error) {
      if (!isPassing(error)) return this.#finish(this.#broken(error));
      if (!this.#hasWarned) this.#warn(error);
      this.#hasWarned = true;
      this.#schedule(lateMs);
    }
  }

  /** True when there were new entries. */
  async #readOn(): Promise<boolean> {
    const {log} = this.#deps.journal;
    const entries = await log.after(this.id, this.#last);
    if (this.#isOver || entries.length === 0) return false;
    const isElsewhere = entries.some((entry) => entry.type === 'received' && isMoving(entry.event));
    if (isElsewhere && this.#tree) await this.#replay(await log.read(this.id));
    else await this.#apply(entries);
    return true;
  }

  #view(): Omit<Peeked, 'reports'> {
    if (this.#tree) return viewOf(this.#tree, this.id);
    return {gates: [], asks: [], underWay: [], isAtWork: false};
  }

  #facts() {
    return {...this.#input, ledger: this.#ledger, isOnRecord: true};
  }

  #broken(error: unknown): RunResult {
    return brokenResult(error, this.#facts());
  }

  #finish(outcome: RunResult, position?: Position): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#report({report: outcome, actor: '', at: Date.now(), ...(position ? {position} : {})});
    this.#progress.end();
    this.#moved.resolve();
    this.#ending.resolve(outcome);
  }
}

function withoutLasting(asked: HumanQuestion): HumanQuestion {
  return {...asked, allowed: asked.allowed.filter((decision) => decision !== 'always')};
}

/** The store can't be reached now. */
function isPassing(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'io' || error.code === 'busy');
}

/** The event, about exactly the question that was open when it was sent. */
function pinned(event: RunEvent, {gate, proposalHash, ask}: JsonObject): RunEvent {
  if (
    event.type === 'human.decided' &&
    typeof gate === 'string' &&
    typeof proposalHash === 'string'
  )
    return {...event, gate, digest: proposalHash};
  if (typeof ask !== 'string') return event;
  if (event.type === 'user.said') return {type: 'person.replied', ask, text: event.text};
  return event.type === 'person.replied' ? {...event, ask} : event;
}
