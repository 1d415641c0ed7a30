/** Turns the end of a command into the outcome of its call. */

import {constants} from 'node:os';

import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {escapeLine} from '../escape.ts';
import type {ChildEnd} from './child.ts';
import {type Limits, limitTexts, maxSeconds} from './quota.ts';

export type CommandOutcome = Extract<ToolOutcome, {kind: 'succeeded' | 'failed' | 'cancelled'}>;

export interface Ending extends Extract<ChildEnd, {readonly kind: 'ended'}> {
  readonly text: string;
  /** Processes of unknown origin. */
  readonly strays: readonly string[];
}

export interface Terms {
  readonly cancel: AbortSignal;
  readonly timeout: AbortSignal;
  readonly seconds: number;
  /** Absent: nothing limits the processes of the command together. */
  readonly total?: Limits | undefined;
}

export function toOutcome(end: Ending, {cancel, timeout, seconds, total}: Terms): CommandOutcome {
  const text = textsOf(end).join('\n');
  if (end.exitCode === 0) return {kind: 'succeeded', text, exitCode: 0};
  if (cancel.aborted) {
    return {kind: 'cancelled', message: 'the command was cancelled and ended', text};
  }
  if (timeout.aborted) {
    const message = `the command ran longer than ${seconds} s and was ended; give it a larger timeout_secs, up to ${maxSeconds}`;
    return {kind: 'failed', code: 'timeout', message, text};
  }
  const limit = limitText(end, total);
  if (end.exitCode === undefined) {
    const message = `the command was ended by the signal ${end.signal ?? 'unknown'}${limit}`;
    return {kind: 'failed', code: 'signal', message, text};
  }
  const message = `the command exited with code ${end.exitCode}${limit}`;
  return {kind: 'failed', code: 'exit_nonzero', message, text, exitCode: end.exitCode};
}

/** A shell reports the signal that ended its command as 128 plus its number. */
function limitText({exitCode = 0, signal}: Ending, total: Limits | undefined): string {
  const texts = {...limitTexts, ...(total ? {SIGKILL: memoryText(total)} : {})};
  const found = Object.entries(texts).find(
    ([name]) => name === signal || numberOf(name) === exitCode - 128,
  );
  const text = found?.[1];
  return text === undefined ? '' : `: ${text}`;
}

function numberOf(signal: string): number | undefined {
  return Object.entries(constants.signals).find(([name]) => name === signal)?.[1];
}

function textsOf({text, escaped, outsiders, strays}: Ending): string[] {
  return [
    text === '' ? '(no output)' : text,
    ...(outsiders.length > 0
      ? [`[${countText(outsiders.length)} it had started elsewhere ended with it]`]
      : []),
    ...(escaped ? ['[a process that it started has left its group and may still run]'] : []),
    ...(strays.length > 0
      ? [`[started meanwhile, perhaps by it, and still running: ${strays.join(', ')}]`]
      : []),
  ];
}

function memoryText({memory}: Limits): string {
  return `perhaps by the kernel, as all its processes together may take ${Math.floor(memory / mebibyte)} MB of memory (commands.max_memory_percent)`;
}

const mebibyte = 1_048_576;

function countText(count: number): string {
  return count === 1 ? 'a process that' : `${count} processes that`;
}

/** The outcome with the command's changes, in one line. */
export function withNote(outcome: CommandOutcome, note = ''): CommandOutcome {
  if (note === '') return outcome;
  return {...outcome, text: `${outcome.text ?? ''}\n[files: ${escapeLine(note)}]`};
}
