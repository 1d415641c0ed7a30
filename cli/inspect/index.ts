/**
 * The inspector for any program with XState 5: `import {inspect} from 'quorate/inspect'`.
 */

import type {AnyActorRef, InspectionEvent} from 'xstate';

import {isActor} from '../../actors/inspect/recorder.ts';
import {silentLogger} from '../../actors/logger.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {parentOf} from '../../machines/tree/path.ts';
import {addressOf, startInspector} from './inspector.ts';
import {openPage} from './open-page.ts';
import {ProgramTrace} from './program-trace.ts';
import type {Traces} from './routes.ts';

export interface InspectOptions {
  /** The port to listen at, on this machine only. 0, the default: any free port. */
  readonly port?: number;
  /** Opens the page in the browser. */
  readonly isOpened?: boolean;
  /** Receives the address of the page, with its secret. Absent: it is printed to stderr. */
  readonly onAddress?: (address: string) => void;
}

/** The value of the `inspect` option of `createActor`, for one actor system or for several. */
export interface ProgramInspector {
  (event: InspectionEvent): void;
  /** Of the page, with its secret. Rejects with AppError `io`. */
  readonly address: Promise<string>;
  /** Ends the page. */
  readonly close: () => Promise<void>;
}

/**
 * Shows the actors of a program in a browser: their states, charts and contexts, at every moment. It listens at once, and does not
 * keep the process running.
 */
export function inspect({
  port = 0,
  isOpened = false,
  onAddress = print,
}: InspectOptions = {}): ProgramInspector {
  const systems = new Systems();
  const starting = startInspector({
    traces: tracesOf(systems),
    port,
    logger: silentLogger,
    isBackground: true,
  });
  const address = starting.then((inspector) => addressOf(inspector));
  void announce(address, onAddress, isOpened);
  return Object.assign((event: InspectionEvent) => systems.take(event), {
    address,
    close: async () => {
      systems.close();
      await (await starting).close();
    },
  });
}

/** The actor systems of a program, each with its trace. Only the last ended ones are kept. */
class Systems {
  readonly #byRoot = new WeakMap<AnyActorRef, ProgramTrace>();
  readonly #kept = new Map<string, ProgramTrace>();
  #count = 0;
  #isClosed = false;

  /** The oldest first. */
  get all(): readonly ProgramTrace[] {
    return [...this.#kept.values()];
  }

  find(id: string): ProgramTrace | undefined {
    return this.#kept.get(id);
  }

  take(event: InspectionEvent): void {
    const {actorRef: actor} = event;
    if (this.#isClosed || !isActor(actor)) return;
    const root = rootOf(actor);
    const trace = this.#byRoot.get(root) ?? this.#add(root);
    trace.take(event);
  }

  close(): void {
    this.#isClosed = true;
    this.#kept.clear();
  }

  #add(root: AnyActorRef): ProgramTrace {
    const ended = [...this.#kept].filter(([, each]) => each.hasEnded);
    for (const [old] of ended.slice(0, -keptEnded)) this.#kept.delete(old);
    this.#count += 1;
    const id = String(this.#count);
    const trace = new ProgramTrace(id, root);
    this.#byRoot.set(root, trace);
    this.#kept.set(id, trace);
    return trace;
  }
}

const keptEnded = 20;

function rootOf(actor: AnyActorRef): AnyActorRef {
  const parent = parentOf(actor);
  return parent ? rootOf(parent) : actor;
}

async function announce(
  address: Promise<string>,
  onAddress: (text: string) => void,
  isOpened: boolean,
): Promise<void> {
  try {
    const text = await address;
    onAddress(text);
    if (isOpened) await openPage(text);
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
  }
}

function print(text: string): void {
  process.stderr.write(`inspector: ${text}\n`);
}

function tracesOf(systems: Systems): Traces {
  return {
    list: async () =>
      (await Promise.all(systems.all.map(async (trace) => await trace.head()))).toReversed(),
    find: async (id) => {
      const trace = systems.find(id);
      if (!trace) throw new AppError('not_found', `there is no actor system ${id}`);
      return await Promise.resolve(trace);
    },
  };
}
