/**
 * A child process in a group of its own: recorded before it runs, with a fixed input, its output streamed, and ended as a whole.
 *
 * waiting at the gate → recorded → running → exited → group ended → output drained
 *
 * The gate is a shell that reads one line from a pipe, the mark of all that the program will start, and then becomes the program. That line is
 * written only after the recording has succeeded: if this process dies first, the pipe closes and the shell ends without running anything.
 */

import {createWriteStream, openSync, readdirSync, readFileSync, type WriteStream} from 'node:fs';
import type {Writable} from 'node:stream';
import {StringDecoder} from 'node:string_decoder';
import {setTimeout as sleep} from 'node:timers/promises';

import {shortageAtStart} from '../containment/denial.ts';
import {escapeForTerminal} from '../escape.ts';
import {endMarked, guard, markName, markOf, signalGroup} from './processes.ts';

/** The delay between SIGTERM and SIGKILL. */
const graceMs = 500;

/** The wait for output after the group has ended: only a process that left the group still holds the pipe. */
const drainMs = 250;

/** The wait for killed processes; where orphans are not reaped they stay as zombies, which are not waited for. */
const goneMs = 500;

export interface ChildOrder {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The whole standard input of the program; empty if left out. */
  readonly input?: string;
  /** Ends the group when aborted. */
  readonly signal: AbortSignal;
  /** The group is asked to end first (`SIGTERM`, and half a second later `SIGKILL`), or is killed. */
  readonly ending: 'SIGTERM' | 'SIGKILL';
  /** Takes ownership of the chunk. */
  readonly onOutput: (chunk: Buffer<ArrayBuffer>) => void;
  /** Records the group. The program runs only after this has returned and its promise has resolved. */
  readonly onChild: (processGroup: number) => void | Promise<void>;
}

export type ChildEnd =
  | {
      readonly kind: 'ended';
      readonly exitCode: number | undefined;
      readonly signal: NodeJS.Signals | undefined;
      /** Processes that had left the group, and were ended. */
      readonly outsiders: readonly number[];
      /** The mark of all processes that the group's leader has started. */
      readonly mark: string;
      /** A process that left the group, and could not be found, still holds the output. */
      readonly escaped: boolean;
    }
  /** The program has not run, and will not. */
  | {
      readonly kind: 'not_started';
      readonly message: string;
      /** The machine is short of descriptors, processes or memory. */
      readonly isShortage?: true;
    };

/**
 * Resolves when the program has exited and its group is gone: processes left in the group are killed, and those started
 * elsewhere as far as they can be found. Never rejects.
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
  if (group === undefined) return notStarted(await child);
  const mark = markOf(group);
  const {dismiss} = guard(group);
  let escaped = false;
  let outsiders: readonly number[] = [];
  let drainer: NodeJS.Timeout | undefined;
  child.stdout.on('data', order.onOutput);
  child.stdin.on('error', () => undefined);
  child.nodeChildProcess.once('exit', () => {
    signalGroup(group, 'SIGKILL');
    outsiders = endMarked(mark);
    dismiss();
    // On a busy machine the time may be over before what the child wrote was read: that is read first.
    drainer = setTimeout(() => {
      setImmediate(() => {
        if (child.stdout.readableEnded) return;
        escaped = true;
        child.stdout.destroy();
      });
    }, drainMs);
  });
  const problem = await release(order, {group, mark}, child.stdin);
  const {exitCode, signal} = await child;
  clearTimeout(drainer);
  await untilGone(group, performance.now() + goneMs);
  if (problem !== undefined) return {kind: 'not_started', message: problem};
  return {kind: 'ended', exitCode, signal, escaped, outsiders, mark};
}

/** A shell reads byte by byte, so the input after its line is left to the program. */
function gate({input}: ChildOrder): string {
  const become = `IFS= read -r ${markName} && export ${markName} && exec "$@"`;
  return input === undefined ? `${become} </dev/null` : become;
}

/** Starts the program once its group is recorded; otherwise kills it at the gate and returns the reason. */
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

async function untilGone(group: number, deadline: number): Promise<void> {
  if (!signalGroup(group, 0) || performance.now() > deadline) return;
  await sleep(5);
  return untilGone(group, deadline);
}

interface StartFailure {
  readonly code?: string | undefined;
  readonly originalMessage?: string | undefined;
}

function notStarted({code = '', originalMessage: message = 'unknown'}: StartFailure): ChildEnd {
  if (code === 'ENOENT') {
    return {kind: 'not_started', message: 'the shell (/bin/sh) or the folder does not exist'};
  }
  return {
    kind: 'not_started',
    message,
    ...(shortageAtStart({code}) === undefined ? {} : {isShortage: true}),
  };
}

type Descriptor = 'ignore' | WriteStream;

const closedOnExec = 0o2_000_000;

/** Programs do not open higher ones. */
const highest = 1_023;

let known: readonly Descriptor[] | undefined;

/** The descriptors of a child from the fourth on: closed, or replaced by one that leads nowhere. */
function moreDescriptors(): readonly Descriptor[] {
  known ??= covered(inherited());
  return known;
}

