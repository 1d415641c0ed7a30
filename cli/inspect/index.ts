/**
 * The inspector for any program with XState 5: `import {inspect} from 'quorate/inspect'`.
 */

import type {InspectionEvent} from 'xstate';

import {isActor} from '../../actors/inspect/plain.ts';
import {silentLogger} from '../../actors/logger.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {addressOf, startInspector} from './inspector.ts';
import {openPage} from './open-page.ts';
import {ProgramTrace} from './program-trace.ts';
import type {Traces} from './traces.ts';

export interface InspectOptions {
  /** The port to listen at, on this machine only. 0, the default: any free port. */
  readonly port?: number;
  /** Opens the page in the browser. */
  readonly isOpened?: boolean;
  /** Receives the address of the page, with its secret. Absent: it is printed to stderr. */
  readonly onAddress?: (address: string) => void;
}

/** The value of the `inspect` option of `createActor`, for one actor system or for several. */
export interface Inspect {
  (event: InspectionEvent): void;
  /** Of the page, with its secret: its holder can send events to the actors. Rejects with AppError `io`. */
  readonly address: Promise<string>;
  /** Ends the page. */
  readonly close: () => Promise<void>;
}

/**
 * Shows the actors of a program in a browser: their states and charts, messages, contexts, at every moment; and sends events to
 * them. It listens at once, and does not keep the process running.
 */
export function inspect({port = 0, isOpened = false, onAddress}: InspectOptions = {}): Inspect {
  const systems = new Map<string, ProgramTrace>();
  const starting = startInspector({
    traces: tracesOf(systems),
    port,
    logger: silentLogger,
    isBackground: true,
  });
  const address = starting.then((inspector) => addressOf(inspector));
  void announce(address, onAddress ?? print, isOpened);
  const take = (event: InspectionEvent): void => {
    const {rootId, actorRef: actor} = event;
    if (!isActor(actor)) return;
    let trace = systems.get(rootId);
    if (!trace) {
      trace = new ProgramTrace(`${systems.size + 1}`, actor);
      systems.set(rootId, trace);
    }
    trace.take(event);
  };
  return Object.assign(take, {
    address,
    close: async () => await (await starting).close(),
  });
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

function tracesOf(systems: ReadonlyMap<string, ProgramTrace>): Traces {
  const all = (): ProgramTrace[] => [...systems.values()];
  return {
    list: async () =>
      (await Promise.all(all().map(async (trace) => await trace.head()))).toReversed(),
    find: async (id) => {
      const trace = all()[Number(id) - 1];
      if (!trace) throw new AppError('not_found', `there is no actor system ${id}`);
      return await Promise.resolve(trace);
    },
  };
}
