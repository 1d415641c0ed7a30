/** policy/scope: actions that the request did not ask for, and paths outside the workspace. */

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {policyRules} from '../../../actors/policies/index.ts';
import type {ProposalFacts} from '../../../machines/domain/review.ts';
import {cells} from '../../support/rows.ts';
import {proposalOf} from './proposal.ts';
import {type Grade, openWorld, type TestWorld} from './world.ts';

type Calls = ProposalFacts['calls'];
type Case = [request: string, calls: Calls, basedOn?: string];

const fix = 'Fix the failing test';
const run = (command: string, rest: Record<string, unknown> = {}): Calls => [
  {tool: 'run_command', args: {command, ...rest}},
];
const write = (path: string, content = 'x'): Calls => [{tool: 'write_file', args: {path, content}}];
const spawn = (form: string, request: string): Calls => [{tool: `spawn_${form}`, args: {request}}];
const read = (path: string): Calls => [{tool: 'read_file', args: {path}}];

/** `REQUEST ⇒ CALL` or, for the usual request, `CALL`: `write PATH`, `read PATH`, `run COMMAND`, `spawn FORM REQUEST`. */
function rows(text: string): Case[] {
  return cells(text).map((row) => {
    const [act = '', request = fix] = row.split(' ⇒ ').toReversed();
    const [, verb, first = '', rest = ''] = /^(\w+) (\S+) ?(.*)$/.exec(act) ?? [];
    const whole = `${first} ${rest}`.trim();
    if (verb === 'spawn') return [request, spawn(first, rest)];
    return [request, verb === 'write' ? write(whole) : verb === 'read' ? read(whole) : run(whole)];
  });
}