function covered(open: ReadonlySet<number>): readonly Descriptor[] {
  if (open.size === 0) return [];
  const nowhere = createWriteStream('', {fd: openSync('/dev/null', 'r+'), autoClose: false});
  return Array.from({length: Math.max(...open) - 2}, (_, at) =>
    open.has(at + 3) ? nowhere : 'ignore',
  );
}

/** None where there is no /proc: then they are unknown. */
function inherited(): ReadonlySet<number> {
  try {
    const all = readdirSync('/proc/self/fd').map(Number);
    return new Set(all.filter((fd) => fd > 2 && fd <= highest && !isClosedOnExec(fd)));
  } catch {
    return new Set();
  }
}

function isClosedOnExec(fd: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & closedOnExec) !== 0;
  } catch {
    return true;
  }
}

// A command's output as it streams: captured, its beginning and its end, in bounded memory; and sent to viewers in whole lines.

const headBytes = 32 * 1024;
const tailBytes = 32 * 1024;
const binarySampleBytes = 512;

export interface Capture {
  /** Takes ownership of the chunk: its memory is released at once, so the caller may not use it afterwards. */
  readonly take: (chunk: Buffer<ArrayBuffer>) => void;
  /** Printable text with a note of any cut; binary output is described, with a sample. */
  readonly text: () => string;
}

export function createCapture(): Capture {
  const head = Buffer.alloc(headBytes);
  const tail = Buffer.alloc(tailBytes);
  let headSize = 0;
  /** The size of the output after the head; the tail is a ring buffer with the last part of it. */
  let lateSize = 0;
  return {
    take: (chunk) => {
      const early = chunk.copy(head, headSize);
      headSize += early;
      const late = chunk.subarray(Math.max(early, chunk.length - tailBytes));
      lateSize += chunk.length - early;
      const from = (lateSize - late.length) % tailBytes;
      const untilEnd = late.copy(tail, from);
      late.copy(tail, 0, untilEnd);
      releaseBytes(chunk);
    },
    text: () => {
      const start = head.subarray(0, headSize);
      const end = unrolled(tail, lateSize);
      const total = headSize + lateSize;
      if (start.includes(0) || end.includes(0)) return describeBinary(start, total);
      const cut = lateSize - end.length;
      if (cut <= 0) return printable(Buffer.concat([start, end]).toString('utf8'));
      return [
        printable(wholeCharacters(start)),
        `[cut: ${cut} bytes of ${total}]`,
        printable(end.toString('utf8').replace(/^\ufffd+/, '')),
      ].join('\n');
    },
  };
}

/** Without this, a pipe that is read at full speed fills some 60 MB with chunks before the garbage collector frees the first. */
function releaseBytes({buffer, byteLength}: Buffer<ArrayBuffer>): void {
  if (buffer.byteLength === byteLength) buffer.transfer(0);
}

/** The bytes of the ring, oldest first. */
function unrolled(ring: Buffer, written: number): Buffer {
  if (written <= ring.length) return ring.subarray(0, written);
  const oldest = written % ring.length;
  return Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)]);
}

function describeBinary(start: Buffer, total: number): string {
  const sample = printable(start.subarray(0, binarySampleBytes).toString('latin1'));
  return `[binary output, ${total} bytes; it begins with:]\n${sample}`;
}

/** The bytes as text, without a character that was cut in two. */
function wholeCharacters(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, {stream: true});
}

function printable(text: string): string {
  return escapeForTerminal(text.replaceAll('\r\n', '\n'));
}

/** In UTF-16 units, of all lines together. */
const maxTotal = 256 * 1024;
const maxLine = 16 * 1024;

export interface LiveOutput {
  readonly take: (chunk: Buffer) => void;
  /** Sends the last line if it has no line end. */
  readonly end: () => void;
}

/** `report` receives one or more whole lines, the last one without its line end; nothing more after the limit. */
export function createLiveOutput(report: (text: string) => void): LiveOutput {
  const decoder = new StringDecoder('utf8');
  let begun = '';
  /** The dropped characters of an unfinished line that is too long. */
  let dropped = 0;
  let sentLength = 0;

  const put = (lines: readonly string[]): void => {
    if (sentLength > maxTotal || lines.length === 0) return;
    const text = escapeForTerminal(lines.map((line) => line.replace(/\r$/, '')).join('\n'));
    sentLength += text.length;
    report(sentLength > maxTotal ? '[further output is shown when it has ended]' : text);
  };
  const lineOf = (text: string): string => {
    const length = dropped + text.length;
    dropped = 0;
    return length > maxLine ? `[a line of ${length} characters]` : text;
  };
  return {
    take: (chunk) => {
      const parts = (begun + decoder.write(chunk)).split('\n');
      begun = parts.pop() ?? '';
      put(parts.map(lineOf));
      if (begun.length <= maxLine) return;
      dropped += begun.length;
      begun = '';
    },
    end: () => {
      const rest = begun + decoder.end();
      if (dropped > 0 || rest !== '') put([lineOf(rest)]);
    },
  };
}
