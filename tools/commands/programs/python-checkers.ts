/** Programs that test, check and format Python. */

import type {Arguments, Invocation, Program, Reading} from '../program.ts';
import {wordOf} from '../word.ts';
import {valuesOf} from './given.ts';
import {pythonOf} from './python.ts';
import {act, after, has, runsFiles, withActs, withUnknown} from './refine.ts';

const asked = '-V|--version -h|--help';

const pytestOptions =
  '--version -h|--help -p=text -c|--config-file=code --rootdir|--confcutdir=code --basetemp=deletes-tree --junitxml|--junit-xml|--log-file|--html|--json-report-file=writes --junit-prefix=text --log-level|--log-cli-level|--log-format=text --import-mode=text --cov=?text --cov-report=text --cov-config=code --cov-append --cov-branch --cov-fail-under=text --no-cov --no-cov-on-fail -n|--numprocesses=text --dist=text --maxprocesses=text -x|--exitfirst --maxfail=text -k=text -m=text -q|--quiet -v|--verbose --verbosity=text -s --capture=text -l|--showlocals --no-showlocals --tb=text --lf|--last-failed --ff|--failed-first --nf|--new-first --sw|--stepwise --stepwise-skip --last-failed-no-failures=text --co|--collect-only --durations=text --durations-min=text -r=text --no-header --no-summary --color=text --code-highlight=text --deselect|--ignore|--ignore-glob=text --cache-clear --cache-show=?text --fixtures --fixtures-per-test --funcargs --markers --setup-show --setup-only --setup-plan --strict-markers --strict-config --strict -W|--pythonwarnings=text --disable-warnings --disable-pytest-warnings --timeout=text --timeout-method=text --reruns|--reruns-delay=text --asyncio-mode=text --forked --snapshot-update --doctest-modules --doctest-glob=text --pyargs --noconftest --full-trace --self-contained-html --json-report --randomly-seed=text --random-order --headed --benchmark-only --benchmark-skip --benchmark-disable --keepdb --reuse-db --create-db --ds=text --runxfail --trace-config --show-capture=text --xfail-tb --allow-hosts=text --disable-socket --picked=?text --testmon --runslow --runintegration --integration --slow -f --looponfail';

const ruffOptions =
  '--config=text --isolated --select|--ignore|--extend-select|--extend-ignore|--extend-fixable|--fixable|--unfixable=text --per-file-ignores|--extend-per-file-ignores=text --output-format=text -o|--output-file=writes -w|--watch --statistics -e|--exit-zero --exit-non-zero-on-fix --exit-non-zero-on-format -n|--no-cache --cache-dir=writes-tree --target-version=text --line-length=text --preview --no-preview --exclude|--extend-exclude=text --respect-gitignore --no-respect-gitignore --force-exclude --show-files --show-settings --show-fixes -q|--quiet -s|--silent -v|--verbose --stdin-filename=text --fix --no-fix --fix-only --unsafe-fixes --diff --add-noqa --check --range=text --color=text';

/** Checks, or edits where it is told to. */
function fixer(name: string | readonly string[], options: string, fixes: string): Program {
  return {
    name,
    options: `${asked} ${options}`,
    operands: 'reads-tree*',
    when: {[fixes]: {operands: 'edits-tree*'}},
  };
}

