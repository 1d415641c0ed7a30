/** Carries messages to and from the process of a server, a line each, within limits of size and of notifications. */

import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';

import {isMissing, type ServerOrder, type ServerProcess, startServer} from './server-process.ts';

const maxMessage = 16 * 1024 * 1024;
/** Between two answers. */
const maxNotifications = 20_000;

/** The end of a process that this side has closed. */
export const closedHere = 'it was ended';

export type Carried = Omit<ServerOrder, 'onStdout' | 'onEnd'>;

/**
 * `stderr` and `pid` show the client that a process is behind it: silence then means an old server, not an outage.
 */
export class StdioTransport implements Transport {
  readonly stderr = null;
  pid: number | null = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the process has ended, a clause. Absent: it has not. */
  ended: string | undefined;
  readonly #exit = Promise.withResolvers<void>();
  readonly exit: Promise<void> = this.#exit.promise;
  readonly #order: Carried;
  #process: ServerProcess | undefined;
  #parts: Buffer[] = [];
  #size = 0;
  #notifications = 0;

  constructor(order: Carried) {
    this.#order = order;
  }

  async start(): Promise<void> {
    this.#process = await startServer({
      ...this.#order,
      onStdout: (chunk) => this.#take(chunk),
      onEnd: (why) => {
        // The client closes a connection that breaks, perhaps before the reason is known.
        if (this.ended === undefined || (this.ended === closedHere && isMissing(why)))
          this.ended = why;
        this.#exit.resolve();
        this.onclose?.();
      },
    });
    this.pid = this.#process.pid;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#process || this.ended !== undefined) throw new Error(this.ended ?? 'not started');
    await this.#process.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.ended ??= closedHere;
    await this.#process?.end();
  }

  #take(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(10); at >= 0; at = rest.indexOf(10)) {
      this.#parts.push(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#size = 0;
      this.#deliver(line);
    }
    this.#parts.push(rest);
    this.#size += rest.length;
    if (this.#size > maxMessage) this.#giveUp(`its message is larger than ${maxMessage} bytes`);
  }

  /** Lines that are no messages are ignored: some servers print other text. */
  #deliver(line: string): void {
    if (this.ended !== undefined || line.trim() === '') return;
    const message = parsed(line);
    if (!message) return;
    if ('method' in message) this.#notifications += 1;
    else this.#notifications = 0;
    if (this.#notifications <= maxNotifications) this.onmessage?.(message);
    else this.#giveUp(`it sent more than ${maxNotifications} notifications without an answer`);
  }

  #giveUp(why: string): void {
    this.#parts = [];
    this.#size = 0;
    if (this.ended !== undefined) return;
    this.ended = why;
    void this.#process?.end();
    this.onclose?.();
  }
}

function parsed(line: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(line);
  } catch {
    return undefined;
  }
}
