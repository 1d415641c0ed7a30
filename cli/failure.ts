/** Prints failures: an expected one in one line, a bug with a trace in a file. */

import {appendFileSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {AppError} from '../machines/domain/app-error.ts';
import type {InteractionForm} from '../machines/domain/interaction-form.ts';
import type {RunResult} from '../machines/domain/result.ts';
import type {Stamped} from '../machines/facts/progress.ts';
import {dataFolder} from './config/paths.ts';
import {say} from './language.ts';
import type {OutputFormat} from './line/command.ts';
import {redact} from './log.ts';
import {jsonText, oneLine, wrapWords} from './render/text.ts';
import {pageWidthOf, tryToWrite, type Environment, type Terminal} from './terminal.ts';

/** The run could not start or continue: usage, configuration, credentials, a provider, or a bug. */
const failureExitCode = 2;

const maxMessage = 4000;

export interface FailureView {
  readonly terminal: Terminal;
  readonly verbose: boolean;
  /** The output format of the command; set once the arguments are parsed, as is `form`. */
  output: OutputFormat;
  /** The form of the requested run. */
  form: InteractionForm;
}

/** Prints the failure on stderr; with a JSON format, also as a result on stdout. Never rejects. */
export async function printFailure(
  error: unknown,
  {terminal, verbose, output, form}: FailureView,
): Promise<number> {
  const {stdout, stderr, env} = terminal;
  const lines = failureLines(error, {env, verbose});
  const [first = '', ...details] = lines;
  const said =
    error instanceof AppError
      ? oneLine(`quorate: ${say(error.wording, terminal)}`, maxMessage)
      : first;
  const rows = [said, ...details].flatMap((line) => wrapWords(line, pageWidthOf(stderr)));
  await tryToWrite(stderr, `${rows.join('\n')}\n`);
  if (output !== 'text') {
    await tryToWrite(stdout, `${jsonText(failureResult(error, form, lines), output)}\n`);
  }
  return failureExitCode;
}

function failureResult(
  error: unknown,
  form: InteractionForm,
  [message = '']: readonly string[],
): RunResult & Stamped {
  const code = error instanceof AppError ? error.code : 'internal';
  const summary = message.replace(/^quorate: /, '');
  return {
    type: 'result',
    seq: 1,
    at: Date.now(),
    interaction: '',
    actor: '',
    form,
    status: 'error',
    exitCode: failureExitCode,
    summary,
    usage: {modelCalls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0},
    error: {code, message: [summary, ...detailsOf(error)].join('\n')},
  };
}

function detailsOf(error: unknown): readonly string[] {
  return error instanceof AppError ? error.details : [];
}

/** The lines for stderr. Records a bug in the data folder. Never throws. */
function failureLines(
  error: unknown,
  {env, verbose}: {readonly env: Environment; readonly verbose: boolean},
): string[] {
  if (error instanceof AppError) {
    return [`quorate: ${error.message}`, ...error.details].map((line) => oneLine(line, maxMessage));
  }
  const message = error instanceof Error ? error.message : String(error);
  const head = `quorate: internal error: ${oneLine(redact(message, env), maxMessage)}`;
  const trace = redact(traceOf(error), env);
  const file = writeTrace(trace, env);
  const place =
    file === undefined ? 'the trace could not be kept' : `the trace is in ${oneLine(file)}`;
  return verbose
    ? [head, ...trace.split('\n').map((line) => oneLine(line, maxMessage)), place]
    : [head, `${place}; -v shows it here`];
}

/** Writes one JSON object a line, so that text in an error can't pass for another record. */
function writeTrace(trace: string, env: Environment): string | undefined {
  const folder = dataFolder(env);
  const file = join(folder, 'errors.jsonl');
  try {
    mkdirSync(folder, {recursive: true, mode: 0o700});
    const entry = {at: new Date().toISOString(), trace};
    appendFileSync(file, `${JSON.stringify(entry)}\n`, {mode: 0o600});
    return file;
  } catch {
    return undefined;
  }
}

function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${traceOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