export const pythonCheckers: readonly Program[] = [
  {
    name: ['pytest', 'py.test'],
    options: pytestOptions,
    operands: 'text*',
    does: 'runs=the_tests',
    isTest: true,
    when: {
      '--version -h --help --co --collect-only --fixtures --markers': {
        operands: 'text*',
        isTest: false,
        does: 'runs=the_tests',
      },
    },
    refine: (reading, _call, given) => {
      const reports = valuesOf(given, '--cov-report').filter(({text}) => text.includes(':'));
      const plugin = valuesOf(given, '-p').find(({text}) => !text.startsWith('no:'));
      const list = given.operands.find(({text}) => text.startsWith('@'));
      const told = withActs(
        reading,
        ...reports.map((word) => act('writes-tree', after(word, word.text.indexOf(':') + 1))),
      );
      const odd = plugin ?? list;
      return odd
        ? withUnknown(told, odd.text, 'loads what it names')
        : runsFiles(told, given.operands);
    },
  },
  {
    name: ['tox', 'nox'],
    options:
      '--version -h|--help -e|-s|--session|--sessions=text -r|--recreate -R -p|--parallel=?text -q|--quiet -v|--verbose -l|--list|--listenvs -c=code -f|--noxfile=code --skip-missing-interpreters=?text -k|--keywords=text -t|--tags=text --no-venv --reuse-existing-virtualenvs --skip-pkg-install',
    operands: 'text*',
    does: 'runs=the_tests loads=tox.ini loads=noxfile.py',
    isTest: true,
  },
  {
    name: ['coverage', 'coverage3'],
    options: asked,
    subcommands: {
      run: {
        style: 'posix',
        options:
          '--source=text --branch -p|--parallel-mode --omit|--include=text -a|--append --rcfile=code --data-file=writes --concurrency=text --timid -m|--module=text',
        operands: 'text*',
        does: 'runs=with_coverage',
        refine: covered,
      },
      'report html xml json lcov debug annotate': {
        options:
          '-m|--show-missing -i|--ignore-errors --skip-covered --skip-empty --fail-under=text --omit|--include=text -d|--directory=writes-tree -o=writes --rcfile=code --data-file=reads --format=text --sort=text --pretty-print -q|--quiet --precision=text',
        operands: 'text*',
        does: 'runs=with_coverage',
      },
      'combine erase': {
        options: '--keep -a|--append -q|--quiet --rcfile=code --data-file=deletes',
        operands: 'deletes-tree*',
        does: 'runs=with_coverage',
        when: {'--keep': {operands: 'reads-tree*', does: 'runs=with_coverage'}},
      },
    },
  },
  {
    name: 'ruff',
    options: `${asked} -q|--quiet -v|--verbose -s|--silent --isolated --config=text`,
    subcommands: {
      '': {},
      check: {
        options: ruffOptions,
        operands: 'reads-tree*',
        when: {
          '--diff': {operands: 'reads-tree*'},
          '--fix --fix-only --add-noqa': {operands: 'edits-tree*'},
        },
        refine: (reading, _call, given) =>
          has(given, '--fix --fix-only --add-noqa') && given.operands.length === 0
            ? withActs(reading, act('edits-tree', '.'))
            : reading,
      },
      format: {
        options: ruffOptions,
        operands: 'edits-tree*',
        when: {'--check --diff': {operands: 'reads-tree*'}, '': {does: 'edits-tree=.'}},
      },
      'rule config linter version help': {options: '--all --output-format=text', operands: 'text*'},
      clean: {does: 'runs=a_reset_of_the_cache'},
    },
  },
  {
    name: 'black',
    options: `${asked} --check --diff -c|--code=text -l|--line-length=text -t|--target-version=text --config=reads --include|--exclude|--extend-exclude|--force-exclude=text --fast --safe -q|--quiet -v|--verbose -S|--skip-string-normalization -C|--skip-magic-trailing-comma --preview --unstable -W|--workers=text --line-ranges=text --pyi --ipynb --required-version=text --color --no-color --stdin-filename=text`,
    operands: 'edits-tree*',
    when: {'-V --version -h --help --check --diff -c --code': {operands: 'reads-tree*'}},
  },
  {
    name: 'isort',
    options:
      '-V|--version -h|--help -c|--check-only|--check --diff|-d --profile=text -l|--line-length|-w=text -q|--quiet -v|--verbose --sp|--settings-path|--settings-file|--settings=reads --src|--src-path=text -p|--project=text -s|--skip=text --skip-glob=text --gitignore --atomic --float-to-top --force-single-line-imports --filter-files --color',
    operands: 'edits-tree*',
    when: {'-V --version -h --help -c --check --check-only': {operands: 'reads-tree*'}},
  },
  {
    name: 'mypy',
    options: `${asked} --config-file=code -p|--package|-m|--module=text --strict --ignore-missing-imports --show-error-codes --no-error-summary --pretty --python-version=text --platform=text --check-untyped-defs --disallow-untyped-defs --disallow-any-generics --no-implicit-optional --warn-unused-ignores --warn-return-any --warn-redundant-casts --warn-unreachable --follow-imports=text --exclude=text --no-incremental --cache-dir=writes-tree --explicit-package-bases --namespace-packages --show-column-numbers --show-error-context --hide-error-context --no-color-output --disable-error-code|--enable-error-code=text --non-interactive --show-traceback --tb --skip-cache-mtime-checks --no-site-packages -v|--verbose -O|--output=text`,
    operands: 'reads-tree*',
    does: 'runs=mypy',
  },
  {
    name: ['pyright', 'basedpyright', 'ty', 'pyre'],
    options:
      '--version -h|--help -p|--project=reads --level=text --outputjson --pythonversion=text --pythonplatform=text --stats --verbose --warnings -w|--watch --threads=?text --skipunannotated',
    operands: 'reads-tree*',
  },
  {
    name: [
      'flake8',
      'pylint',
      'bandit',
      'pyflakes',
      'pycodestyle',
      'pydocstyle',
      'vulture',
      'radon',
      'interrogate',
      'pydoclint',
      'safety',
      'pip-audit',
      'deptry',
      'djlint',
      'cfn-lint',
    ],
    options: `${asked} --rcfile|--config|--append-config=code --ini=code --max-line-length|--max-complexity=text --select|--ignore|--extend-ignore|--extend-select|--per-file-ignores=text --exclude|--extend-exclude=text --count --statistics --show-source --format|-f|--output-format=text --disable|--enable=text -E|--errors-only --reports|--score=text -j|--jobs=text -r|--recursive=?text -l -q|--quiet -v|--verbose -x=text --skip=text -s|--severity-level=text --min-confidence=text --fail-under=text --exit-zero --benchmark --first --doctests`,
    operands: 'reads-tree*',
    does: 'runs=a_linter',
  },
  fixer(
    'autopep8',
    '-i|--in-place -d|--diff -r|--recursive -a|--aggressive --max-line-length=text --select|--ignore=text -j|--jobs=text --exit-code -v|--verbose',
    '-i --in-place',
  ),
  fixer(
    'autoflake',
    '-i|--in-place -r|--recursive -c|--check --remove-all-unused-imports --remove-unused-variables --imports=text --exclude=text -j|--jobs=text --ignore-init-module-imports --expand-star-imports',
    '-i --in-place',
  ),
  fixer(
    'yapf',
    '-i|--in-place -d|--diff -r|--recursive -q|--quiet --style=text -e|--exclude=text -p|--parallel',
    '-i --in-place',
  ),
  {
    name: ['pyupgrade', 'docformatter', 'add-trailing-comma', 'reorder-python-imports'],
    options: `${asked} --py3-plus --py36-plus --py37-plus --py38-plus --py39-plus --py310-plus --py311-plus --py312-plus --keep-percent-format --keep-runtime-typing --exit-zero-even-if-changed -c|--check -i|--in-place -r|--recursive`,
    operands: 'edits-tree*',
  },
  {
    name: 'mkdocs',
    options: asked,
    subcommands: {
      'build serve': {
        options:
          '-f|--config-file=code -q|--quiet -s|--strict -c|--clean --dirty -d|--site-dir=deletes-tree -a|--dev-addr=text -v|--verbose',
        does: 'runs=the_build',
      },
      'gh-deploy': {options: '*', operands: 'text*', does: 'publishes=documentation'},
    },
  },
  {
    name: 'sphinx-build',
    options: `${asked} -b|-M=text -W -n -E -a -q -Q -v -T -j=text -c=code -d=writes-tree --keep-going --fail-on-warning`,
    operands: 'reads-tree writes-tree reads*',
    does: 'runs=the_build',
    // Its configuration is code.
    refine: (reading, _call, {operands: [source]}) =>
      source ? withActs(reading, act('code', source)) : reading,
  },
  {
    name: 'pyproject-build',
    options: `${asked} -s|--sdist -w|--wheel -n|--no-isolation -o|--outdir=writes-tree -v`,
    operands: 'lists?',
    does: 'runs=the_build',
  },
];

/** `coverage run -m pytest ARGS`, `coverage run FILE ARGS`. */
function covered(reading: Reading, call: Invocation, given: Arguments): Reading {
  const [module] = valuesOf(given, '-m --module');
  const inner = pythonOf(module ? [wordOf('-m'), module, ...given.operands] : given.operands, call);
  const isTest = inner.isTest ?? reading.isTest;
  return {
    acts: [...reading.acts, ...inner.acts],
    unknown: [...reading.unknown, ...inner.unknown],
    ...(isTest ? {isTest} : {}),
  };
}
