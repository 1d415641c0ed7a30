/** What a command that has ended comes to. */

import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {escapeLine} from '../escape.ts';
import type {ChildEnd} from './child.ts';

export type CommandOutcome = Extract<ToolOutcome, {kind: 'succeeded' | 'failed' | 'cancelled'}>;

/** In seconds. */
export const maxSeconds = 3_600;

export interface Ending extends Extract<ChildEnd, {readonly kind: 'ended'}> {
  readonly text: string;
}

export function toOutcome(
  end: Ending,
  cancel: AbortSignal,
  timeout: AbortSignal,
  seconds: number,
): CommandOutcome {
  const text = textOf(end);
  if (end.exitCode === 0) return {kind: 'succeeded', text, exitCode: 0};
  if (cancel.aborted) {
    return {kind: 'cancelled', message: 'the command was cancelled and ended', text};
  }
  if (timeout.aborted) {
    const message = `the command ran longer than ${seconds} s and was ended; give it a larger timeout_secs, up to ${maxSeconds}`;
    return {kind: 'failed', code: 'timeout', message, text};
  }
  if (end.exitCode === undefined) {
    const message = `the command was ended by the signal ${end.signal ?? 'unknown'}`;
    return {kind: 'failed', code: 'signal', message, text};
  }
  const message = `the command exited with code ${end.exitCode}`;
  return {kind: 'failed', code: 'exit_nonzero', message, text, exitCode: end.exitCode};
}

function textOf({text, escaped}: Ending): string {
  const note = escaped ? ['[a process that it started has left its group and may still run]'] : [];
  return [text === '' ? '(no output)' : text, ...note].join('\n');
}

/** With what it has changed, in one line. */
export function withNote(outcome: CommandOutcome, note = ''): CommandOutcome {
  if (note === '') return outcome;
  return {...outcome, text: `${outcome.text ?? ''}\n[files: ${escapeLine(note)}]`};
}