/** For each rule: cases that it refuses, and the nearest cases that it accepts. */
const cases: Readonly<Record<string, {refused: Case[]; left: Case[]}>> = {
  'outside-workspace': {
    refused: [
      ...rows(`
        write /etc/hosts ¦ write ../other/a.ts ¦ write a/../../b.ts ¦ read ~/notes.txt
        write /home/dev/project-evil/a.ts ¦ run npm test > /var/out.txt ¦ run cp a.ts ../b.ts
        run cd .. && touch x ¦ run touch $HOME/x ¦ run X=/etc; echo x >> $X/hosts
      `),
      [fix, read('C:\\Windows\\x')],
      [fix, [{tool: 'glob_search', args: {pattern: '../**'}}]],
    ],
    left: rows(`
      write /home/dev/project/a.ts ¦ write src/../a.ts ¦ run cd src && cat ../README.md
      run npm test > out.txt 2>/dev/null ¦ run sed -n '/a/,/b/p' README.md && grep '/api/' src/a.ts
      run echo "see /etc/passwd or ../x" ¦ run echo x > /tmp/x.txt ¦ run mktemp -d
    `),
  },
  'working-dir': {
    refused: [
      [fix, run('ls', {working_dir: '..'})],
      [fix, run('ls', {working_dir: '/'})],
    ],
    left: [
      [fix, run('ls', {working_dir: 'src'})],
      [fix, run('ls', {working_dir: '/home/dev/project/src'})],
    ],
  },
  bounds: {
    refused: [
      ...rows(`
        Fix the bug, but only change src/a.ts. ⇒ write src/b.ts
        Refactor the parser. Don't touch package.json or test/. ⇒ write test/a.test.ts
        Fix it and leave src/legacy alone ⇒ write src/legacy/x.ts
        src/a.ts だけ変更して ⇒ write src/b.ts ¦ 直して。README.mdは変更しないで ⇒ write README.md
        Replace colour with color in a.md only ⇒ write c.txt
        Replace colour with color in only a.md ⇒ write c.txt
        Replace colour with color in a.md ⇒ write c.txt
        Replace colour with color in a.md and b.md ⇒ write c.md
        Replace colour with color in all .md files ⇒ write c.txt
        Replace colour with color in *.md ⇒ write c.txt
        Replace colour with color in all Python files ⇒ write c.txt
        Replace colour with color in the docs folder ⇒ write src/a.md
        Rename getUser to fetchUser in src/ ⇒ write test/a.ts
        Rename getUser to fetchUser in src, but not in src/gen ⇒ write src/gen/a.ts
        Replace colour with color in C# files ⇒ write a.ts
        Replace colour with color in docs and README.md ⇒ write src/a.md
        Fix the typo, in a.md and nothing else ⇒ write b.md
        Set the port to 8080 in config.json only ⇒ write src/a.ts
        Only in src/a.ts, fix the bug ⇒ write src/b.ts
        a.md の「colour」を「color」に置き換えて ⇒ write c.txt
        a.md だけで「colour」を「color」に置き換えて ⇒ write c.txt
      `),
      ['Fix the bug without changing `README.md`', run('sed -i s/a/b/ README.md')],
    ],
    left: rows(`
      Fix the bug, but only change src/a.ts. ⇒ write src/a.ts
      Refactor the parser. Don't touch package.json or test/. ⇒ write src/a.ts
      Fix the bug in src/a.ts ⇒ write src/b.ts ¦ Only fix typos ⇒ write README.md
      Update docs/, and leave a note in NOTES.md ⇒ write NOTES.md
      Replace colour with color in a.md only ⇒ write a.md
      Replace colour with color in a.md and b.md ⇒ write b.md
      Replace colour with color in all .md files ⇒ write docs/b.md
      Replace colour with color in all Python files ⇒ write a/b.py
      Replace colour with color in the docs folder ⇒ write docs/a.txt
      Replace colour with color in C# files ⇒ write a/b.cs
      Replace colour with color in comments ⇒ write src/a.ts
      Replace colour with color in docs and README.md ⇒ write docs/a.md
      Replace colour with color in src, docs and README.md ⇒ write src/a.ts
      Replace "colour in red" with color in all files of this project ⇒ write a.ts
      Rename getUser to fetchUser in src/ and test/ ⇒ write test/a.ts
      Rename getUser to fetchUser in the whole repository ⇒ write a.ts
      Set the port to 8080 in config.json only ⇒ write config.json
      Update zod to version 4.1 only where it is used ⇒ write a.ts
      Convert the list to a read only view ⇒ write a.ts
      a.md の「colour」を「color」に置き換えて ⇒ write a.md
      「colour」を「color」に置き換えて ⇒ write c.txt
    `),
  },
  'exists-already': {
    refused: [
      ['Create notes.txt if it does not exist', write('notes.txt'), 'a1b2'],
      ["Create notes.txt if it doesn't already exist.", write('notes.txt'), 'a1b2'],
      ['Write a licence, unless a LICENSE file exists', write('LICENSE'), 'a1b2'],
      ['Create notes.txt if missing', write('notes.txt'), 'a1b2'],
      ['notes.txt が存在しなければ作成して', write('notes.txt'), 'a1b2'],
      ['notes.txt がない場合は作成して', write('notes.txt'), 'a1b2'],
    ],
    left: [
      ['Create notes.txt if it does not exist', write('notes.txt'), 'absent'],
      ['Create notes.txt', write('notes.txt'), 'a1b2'],
      ['If notes.txt exists, replace its content', write('notes.txt'), 'a1b2'],
      ['Fix the test that does not pass', write('a.test.ts'), 'a1b2'],
    ],
  },
  'protected-config': {
    refused: rows(`
      write .git/hooks/pre-commit ¦ write .github/workflows/ci.yml ¦ write sub/.npmrc
      write quorate.toml ¦ run echo x >> .bashrc
    `),
    left: rows(`
      Add a CI workflow that runs the tests ⇒ write .github/workflows/ci.yml
      Set raised limits in quorate.toml ⇒ write quorate.toml ¦ write .gitignore
      write src/git/hooks.ts
    `),
  },
  'install-scripts': {
    refused: [
      [fix, write('package.json', '{"scripts": {"postinstall": "node x.js"}}')],
      [fix, write('composer.json', '{"scripts": {"post-install-cmd": "x"}}')],
      [fix, write('pyproject.toml', '[build-system]\nrequires = []\nbuild-backend = "own"\n')],
      [fix, write('Cargo.toml', '[package]\nname = "a"\nbuild = "x.rs"\n')],
      [fix, write('build.gradle', "apply from: 'https://example.com/x.gradle'\n")],
    ],
    left: [
      [fix, write('package.json', '{"scripts": {"build": "node x.js"}}')],
      ['Add a postinstall script', write('package.json', '{"scripts": {"postinstall": "x"}}')],
    ],
  },
  'package-install': {
    refused: rows(`
      run npm install left-pad ¦ run pip install requests ¦ run env X=1 apt-get install -y jq
      run env X=1 npm install --save-dev jq
    `),
    left: rows(`
      run npm run build && npm test
    `),
  },
  'push-unasked': {
    refused: [[fix, run('git push origin main')]],
    left: [[fix, run('git commit -m "push"')]],
  },
  'read-only-request': {
    refused: rows(`
      Explain how the parser works ⇒ write NOTES.md ¦ List the files in src ⇒ run echo x > list.txt
      Count the lines of README.md ⇒ run git commit -am x ¦ 構成を説明して ⇒ write a.md
      Fix nothing, and do not change anything: what is this? ⇒ write a.md
      Only tell me what this is; don’t touch any files ⇒ run npm run build > out.txt
      This is read-only: how does the parser work? ⇒ write a.md
      Why does the test fail? ⇒ spawn agent Look at the test. Then fix it.
      Do the tests pass? ⇒ write a.md ¦ Is there a test for the parser? ⇒ write a.md
      Explain the parser and the tests ⇒ write a.md ¦ List and count the TODOs ⇒ write a.md
      Describe the code and how it works ⇒ write a.md ¦ テストはどこにありますか？ ⇒ write a.md
      このプロジェクトは何をしますか ⇒ write a.md ¦ なぜ失敗するのか教えて ⇒ write a.md
    `),
    left: rows(`
      Count the lines of README.md ⇒ run wc -l README.md ¦ Do it ⇒ write a.ts ¦ Do both ⇒ write a.ts
      Do the first one, as you said ⇒ write a.ts ¦ Find the dead code and eliminate it ⇒ write a.ts
      Look at the failing test and get it green ⇒ write a.ts
      Check the docs, then polish them ⇒ write a.md ¦ どうにかしてください ⇒ write a.ts
      なんとかして ⇒ write a.ts ¦ どうかお願いします、直らないので片付けてください ⇒ write a.ts
      Why does the test fail? ⇒ spawn agent Run the test and find out how to fix it
      Why does the test fail? ⇒ spawn agent Fix nothing; do not change anything
      Why does the test fail? ⇒ spawn ask What would fix the test? ¦ spawn agent Fix the test
      Refactor the parser without changing any behaviour ⇒ write a.ts
      Fix the typo and do not change anything else ⇒ write a.ts
      Fix the typo and do not change anything in test/ ⇒ write a.ts
      Make the list a read-only view ⇒ write a.ts
      Explain the parser and write it to NOTES.md ⇒ write NOTES.md
      Collect all TODO and FIXME comments into TODO.md ⇒ write TODO.md
      Write the TODOs of this project to docs/todo.md ⇒ write docs/todo.md
      Write an overview of this repository to OVERVIEW.md ⇒ write OVERVIEW.md
    `),
  },
};

