/** The log of a run: JSON lines in the file given by `--log` or QUORATE_LOG. Without either, there is no log. */

import {closeSync, openSync, writeSync} from 'node:fs';
import {resolve} from 'node:path';

import type {Logger, LogLevel} from '../actors/logger.ts';
import {AppError} from '../machines/domain/app-error.ts';
import type {ProgressEvent} from '../machines/facts/progress.ts';
import {type Message, say} from './language.ts';
import type {Globals} from './line/command.ts';
import {redact} from './redact.ts';
import type {Environment} from './terminal.ts';

/** Never throws and never waits: when the disk fills up, log lines are lost, and the run continues. */
export interface Log {
  /** Every progress event except model deltas. The runtime has already replaced known secrets in events. */
  readonly event: (event: ProgressEvent) => void;
  /** A warning of the launcher. */
  readonly warning: (message: Message) => void;
  /** Standard error of an MCP server. */
  readonly serverOutput: (server: string, text: string) => void;
}

const silent: Log = {event: () => {}, warning: () => {}, serverOutput: () => {}};

/**
 * Runs `work` with a log; an error that it throws is logged with its code and its causes. Rejects with AppError `io` before
 * the work begins when the file can't be written.
 */
export async function withLog<T>(
  {log: flag}: Pick<Globals, 'log'>,
  env: Environment,
  work: (log: Log) => Promise<T>,
): Promise<T> {
  const opened = await openLog(flag, env);
  if (!opened) return await work(silent);
  const {log, close} = opened;
  const {toLogged} = await import('../actors/logger.ts');
  const startedAt = performance.now();
  const elapsed = (): {elapsedMs: number} => ({
    elapsedMs: Math.round(performance.now() - startedAt),
  });
  try {
    return await work({
      event: (progress) => {
        const logged = toLogged(progress);
        if (logged) log[logged.level]({...elapsed(), type: logged.type, event: logged.event});
      },
      warning: (message) =>
        log.warn({...elapsed(), type: 'warning', event: {message: say(message, {})}}),
      serverOutput: (server, text) =>
        log.debug({...elapsed(), type: 'server.output', event: {server, text: redact(text, env)}}),
    });
  } catch (error) {
    log.error({...elapsed(), type: 'error', error: causes(error, env)});
    throw error;
  } finally {
    close();
  }
}

/** A logger for a program that serves many runs: `{level, time, pid, msg}` and the context given with the message. */
export async function withLogger<T>(
  {log: flag}: Pick<Globals, 'log'>,
  env: Environment,
  work: (logger: Logger) => Promise<T>,
): Promise<T> {
  const opened = await openLog(flag, env);
  if (!opened) return await work((await import('../actors/logger.ts')).silentLogger);
  const {log, close} = opened;
  const at =
    (level: LogLevel): Logger[LogLevel] =>
    (message, context = {}) =>
      log[level](context, message);
  try {
    return await work({debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error')});
  } catch (error) {
    log.error({error: causes(error, env)}, 'failed');
    throw error;
  } finally {
    close();
  }
}

/** Undefined without `--log` and QUORATE_LOG. */
async function openLog(flag: string | undefined, env: Environment) {
  const file = flag ?? env['QUORATE_LOG'];
  if (!file) return undefined;
  const fd = openFile(resolve(file));
  const {pino} = await import('pino');
  const stream = pino.destination({fd, sync: true});
  stream.on('error', () => {});
  const options = {
    level: 'debug',
    base: {pid: process.pid},
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
