/** The command lines of README and of the rooms' READMEs, as a shell runs them in a small repository, with the offline model, and the sessions on these pages, as a person would type them. */

import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';

import {execa, execaSync} from 'execa';
import {afterAll, beforeAll, describe, expect, test, afterEach, beforeEach} from 'vitest';

import {builtPackage, compiledCode, launcherProgram} from '../support/built.ts';
import {allCodeBlocks, codeBlocks, documents, readDocument} from '../support/documents.ts';
import {type Launcher, createLauncher} from '../support/launch.ts';
import {hasPty, startOnPty} from '../support/pty.ts';
import {launchServer} from '../support/serving.ts';

const approvedByRule =
  /^completed: The policy reviewers found nothing; no model has read the diff\.\n/;

/** By line: the exit code, and the output on stdout. */
const expected: Readonly<Record<string, readonly [code: number, stdout: RegExp]>> = {
  'alias quorate="$PWD/node_modules/.bin/node $PWD/cli/bin.ts"': [0, /^$/],
  'quorate doctor': [0, /A run can start\./],
  'quorate "Write an overview of this repository to OVERVIEW.md"': [0, /^completed: /],
  'quorate ask "What is (17 ** 3 - 1) // 7 % 100?"': [0, /= 1\n/],
  'quorate demo --keep shop': [0, /^completed: /],
  'quorate "Collect all TODO and FIXME comments into TODO.md"': [0, /^completed: /],
  'quorate --plan-only "Create notes.txt with the text: hello"': [
    0,
    /^completed: The plan is approved/,
  ],
  'quorate --ensemble --plan-only "Create notes.txt with the text: hello"': [
    0,
    /^completed: The plan is approved/,
  ],
  "quorate 'Run `ls docs` and report'": [0, /^completed: [\s\S]*tokyo\.md/],
  "quorate --hil auto_reject 'Run `git push --force`'": [
    1,
    /^rejected: [\s\S]*safety\/git-history/,
  ],
  'quorate policy "git push --force" --request "Fix the failing test"': [1, /git-history/],
  'quorate inspect --html run.html': [0, /^$/],
  'quorate show --at 1': [0, /^as it was after entry 1, /m],
  'quorate show --from 0 --to 1': [0, /^from entry 0 to entry 1\n/],
  'quorate diagram': [0, /^.*quorum/m],
  'quorate diagram quorum': [0, /stateDiagram-v2/],
  'quorate doctor tools': [0, /^write_file /m],
  'quorate doctor tools --start': [0, /^write_file /m],
  'quorate config': [0, /agent\.hil_mode/],
  'echo "Create notes.txt with the text: hello" | quorate': [0, /^completed: /],
  'git diff | quorate ask "What does this change?"': [0, /./],
  'quorate ask --no-folder "What is 17 * 3?" # only the calculator and the web; a worker on any machine may answer':
    [0, /51/],
  'quorate ask "What does @README.md say about installing?"': [0, /./],
  'quorate ask "Where is the retry limit of the planner defined, and what is it?"': [
    0,
    /planner\.ts/,
  ],
  'quorate ask --db sales.sqlite "How many orders are there?"': [0, /^orders\n3\n/],
  'quorate discuss "Should we move the queue to Postgres?"': [0, /^Conclusion\n/],
  'git diff main | quorate discuss "Is this worth merging?"': [0, /^Conclusion\n/],
  'quorate discuss "Tabs or spaces?" -m participants=gpt-5.2,ollama/qwen3,claude-sonnet-4.5 -m moderator=claude-sonnet-4.5':
    [2, /^$/],
  'quorate ask --docs "docs/**/*.md" "東京の営業時間は？"': [0, /午前10時/],
  'quorate interview shirt.toml --check': [
    0,
    /^✓ shirt\.toml: .*3 fields \(2 required\), 1 fact\n$/,
  ],
  "printf 'L\\nwide\\n/skip\\nsubmit\\n' | quorate interview shirt.toml --lang en --country Japan --answers answers.json":
    [0, /^Size +L\nWide or slim +wide\nConferences so far +skipped/],
  'git diff main | quorate review               # exit 0 approved, 1 rejected, 2 could not run': [
    2,
    /^$/,
  ],
  'quorate review --base main                   # the working tree, with files that git does not know yet':
    [2, /^$/],
  'git diff main | quorate review --scope fast  # the policy reviewers alone, without a model': [
    0,
    approvedByRule,
  ],
  'quorate diagram checkout.ts --format svg > checkout.svg': [0, /^$/],
  'quorate lint checkout.ts': [0, /./],
  'quorate paths checkout.ts --init-samples checkout.samples.ts': [0, /^checkout.samples.ts$/m],
  'quorate paths checkout.ts --samples checkout.samples.ts': [0, /^checkout: 4 of 4 states/],
  'quorate paths checkout.ts --vitest checkout.paths.test.ts': [0, /^checkout: 4 of 4 states/],
  'quorate review --diff change.patch --rule unanimous --focus "concurrency" --output json': [
    2,
    /^ {4}"code": "credentials",$/m,
  ],
};

