/** What a program that runs unattended is told for its log. Silent unless one is given. */

import type {RunResult} from '../machines/domain/result.ts';
import {isStreamed, type ProgressEvent, type Stamped} from '../machines/facts/progress.ts';
import {maskedAnswers} from '../machines/questionnaire/private-answers.ts';

export interface LogContext {
  /** Who speaks: an agent of an interview, else the path of an actor. */
  readonly agent?: string;
  /** The run. */
  readonly sessionId?: string;
  readonly tool?: string;
  readonly [key: string]: unknown;
}

/** Must neither throw nor wait. */
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

/** What a log keeps of an event. */
export interface Logged {
  readonly level: LogLevel;
  readonly type: ProgressEvent['type'];
  readonly event: Omit<ProgressEvent, 'type'>;
}

/**
 * Undefined for a piece of a stream: it is told as a whole later. Known secrets are replaced in an event already; of an
 * interview's result what was said is left out, and sensitive answers are masked, as in its other events.
 */
export function toLogged(told: ProgressEvent): Logged | undefined {
  if (isStreamed(told)) return undefined;
  const {type, ...event} = told.type === 'result' ? discreet(told) : told;
  const isBroken = told.type === 'result' && told.status === 'error';
  return {level: isBroken ? 'error' : (levels[type] ?? 'info'), type, event};
}

function discreet(result: RunResult & Stamped): ProgressEvent {
  const {conversation: _, answers, ...rest} = result;
  return {...rest, ...(answers ? {answers: maskedAnswers(answers)} : {})};
}

/** `sessionId`: the run's. The message is the event's type. */
export function logEvent(logger: Logger, sessionId: string, told: ProgressEvent): void {
  const logged = toLogged(told);
  if (!logged) return;
  const {level, type, event} = logged;
  const agent = 'agent' in told ? told.agent : told.actor;
  const tool = 'tool' in told ? {tool: told.tool} : {};
  logger[level](type, {sessionId, ...(agent === '' ? {} : {agent}), ...tool, event});
}
