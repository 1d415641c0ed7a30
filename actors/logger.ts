/** What a program that runs unattended is told for its log. Silent unless one is given. */

import {isStreamed, type ProgressEvent} from '../machines/domain/progress.ts';

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
  warning: 'warn',
  'limit.reached': 'warn',
  'model.retried': 'warn',
  'tool.retried': 'warn',
};

/** Undefined for a piece of a stream: it is told as a whole later. */
export function logLevelOf(event: ProgressEvent): LogLevel | undefined {
  if (event.type === 'result' && event.status === 'error') return 'error';
  return isStreamed(event) ? undefined : (levels[event.type] ?? 'info');
}

/** `sessionId`: the run's. The message is the event's type; known secrets are replaced in it already. */
export function logEvent(logger: Logger, sessionId: string, event: ProgressEvent): void {
  const level = logLevelOf(event);
  if (!level) return;
  const {type, actor, ...rest} = event;
  const agent = 'agent' in rest && typeof rest.agent === 'string' ? rest.agent : actor;
  const tool = 'tool' in rest ? {tool: rest.tool} : {};
  logger[level](type, {sessionId, ...(agent === '' ? {} : {agent}), ...tool, event: rest});
}
