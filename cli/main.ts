/** Runs a command line and ends the process with its exit code. */

import {defaultForm} from '../machines/domain/interaction-form.ts';
import {type FailureView, printFailure} from './failure.ts';
import {languageOf} from './language.ts';
import type {Wanted} from './line/arguments.ts';
import {plainTerminal, processTerminal, type Terminal, write} from './terminal.ts';

/** Runs the program in this process and ends it with its exit code. */
export async function launch(argv: readonly string[]): Promise<void> {
  const view = failureViewFor(argv, processTerminal());
  const fail = async (error: unknown): Promise<void> => {
    process.exit(await printFailure(error, view));
  };
  process.on('uncaughtException', (error) => void fail(error));
  process.on('unhandledRejection', (reason) => void fail(reason));
  // A reader that has closed the pipe is not a failure; a run notices it and is suspended.
  view.terminal.stdout.on('error', () => {});
  view.terminal.stderr.on('error', () => {});
  process.exit(await perform(argv, view));
}

/** Performs a command line. Resolves with its exit code; prints failures; never rejects. */
export async function performLine(argv: readonly string[], terminal: Terminal): Promise<number> {
  return await perform(argv, failureViewFor(argv, terminal));
}

function failureViewFor(argv: readonly string[], terminal: Terminal): FailureView {
  const verbose = argv.includes('-v') || argv.includes('--verbose');
  const language = languageOf(argv, terminal.env);
  return {terminal: {...terminal, language}, verbose, output: 'text', form: defaultForm};
}

/** Once the command line is parsed, failures are printed in its output format. */
async function perform(argv: readonly string[], view: FailureView): Promise<number> {
  try {
    const {parseArguments} = await import('./line/arguments.ts');
    const wanted = await parseArguments(argv, view.terminal.env);
    if (wanted.kind !== 'command') {
      await writeAbout(wanted, view.terminal);
      return 0;
    }
    const {command, parsed} = wanted;
    if (command.endsWithResult) {
      view.output = parsed.output;
      view.form = command.endsWithResult;
    }
    const terminal = {...view.terminal, journal: parsed.journal};
    return await command.run(parsed, parsed.plain === true ? plainTerminal(terminal) : terminal);
  } catch (error) {
    return await printFailure(error, view);
  }
}

async function writeAbout(
  wanted: Exclude<Wanted, {kind: 'command'}>,
  terminal: Terminal,
): Promise<void> {
  if (wanted.kind === 'version') {
    const {version} = await import('./version.ts');
    return await write(terminal.stdout, `${version()}\n`);
  }
  if (wanted.kind === 'completion') {
    const {completionScript} = await import('./line/did-you-mean.ts');
    return await write(terminal.stdout, await completionScript(wanted.shell));
  }
  const {writeHelp} = await import('./help/text.ts');
  return await writeHelp(terminal, wanted.topic);
}
