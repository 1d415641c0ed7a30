/** What builds by a file of rules: make, cmake, ninja, just. */

import type {Unknown} from '../effect.ts';
import type {Arguments, Invocation, Program, Reading} from '../program.ts';
import type {Word} from '../word.ts';
import {act, has, withActs} from './refine.ts';

const outward =
  /deploy|publish|release|push|upload|(?:^|[-_:])(?:un)?install|prod(?:uction)?$|destroy|provision|migrat|drop|reset|nuke|login/i;
const testing = /^(?:tests?|check|unit|spec|ci|test[-:_].*|.*[-:_]tests?)$/;

export const nativeBuilds: readonly Program[] = [
  {
    name: ['make', 'gmake'],
    options:
      '-j|--jobs=?text -l|--load-average=?text -k|--keep-going -s|--silent|--quiet -n|--dry-run|--just-print -B|--always-make -C|--directory=from -f|--file|--makefile=code -q|--question -d --debug=?text -w|--print-directory --no-print-directory -O|--output-sync=?text -r|--no-builtin-rules -R|--no-builtin-variables -i|--ignore-errors -t|--touch --trace --warn-undefined-variables -v|--version -h|--help',
    operands: 'text*',
    refine: followed,
  },
  {
    name: 'just',
    style: 'posix',
    options:
      '-l|--list --summary -n|--dry-run -q|--quiet -v|--verbose -f|--justfile=code -d|--working-directory=from --evaluate --show|-s=text --dump --fmt --check --unstable --version -h|--help --color=text -u|--unsorted',
    operands: 'text*',
    when: {'--fmt': {operands: 'text*', does: 'edits=justfile'}},
    refine: made(['justfile', 'Justfile', '.justfile'], '-f --justfile'),
  },
  {
    name: ['task', 'go-task'],
    options:
      '-l|--list -a|--list-all -n|--dry -s|--silent -v|--verbose -f|--force -d|--dir=from -t|--taskfile=code -p|--parallel -w|--watch --version -h|--help --status --summary -y|--yes -C|--concurrency=text',
    operands: 'text*',
    refine: made(['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml'], '-t --taskfile'),
  },
  {
    name: 'cmake',
    options:
      '-S=reads-tree -B=writes-tree -G=text -T|-A=text -D=text -U=text -L=?text -N -W=?text --preset=?text --fresh --log-level=text --trace --build=code --target|-t=text --config=text --clean-first --parallel|-j=?text --verbose|-v --list-presets=?text --version --help',
    operands: 'text*',
    does: 'runs=the_build',
    when: {'--version --help --list-presets': {operands: 'text*', does: ''}},
    refine: configured,
  },
  {
    name: 'ctest',
    options:
      '-j|--parallel=text --output-on-failure -R|--tests-regex=text -E|--exclude-regex=text -L|--label-regex=text -V|--verbose --test-dir=code -C|--build-config=text -N|--show-only --rerun-failed -Q|--quiet --timeout=text --stop-on-failure --preset=text --no-tests=text --repeat=text --progress --version -h|--help',
    does: 'runs=the_tests',
    isTest: true,
    when: {'-N --show-only --version -h --help': {does: 'runs=ctest', isTest: false}},
  },
  {
    name: ['ninja', 'ninja-build', 'samu'],
    options: '-C=from -j=text -k=text -l=text -n -v|--verbose -d=text --quiet --version -h|--help',
    operands: 'text*',
    does: 'runs=the_build loads=build.ninja',
    refine: targeted,
  },
  {
    name: 'meson',
    options: '-v|--version -h|--help',
    subcommands: {
      '': {},
      setup: {
        options:
          '--buildtype=text --prefix=text --reconfigure --wipe -D=text --backend=text --default-library=text',
        operands: 'writes-tree lists?',
        does: 'runs=the_build',
      },
      compile: {
        options: '-C=lists -j=text -v|--verbose --clean',
        operands: 'text*',
        does: 'runs=the_build',
      },
      test: {
        options:
          '-C=lists -v|--verbose --print-errorlogs --suite=text --no-rebuild --repeat=text --list -t|--timeout-multiplier=text',
        operands: 'text*',
        does: 'runs=the_tests',
        isTest: true,
        when: {'--list': {operands: 'text*', isTest: false}},
      },
      'introspect format': {
        options: '--targets --tests --projectinfo --buildoptions -a|--all',
        operands: 'lists?',
      },
    },
  },
  {
    name: ['bazel', 'bazelisk', 'buck2', 'pants'],
    subcommands: {
      'build test coverage run': {
        options:
          '-c|--compilation_mode=text --config=text --test_output=text --test_filter=text --nocache_test_results --keep_going -k --jobs=text --verbose_failures -s --cache_test_results=text --runs_per_test=text --test_arg=text --noshow_progress',
        operands: 'text*',
        does: 'runs=the_build',
        refine: (reading, _call, {operands}) => ({
          ...targeted(reading, _call, {options: [], operands}),
        }),
      },
      'query cquery aquery info version help targets': {
        options: '--output=text --noimplicit_deps --keep_going',
        operands: 'text*',
      },
    },
  },
  {
    name: ['clang-format', 'clang-tidy', 'cppcheck', 'cpplint'],
    options:
      '-i --dry-run -n --style=text -style=text --Werror -p=lists --checks=text -checks=text --quiet -q --fix --enable=text --std=text --error-exitcode=text -I=lists --suppress=text --language=text --inline-suppr --version --help',
    operands: 'reads-tree*',
    when: {'-i --fix': {operands: 'edits-tree*'}},
  },
];

