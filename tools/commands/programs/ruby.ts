/** Ruby and its tools. Code in the command is judged where it only computes and prints. */

import {readRuby} from '../inline/ruby.ts';
import {onlyOf, withInlineCode} from '../inline/with-inline-code.ts';
import type {Program, Reading} from '../program.ts';
import {wordOf} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, has, runsFiles, withActs, withUnknown} from './refine.ts';

const asked = '-V|--version -h|--help';
const tests = {does: 'runs=the_tests', isTest: true} as const;

const rspecOptions = `-v ${asked} -f|--format=code -c|--color --colour --no-color -e|--example=text -E|--example-matches=text -t|--tag=text -P|--pattern=text --exclude-pattern=text --fail-fast=?text --no-fail-fast -b|--backtrace -p|--profile=?text -w|--warnings --order=text --seed=text --only-failures -n|--next-failure --dry-run -o|--out=writes -r|--require=code -I=code -O|--options=code --bisect --force-color --no-profile`;

export const ruby: readonly Program[] = [
  {
    name: ['ruby', 'jruby'],
    style: 'posix',
    options:
      '-v --version -h --help -w -W=?text -c -e=unjudged -r=code -I=code -C=from --yjit --jit --enable=text --disable=text -E=text -U',
    operands: 'code text*',
    when: {'-v --version -h --help -e': {operands: 'text*'}, '-c': {operands: 'reads+'}},
    refine: (reading, _call, given) =>
      given.operands[0]?.text.endsWith('bin/rails')
        ? railsOf(
            reading,
            given.operands.slice(1).map(({text}) => text),
          )
        : withInlineCode(reading, {
            code: onlyOf(given, '-e'),
            option: '-e',
            read: (code) =>
              readRuby(
                code,
                valuesOf(given, '-r').some(({text}) => text === 'json'),
              ),
          }),
  },
  {
    name: ['bundle', 'bundler'],
    options: '-v|--version -h|--help',
    subcommands: {
      '': {does: 'installs=declared'},
      'exec e': {style: 'posix', operands: 'command'},
      'install i check': {
        options:
          '--jobs=text -j=text --retry=text --quiet --path=writes-tree --deployment --without=text --with=text --local --full-index --gemfile=code --dry-run --frozen',
        does: 'installs=declared',
      },
      'list show outdated info platform version licenses doctor why': {
        options: '--paths --verbose --strict --groups --name-only --path',
        operands: 'text*',
      },
      'add update remove': {
        options:
          '--all --conservative --patch --minor --group=text -v|--version=text --skip-install --source=unjudged',
        operands: 'installs*',
        when: {'': {does: 'installs=declared'}, '--all': {does: 'installs=declared'}},
      },
      lock: {options: '--update --add-platform=text', does: 'installs=declared'},
      clean: {options: '--dry-run', does: 'runs=a_clean-up_of_gems'},
    },
  },
  {
    name: ['rake', 'thor'],
    options:
      '-T|--tasks=?text -D|--describe=?text -P|--prereqs -A|--all -n|--dry-run -q|--quiet -s|--silent -t|--trace=?text -j|--jobs=?text -m|--multitask -f|--rakefile=code -V|--version -h|--help -v|--verbose',
    operands: 'text*',
    does: 'runs=rake loads=Rakefile loads=rakefile loads=Rakefile.rb',
    refine: (reading, _call, given) =>
      tasksOf(
        reading,
        given.operands.map(({text}) => text),
      ),
  },
  {
    name: 'rails',
    style: 'posix',
    options: '-v|--version -h|--help',
    operands: 'text*',
    does: 'runs=rails',
    refine: (reading, _call, given) =>
      railsOf(
        reading,
        given.operands.map(({text}) => text),
      ),
  },
  {
    name: 'rspec',
    ...tests,
    options: rspecOptions,
    operands: 'text*',
    refine: (reading, _call, {operands}) => runsFiles(reading, operands),
    when: {
      '-v -V --version -h --help --dry-run': {
        operands: 'text*',
        does: 'runs=the_tests',
        isTest: false,
      },
    },
  },
  {
    name: ['minitest', 'cucumber', 'm'],
    ...tests,
    options: `${asked} -n=text -v --seed=text -t|--tags=text -f|--format=text -p|--profile=text`,
    operands: 'text*',
  },
  {
    name: ['rubocop', 'standardrb', 'erblint', 'brakeman', 'reek', 'srb', 'haml-lint', 'steep'],
    options: `-v ${asked} -a|--autocorrect|--fix -A|--autocorrect-all|--auto-correct-all --auto-correct -x|--fix-layout --safe --parallel -P --no-parallel -c|--config=code -f|--format=code -o|--out=writes -r|--require=code --only=text --except=text -L|--list-target-files -D|--display-cop-names -E|--extra-details -S --fail-level=text --lint-all -l --cache=text --no-color --color -q|--quiet --no-pager -w=text`,
    operands: 'reads-tree*',
    does: 'runs=a_linter',
    when: {
      '-a --autocorrect --fix -A --autocorrect-all --auto-correct-all --auto-correct -x --fix-layout':
        {operands: 'edits-tree*', does: 'runs=a_linter'},
    },
    refine: (reading, _call, given) =>
      has(
        given,
        '-a --autocorrect --fix -A --autocorrect-all --auto-correct-all --auto-correct -x --fix-layout',
      ) && given.operands.length === 0
        ? withActs(reading, act('edits-tree', '.'))
        : reading,
  },
  {
    name: 'gem',
    options: '-v|--version -h|--help',
    subcommands: {
      'list search outdated environment env contents which specification dependency info': {
        options: '-l|--local -a|--all -r|--remote -e|--exact --no-versions -d',
        operands: 'text*',
      },
      'install i update uninstall': {
        options:
          '-v|--version=text -N|--no-document -q|--quiet --conservative -g|--file=?reads --user-install -a -x -I -f|--force',
        operands: 'installs*',
        does: 'alters=gems_of_this_machine',
      },
      build: {options: '-o|--output=writes --strict', operands: 'code', does: 'runs=the_build'},
      'push yank owner signin signout': {
        options: '*',
        operands: 'text*',
        does: 'publishes=packages',
      },
    },
  },
];

