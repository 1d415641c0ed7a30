/** The interview in `machines/forms/interview/README.md`, as a person would answer on a terminal, with its real output. */

import {writeFileSync} from 'node:fs';
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

const readme = readDocument('machines/forms/interview/README.md');
const [, form = ''] = /^```toml\n(# shirt\.toml\n.*?)^```/ms.exec(readme) ?? [];
const [, line = '', block = ''] =
  /^```text\n\$ quorate (interview .*?)\n(.*?)^```/ms.exec(readme) ?? [];
const prompt = /^(?:.+ \(\d\/\d\)|submit\?)>/;
const rows = block.trimEnd().split('\n');

/** Ignores the lines about models before it, and the IDs, which differ each time. */
function normal(text: string): string {
  const from = text.indexOf(rows[0] ?? '');
  return text
    .slice(from)
    .trimEnd()
    .replace(/^\w{12}(?= ·)/m, 'ID');
}

test.runIf(hasPty)(
  'the interview on the page takes place as it is shown',
  {timeout: 60_000},
  async () => {
    writeFileSync(join(launcher.folder, 'shirt.toml'), form);
    const pty = await startOnPty(line.split(' '), {folder: launcher.folder, columns: 90});
    try {
      for (const [index, row] of rows.entries()) {
        const [before] = prompt.exec(row) ?? [];
        if (before === undefined) continue;
        const shown = [...rows.slice(0, index), before].join('\n');
        await pty.sees((text) => normal(text) === shown);
        pty.type(`${row.slice(before.length).trim()}\r`);
      }
      expect(await pty.exit).toBe(0);
      expect(normal(pty.rows().join('\n'))).toBe(normal(block));
      expect(rows.filter((row) => prompt.test(row))).toHaveLength(5);
    } finally {
      await pty.leave();
    }
  },
);
