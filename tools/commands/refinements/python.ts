/** Python: its flags, then a file or a module. Inline code is understood if it only computes and prints. */

import {readPython} from '../inline/python.ts';
import type {Invocation, Program, Reading, Refinements} from '../program.ts';
import {isElsewhere, readProgram} from '../read-program.ts';
import {wordOf, type Word} from '../word.ts';
import {isSure, valuesOf} from './given.ts';
import {act, runsFiles, withActs, withUnknown} from './refine.ts';

export const python: Refinements = {
  runsPython: (_reading, call) => pythonOf(call.args, call),
};

/** The words of Python: its flags, then a file, or `-m` and a module with its own words. */
export function pythonOf(args: readonly Word[], call: Invocation): Reading {
  const result: Reading = {acts: [], unknown: []};
  const at = args.findIndex(
    ({text}, index) => !isFlag(text) && !/^-[WX]$/.test(args[index - 1]?.text ?? ''),
  );
  const [word, ...rest] = at < 0 ? [] : args.slice(at);
  const acts = actsOfCode(args, at, call);
  if (acts) return {...result, acts};
  if (!word) {
    return asks(args) ? result : withUnknown(result, call.name, 'runs its standard input');
  }
  return runOf(result, word, rest);
}

function runOf(result: Reading, word: Word, rest: readonly Word[]): Reading {
  const module = /^-[A-Zbdqsuvx]*m(.*)$/.exec(word.text)?.[1];
  if (module === undefined || !word.known) return fileOf(result, word, rest);
  const [name, more] = module === '' ? [rest[0], rest.slice(1)] : [wordOf(module), rest];
  return name?.known
    ? moduleOf(result, name.text, more)
    : withUnknown(result, '-m', 'may be any module');
}

function actsOfCode(
  args: readonly Word[],
  at: number,
  call: Invocation,
): Reading['acts'] | undefined {
  const code = codeOf(args, at, call);
  return code && isSure(code) ? readPython(code.text) : undefined;
}

function asks(args: readonly Word[]): boolean {
  return args.some(({text}) => /^(?:-V+|--version|-h|--help)$/.test(text));
}

/** After `-c`, or in a here-document. */
function codeOf(args: readonly Word[], at: number, {input}: Invocation): Word | undefined {
  const word = at < 0 ? undefined : args[at];
  if (args.slice(0, at < 0 ? undefined : at).some(skipsLine)) return undefined;
  if (word && /^-[bBdEIOPqsSuv]*c$/.test(word.text)) return args[at + 1];
  const isRead = !word || word.text === '-';
  return isRead && typeof input !== 'string' ? input : undefined;
}

/** `-x` skips the first line, which may open a text for a program that reads the whole code. */
function skipsLine({text}: Word): boolean {
  return /^-\w*x/.test(text);
}

function isFlag(text: string): boolean {
  return /^(?:-[bBdEhIOPqsSuvVx]+|-[WX]\S*|--version|--help|--check-hash-based-pycs)$/.test(text);
}

function fileOf(result: Reading, word: Word, rest: readonly Word[]): Reading {
  const verb = rest.find(({text}) => !text.startsWith('-'))?.text ?? '';
  if (word.text.startsWith('-') || isElsewhere(word) || !word.known)
    return withUnknown(result, word.text, 'runs code, or has effects that no rule can determine');
  const name = word.text.slice(word.text.lastIndexOf('/') + 1);
  const problem = verbs[name] ? verbProblem(verbs[name], verb, rest) : undefined;
  if (problem) return withUnknown(result, `${name} ${verb}`, problem);
  const test: Reading = verb === 'test' && verbs[name] ? {...result, isTest: true} : result;
  return withActs(test, act('code', word));
}

function verbProblem(known: RegExp, verb: string, rest: readonly Word[]): string | undefined {
  if (!known.test(verb)) return 'is not a known subcommand';
  return rest.some(({text}) => text.includes('0.0.0.0')) ? 'serves to other machines' : undefined;
}

