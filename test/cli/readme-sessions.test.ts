/** The sessions on the pages of the rooms, as a person would type them, with their real output. */

import {cpSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {execa} from 'execa';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {codeBlocks, readDocument} from '../support/documents.ts';
import {type Launcher, createLauncher} from '../support/launch.ts';
import {hasPty, startOnPty} from '../support/pty.ts';
import {launchServer} from '../support/serving.ts';

const [, chatBlock = ''] =
  /^```text\n\$ quorate chat\n(.*?)^```/ms.exec(readDocument('cli/chat/README.md')) ?? [];

const chatPrompt = /^(?:solo|ens)[^>]*>(?= |$)/;

const chatRows = chatBlock.trimEnd().split('\n');

/** The rows in which something is typed. */
const typed = chatRows.flatMap((row, index) => (chatPrompt.test(row) ? [index] : []));

/** IDs differ each time, and the version differs with each release. */
function normalChat(text: string): string {
  return text
    .replace(/^quorate \d\S+/, 'quorate VERSION')
    .replaceAll(/(?<=^(?:ask|agent) )\w{12}(?=:)|^\w{12}(?= ·)/gm, 'ID');
}

describe('a conversation', () => {
  let launcher: Launcher;

  beforeEach(() => {
    launcher = createLauncher();
  });

  afterEach(() => launcher.remove());

  test.runIf(hasPty)(
    'the conversation on the page takes place as it is shown',
    {timeout: 60_000},
    async () => {
      const cwd = join(launcher.folder, 'app');
      mkdirSync(cwd);
      const pty = await startOnPty(['chat'], {folder: launcher.folder, cwd});
      try {
        for (const index of typed) {
          const row = chatRows[index] ?? '';
          const before = normalChat(
            [...chatRows.slice(0, index), chatPrompt.exec(row)?.[0]].join('\n'),
          );
          await pty.sees((text) => normalChat(text) === before);
          pty.type(`${row.replace(chatPrompt, '').trim()}\r`);
        }
        expect(await pty.exit).toBe(0);
        expect(typed.length).toBeGreaterThan(3);
      } finally {
        await pty.leave();
      }
    },
  );
});

const readme = readDocument('machines/forms/interview/README.md');

const [, form = ''] = /^```toml\n(# shirt\.toml\n.*?)^```/ms.exec(readme) ?? [];

const [, interviewLine = '', interviewBlock = ''] =
  /^```text\n\$ quorate (interview .*?)\n(.*?)^```/ms.exec(readme) ?? [];

const interviewPrompt = /^(?:.+ \(\d\/\d\)|submit\?)>/;

const interviewRows = interviewBlock.trimEnd().split('\n');

/** Ignores the lines about models before it, and the IDs, which differ each time. */
function normalInterview(text: string): string {
  const from = text.indexOf(interviewRows[0] ?? '');
  return text
    .slice(from)
    .trimEnd()
    .replace(/^\w{12}(?= ·)/m, 'ID');
}

describe('an interview', () => {
  let launcher: Launcher;

  beforeEach(() => {
    launcher = createLauncher();
  });

  afterEach(() => launcher.remove());

  test.runIf(hasPty)(
    'the interview on the page takes place as it is shown',
    {timeout: 60_000},
    async () => {
      writeFileSync(join(launcher.folder, 'shirt.toml'), form);
      const pty = await startOnPty(interviewLine.split(' '), {
        folder: launcher.folder,
        columns: 90,
      });
      try {
        for (const [index, row] of interviewRows.entries()) {
          const [before] = interviewPrompt.exec(row) ?? [];
          if (before === undefined) continue;
          const shown = [...interviewRows.slice(0, index), before].join('\n');
          await pty.sees((text) => normalInterview(text) === shown);
          pty.type(`${row.slice(before.length).trim()}\r`);
        }
        expect(await pty.exit).toBe(0);
        expect(normalInterview(pty.rows().join('\n'))).toBe(normalInterview(interviewBlock));
        expect(interviewRows.filter((row) => interviewPrompt.test(row))).toHaveLength(5);
      } finally {
        await pty.leave();
      }
    },
  );
});

const [start = '', session = ''] = codeBlocks(readDocument('cli/serve/README.md'), 'console');

/** `…` stands for any text. */
function patternOf(text: string): RegExp {
  return new RegExp(
    `^${text
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('.+')}$`,
  );
}

/** Commands with their output. */
const exchanges = session
  .split(/^\$ /m)
  .slice(1)
  .map((part) => {
    const [, command = '', printed = ''] = /^((?:.*\\\n)*.*)\n(.*)\n$/.exec(part) ?? [];
    return {command, printed};
  });

describe('a server', () => {
  let launcher: Launcher;

  beforeEach(() => {
    launcher = createLauncher();
  });

  afterEach(() => launcher.remove());

  test('the session on the page has its real output', async () => {
    mkdirSync(join(launcher.folder, 'forms'));
    cpSync(
      'test/fixtures/forms/job-application.toml',
      join(launcher.folder, 'forms', 'application.toml'),
    );
    const [line = '', ...shown] = start.trimEnd().split('\n');
    const args = line.replace('$ quorate serve ', '').split(' ');
    const server = await launchServer(launcher.folder, args, {});
    try {
      await server.ask('/healthz');
      const printed = shown.join('\n').replaceAll('http://127.0.0.1:8787', server.url);
      expect(server.stdout().trimEnd()).toMatch(patternOf(printed));

      const here = server.url.replace('http://', '');
      const env: NodeJS.ProcessEnv = {PATH: process.env['PATH']};
      for (const {command, printed: expected} of exchanges) {
        const words = command.replaceAll('localhost:8787', here);
        const {stdout} = await execa('sh', ['-c', words], {env, extendEnv: false});
        expect(stdout).toMatch(patternOf(expected));
        const [, id, token] = /^\{"id":"([^"]+)","token":"([^"]+)"/.exec(stdout) ?? [];
        if (id !== undefined) Object.assign(env, {ID: id, TOKEN: token});
      }
      expect(exchanges).toHaveLength(2);
    } finally {
      server.child.kill('SIGTERM');
      await server.child;
    }
  });
});
