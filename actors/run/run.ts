/** One run: an engine, its journal, its stream of progress, and the operations of a person on it. */

import {AppError} from '../../machines/domain/app-error.ts';
import {asJson, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {once} from '../../machines/domain/once.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {isNoted, type ProgressEvent} from '../../machines/facts/progress.ts';
import {ports} from '../../machines/port-natures.ts';
import type {InterviewView, OpenAsk} from '../../machines/questionnaire/answers.ts';
import type {InteractionNode} from '../../machines/tree/interaction-tree.ts';
import {interactionsOf, interviewAt, partialResult} from '../../machines/tree/partial-result.ts';
import {treeMachine} from '../../machines/tree/tree.ts';
import {startTimeOf} from '../../tools/run/processes.ts';
import {type RunSettings, settingsAfter} from '../config/change.ts';
import type {ConfigInput} from '../config/schema.ts';
import type {Inspector, Position} from '../engine/actor-tree.ts';
import {isAsked, isAtWork, type Effect, type Move} from '../engine/effect.ts';
import {Engine, RunningTime} from '../engine/engine.ts';
import type {Incoming} from '../engine/incoming.ts';
import {replay} from '../engine/replay.ts';
import {schedulerOf} from '../engine/scheduler.ts';
import type {Entry, Host, Journal, Log, Ownership} from '../journal/journal.ts';
import type {NewSubmission} from '../journal/submissions.ts';
import {Meter} from '../metrics/meter.ts';
import type {Price} from '../model/model.ts';
import type {Performers} from '../performers/performers.ts';
import type {Tooling} from '../performers/tooling.ts';
import type {LeaveReason, Run, RunEvent, OpenGate} from '../runtime-api.ts';
import type {RunRedactor} from '../secrets/redact.ts';
import {withContext} from '../sessions/opening-context.ts';
import {createRunChanges} from '../undo/backups.ts';
import {chartsVersion} from '../version.ts';
import {asksOf, gatesOf, toReceived} from './inbound.ts';
import {Ledger, limitsIn} from './ledger.ts';
import {
  isLasting,
  type Passed,
  type Relayed,
  relayedIds,
  relayedIn,
  request,
  watchInbox,
} from './messages.ts';
import {createDiscretion, createProgress, type Discretion, type Progress} from './progress.ts';
import {createHost, timeUp, underWayIn} from './run-host.ts';
import {
  firstOfResumed,
  needsOf,
  receivedIn,
  sharedIn,
  type OpenedInput,
  type Prepared,
  type Resuming,
} from './run-input.ts';
import {
  addressedIn,
  type BrokenFacts,
  brokenResult,
  noteOf,
  outageOf,
  shownNode,
  suspendedResult,
  type Suspension,
  suspensionOf,
} from './run-result.ts';

export class LiveRun implements Run {
  readonly id: string;
  readonly opened: Promise<void>;
  readonly result: Promise<RunResult>;
  readonly events: AsyncIterable<ProgressEvent>;
  readonly #input: OpenedInput;
  readonly #deps: RunDeps;
  readonly #log: Log;
  readonly #hasFolder: boolean;
  readonly #progress: Progress;
  readonly #discretion: Discretion;
  /** Created when it is first needed: thousands of runs may wait to be opened. */
  readonly #engine: () => Engine;
  readonly #time = new RunningTime();
  readonly #ledger: Ledger;
  readonly #meter = new Meter();
  readonly #opening = Promise.withResolvers<void>();
  readonly #patience = new AbortController();
  readonly #ending = Promise.withResolvers<RunResult>();
  readonly #early: Incoming[] = [];
  #onOpen: (at: number) => void = () => {};
  #settings: RunSettings;
  #relayed: Set<string> = new Set();
  #owned: Ownership | undefined;
  #firstRead = Promise.resolve();
  #stopWatching: () => void = () => {};
  #isOnRecord = false;
  /** Resolved when nothing is in flight any more. */
  #rested = Promise.withResolvers<void>();
  #stage: 'opening' | 'open' | 'over' = 'opening';

  /** `move`: of a run that no longer works in the folder in which it was opened. */
  constructor(
    input: OpenedInput,
    deps: RunDeps,
    onEvent?: (event: ProgressEvent) => void,
    move?: Move,
  ) {
    const {id, form, limits, tooling} = input;
    this.id = id;
    this.#input = input;
    this.#settings = input;
    this.#deps = deps;
    this.opened = this.#opening.promise;
    this.opened.catch(() => {});
    this.result = this.#ending.promise;
    this.#discretion = createDiscretion(form, () => this.interview());
    this.#progress = createProgress(id, onEvent, this.#discretion);
    this.events = this.#progress.events;
    this.#ledger = new Ledger(limits, deps.priceOf, tooling?.maxSchemaTokens);
    this.#ledger.learn(input.prices ?? {});
    const {backups} = deps.journal;
    this.#log = lineOf(deps.journal, id);
    this.#hasFolder = input.workspace !== '' && (deps.journal.host ?? input.host) !== undefined;
    this.#engine = once(
      () =>
        new Engine({
          id,
          logic: treeMachine,
          ports,
          log: this.#log,
          time: this.#time,
          isNoted,
          inspect: deps.inspect,
          move,
          host: createHost({
            id,
            form,
            hasFolder: this.#hasFolder,
            ledger: this.#ledger,
            meter: this.#meter,
            time: this.#time,
            performers: deps.performersFor(tooling),
            redactor: deps.redactor,
            report: this.#progress.report,
            onChild: (group) => deps.host.children.remember(id, group, startTimeOf(group) ?? ''),
            changes: createRunChanges(id, backups, deps.redactor),
            effects: () => this.#engine().tree.effects,
            isHeld: () => this.#owned?.isHeld?.() ?? true,
            onRest: (open) => this.#rest(open),
            onOutage: (outage) => void this.#leave({why: 'outage', outage}),
            onOpen: (at) => {
              this.#isOnRecord = true;
              this.#onOpen(at);
              this.#opening.resolve();
            },
            onStopped: (closing, error) =>
              this.#finish(closing ?? brokenResult(error, this.#facts()), error),
          }),
        }),
    );
  }

  /** Opens a new run, in its time slice. A failure to open becomes its result. */
  open(prepare: () => Promise<Prepared>, submission?: NewSubmission): void {
    const {journal, redactor} = this.#deps;
    schedulerOf(this.#log).schedule(async () => {
      try {
        if (this.isOver()) return;
        this.#hold(await journal.owners.own(this.id, this.#patience.signal));
        const [{warnings, input: own}, unmasked] = await Promise.all([
          prepare(),
          redactor.refresh(),
        ]);
        this.#onOpen = (at) => this.#warn([...warnings, ...unmasked], at);
        const input = redactor.input(asJson(await withContext(own, journal.log)));
        this.#goOn(0, {kind: 'opened', input, version: chartsVersion(), submission});
      } catch (error) {
        this.#finish(brokenResult(error, this.#facts()), error);
      }
    });
  }

  /** Continues from the entries of an open run. Rejects as `replay` and `check` do; without `check` nothing is required. */
  async resume(
    owned: Ownership,
    entries: readonly Entry[],
    {events, lost, warnings, check, movesTo}: Resuming,
  ): Promise<void> {
    const engine = this.#engine();
    const {tree} = engine;
    this.#isOnRecord = true;
    const received = receivedIn(entries);
    this.#settings = settingsAfter(this.#settings, [...received, ...events]);
    this.#relayed = relayedIds(received);
    const unmasked = await this.#deps.redactor.refresh();
    const target = {
      tree,
      recall: (note: JsonObject) => engine.recall(note),
      restore: (ms: number) => this.#time.restore(ms),
    };
    const shared = sharedIn(entries);
    await replay(target, entries.slice(0, shared));
    this.#meter.restart();
    await replay(target, entries.slice(shared));
    // The settings that change may replace a model that is missing.
    const changes = events.filter(({type}) => type === 'settings.changed');
    check?.({
      ...needsOf(
        {id: this.id, workspace: this.#hasFolder ? this.#input.workspace : undefined},
        tree.effects.open,
      ),
      ...(changes.length > 0 ? {models: []} : {}),
    });
    this.#onOpen = (at) => this.#warn([...warnings, ...unmasked], at);
    this.#hold(owned);
    const {timeoutMs} = Object.assign({}, this.#ledger.limits, ...changes.map(limitsIn));
    if (check && this.#time.ranMs >= timeoutMs) {
      const outage = timeUp(timeoutMs);
      const course = {parts: partialResult(tree.root), aborted: []};
      this.#finish(suspendedResult({why: 'outage', outage}, this.#facts(), course));
      return;
    }
    this.#goOn(entries.length, ...firstOfResumed(tree, {lost, events, movesTo}));
  }

  positionOf(event: ProgressEvent): Position | undefined {
    return this.#progress.positionOf(event);
  }

  eventsAfter(last?: Position): AsyncIterable<ProgressEvent> | undefined {
    return this.#progress.after(last);
  }

  isOver(): boolean {
    return this.#stage === 'over';
  }

  gates(): readonly OpenGate[] {
    return gatesOf(this.#engine().tree.effects.open.filter(isAsked), this.id);
  }

  asks(): readonly OpenAsk[] {
    return asksOf(this.#engine().tree.effects.open.filter(isAsked), this.id);
  }

  interview(interaction = this.id): InterviewView | undefined {
    return interviewAt(this.#engine().tree.root, interaction);
  }

  interactions(): readonly InteractionNode[] {
    const nodes = interactionsOf(this.#engine().tree.root, this.#input);
    return nodes.map((node) => shownNode(node, this.id));
  }

  atWork(): readonly string[] {
    return this.#engine().atWork();
  }

  async quiet(): Promise<'asked' | 'ended'> {
    await this.#firstRead;
    return await this.#asked();
  }

  async #asked(): Promise<'asked' | 'ended'> {
    if (this.isOver()) return 'ended';
    if (this.#isAsked()) return 'asked';
    await this.#rested.promise;
    return await this.#asked();
  }

  #isAsked(): boolean {
    const isAsking = this.#stage === 'open' && this.gates().length + this.asks().length > 0;
    return isAsking && this.atWork().length === 0;
  }

  underWay(): readonly string[] {
    return underWayIn(this.#engine().tree.effects.open);
  }

  send(event: RunEvent): void {
    this.#receive(event);
  }

  /** `message`: of the inbox, which keeps it until the entry is durable. */
  #receive(event: unknown, relayed?: Pick<Relayed, 'id'> & {readonly message: number}): void {
    const {form, settings, rootName = this.id} = this.#input;
    const received = this.#deps.redactor.json(
      toReceived(event, {
        form,
        gates: this.gates(),
        asks: this.asks(),
        interview: (interaction) => this.interview(interaction),
        interactions: this.interactions(),
        tools: settings.tools,
        settingsEvent: (change) => this.#deps.settingsEvent(change, form, this.#settings),
      }),
    );
    this.#settings = settingsAfter(this.#settings, [received]);
    const incoming: Incoming = {
      kind: 'received',
      event: {...addressedIn(received, rootName), ...(relayed ? {relayed: relayed.id} : {})},
      ...(relayed ? {message: relayed.message} : {}),
    };
    if (this.#stage === 'opening') this.#early.push(incoming);
    else this.#engine().take(incoming);
  }

  /** A run that has just been taken over does not ask yet: an answer waits until it does. */
  async #pass({id, event}: Relayed, message: number): Promise<Passed> {
    if (this.#relayed.has(id)) return 'repeated';
    if (isLasting(event)) return 'foreign';
    try {
      this.#receive(event, {id, message});
      this.#relayed.add(id);
      return 'taken';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code !== 'nothing_waiting' || this.#isAsked()) return 'late';
    }
    // The process that continues the run finds the message.
    if ((await this.#asked()) === 'ended') return 'taken';
    return await this.#pass({id, event}, message);
  }

  async suspend(why: LeaveReason): Promise<void> {
    // A suspended run may be resumed at once, so it must be in the journal first; unless the journal has to be waited for.
    this.#patience.abort();
    await Promise.allSettled([this.#opening.promise]);
    if (this.isOver()) return;
    const {open} = this.#engine().tree.effects;
    const isFor = why === 'handedOver' ? 'waiting' : why;
    const isLeft = why === 'handedOver' && !this.#isAsked();
    await this.#leave(isLeft ? {why} : suspensionOf(isFor, open, this.id));
    await this.result;
  }

  /** Suspends a run that waits only for a resume. While a question to a person is open, the run stays in this process. */
  #rest(open: readonly Effect[]): void {
    this.#rested.resolve();
    this.#rested = Promise.withResolvers();
    const outage = outageOf(open, this.#input.form, this.#settings.settings);
    if (outage) void this.#leave({why: 'outage', outage});
  }

  async #leave(suspension: Suspension): Promise<void> {
    const {effects, root} = this.#engine().tree;
    const course = {parts: partialResult(root), aborted: underWayIn(effects.open.filter(isAtWork))};
    try {
      if (!(await this.#engine().suspend(noteOf(suspension)))) return;
      await this.#callForUnread();
      this.#finish(suspendedResult(suspension, this.#facts(), course));
    } catch (error) {
      this.#finish(brokenResult(error, this.#facts()), error);
    }
  }

  /** A worker continues a run that was left while a message to it arrived. */
  async #callForUnread(): Promise<void> {
    const {inbox, hosts} = this.#deps.journal;
    if (hosts && (await inbox.read(this.id)).length > 0) await inbox.post(this.id, request);
  }

  /** A run that another process may have taken over starts nothing more, and writes nothing. */
  #hold(owned: Ownership): void {
    this.#owned = owned;
    owned.lost.addEventListener('abort', () => this.#engine().fail(owned.lost.reason), {
      once: true,
    });
  }

  #goOn(seq: number, ...first: readonly Incoming[]): void {
    this.#stage = 'open';
    this.#engine().goOn(seq, ...first, ...this.#early);
    const {inbox, hosts} = this.#deps.journal;
    const relays = hosts && {
      pass: async (left: Json, message: number) => {
        const relayed = relayedIn(left, this.id, await hosts.list());
        return relayed ? await this.#pass(relayed, message) : 'foreign';
      },
    };
    const {stop, firstRead} = watchInbox(this.id, inbox, this.#engine(), {
      ...relays,
      warn: (message) => this.#warn([message], Date.now()),
      onWanted: () => {
        if (this.#deps.lends && this.#isAsked()) void this.suspend('handedOver');
      },
    });
    this.#stopWatching = stop;
    this.#firstRead = firstRead;
  }

  #warn(messages: readonly string[], at: number): void {
    for (const message of messages) this.#progress.report({type: 'warning', message}, '', at);
  }

  #facts(): BrokenFacts {
    return {...this.#input, ledger: this.#ledger, isOnRecord: this.#isOnRecord};
  }

  #finish(outcome: RunResult, error?: unknown): void {
    if (this.isOver()) return;
    this.#stage = 'over';
    this.#rested.resolve();
    this.#stopWatching();
    this.#deps.host.locks.unlock(this.id);
    const released = this.#owned?.release();
    const hasEnded = error === undefined && outcome.resumable !== true;
    const position = hasEnded ? this.#engine().tree.nextPosition() : undefined;
    this.#progress.report(outcome, '', Date.now(), position);
    this.#progress.end();
    if (error === undefined) this.#opening.resolve();
    else this.#opening.reject(error);
    // Whoever has the result can resume the run at once.
    const end = (): void => this.#ending.resolve(this.#discretion.result(outcome));
    if (released) void released.then(end);
    else end();
  }
}

/** Runs that don't share a line of appends do not wait for one another. */
function lineOf({log}: Journal, id: string): Log {
  return log.lineFor?.(id) ?? log;
}

export interface RunDeps {
  readonly journal: Journal;
  readonly host: Host;
  /** A run that waits only for a person is left to a process that asks for it. */
  readonly lends: boolean;
  /** Performers for the tooling that the run was opened with; undefined for a run that an older version opened. */
  readonly performersFor: (tooling: Tooling | undefined) => Performers;
  readonly redactor: RunRedactor;
  readonly priceOf: (model: string) => Price | undefined;
  /** The event that changes the settings `now` of a run of this form. Throws AppError `usage`, `config` or `credentials`. */
  readonly settingsEvent: (
    settings: ConfigInput,
    form: OpenedInput['form'],
    now: RunSettings,
  ) => JsonObject;
  readonly inspect?: Inspector | undefined;
}
