/** The logger interface, for programs that run unattended. Without a logger, nothing is logged. */

import type {RunResult} from '../machines/domain/result.ts';
import {isStreamed, type ProgressEvent, type Stamped} from '../machines/facts/progress.ts';
import {maskedAnswers} from '../machines/questionnaire/private-answers.ts';

export interface LogContext {
  /** The source of the event: an agent of an interview, otherwise the path of an actor. */
  readonly agent?: string;
  /** The id of the run. */
  readonly sessionId?: string;
  readonly tool?: string;
  readonly [key: string]: unknown;
}

/** Its methods must not throw and must return at once. */
export interface Logger {
  readonly debug: (message: string, context?: LogContext) => void;
  readonly info: (message: string, context?: LogContext) => void;
  readonly warn: (message: string, context?: LogContext) => void;
  readonly error: (message: string, context?: LogContext) => void;
}

export type LogLevel = keyof Logger;

const ignore = (): void => {};

export const silentLogger: Logger = {debug: ignore, info: ignore, warn: ignore, error: ignore};

const levels: Partial<Record<ProgressEvent['type'], LogLevel>> = {
  thought: 'debug',
  usage: 'debug',
  warning: 'warn',
  'limit.reached': 'warn',
  'model.retried': 'warn',
  'tool.retried': 'warn',
};

/** The log record of an event. */
export interface Logged {
  readonly level: LogLevel;
  readonly type: ProgressEvent['type'];
  readonly event: Omit<ProgressEvent, 'type'>;
}

/**
 * Returns undefined for a streamed piece of text: a later event has the complete text. Known secrets are already replaced in
 * an event. From an interview's result, the conversation is removed, and sensitive answers are masked as in its other events.
 */
export function toLogged(progress: ProgressEvent): Logged | undefined {
  if (isStreamed(progress)) return undefined;
  const {type, ...event} = progress.type === 'result' ? discreet(progress) : progress;
  const isBroken = progress.type === 'result' && progress.status === 'error';
  return {level: isBroken ? 'error' : (levels[type] ?? 'info'), type, event};
}

function discreet(result: RunResult & Stamped): ProgressEvent {
  const {conversation: _, answers, ...rest} = result;
  return {...rest, ...(answers ? {answers: maskedAnswers(answers)} : {})};
}

/** `sessionId` is the id of the run. The message is the type of the event. */
export function logEvent(logger: Logger, sessionId: string, progress: ProgressEvent): void {
  const logged = toLogged(progress);
  if (!logged) return;
  const {level, type, event} = logged;
  const agent = 'agent' in progress ? progress.agent : progress.actor;
  const tool = 'tool' in progress ? {tool: progress.tool} : {};
  logger[level](type, {sessionId, ...(agent === '' ? {} : {agent}), ...tool, event});
}
