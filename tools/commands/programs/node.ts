/** Node, what starts it for other languages, and Deno. Code in the command is judged where it only computes and prints. */

import type {Unknown} from '../effect.ts';
import {readJavascript} from '../inline/javascript.ts';
import {withInlineCode} from '../inline/with-inline-code.ts';
import type {Act, Arguments, Invocation, Program, Reading} from '../program.ts';
import {isElsewhere} from '../read-program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {scriptOf} from './packages.ts';
import {act, eachAct, runsFiles, withActs, withUnknown} from './refine.ts';

const nodeOptions =
  '-v|--version -h|--help -e|--eval|-p|--print|--input-type=unjudged -i|--interactive=unjudged -c|--check --test --test-only --test-reporter=code --test-reporter-destination=writes --test-name-pattern|--test-skip-pattern=text --test-timeout|--test-concurrency|--test-isolation|--test-shard=text --test-force-exit --test-update-snapshots --experimental-test-coverage --experimental-test-snapshots --experimental-test-module-mocks --experimental-test-isolation=text --test-coverage-include|--test-coverage-exclude|--test-coverage-lines|--test-coverage-branches|--test-coverage-functions=text --watch --watch-path=text --watch-preserve-output --run=package-script --env-file=code --env-file-if-exists=loads -r|--require|--import|--loader|--experimental-loader=code --conditions=text --enable-source-maps --no-warnings --no-deprecation --trace-warnings --trace-deprecation --trace-uncaught --trace-exit --throw-deprecation --unhandled-rejections=text --stack-trace-limit=text --stack-size=text --max-old-space-size|--max_old_space_size=text --expose-gc|--expose_gc --inspect --inspect-brk --preserve-symlinks --preserve-symlinks-main --dns-result-order=text --experimental-vm-modules --experimental-strip-types --experimental-transform-types --no-experimental-strip-types --experimental-default-type=text --experimental-specifier-resolution=text --experimental-json-modules --experimental-sqlite --experimental-wasm-modules --experimental-require-module --experimental-detect-module --experimental-global-webcrypto --experimental-fetch --experimental-import-meta-resolve --no-experimental-fetch --disable-warning=text --permission --allow-fs-read|--allow-fs-write=text --allow-child-process --allow-worker --openssl-legacy-provider --tls-min-v1.2 --jitless --icu-data-dir=text --tsconfig=code --no-cache --transpile-only -T --files --esm --swc -P|--project=code --typeCheck --respawn --exit-child';

const denoOptions =
  '-A|--allow-all --allow-read=?text -R=?text --allow-write=?text -W=?text --allow-net=?text -N=?text --allow-env=?text -E=?text --allow-run=?text --allow-sys=?text -S=?text --allow-ffi=?text --allow-import=?text --allow-hrtime --deny-net=?text --deny-read=?text --deny-write=?text --deny-run=?text --deny-env=?text --no-prompt -c|--config=code --no-config --import-map=code --no-check=?text --check=?text --no-remote --no-npm --node-modules-dir=?text --lock=reads --no-lock --frozen=?text --cached-only -q|--quiet --env-file=?text --seed=text --unstable --unstable-sloppy-imports --unstable-kv --unstable-bare-node-builtins --no-clear-screen --strace-ops=?text --json --preload=code --log-level|-L=text';

const nodeWhen: NonNullable<Program['when']> = {
  '-v --version -h --help': {operands: 'text*'},
  '--run -e --eval -p --print -i --interactive --input-type': {operands: 'text*'},
  '--test': {operands: 'text*', does: 'runs=the_tests', isTest: true},
  '-c --check': {operands: 'reads+'},
};

