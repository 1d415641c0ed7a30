/** From arguments to an exit code. */

import {defaultForm} from '../machines/domain/interaction-form.ts';
import {type FailureView, tellFailure} from './failure.ts';
import type {Wanted} from './line/arguments.ts';
import {processTerminal, type Terminal, write} from './terminal.ts';

/** Runs the program in this process and ends it with its exit code. */
export async function launch(argv: readonly string[]): Promise<void> {
  const view = viewOf(argv, processTerminal());
  const fail = async (error: unknown): Promise<void> => {
    process.exit(await tellFailure(error, view));
  };
  process.on('uncaughtException', (error) => void fail(error));
  process.on('unhandledRejection', (reason) => void fail(reason));
  // A reader that has gone away is no failure; a run notices by itself and is suspended.
  view.terminal.stdout.on('error', () => {});
  view.terminal.stderr.on('error', () => {});
  process.exit(await perform(argv, view));
}

/** What the program does with a command line. Resolves with its exit code, a failure is told; never rejects. */
export async function performLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  return await perform(argv, viewOf(argv, terminal));
}

function viewOf(argv: readonly string[], terminal: Terminal): FailureView {
  const verbose = argv.includes('-v') || argv.includes('--verbose');
  return {terminal, verbose, output: 'text', form: defaultForm};
}

/** Failures are told as the command line wants them as soon as it is read. */
async function perform(argv: readonly string[], view: FailureView): Promise<number> {
  try {
    const {parseArguments} = await import('./line/arguments.ts');
    const wanted = await parseArguments(argv, view.terminal.env);
    if (wanted.kind !== 'command') {
      await tellAbout(wanted, view.terminal);
      return 0;
    }
    const {command, parsed} = wanted;
    if (command.endsWithResult) {
      view.output = parsed.output;
      view.form = command.endsWithResult;
    }
    return await command.run(parsed, view.terminal);
  } catch (error) {
    return await tellFailure(error, view);
  }
}

async function tellAbout(
  wanted: Exclude<Wanted, {kind: 'command'}>,
  {stdout}: Terminal,
): Promise<void> {
  if (wanted.kind === 'version') {
    const {version} = await import('./version.ts');
    return await write(stdout, `${version()}\n`);
  }
  const {writeHelp} = await import('./help/text.ts');
  return await writeHelp(stdout, wanted.topic);
}
