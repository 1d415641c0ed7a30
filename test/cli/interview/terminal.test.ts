/** Interviews on a real pseudo-terminal, and one that a model begins below a run which is shown line by line. */

import {copyFileSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {text as textOf} from 'node:stream/consumers';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {performLine} from '../../../cli/main.ts';
import {call} from '../../support/agent-models.ts';
import type {ReceivedRequest, Said} from '../../support/mock-openai.ts';
import {hasPty, type Pty, type PtyOptions, startOnPty} from '../../support/pty.ts';
import {setStage} from '../stage.ts';

let ptys: Pty[];

/** The forms are in the folder of the launcher. */
const {launcher, serve} = setStage({
  prepare: () => {
    ptys = [];
    for (const name of ['t-shirt.toml', 'job-application.toml', 'workshop.ja.toml']) {
      copyFileSync(join('test/fixtures/forms', name), join(launcher.folder, name));
    }
  },
});

afterEach(async () => {
  await Promise.all(ptys.map(async ({leave}) => await leave()));
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
    await sees(/^Size \(1\/2\)>$/m);
    expect(rows()).toContain('language> English');
  });

  test('a form is a conversation: its questions, the progress, the recorded answers, and the table at the end', async () => {
    const {type, sees, exit, rows} = await start(['interview', 't-shirt.toml']);
    await sees(/^language>$/m);
    type('English\r');
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
});

/** A model interviews the person, and reports the received answers. */
function speak({tools, text: read, turn}: ReceivedRequest): Said {
  if (tools.includes('cast_ballot')) {
    return call('cast_ballot', {verdict: 'approve', reasons: ['fine'], confidence: 1});
  }
  if (turn === 0 && tools.includes('find_tools')) {
    return call('find_tools', {query: 'interview a person'});
  }
  if (turn === 1 && tools.includes('spawn_interview')) {
    return call('spawn_interview', {request: 't-shirt.toml'});
  }
  return {text: `Received: ${/- Size: \w+/.exec(read)?.[0] ?? 'nothing'}`};
}

describe('below another run', () => {
  beforeEach(async () => await serve(speak));

  const line = ['ask', 'Which shirt?', '-m', 'ask=mock/worker'];
  /** Runs the interview by rule. */
  const env = {QUORATE_INTERVIEW_MODEL: 'offline'};

  test.runIf(hasPty)(
    'is answered on the terminal, with its commands, and the model receives the answers',
    {timeout: 60_000},
    async () => {
      const {type, sees, exit, rows} = await start(line, {env});
      await sees(/^Size \(1\/2\)>$/m);
      type('/skpi\r');
      await sees(/^there is no \/skpi; .*\nSize \(1\/2\)>$/m);
      type('M\r');
      await sees(/^Anything else \(2\/2\)>$/m);
      type('/skip\r');
      await sees(/^submit\?>$/m);
      type('/submit\r');
      expect(await exit).toBe(0);
      expect(rows().join('\n')).toContain('Received: - Size: M');
    },
  );

  test('waits for a person if none is there', async () => {
    const {code, stdout} = await launcher.perform([...line, '--output', 'json'], {env});
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'waiting',
      asked: [{field: 'size', interaction: expect.stringMatching(/\.1$/)}],
    });
    const refused = await launcher.perform(['resume', '--answers', 'a.json'], {env});
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        '--answers is for an interview, and this run is not an interview (ask)',
      ),
    });
  });

  const waiting = async (): Promise<void> => {
    expect(await launcher.perform(line, {env})).toMatchObject({code: 4});
  };

  test('takes its replies from a pipe when the run is resumed, and the run continues', async () => {
    await waiting();
    const stdin = 'M\n/skip\n/submit\n';
    const {code, stdout, stderr} = await launcher.perform(['resume'], {env, stdin});
    expect({code, stdout}).toEqual({code: 0, stdout: 'Received: - Size: M\n'});
    expect(stderr).not.toContain('not read');
  });

  test('waits at the end of the pipe, and keeps the replies already read', async () => {
    await waiting();
    const first = await launcher.perform(['resume', '--output', 'json'], {env, stdin: 'M\n'});
    expect(first.code).toBe(4);
    expect(JSON.parse(first.stdout)).toMatchObject({
      status: 'waiting',
      asked: [{field: 'remarks'}],
    });
    const {stdout} = await launcher.perform(['resume'], {env, stdin: '/skip\nsubmit\n'});
    expect(stdout).toContain('Received: - Size: M');
  });

  test.each([
    ['after a line that can’t be taken', '/submit\nM\n/skip\n', 4, 2],
    ['after the last reply', 'M\n/skip\nsubmit\n\nyes\n', 0, 1],
  ])('reports the number of unread lines of the pipe %s', async (_, stdin, code, lines) => {
    await waiting();
    const resumed = await launcher.perform(['resume'], {env, stdin});
    expect(resumed.code).toBe(code);
    expect(resumed.stderr.match(/^not read: .*$/gm)).toEqual([
      `not read: ${lines} line${lines === 1 ? '' : 's'} of standard input`,
    ]);
  });

  test('takes replies from a pipe that sends only after the interview asks', async () => {
    const {folder} = launcher;
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const out = textOf(stdout);
    let seen = '';
    stderr.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (/\? .*\n.* Size\n/.test(seen) && !stdin.writableEnded) stdin.end('M\n/skip\nsubmit\n');
    });
    const code = await performLine([...line, '-C', folder], {
      stdin,
      stdout,
      stderr,
      env: {
        ...env,
        HOME: folder,
        QUORATE_HOME: join(folder, 'data'),
        XDG_CONFIG_HOME: join(folder, 'config'),
      },
    });
    stdout.end();
    expect({code, out: await out}).toEqual({code: 0, out: 'Received: - Size: M\n'});
  });
});