export const node: readonly Program[] = [
  {
    name: ['node', 'nodejs', 'tsx', 'ts-node', 'ts-node-esm', 'ts-node-dev', 'tsnd', 'jiti'],
    style: 'posix',
    options: nodeOptions,
    operands: 'code text*',
    when: nodeWhen,
    refine: (reading, call, given) =>
      /^node(?:js)?$/.test(call.name)
        ? withInlineCode(loaded(reading, call, given), {
            code: codeOf(call, given),
            option: '-e --eval -p --print',
            read: readJavascript,
          })
        : loaded(reading, call, given),
  },
  {
    name: 'nodemon',
    style: 'posix',
    options:
      '-w|--watch=text -e|--ext=text -x|--exec=shell -i|--ignore=text -d|--delay=text -q|--quiet -V|--verbose -L|--legacy-watch --inspect --no-colors -v|--version -h|--help',
    operands: 'code? text*',
    does: 'loads=nodemon.json',
    when: {'-v --version -h --help': {operands: 'text*'}},
    refine: loaded,
  },
  {
    name: 'deno',
    options: '-V|--version -h|--help -q|--quiet',
    subcommands: {
      '': {},
      run: {
        style: 'posix',
        options: `${denoOptions} --watch=?text`,
        operands: 'code text*',
        refine: loaded,
      },
      'test bench': {
        options: `${denoOptions} --watch=?text --filter=text --fail-fast=?text --parallel --doc --no-run --coverage=?writes-tree --reporter=text --shuffle=?text --trace-leaks --junit-path=writes --ignore=text --permit-no-files`,
        operands: 'text*',
        does: 'runs=the_tests',
        isTest: true,
        refine: loaded,
      },
      fmt: {
        options:
          '--check --ext=text --ignore=text -c|--config=reads --no-config -q|--quiet --watch --use-tabs --line-width=text --indent-width=text --single-quote --no-semicolons --prose-wrap=text',
        operands: 'edits-tree*',
        when: {'--check': {operands: 'reads-tree*'}, '': {does: 'edits-tree=.'}},
      },
      lint: {
        options:
          '--fix --ext=text --ignore=text -c|--config=reads --no-config -q|--quiet --rules --rules-tags=text --rules-include=text --rules-exclude=text --json --compact --watch',
        operands: 'reads-tree*',
        does: 'loads=deno.json loads=deno.jsonc',
        when: {'--fix': {operands: 'edits-tree+'}},
      },
      check: {
        options: `${denoOptions} --all --doc`,
        operands: 'reads-tree*',
        refine: eachAct(reached),
      },
      'info doc': {
        options: `${denoOptions} --filter=text --lint --html`,
        operands: 'reads*',
        refine: eachAct(reached),
      },
      task: {
        style: 'posix',
        options: '-q|--quiet --cwd=from',
        operands: 'text*',
        does: 'loads=deno.json loads=deno.jsonc',
        // Scripts of package.json are tasks, too.
        refine: (reading, _call, {operands: [name, ...rest]}) =>
          name ? withActs(reading, scriptOf(name, rest)) : reading,
      },
      'types outdated help': {operands: 'text*'},
      'add remove install i': {
        options: '-D|--dev --npm --jsr --frozen=?text -q|--quiet',
        operands: 'installs*',
        when: {'': {does: 'installs=declared'}},
      },
      'upgrade clean': {options: '*', operands: 'text*', does: 'alters=Deno_on_this_machine'},
      'publish deploy': {options: '*', operands: 'text*', does: 'publishes=packages'},
      'eval repl serve compile jupyter init vendor lsp x create': {
        options: '*',
        operands: 'text*',
        does: 'unjudged=code_in_the_command',
      },
    },
  },
];

/** After `-e`, `-p` or `-pe`, or in a here-document. */
function codeOf({args, input}: Invocation, given: Arguments): Word | undefined {
  if (args.every(({text}) => text === '-') && typeof input !== 'string') return input;
  const [code, ...more] = valuesOf(given, '-e --eval -p --print');
  if (more.length > 0) return undefined;
  const isBoth = code?.text === 'e' && args[0]?.text === '-pe';
  return isBoth ? given.operands[0] : code;
}

/** A program of a package, a subcommand, files of tests. */
function loaded(reading: Reading, _call: Invocation, given: Arguments): Reading {
  if (reading.isTest) return runsFiles(reading, given.operands);
  const [main, ...rest] = given.operands;
  if (main && /^(?:watch|inspect|debug)$/.test(main.text))
    return withUnknown(reading, main.text, 'runs the file after it');
  const installed = /^(?:\.\/)?node_modules\/\.bin\/([\w.-]+)$/.exec(main?.text ?? '')?.[1];
  if (installed === undefined) return reading;
  const acts = reading.acts.filter(({word}) => word !== main && !rest.includes(word));
  return withActs({...reading, acts}, {...act('package-command', installed), rest});
}

function reached(read: Act): readonly (Act | Unknown)[] {
  return read.role !== 'text' && isElsewhere(read.word)
    ? [{word: read.word.text, why: 'is code from elsewhere'}]
    : [read];
}
