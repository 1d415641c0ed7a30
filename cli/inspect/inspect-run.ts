/** Shows a run of this process in a browser, beside the terminal. */

import {silentLogger} from '../../actors/logger.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import {type Message, t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {onInterrupt, type Terminal, tryToWrite} from '../terminal.ts';
import {addressOf, startInspector} from './inspector.ts';
import {openPage} from './open-page.ts';
import {createRunTraces} from './run-traces.ts';

export interface InspectedRun {
  /** Resolves after Ctrl-C. */
  readonly untilInterrupt: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the page, and prints its address to stderr. Rejects with AppError `io`. */
export async function inspectRun(
  runtime: Runtime,
  run: Run,
  terminal: Terminal,
): Promise<InspectedRun> {
  const traces = createRunTraces(runtime);
  traces.adopt(run);
  await run.opened;
  const inspector = await startInspector({traces, port: 0, logger: silentLogger});
  const address = addressOf(inspector, run.id);
  await tryToWrite(terminal.stderr, `${say(shown, terminal)} ${address}\n`);
  await openPage(address);
  return {
    untilInterrupt: async () => {
      await tryToWrite(terminal.stderr, `${say(ending, terminal)}\n`);
      const interrupted = Promise.withResolvers<void>();
      const stopListening = onInterrupt(interrupted.resolve);
      await interrupted.promise;
      stopListening();
    },
    close: inspector.close,
  };
}

const shown: Message = t`inspector:`;
const ending: Message = t`The inspector stays open until Ctrl-C.`;
