/**
 * The readers of runs, wherever these are performed: by this server, by another process, or by none. A frame names its event by its
 * place in the journal, so that a reader which reconnects to any server continues there.
 */

import {isAfter} from '../../actors/run/progress.ts';
import {resultIn} from '../../actors/run/run-result.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import type {Frame} from './event-stream.ts';

type Position = NonNullable<ReturnType<Run['positionOf']>>;

export interface Followers {
  /** Ends after the result. `last`: the id of the last event that the reader has; one that is not valid counts as none. */
  readonly frames: (id: string, last: string | undefined) => AsyncGenerator<Frame>;
  /** This server performs the run from now on. */
  readonly onLive: (id: string) => void;
}

/** `live`: the runs that this server performs. */
export function createFollowers(runtime: Runtime, live: ReadonlyMap<string, Run>): Followers {
  const board = createBoard(runtime);
  const find = (id: string): Followed => {
    const run = live.get(id);
    return run ? {run: Promise.resolve(run), leave: () => {}} : board.join(id);
  };
  const read = async function* (id: string, after: Position | undefined): AsyncGenerator<Frame> {
    const followed = find(id);
    let last = after;
    try {
      const run = await followed.run;
      for await (const placed of eventsOf(run, last, runtime)) {
        const isLeft = isSuspension(placed.event);
        if (!isLeft) yield toFrame(placed);
        if (placed.event.type === 'result' && !isLeft) return;
        last = placed.position ?? last;
      }
      await run.result;
    } finally {
      followed.leave();
    }
    yield* read(id, last);
  };
  return {
    frames: async function* (id, last) {
      try {
        yield* read(id, readEventId(last));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        yield* endOfUnreadable(id, error, runtime);
      }
    },
    onLive: board.drop,
  };
}

/** The run continues elsewhere, or later. */
function isSuspension(event: ProgressEvent): boolean {
  return event.type === 'result' && event.resumable === true;
}

/** A run whose entries are damaged has a warning and its result, if that is sound. */
async function* endOfUnreadable(
  id: string,
  {message}: AppError,
  runtime: Runtime,
): AsyncGenerator<Frame> {
  yield {event: 'warning', data: {type: 'warning', message}};
  const result = resultIn((await runtime.salvage(id)).entries);
  if (result) yield {event: 'result', data: result};
}

interface Placed {
  readonly event: ProgressEvent;
  readonly position: Position | undefined;
}

/** The events after a place. Those that the run no longer keeps, or that it had in another process, come from the journal. */
async function* eventsOf(
  run: Run,
  after: Position | undefined,
  runtime: Runtime,
): AsyncGenerator<Placed> {
  const isNew = (position: Position | undefined): boolean => !position || isAfter(position, after);
  const kept = run.eventsAfter(after);
  const missed = kept ? [] : await recordedEvents(run.id, runtime);
  const unread = missed.filter(({position}) => isNew(position));
  if (unread.length > 0) {
    yield* unread;
    yield* eventsOf(run, unread.at(-1)?.position, runtime);
    return;
  }
  for await (const event of kept ?? run.events) {
    const position = run.positionOf(event);
    if (isNew(position)) yield {event, position};
  }
}

async function recordedEvents(id: string, runtime: Runtime): Promise<readonly Placed[]> {
  const events: ProgressEvent[] = [];
  const run = await runtime.follow(id, {onEvent: (event) => events.push(event)});
  await run.suspend('interrupted');
  return events.flatMap((event) => {
    const position = run.positionOf(event);
    return position ? [{event, position}] : [];
  });
}

interface Followed {
  readonly run: Promise<Run>;
  readonly leave: () => void;
}

/** The runs that are followed: each once for all of its readers, until the last of them has left. */
function createBoard(runtime: Runtime): {
  readonly join: (id: string) => Followed;
  /** Its readers find it elsewhere. */
  readonly drop: (id: string) => void;
} {
  const followed = new Map<string, {readonly run: Promise<Run>; readers: number}>();
  const drop = (id: string): void => {
    const shared = followed.get(id);
    followed.delete(id);
    void shared?.run.then(
      async (run) => await run.suspend('interrupted'),
      () => {},
    );
  };
  return {
    drop,
    join: (id) => {
      const shared = followed.get(id) ?? {run: runtime.follow(id), readers: 0};
      followed.set(id, shared);
      shared.readers += 1;
      const leave = (): void => {
        shared.readers -= 1;
        if (shared.readers === 0 && followed.get(id) === shared) drop(id);
      };
      return {run: shared.run, leave};
    },
  };
}

function toFrame({event, position}: Placed): Frame {
  return {event: event.type, data: event, ...(position ? {id: eventId(position)} : {})};
}

// IDs of events, which a reconnecting client sends as `Last-Event-ID`: `ENTRY.NUMBER.TIME`.

export function eventId({entry, nth, at}: Position): string {
  return `${entry}.${nth}.${at}`;
}

/** Undefined for an id that no event has. */
export function readEventId(id: string | undefined): Position | undefined {
  const [, entry, nth, at] = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(id ?? '') ?? [];
  if (entry === undefined) return undefined;
  return {entry: Number(entry), nth: Number(nth), at: Number(at)};
}
