/** The log of the program: JSON lines in the file given by `--log` or QUORATE_LOG. Without either, there is no log. */

import {closeSync, openSync, writeSync} from 'node:fs';
import {resolve} from 'node:path';

import type {Logger, LogLevel} from '../actors/logger.ts';
import {AppError} from '../machines/domain/app-error.ts';
import type {Message} from '../machines/message.ts';
import {secretsIn} from '../machines/places/secrets.ts';
import {say} from './language.ts';
import type {Globals} from './line/command.ts';
import type {Environment} from './terminal.ts';

/**
 * Runs `work` with a logger: a record has `level`, `time`, `pid`, `elapsedMs`, `type` and the context given with it. The logger
 * never throws and never waits: when the disk fills up, log lines are lost, and the work continues. An error that `work` throws
 * is logged with its code and its causes. Rejects with AppError `io` before the work begins when the file can't be written.
 */
export async function withLog<T>(
  {log: flag}: Pick<Globals, 'log'>,
  env: Environment,
  work: (logger: Logger) => Promise<T>,
): Promise<T> {
  const opened = await openLog(flag, env);
  if (!opened) return await work((await import('../actors/logger.ts')).silentLogger);
  const {log, close} = opened;
  const at =
    (level: LogLevel): Logger[LogLevel] =>
    (type, context = {}) =>
      log[level](context, type);
  try {
    return await work({debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error')});
  } catch (error) {
    log.error({error: causes(error, env)}, 'error');
    throw error;
  } finally {
    close();
  }
}

/** A warning of the launcher. */
export function logWarning(logger: Logger, message: Message | string): void {
  logger.warn('warning', {event: {message: say(message, {})}});
}

/** Undefined without `--log` and QUORATE_LOG. */
async function openLog(flag: string | undefined, env: Environment) {
  const file = flag ?? env['QUORATE_LOG'];
  if (!file) return undefined;
  const fd = openFile(resolve(file));
  const {pino} = await import('pino');
  const startedAt = performance.now();
  const stream = pino.destination({fd, sync: true});
  stream.on('error', () => {});
  const options = {
    level: 'debug',
    base: {pid: process.pid},
    messageKey: 'type',
    mixin: () => ({elapsedMs: Math.round(performance.now() - startedAt)}),
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  return {log: pino(options, stream), close: () => closeSync(fd)};
}

/** An empty write fails on a device that takes nothing. */
function openFile(path: string): number {
  try {
    const fd = openSync(path, 'a', 0o600);
    writeSync(fd, '');
    return fd;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('io', `the log ${path} can't be written: ${why}`, {cause: error});
  }
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly cause?: Failure;
}

function causes(error: unknown, env: Environment): Failure {
  if (!(error instanceof Error)) return {code: 'internal', message: redact(String(error), env)};
  const code = 'code' in error ? String(error.code) : 'internal';
  const cause = error.cause === undefined ? {} : {cause: causes(error.cause, env)};
  return {code, message: redact(error.message, env), ...cause};
}

// Errors of libraries may quote their input: the launcher redacts secrets in them once more.

/** Replaces values of variables that hold secrets, and credentials of authorization headers. */
export function redact(text: string, env: Environment): string {
  const bare = secretsIn(env).reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
  return bare.replaceAll(/\b(bearer|x-api-key:?)\s+\S+/gi, '$1 [secret]');
}