/** Lines that install and check Quorate itself. */
const isOfNpm = (line: string): boolean => /^np[mx] /.test(line);

const lines = [...new Set(allCodeBlocks('sh').flatMap((block) => block.split('\n')))].filter(
  (line) => line !== '' && !isOfNpm(line),
);

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-readme-'));
  const work = join(folder, 'work');
  mkdirSync(join(work, 'docs'), {recursive: true});
  writeFileSync(join(work, 'README.md'), '# Shop\n\nInstalling: run npm ci.\n');
  writeFileSync(join(work, 'planner.ts'), '// Plans.\nexport const retryLimit = 5;\n');
  mkdirSync(join(work, 'src'));
  writeFileSync(join(work, 'src', 'shop.ts'), '// TODO: open it\n');
  writeFileSync(
    join(work, 'docs/tokyo.md'),
    '# 東京店\n\n営業時間は午前10時から午後8時までです。\n',
  );
  const {keepExamples} = await import('../../cli/commands/demo.ts');
  keepExamples(work);
  mkdirSync(join(work, 'node_modules'));
  for (const name of ['.bin', 'vitest', 'xstate'])
    symlinkSync(resolve('node_modules', name), join(work, 'node_modules', name));
  symlinkSync(await builtPackage(), join(work, 'node_modules/quorate'));
  changeIn(work);
  const program = join(folder, 'quorate');
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' '${await launcherProgram()}' "$@"\n`,
  );
  chmodSync(program, 0o755);
});
afterAll(() => rmSync(folder, {recursive: true}));

/** Commits everything to main; a change is then in the working tree and in change.patch. */
function changeIn(work: string): void {
  const author = ['-c', 'user.name=t', '-c', 'user.email=t@t.invalid'];
  const git = (...args: readonly string[]): string =>
    execaSync('git', [...author, ...args], {cwd: work, env: {HOME: folder}}).stdout;
  git('init', '-q', '-b', 'main');
  writeFileSync(join(work, '.gitignore'), 'node_modules\n');
  git('add', '.');
  git('commit', '-qm', 'all');
  writeFileSync(join(work, 'planner.ts'), '// Plans.\nexport const retryLimit = 6;\n');
  writeFileSync(join(work, 'change.patch'), `${git('diff', 'main')}\n`);
}

test('every command line is in the list', () => {
  expect(Object.keys(expected).filter((line) => !lines.includes(line))).toEqual([]);
});

