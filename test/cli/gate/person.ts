/** A terminal without a person's eyes: what is written can be awaited, and keys can be typed. */

import {PassThrough} from 'node:stream';

export interface TestTerminal {
  readonly input: PassThrough & {isTTY: boolean};
  readonly output: PassThrough & {isTTY: boolean; columns: number; rows: number};
  /** Everything written so far. */
  readonly screen: () => string;
  /** Resolves once `text` has been written `times` times in all. */
  readonly sees: (text: string, times?: number) => Promise<void>;
  readonly type: (keys: string) => void;
}

export function createTestTerminal({columns = 100, rows = 30} = {}): TestTerminal {
  const input = Object.assign(new PassThrough(), {isTTY: true});
  const output = Object.assign(new PassThrough(), {isTTY: true, columns, rows});
  let written = '';
  output.on('data', (chunk: Buffer) => {
    written += chunk.toString('utf8');
    output.emit('written');
  });
  return {
    input,
    output,
    screen: () => written,
    type: (keys) => input.write(keys),
    sees: (text, times = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (written.split(text).length <= times) return;
          output.off('written', look);
          resolve();
        };
        output.on('written', look);
        look();
      }),
  };
}
