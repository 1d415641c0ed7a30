/** Programs that build from a file of rules: make, cmake, ninja, just. */

import type {Unknown} from '../effect.ts';
import type {Arguments, Invocation, Program, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {act, has, withActs} from './refine.ts';

const outward =
  /deploy|publish|release|push|upload|(?:^|[-_:])(?:un)?install|prod(?:uction)?$|destroy|provision|migrat|drop|reset|nuke|login/i;

const testing = /^(?:tests?|check|unit|spec|ci|test[-:_].*|.*[-:_]tests?)$/;

export const nativeBuilds: Refinements = {
  makeTargets: followed,
  justRecipes: made(['justfile', 'Justfile', '.justfile'], '-f --justfile'),
  taskRecipes: made(['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml'], '-t --taskfile'),
  cmakeConfigures: configured,
  plainTargets: targeted,
  ninjaTargets: (reading, _call, {operands}) => ({
    ...targeted(reading, _call, {options: [], operands}),
  }),
};

const makefiles = '-f --file --makefile';

const madeByFile = made(['GNUmakefile', 'makefile', 'Makefile'], makefiles);

/** The effects of the targets' recipes; where these are unknown, the recipes are code. */
function followed(reading: Reading, call: Invocation, given: Arguments): Reading {
  const result = madeByFile(reading, call, given);
  const files = given.options.filter(({name}) => makefiles.split(' ').includes(name));
  const isOdd = given.operands.some(
    (word) => !word.known || word.pattern || (word.text.includes('=') && unsafe(word)),
  );
  const isOther = has(
    given,
    '-v --version -h --help -n --dry-run --just-print -q --question -t --touch -R --no-builtin-variables',
  );
  if (isOther || isOdd || files.length > 1 || reading.unknown.length > 0) return result;
  const from = given.options.find(({name}) => /^(?:-C|--directory)$/.test(name))?.value;
  const otherwise = {
    acts: result.acts.map(({role, word}) => ({role, word})),
    unknown: result.unknown,
  };
  const targets = {
    ...act('make-targets', files[0]?.value ?? ''),
    rest: given.operands,
    otherwise,
    ...(from ? {from} : {}),
  };
  return {...result, acts: [targets], unknown: []};
}

/** The reading by the file of rules; `NAME=VALUE` and targets outside the workspace may have any effect. */
function made(files: readonly string[], option: string): NonNullable<Program['refine']> {
  return (reading, call, given) => {
    if (has(given, '-v --version -h --help')) return reading;
    const result = targeted(reading, call, given);
    const rules = has(given, option) ? [] : files.map((file) => act('loads', file));
    const folder = given.options.find(({name}) =>
      /^(?:-C|--directory|-d|--working-directory|--dir)$/.test(name),
    )?.value;
    const placed = folder ? rules.map((one) => Object.assign({}, one, {from: folder})) : rules;
    const done = withActs(result, ...placed, act('runs', call.name));
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
    return isPlain(text) ? undefined : {word: text, why: 'may change the commands of the rules'};
  const isFar = /^\/|(?:^|\/)\.\.(?:\/|$)/.test(text);
  return isFar || outward.test(text)
    ? {word: text, why: 'may reach out of the workspace'}
    : undefined;
}

/** `NAME=VALUE` that names no program, file or options. */
function isPlain(text: string): boolean {
  const name = /^([A-Z]\w*)[:+]*=[\w,+-]*(?:\.\d+)*$/i.exec(text)?.[1];
  return name !== undefined && (!programs.test(name) || name === 'CMAKE_EXPORT_COMPILE_COMMANDS');
}

/** Variables that name programs or files which rules run or load. */
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
  const result = targeted(odd ? {...reading, unknown: [...reading.unknown, odd]} : reading, _call, {
    options: [],
    operands: targets,
  });
  if (has(given, '--build --version --help --list-presets')) return result;
  const places = given.operands.map((word) => act('reads-tree', word));
  const source = given.options.find(({name}) => name === '-S')?.value ?? given.operands[0];
  const lists = source
    ? act('code', {...source, text: `${source.text}/CMakeLists.txt`})
    : act('loads', 'CMakeLists.txt');
  // Without a build folder it generates into the current one.
  const generated = has(given, '-B --preset') ? [] : [act('edits', 'Makefile')];
  return withActs(result, ...places, lists, ...generated);
}
