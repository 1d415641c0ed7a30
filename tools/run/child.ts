/** A child process in a group of its own: fed nothing, heard as it speaks, ended whole. */

import {spawn} from 'node:child_process';
import {setTimeout as sleep} from 'node:timers/promises';

import {errorCode} from '../containment/denial.ts';
import {createCapture} from './capture.ts';
import {signalGroup} from './processes.ts';

/** Between asking a group to end and ending it. */
const graceMs = 500;

/** How long output may still come once the group has ended: only a process that left the group holds the pipe. */
const drainMs = 250;

/** A killed process takes a moment to go; where nobody reaps orphans it stays as a zombie, and is not waited for. */
const goneMs = 500;

export interface ChildOrder {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends the group when aborted. */
  readonly signal: AbortSignal;
  readonly onChild: (processGroup: number) => void;
}

export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly text: string;
  /** A process that left the group still holds the output. */
  readonly escaped: boolean;
}

/**
 * Runs the program and resolves when it has exited and its group is gone. Whatever it left running in its group is
 * killed. Rejects with the operating system's error when it cannot be started.
 */
export function runChild(order: ChildOrder): Promise<ChildEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(order.file, order.args, {
      cwd: order.cwd,
      env: order.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const capture = createCapture();
    const group = child.pid;
    let killer: NodeJS.Timeout | undefined;
    let drainer: NodeJS.Timeout | undefined;
    let escaped = false;
    const end = (): void => {
      if (group === undefined) return;
      signalGroup(group, 'SIGTERM');
      killer ??= setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs);
    };
    child.once('error', reject);
    child.stdout.on('data', capture.take);
    child.once('exit', () => {
      clearTimeout(killer);
      if (group !== undefined) signalGroup(group, 'SIGKILL');
      drainer = setTimeout(() => {
        escaped = true;
        child.stdout.destroy();
      }, drainMs);
    });
    child.once('close', (exitCode, signal) => {
      clearTimeout(drainer);
      order.signal.removeEventListener('abort', end);
      const ended = {exitCode, signal, text: capture.text(), escaped};
      void untilGone(group, performance.now() + goneMs).then(() => resolve(ended));
    });
    if (group === undefined) return;
    order.onChild(group);
    if (order.signal.aborted) end();
    else order.signal.addEventListener('abort', end, {once: true});
  });
}

async function untilGone(group: number | undefined, deadline: number): Promise<void> {
  if (group === undefined || !signalGroup(group, 0) || performance.now() > deadline) return;
  await sleep(5);
  return untilGone(group, deadline);
}

/** What an error of `runChild` means, for people. */
export function startProblem(error: unknown): string {
  if (errorCode(error) === 'ENOENT') return 'the shell (/bin/sh) or the folder does not exist';
  return error instanceof Error ? error.message : String(error);
}