describe('a checkout', () => {
  let copy: string;
  const run = async (line: string) =>
    await execa('sh', ['-c', line], {
      cwd: copy,
      env: {PATH: `${folder}/npm:${process.env['PATH']}`, HOME: folder},
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
    });

  /** With the dependencies installed: `npm ci` and `npm cit` are recorded, every other npm command runs. */
  beforeAll(() => {
    copy = join(folder, 'checkout');
    const left = new Set(['.git', 'dist', 'node_modules'].map((name) => resolve(name)));
    cpSync(resolve('.'), copy, {recursive: true, filter: (path) => !left.has(path)});
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    mkdirSync(join(folder, 'npm'));
    const npm = join(folder, 'npm/npm');
    writeFileSync(
      npm,
      `#!/bin/sh
case "$1" in ci|cit) echo "$1" >> '${folder}/installs'; exit;; esac
PATH="\${PATH#*:}" exec npm "$@"
`,
    );
    chmodSync(npm, 0o755);
  });

  test('comes first: one command installs and works, one installs and checks', async () => {
    const [first = ''] = codeBlocks(readDocument('README.md'), 'sh');
    const [work = '', check = '', ...others] = first.trimEnd().split('\n');
    expect([check, others]).toEqual(['npm cit', []]);
    const {exitCode, stdout} = await run(work);
    expect({exitCode, stdout}).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(/^completed: .*OVERVIEW\.md$/m),
    });
    expect(existsSync(join(copy, 'OVERVIEW.md'))).toBe(true);
    expect((await run(check)).exitCode).toBe(0);
    expect(readFileSync(join(folder, 'installs'), 'utf8')).toBe('ci\ncit\n');
  });

  test('has the command of the other pages, on a machine with an older Node', async () => {
    const alias = lines.find((line) => line.startsWith('alias ')) ?? '';
    const {stdout} = await run(`${alias}\nquorate ask "1 + 1"`);
    expect(stdout).toBe('1 + 1 = 2');
  });

  test('no page installs a package that is not published', () => {
    const blocks = ['sh', 'yaml', 'console', 'text'].flatMap((language) => allCodeBlocks(language));
    const installing = blocks.filter((block) => /np[mx] .*\bquorate\b/.test(block));
    expect(installing).toEqual([]);
    const saying = documents.filter((page) =>
      /npm install -g quorate|npx quorate/.test(readDocument(page)),
    );
    expect(saying).toEqual([]);
  });
});

test.each(lines)('%s', {timeout: 180_000}, async (line) => {
  const {exitCode, stdout, stderr} = await execa('sh', ['-c', line], {
    cwd: join(folder, 'work'),
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      HOME: folder,
      NODE_COMPILE_CACHE: compiledCode(),
    },
    extendEnv: false,
    stdin: 'ignore',
    stripFinalNewline: false,
    reject: false,
  });
  const [code, text] = expected[line] ?? [];
  expect({line, exitCode, stdout, stderr}).toMatchObject({
    exitCode: code,
    stdout: expect.stringMatching(text ?? /^$/),
  });
});

let launcher: Launcher;

beforeEach(() => {
  launcher = createLauncher();
});

afterEach(() => launcher.remove());

const [, chatBlock = ''] =
  /^```text\n\$ quorate chat\n(.*?)^```/ms.exec(readDocument('cli/talk/README.md')) ?? [];

const chatPrompt = /^(?:solo|ens)[^>]*>(?= |$)/;

const chatRows = chatBlock.trimEnd().split('\n');

/** The rows in which something is typed. */
const typed = chatRows.flatMap((row, index) => (chatPrompt.test(row) ? [index] : []));

/** The lines of the tab and the prompt, without the bar, and the empty rows and the status between them. */
function tabIn(screen: string): string {
  const [, ...rows] = screen.split('\n');
  return `${rows.slice(0, -2).join('\n').trimEnd()}\n${rows.at(-1)}`;
}

/** IDs differ each time, and the version differs with each release. */
function normalChat(text: string): string {
  return text
    .replace(/^quorate \d\S+/, 'quorate VERSION')
    .replaceAll(/(?<=^(?:ask|agent) )\w{12}(?=:)|^\w{12}(?= ·)/gm, 'ID');
}

describe('a conversation', () => {
  test.runIf(hasPty)(
    'the conversation on the page takes place as it is shown',
    {timeout: 60_000},
    async () => {
      const cwd = join(launcher.folder, 'app');
      mkdirSync(cwd);
      const pty = await startOnPty(['chat'], {folder: launcher.folder, cwd, rows: 100});
      try {
        for (const index of typed) {
          const row = chatRows[index] ?? '';
          const before = normalChat(
            [...chatRows.slice(0, index), chatPrompt.exec(row)?.[0]].join('\n'),
          );
          await pty.sees((text) => normalChat(tabIn(text)) === before);
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
      for (const {command, printed: output} of exchanges) {
        const words = command.replaceAll('localhost:8787', here);
        const {stdout} = await execa('sh', ['-c', words], {env, extendEnv: false});
        expect(stdout).toMatch(patternOf(output));
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