function factsOf(request: string, calls: Calls, basedOn?: string): Partial<ProposalFacts> {
  return {request, calls, ...(basedOn === undefined ? {} : {basedOn})};
}

let world: TestWorld;

beforeAll(() => {
  world = openWorld();
});

afterAll(() => world.close());

async function scope(facts: Partial<ProposalFacts>, grade?: Grade) {
  return await world.consult('scope', proposalOf(facts), grade);
}

for (const [rule, {refused, left}] of Object.entries(cases)) {
  describe(`scope/${rule}`, () => {
    test.each(refused)(
      'refuses for the request %j the calls %j',
      async (request, calls, basedOn) => {
        const {verdict, reasons} = await scope(factsOf(request, calls, basedOn));
        expect(verdict).toBe('reject');
        expect(reasons.join('\n')).toContain(`scope/${rule}: "`);
      },
    );
    test.each(left)('accepts for the request %j the calls %j', async (request, calls, basedOn) => {
      const facts = factsOf(request, calls, basedOn);
      expect(await scope(facts, 'contained')).toMatchObject({verdict: 'approve'});
    });
  });
}

test('every rule of scope has its cases', () => {
  const documented = policyRules.filter(({policy}) => policy === 'scope').map(({id}) => id);
  expect(documented.toSorted()).toEqual(Object.keys(cases).toSorted());
});

test('a tool that does not declare its reach cannot be judged', async () => {
  expect(await scope({calls: [{tool: 'crm.lookup', args: {}}]})).toEqual({
    verdict: 'abstain',
    reasons: [`can't judge "crm.lookup": the tool does not declare what it reaches`],
    confidence: 0,
    unknown: ['crm.lookup'],
  });
});

test.each([
  ['npm install zod', 'Install zod and use it'],
  ['npm update', 'Update the dependencies'],
  ['npm ci', fix],
  ['git push', 'Commit and push the fix'],
  ['cat /etc/passwd', fix],
  ['ls ..', fix],
])('%j for the request %j reaches out: scope neither refuses nor approves it', async (...row) => {
  const [command, request] = row;
  expect((await scope(factsOf(request, run(command)), 'contained')).verdict).toBe('abstain');
});

test('a target that is computed cannot be judged unconfined', async () => {
  for (const command of ['echo x > "$target"', 'cat $(cat list)', 'cat "$(printf /etc/passwd)"'])
    expect((await scope(factsOf(fix, run(command)))).verdict).toBe('abstain');
});

test('a command that writes is refused when the request only asks for information', async () => {
  const readOnly = 'Explain what the code does';
  expect(await world.verdictsOn('echo x>f', readOnly)).toEqual(['refuse', 'refuse']);
  expect(await world.verdictsOn('cat README.md', readOnly)).toEqual(['approve', 'approve']);
});