/** Subcommands of files that perform their first word. */
const verbs: Readonly<Record<string, RegExp>> = {
  'manage.py':
    /^(?:test|check|makemigrations|showmigrations|sqlmigrate|runserver|collectstatic|diffsettings|help|inspectdb|compilemessages|makemessages|show_urls|version|)$/,
  'setup.py': /^(?:build|build_ext|build_py|sdist|bdist_wheel|egg_info|check|test|clean|)$/,
};

/** A file with the module's name in the folder takes precedence over the known module. */
function moduleOf(result: Reading, name: string, args: readonly Word[]): Reading {
  const program = namedOtherwise[name] ?? name;
  const [first = name] = name.split('.');
  const own = [`${first}.py`, `${first}/__init__.py`].map((path) => act('loads', path));
  if (programs.test(name))
    return withActs(result, ...own, {...act('command', program), rest: args});
  const module = modules[name];
  return module
    ? withActs(readProgram({name, ...module}, {name, args, env: {}, input: 'inherited'}), ...own)
    : withUnknown(result, `-m ${name}`, 'is not a known module');
}

/** Modules that are programs. */
const programs =
  /^(?:pytest|pip|black|ruff|mypy|flake8|isort|pylint|coverage|tox|nox|pyflakes|pycodestyle|bandit|poetry|uv|virtualenv|twine|alembic|uvicorn|gunicorn|flask|streamlit|pyright|vulture|autopep8|yapf|mkdocs|pre_commit|build|sphinx)$/;

const namedOtherwise: Readonly<Record<string, string>> = {
  pre_commit: 'pre-commit',
  build: 'pyproject-build',
  sphinx: 'sphinx-build',
};

const tests: Omit<Program, 'name'> = {
  options:
    '-v|--verbose -q|--quiet -f|--failfast -b|--buffer -c|--catch --locals -k=text -s|--start-directory=text -p|--pattern=text -t|--top-level-directory=lists -o=text -h|--help',
  operands: 'text*',
  does: 'runs=the_tests',
  isTest: true,
  when: {'-h --help': {operands: 'text*', isTest: false}},
  refine: (reading, _call, given) => {
    const named = given.operands.filter(({text}) => text !== 'discover');
    const files = [...named.filter(isFile), ...valuesOf(given, '-s --start-directory')];
    const modules = named.filter((word) => !isFile(word)).flatMap(modulesOf);
    return runsFiles(runsFiles(reading, files), modules, 'loads');
  },
};

function isFile({text}: Word): boolean {
  return /\/|\.py$/.test(text);
}

/** `a.b.TestC` may be a folder or a file of that path, or something in it. */
export function modulesOf(word: Word): readonly Word[] {
  const parts = word.text.split('.');
  const files = parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}.py`);
  return [parts.join('/'), ...files].map((path) => Object.assign({}, word, {text: path}));
}

/** Modules that come with Python. */
const modules: Readonly<Record<string, Omit<Program, 'name'>>> = {
  'json.tool': {
    options: '--no-ensure-ascii --sort-keys --json-lines --indent=text --compact --tab --no-indent',
    operands: 'reads? writes?',
  },
  unittest: tests,
  doctest: tests,
  py_compile: {options: '-q', operands: 'reads+'},
  compileall: {options: '-q -f -l -r=text -j=text -x=text', operands: 'reads-tree*'},
  ast: {options: '-a -i=text -m=text', operands: 'reads?'},
  dis: {operands: 'reads?'},
  tokenize: {options: '-e', operands: 'reads?'},
  tabnanny: {options: '-v -q', operands: 'reads-tree+'},
  site: {options: '--user-base --user-site'},
  platform: {},
  sysconfig: {},
  this: {},
  venv: {
    options:
      '--system-site-packages --symlinks --copies --upgrade --without-pip --prompt=text --upgrade-deps --clear',
    operands: 'writes-tree+',
    when: {'--clear': {operands: 'deletes-tree+'}},
  },
};
