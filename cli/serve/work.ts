/** Runs `quorate worker`, from its options to its end. */

import {resolve} from 'node:path';

import {startWorker} from '../../actors/run/worker.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import {t} from '../../machines/message.ts';
import type {Given} from '../commands/define.ts';
import type {workerOptions} from '../commands/worker.ts';
import {say} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import {withLoggedRuntime} from '../open-runtime.ts';
import {oneLine} from '../render/text.ts';
import {onInterrupt, type Terminal, tryToWrite, write} from '../terminal.ts';

/** Resolves with the exit code after a signal to end. Throws AppError `usage`, and the errors of opening a runtime. */
export async function work(
  parsed: Given<typeof workerOptions>,
  terminal: Terminal,
): Promise<number> {
  const {
    options: {folder, most},
    cwd = '.',
    quiet,
  } = parsed;
  const workspace = folder === undefined ? undefined : resolve(cwd, folder);
  const place = workspace === undefined ? parsed : {...parsed, cwd: workspace};
  return await withLoggedRuntime(place, terminal, async (launched, logger) => {
    const {runtime, journal, host} = launched;
    if (!host) throw usageError(t`a worker needs a journal that machines share: --journal URL`);
    const note = noteTo(terminal, quiet);
    const ending = Promise.withResolvers<void>();
    const stopListening = onInterrupt(ending.resolve);
    const worker = startWorker({
      runtime,
      owners: journal.owners,
      host,
      workspace,
      most,
      onBegin: (id) => note(say(t`${id}  begins`, terminal)),
      onEnd: ({interaction: id, status, summary}) =>
        note(`${id}  ${status}: ${oneLine(summary, 200)}`),
      onRefused: (id, error) => {
        const {message} = toFailure(error);
        logger.warn('a run can not be continued', {sessionId: id, error: message});
        note(say(t`${id}  can't be continued here: ${oneLine(message, 300)}`, terminal));
      },
    });
    try {
      await write(terminal.stdout, `working as ${host.id}\n`);
      await ending.promise;
      await worker.close();
      return 0;
    } finally {
      stopListening();
    }
  });
}

function noteTo({stderr}: Terminal, isQuiet: boolean): (line: string) => void {
  return (line) => {
    if (!isQuiet) void tryToWrite(stderr, `${line}\n`);
  };
}