const makefiles = '-f --file --makefile';
const madeByFile = made(['GNUmakefile', 'makefile', 'Makefile'], makefiles);

/** What the recipes of the targets do; where nobody can tell, they are code. */
function followed(reading: Reading, call: Invocation, given: Arguments): Reading {
  const told = madeByFile(reading, call, given);
  const files = given.options.filter(({name}) => makefiles.split(' ').includes(name));
  const isOdd = given.operands.some(
    (word) => !word.known || word.pattern || (word.text.includes('=') && unsafe(word)),
  );
  const isOther = has(
    given,
    '-v --version -h --help -n --dry-run --just-print -q --question -t --touch -R --no-builtin-variables',
  );
  if (isOther || isOdd || files.length > 1 || reading.unknown.length > 0) return told;
  const from = given.options.find(({name}) => /^(?:-C|--directory)$/.test(name))?.value;
  const otherwise = {
    acts: told.acts.map(({role, word}) => ({role, word})),
    unknown: told.unknown,
  };
  const targets = {
    ...act('make-targets', files[0]?.value ?? ''),
    rest: given.operands,
    otherwise,
    ...(from ? {from} : {}),
  };
  return {...told, acts: [targets], unknown: []};
}

/** What the file of rules says; `NAME=VALUE` and targets that reach out may make it anything. */
function made(files: readonly string[], option: string): NonNullable<Program['refine']> {
  return (reading, call, given) => {
    if (has(given, '-v --version -h --help')) return reading;
    const told = targeted(reading, call, given);
    const rules = has(given, option) ? [] : files.map((file) => act('loads', file));
    const folder = given.options.find(({name}) =>
      /^(?:-C|--directory|-d|--working-directory|--dir)$/.test(name),
    )?.value;
    const placed = folder ? rules.map((one) => Object.assign({}, one, {from: folder})) : rules;
    const done = withActs(told, ...placed, act('runs', call.name));
    const isTest = given.operands.some(({text}) => testing.test(text));
    return isTest && !has(given, '-n --dry-run --just-print -q --question -t')
      ? {...done, isTest: true}
      : done;
  };
}

function targeted(reading: Reading, _call: Invocation, {operands}: Arguments): Reading {
  const odd = operands.map(unsafe).find((unknown) => unknown !== undefined);
  return odd ? {...reading, unknown: [...reading.unknown, odd]} : reading;
}

function unsafe({text, known, pattern}: Word): Unknown | undefined {
  if (!known || pattern || !/^[\w.,:/@%+=-]+$/.test(text))
    return {word: text, why: 'may be any target'};
  if (text.includes('='))
    return isPlain(text) ? undefined : {word: text, why: 'may change what the rules run'};
  const isFar = /^\/|(?:^|\/)\.\.(?:\/|$)/.test(text);
  return isFar || outward.test(text)
    ? {word: text, why: 'may reach out of the workspace'}
    : undefined;
}

/** `NAME=VALUE` that can't name a program, a file or options. */
function isPlain(text: string): boolean {
  const name = /^([A-Z]\w*)[:+]*=[\w,+-]*(?:\.\d+)*$/i.exec(text)?.[1];
  return name !== undefined && (!programs.test(name) || name === 'CMAKE_EXPORT_COMPILE_COMMANDS');
}

/** Variables that name what rules run or load. */
const programs =
  /SHELL|^(?:CC|CXX|LD|AR|CPP|RM|DESTDIR)$|FLAGS|^MAKE|PATH|COMMAND|LAUNCHER|COMPILER|PROGRAM|RUNNER|PREFIX|EXEC|CMD|INCLUDE|FILE|DIR|TOOLCHAIN|GENERATOR|MODULE|SCRIPT/i;

/** `cmake -S . -B build -DNAME=VALUE`, `cmake ..`, `cmake --build build`. */
function configured(reading: Reading, _call: Invocation, given: Arguments): Reading {
  const definitions = given.options.filter(({name}) => name === '-D').map(({value}) => value);
  const odd = definitions
    .map((word) => (word ? unsafe({...word, text: word.text.replace(/:\w+=/, '=')}) : undefined))
    .find((unknown) => unknown !== undefined);
  const targets = given.options
    .filter(({name}) => /^(?:--target|-t)$/.test(name))
    .flatMap(({value}) => (value ? [value] : []));
  const told = targeted(odd ? {...reading, unknown: [...reading.unknown, odd]} : reading, _call, {
    options: [],
    operands: targets,
  });
  if (has(given, '--build --version --help --list-presets')) return told;
  const places = given.operands.map((word) => act('reads-tree', word));
  const source = given.options.find(({name}) => name === '-S')?.value ?? given.operands[0];
  const lists = source
    ? act('code', {...source, text: `${source.text}/CMakeLists.txt`})
    : act('loads', 'CMakeLists.txt');
  // Without a folder of its own it generates where it is.
  const generated = has(given, '-B --preset') ? [] : [act('edits', 'Makefile')];
  return withActs(told, ...places, lists, ...generated);
}
