/** Interviews on a real pseudo-terminal. */

import {copyFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {createLauncher, type Launcher} from '../../support/launch.ts';
import {hasPty, type Pty, type PtyOptions, startOnPty} from '../../support/pty.ts';

let launcher: Launcher;
let ptys: Pty[];

beforeEach(() => {
  launcher = createLauncher();
  ptys = [];
  for (const name of ['t-shirt.toml', 'job-application.toml', 'workshop.ja.toml']) {
    copyFileSync(join('test/fixtures/forms', name), join(launcher.folder, name));
  }
});

afterEach(async () => {
  await Promise.all(ptys.map(async ({leave}) => await leave()));
  launcher.remove();
});

async function start(args: readonly string[], options: Partial<PtyOptions> = {}): Promise<Pty> {
  const pty = await startOnPty(args, {folder: launcher.folder, ...options});
  ptys.push(pty);
  return pty;
}

/** Resolves when the last row is this prompt, which has been shown this many times. */
function prompted(prompt: string, times: number): (text: string) => boolean {
  return (text) => text.endsWith(`\n${prompt}`) && text.split(`\n${prompt}`).length === times + 1;
}

const known = ['--lang', 'en', '--country', 'JP'];
const application = ['interview', 'job-application.toml', ...known];

describe.runIf(hasPty)('on a pseudo-terminal', {timeout: 60_000}, () => {
  test('a launcher stopped by Ctrl-Z accepts keys again after it continues', async () => {
    const {type, sees, rows} = await start(['interview', 't-shirt.toml'], {isJob: true});
    await sees(/^language>$/m);
    type('Eng\u001A');
    await sees(/stopped[^]*^language> Eng$/m);
    type('\u001B[200~lish\n\u001B[201~');
    await sees(/^language> English$/m);
    type('\r');
    await sees(/^country>$/m);
    expect(rows()).toContain('language> English');
  });

  test('a form is a conversation: its questions, the progress, the recorded answers, and the table at the end', async () => {
    const {type, sees, exit, rows} = await start(['interview', 't-shirt.toml']);
    await sees(/^language>$/m);
    type('English\r');
    await sees(/^country>$/m);
    type('Japan\r');
    await sees(/^Size \(1\/2\)>$/m);
    type('XS\r');
    await sees(prompted('Size (1/2)>', 2));
    type('L\r');
    await sees(/^Wide or slim \(2\/3\)>$/m);
    type('wide\r');
    await sees(/^Anything else \(3\/3\)>$/m);
    type('/skip\r');
    await sees(/^submit\?>$/m);
    type('size: M\r');
    await sees('Changed: Size: L → M');
    await sees(prompted('submit?>', 2));
    type('/submit\r');
    expect(await exit).toBe(0);
    expect(rows().slice(-4)).toEqual([
      'Size           M',
      'Anything else  skipped',
      expect.stringMatching(/ · no model was called$/),
      '',
    ]);
    expect(rows()).toContain('  ✓ Size');
  });

  test('a form in Japanese is Japanese from its first line', async () => {
    const {sees, rows} = await start(['interview', 'workshop.ja.toml']);
    await sees(/^言語>$/m);
    expect(rows().join('\n')).toContain('/help でほかに書けることの一覧が出ます');
    expect(rows().join('\n')).not.toContain('/help lists');
  });

  test('Ctrl-C suspends it and explains how to continue; it continues with a recap', async () => {
    const {type, sees, exit, rows} = await start([...application, '--answers', 'a.json']);
    await sees(/^Full name \(1\/9\)>$/m);
    type('Ann Smith\r');
    await sees(/^Email address \(2\/9\)>$/m);
    type('half a li');
    await sees('half a li');
    type('\u0003');
    await sees('half a li^C');
    await sees(prompted('Email address (2/9)>', 2));
    type('\u0003');
    expect(await exit).toBe(130);
    expect(rows().join('\n')).toMatch(/^continue with: quorate resume \w+$/m);
    const answers = JSON.parse(readFileSync(join(launcher.folder, 'a.json'), 'utf8'));
    expect(answers).toMatchObject({answers: {full_name: {value: 'Ann Smith'}}});

    const again = await start(['resume']);
    await again.sees('1 of 9 answers are there');
    await again.sees('Next: Email address');
    await again.sees('write /restart to start over');
    await again.sees(/^Email address \(2\/9\)>$/m);
    again.type('/restart\r');
    await again.sees(/^Full name \(1\/9\)>$/m);
    again.type('\u0004');
    expect(await again.exit).toBe(4);
  });

  test('sensitive answers are masked in lists, and shown in full in a single view', async () => {
    const {type, sees, rows} = await start(application);
    await sees(/^Full name \(1\/9\)>$/m);
    type('Ann Smith\r');
    await sees(/^Email address \(2\/9\)>$/m);
    type('/review\r');
    await sees(/^1\. Full name +•••$/m);
    await sees(/^2\. Email address +asked now$/m);
    type('/review full\r');
    await sees(/^ {2}answer: Ann Smith$/m);
    type('/skpi\r');
    await sees('there is no /skpi; did you mean /skip? /help lists the commands');
    type('/help\r');
    await sees(/^ {2}\/restart +start over/m);
    type('/back\r');
    await sees(prompted('Full name (1/9)>', 2));
    type('Ann Jones\r');
    await sees((text) => text.endsWith('\nEmail address (2/9)>'));
    expect(
      rows()
        .filter((row) => row.includes('Changed:'))
        .join(),
    ).not.toContain('Ann');
  });

  test('every row fits into forty columns, also in Japanese', async () => {
    const {type, sees, rows} = await start(['interview', 'workshop.ja.toml', '--lang', 'ja'], {
      columns: 40,
      rows: 30,
    });
    await sees(/^国>$/m);
    type('日本\r');
    await sees(/^お名前 \(1\/5\)>$/m);
    type('/help\r');
    await sees('この一覧');
    type('山田花子\r');
    await sees(/^参加希望日 \(2\/5\)>$/m);
    expect(rows().join('\n')).toContain('✓ お名前');
  });

  test('a terminal that cannot redraw shows the same conversation', async () => {
    const {type, sees, exit} = await start(['interview', 't-shirt.toml', ...known], {
      env: {TERM: 'dumb'},
    });
    await sees(/^Size \(1\/2\)>/m);
    type('S\r');
    await sees(/^Anything else \(2\/2\)>/m);
    type('/quit\r');
    expect(await exit).toBe(4);
  });
});