const outward =
  /deploy|publish|release|push|upload|install|(?:^|:)drop|reset|purge|truncate|destroy|migrate|rollback|seed|setup|prod/;

/** What of rake reaches data or the world is not followed. */
function tasksOf(reading: Reading, texts: readonly string[]): Reading {
  const dropping = texts.find((text) =>
    /^db:(?:drop|reset|purge|truncate|migrate:reset|schema:load|setup|rollback)/.test(text),
  );
  if (dropping !== undefined) return withActs(reading, act('alters', 'a database'));
  const odd = texts.find((text) => outward.test(text) || /[=;|&$`\s]/.test(text));
  const isTest = texts.some((text) => /^(?:test|spec|default)(?::|$)/.test(text));
  if (odd !== undefined) return withUnknown(reading, odd, 'may reach out of the workspace');
  return isTest ? {...reading, isTest: true} : reading;
}

function railsOf(reading: Reading, [verb = '', ...rest]: readonly string[]): Reading {
  if (/^(?:test(?::\w+)?|spec)$/.test(verb))
    return runsFiles(
      {...reading, isTest: true},
      rest.filter((text) => !text.startsWith('-')).map(wordOf),
    );
  if (
    /^(?:routes|stats|notes|about|version|server|s|zeitwerk:check|middleware|assets:precompile|log:clear|tmp:clear|-T|--tasks|initializers|)$/.test(
      verb,
    )
  )
    return reading;
  return verb.includes(':')
    ? tasksOf(reading, [verb, ...rest])
    : withUnknown(reading, `rails ${verb}`, 'is no subcommand that is known');
}
