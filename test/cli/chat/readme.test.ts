/** The conversation in `cli/chat/README.md`, as a person would type it on a terminal, with its real output. */

import {mkdirSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, expect, test} from 'vitest';

import {readDocument} from '../../support/documents.ts';
import {createLauncher, type Launcher} from '../../support/launch.ts';
import {hasPty, startOnPty} from '../../support/pty.ts';

let launcher: Launcher;

beforeEach(() => {
  launcher = createLauncher();
});
afterEach(() => launcher.remove());

const [, block = ''] =
  /^```text\n\$ quorate chat\n(.*?)^```/ms.exec(readDocument('cli/chat/README.md')) ?? [];
const prompt = /^(?:solo|ens)[^>]*>(?= |$)/;
const rows = block.trimEnd().split('\n');
/** The rows in which something is typed. */
const typed = rows.flatMap((row, index) => (prompt.test(row) ? [index] : []));

/** IDs differ each time, and the version differs with each release. */
function normal(text: string): string {
  return text
    .replace(/^quorate \d\S+/, 'quorate VERSION')
    .replaceAll(/(?<=^(?:ask|agent) )\w{12}(?=:)|^\w{12}(?= ·)/gm, 'ID');
}

test.runIf(hasPty)(
  'the conversation on the page takes place as it is shown',
  {timeout: 60_000},
  async () => {
    const cwd = join(launcher.folder, 'app');
    mkdirSync(cwd);
    const pty = await startOnPty(['chat'], {folder: launcher.folder, cwd});
    try {
      for (const index of typed) {
        const row = rows[index] ?? '';
        const before = normal([...rows.slice(0, index), prompt.exec(row)?.[0]].join('\n'));
        await pty.sees((text) => normal(text) === before);
        pty.type(`${row.replace(prompt, '').trim()}\r`);
      }
      expect(await pty.exit).toBe(0);
      expect(typed.length).toBeGreaterThan(3);
    } finally {
      await pty.leave();
    }
  },
);
