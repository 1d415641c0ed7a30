/**
 * A child process in a group of its own: known before it runs, fed what it may know, heard as it speaks, ended whole.
 *
 * waiting at the gate → recorded → running → exited → group ended → output drained
 *
 * The gate is a shell that reads one line from a pipe, the mark of all that the program will start, and then becomes the program. Nothing writes that line but the
 * recording's success: if this process dies first, the pipe closes and the shell ends without having run anything.
 */

import type {Writable} from 'node:stream';
import {setTimeout as sleep} from 'node:timers/promises';

import type {ControlGroup} from './cgroup/control-group.ts';
import type {Controller} from './cgroup/hierarchies.ts';
import {moreDescriptors} from './descriptors.ts';
import {endMarked, markName, markOf} from './escaped.ts';
import {guard} from './guard.ts';
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
  /** All that the program reads from its standard input; nothing if left out. */
  readonly input?: string;
  /** Ends the group when aborted. */
  readonly signal: AbortSignal;
  /** Whether the group is asked to end first (`SIGTERM`, and half a second later `SIGKILL`) or killed. */
  readonly ending: 'SIGTERM' | 'SIGKILL';
  /** Takes the chunk over. */
  readonly onOutput: (chunk: Buffer<ArrayBuffer>) => void;
  /** Records the group. The program runs only once this has returned, and what it returned has resolved. */
  readonly onChild: (processGroup: number) => void | Promise<void>;
  /** Puts the group's leader into a control group, where one can be made. Absent: into none. */
  readonly bound?: ((processGroup: number) => ControlGroup | undefined) | undefined;
}

export type ChildEnd =
  | {
      readonly kind: 'ended';
      readonly exitCode: number | undefined;
      readonly signal: NodeJS.Signals | undefined;
      /** Processes that had left the group, and were ended. */
      readonly outsiders: readonly number[];
      /** Of all that the group's leader has started. Absent: a control group held it, so that nothing of it is left. */
      readonly mark?: string;
      /** Limits of its control group by which the kernel has ended, or refused, a process. */
      readonly met: readonly Controller[];
      /** A process that left the group, and could not be found, still holds the output. */
      readonly escaped: boolean;
    }
  /** The program has not run, and will not. */
  | {readonly kind: 'not_started'; readonly message: string};

/**
 * Resolves when the program has exited and its group is gone: whatever it left running in it is killed, and what it started
 * elsewhere as far as that can be found. Never rejects.
 */
export async function runChild(order: ChildOrder): Promise<ChildEnd> {
  const {execa} = await import('execa');
  const child = execa('/bin/sh', ['-c', gate(order), 'sh', order.file, ...order.args], {
    cwd: order.cwd,
    env: order.env,
    extendEnv: false,
    stdio: ['pipe', 'pipe', 'ignore', ...moreDescriptors()],
    encoding: 'buffer',
    buffer: false,
    reject: false,
    killDescendants: true,
    cancelSignal: order.signal,
    killSignal: order.ending,
    forceKillAfterDelay: graceMs,
  });
  const group = child.pid;
  if (group === undefined) return {kind: 'not_started', message: startProblem(await child)};
  const mark = markOf(group);
  const control = order.bound?.(group);
  const processes = holdProcesses(group, mark, control);
  let escaped = false;
  let outsiders: readonly number[] = [];
  let met: readonly Controller[] = [];
  let drainer: NodeJS.Timeout | undefined;
  child.stdout.on('data', order.onOutput);
  child.stdin.on('error', () => undefined);
  child.nodeChildProcess.once('exit', () => {
    met = control?.met() ?? [];
    outsiders = processes.end();
    drainer = setTimeout(() => {
      escaped = true;
      child.stdout.destroy();
    }, drainMs);
  });
  const problem = await release(order, {group, mark}, child.stdin);
  const {exitCode, signal} = await child;
  clearTimeout(drainer);
  await untilGone(processes, performance.now() + goneMs);
  if (problem !== undefined) return {kind: 'not_started', message: problem};
  const marked = control ? {} : {mark};
  return {kind: 'ended', exitCode, signal, escaped, outsiders, met, ...marked};
}

/** A shell reads byte for byte, so what follows its line is left to the program. */
function gate({input}: ChildOrder): string {
  const become = `IFS= read -r ${markName} && export ${markName} && exec "$@"`;
  return input === undefined ? `${become} </dev/null` : become;
}

/** Lets the program go once its group is recorded, else kills it at the gate and says why. */
async function release(
  {input = '', signal, onChild}: ChildOrder,
  {group, mark}: {readonly group: number; readonly mark: string},
  pipe: Writable,
): Promise<string | undefined> {
  try {
    await onChild(group);
    if (signal.aborted) pipe.destroy();
    else pipe.end(`${mark}\n${input}`);
    return undefined;
  } catch (error) {
    signalGroup(group, 'SIGKILL');
    const reason = error instanceof Error ? error.message : String(error);
    return `its process could not be recorded, so it was not run: ${reason}`;
  }
}

interface Processes {
  /** SIGKILLs them. Returns those that had left the group. */
  readonly end: () => readonly number[];
  /** Once they have ended: whether all have gone. */
  readonly isGone: () => boolean;
}

/** All that the child starts, found by its control group, else by its mark. When this process is killed, they end, too. */
function holdProcesses(group: number, mark: string, control: ControlGroup | undefined): Processes {
  const {dismiss} = guard(group, control?.folders ?? []);
  return {
    end: () => {
      signalGroup(group, 'SIGKILL');
      const left = control ? control.kill(group) : endMarked(mark);
      dismiss();
      return left;
    },
    isGone: () => !signalGroup(group, 0) && control?.remove() !== false,
  };
}

async function untilGone(processes: Processes, deadline: number): Promise<void> {
  if (processes.isGone() || performance.now() > deadline) return;
  await sleep(5);
  return untilGone(processes, deadline);
}

interface StartFailure {
  readonly code?: string | undefined;
  readonly originalMessage?: string | undefined;
}

function startProblem({code, originalMessage = 'unknown'}: StartFailure): string {
  return code === 'ENOENT' ? 'the shell (/bin/sh) or the folder does not exist' : originalMessage;
}
