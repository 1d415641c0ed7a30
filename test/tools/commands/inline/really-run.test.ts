/** Random code that is judged harmless is run for real: it starts nothing, connects to nothing and writes nothing. */

import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {array, type Arbitrary, constantFrom, letrec, oneof, sample, tuple} from 'fast-check';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';

import {readJavascript} from '../../../../tools/commands/inline/javascript.ts';
import {readPerl} from '../../../../tools/commands/inline/perl.ts';
import {readPython} from '../../../../tools/commands/inline/python.ts';
import {isDeep} from '../../../support/depth.ts';
import {cells} from '../../../support/rows.ts';

function programOf(...question: readonly [string, ...string[]]): string | undefined {
  const [name, ...args] = question;
  try {
    return execFileSync(name, args, {encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}).trim();
  } catch {
    return undefined;
  }
}

const tracer = 'strace';
const hasTracer = programOf(tracer, '-V') !== undefined;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-inline-'));
  writeFileSync(join(folder, 'data.json'), '{"constructor": 1, "a": {"b": [1, 2]}}\n');
});
afterAll(() => rmSync(folder, {recursive: true}));

/** System calls that do more than compute, read and print. */
function deedsOf(program: string, args: readonly string[]): readonly string[] {
  const log = join(folder, 'trace');
  const calls =
    'execve,fork,vfork,socket,connect,kill,open,openat,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,link,linkat,symlink,symlinkat,chmod,fchmodat,truncate,ftruncate';
  spawnSync(tracer, ['-f', '-qq', '-o', log, '-e', `trace=${calls}`, program, ...args], {
    cwd: folder,
    env: {PATH: process.env['PATH'] ?? '', HOME: folder},
    input: 'one\ntwo\n',
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: 20_000,
  });
  const lines = readFileSync(log, 'utf8').split('\n').slice(1);
  return lines.filter(
    (line) =>
      line !== '' &&
      !/ open(?:at)?\(.*O_RDONLY| = -1 ENOENT|resumed>|^\d+ +(?:\+\+\+|---)|\/dev\/(?:null|tty)/.test(
        line,
      ),
  );
}

interface Grammar {
  readonly atoms: readonly string[];
  /** Around one expression, `@` in place of it. */
  readonly around: readonly string[];
  /** Of two, `@` and `~`. */
  readonly between: readonly string[];
  readonly statement: readonly string[];
}

function programsOf({atoms, around, between, statement}: Grammar): Arbitrary<string> {
  const {expression} = letrec<{expression: string}>((tie) => ({
    expression: oneof(
      {depthSize: 'small', withCrossShrink: true},
      constantFrom(...atoms),
      tuple(constantFrom(...around), tie('expression')).map(([form, one]) =>
        form.replaceAll('@', () => one),
      ),
      tuple(constantFrom(...between), tie('expression'), tie('expression')).map(
        ([form, one, two]) => form.replace('@', () => one).replace('~', () => two),
      ),
    ),
  }));
  const line = tuple(constantFrom(...statement), expression).map(([form, one]) =>
    form.replace('@', () => one),
  );
  return array(line, {minLength: 1, maxLength: 4}).map((lines) => lines.join('\n'));
}

const javascript: Grammar = {
  atoms: cells(`
    1 ¦ 'a' ¦ [1, 2] ¦ a ¦ k ¦ f ¦ require ¦ process.version ¦ eval ¦ ({a: 1}) ¦ /a+/g
    console.log ¦ 'constr' ¦ Object ¦ fs.rmSync ¦ require('./data.json') ¦ this ¦ process.argv
    String
  `),
  around: cells(`
    (@) ¦ [@] ¦ @.length ¦ @.constructor ¦ typeof @ ¦ f(@) ¦ @.map(f) ¦ @.map(x => x)
    Object.keys(@) ¦ JSON.stringify(@) ¦ @[0] ¦ @[k] ¦ @[a.length - 1] ¦ \`x\${@}\` ¦ \`\${a[k]}\`
    new Function(@) ¦ eval(@) ¦ String(@) ¦ @() ¦ {a: @} ¦ (x => @) ¦ @.toString()
    require('child_process').execSync(@) ¦ Array.from(@) ¦ [@].flat() ¦ [@].sort()
  `),
  between: cells(`
    @ + ~ ¦ @ ? ~ : 1 ¦ @[~] ¦ @.replace(~, f) ¦ @(~) ¦ [@, ~] ¦ @ = ~ ¦ [@].reduce(~)
    ({...@, ...~}) ¦ @ || ~ ¦ [@, ~].map(f)
  `),
  statement: cells(`
    const a = @; ¦ let k = @; ¦ const f = x => @; ¦ console.log(@); ¦ @;
    for (const k of [@]) console.log(k); ¦ for (let i = 0; i < 2; i++) console.log(@);
    const {length} = @; ¦ console.log(1, a[k], @);
  `),
};

const python: Grammar = {
  atoms: cells(`
    1 ¦ 'a' ¦ [1, 2] ¦ a ¦ k ¦ f ¦ eval ¦ open ¦ print ¦ json ¦ sys.version ¦ {'a': 1}
    open('data.json') ¦ sys.stdin ¦ len ¦ os ¦ '{0.a}' ¦ json.loads ¦ str
  `),
  around: cells(`
    (@) ¦ [@] ¦ @.upper() ¦ @.__class__ ¦ f(@) ¦ list(map(f, @)) ¦ json.dumps(@) ¦ @[0] ¦ f'{@}'
    f'{1:{@}}' ¦ eval(@) ¦ str(@) ¦ @() ¦ (lambda x: @) ¦ repr(@) ¦ [x for x in @]
    '{}'.format(@) ¦ @.read() ¦ type(@) ¦ open(@) ¦ os.system(@) ¦ sorted(@, key=len) ¦ @.mro()
  `),
  between: cells(`
    @ + ~ ¦ @ if ~ else 1 ¦ @[~] ¦ @(~) ¦ [@, ~] ¦ (x := @) and ~ ¦ '%s %s' % (@, ~)
    [@ for x in ~] ¦ print(@, ~) ¦ map(@, ~) ¦ open(@, ~)
  `),
  statement: cells(`
    import json, sys ¦ a = @ ¦ k = @ ¦ f = lambda x: @ ¦ print(@) ¦ @ ¦ for k in [@]: print(k)
    def f(x): return @ ¦ from os import system as f
  `),
};

const perl: Grammar = {
  atoms: cells(`
    1 ¦ 'a' ¦ $a ¦ @b ¦ $_ ¦ "$a b" ¦ "x@{[1]}" ¦ \`id\` ¦ time ¦ $h{a} ¦ <STDIN> ¦ %h ¦ /a/
    qw(a b) ¦ x ¦ $b[0] ¦ "$h{a}" ¦ $ENV{PATH} ¦ "id"
  `),
  around: cells(`
    (@) ¦ uc @ ¦ length(@) ¦ join(",", @) ¦ map { $_ } @ ¦ scalar(@) ¦ -@ ¦ system(@) ¦ eval @
    do @ ¦ sort @ ¦ lc(@) ¦ sprintf("%s", @) ¦ [@] ¦ grep { /a/ } @ ¦ reverse(@) ¦ abs(@) ¦ @ x 3
  `),
  between: cells(`
    @ . ~ ¦ @ + ~ ¦ @ ? ~ : 1 ¦ @ < ~ ¦ @ % ~ ¦ @ / ~ ¦ @ =~ ~ ¦ (@, ~) ¦ @ && ~ ¦ @->(~) ¦ @ // ~
  `),
  statement: cells(`
    my $a = @; ¦ my @b = (@); ¦ print @; ¦ @; ¦ for (@) { print } ¦ $h{a} = @;
    s/a/b/ for my @c = (@); ¦ s/a/@/e; ¦ print "y" if @;
  `),
};

const runs = isDeep ? 300 : 12;
const tries = isDeep ? 60_000 : 6_000;

const pythonProgram = programOf('python3', '-c', 'import sys; print(sys.executable)');
const languages = [
  {
    name: 'JavaScript',
    grammar: javascript,
    isRead: (code: string) => readJavascript(code) !== undefined,
    program: process.execPath,
    argsOf: (code: string) => ['-e', code],
  },
  {
    name: 'Python',
    grammar: python,
    isRead: (code: string) => readPython(code) !== undefined,
    program: pythonProgram,
    argsOf: (code: string) => ['-B', '-c', code],
  },
  {
    name: 'Perl',
    grammar: perl,
    isRead: (code: string) => readPerl(code, new Set()) !== undefined,
    program: programOf('perl', '-e', 'print $^X'),
    argsOf: (code: string) => ['-e', code],
  },
];

describe.skipIf(!hasTracer)('code that is judged harmless', () => {
  it.for(languages)(
    'in $name does nothing but compute and print',
    {timeout: 300_000},
    ({grammar, isRead, program, argsOf}, {skip}) => {
      if (program === undefined) {
        skip();
        return;
      }
      const seed = isDeep ? 2 : 1;
      const codes = sample(programsOf(grammar), {seed, numRuns: tries}).filter(isRead);
      const distinct = [...new Set(codes)].toSorted((a, b) => b.length - a.length).slice(0, runs);
      expect(distinct.length).toBe(runs);
      for (const code of distinct) {
        expect(deedsOf(program, argsOf(code)), `seed ${seed}: ${code}`).toEqual([]);
      }
    },
  );

  it('is distinguished from code that does more', () => {
    const program = process.execPath;
    expect(deedsOf(program, ['-e', 'fs.writeFileSync("x", "")'])).not.toEqual([]);
    expect(deedsOf(program, ['-e', 'child_process.execSync("true")'])).not.toEqual([]);
  });
});
