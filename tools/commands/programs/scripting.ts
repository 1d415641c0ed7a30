/** Perl, PHP, Lua, R, Elixir and their tools. Code in the command is judged where it only computes and prints. */

import {readPerlCall} from '../inline/perl-call.ts';
import {readPhp} from '../inline/php.ts';
import {onlyOf, withInlineCode} from '../inline/with-inline-code.ts';
import type {Arguments, Invocation, Program, Reading} from '../program.ts';
import type {Word} from '../word.ts';
import {act, has, onlyTasks, runsFiles, withActs, withUnknown} from './refine.ts';

const asked = '-V|--version -h|--help';
const tests = {does: 'runs=the_tests', isTest: true} as const;

const composerOptions =
  '-q|--quiet -n|--no-interaction -v|--verbose --no-ansi --ansi --no-dev --dev --prefer-dist --prefer-source --no-scripts --no-plugins --no-progress --optimize-autoloader -o -a --classmap-authoritative --ignore-platform-reqs --ignore-platform-req=text -d|--working-dir=from --dry-run --no-autoloader --no-cache -W|--with-all-dependencies --lock --locked -f|--format=text --direct -D --outdated --strict --no-check-all --no-check-publish';

export const scripting: readonly Program[] = [
  {
    name: 'perl',
    style: 'posix',
    options:
      '-v --version -V=?text -w -W -T -t -c -e=unjudged -E=unjudged -n=unjudged -p=unjudged -i=unjudged -I=code -M=unjudged -m=unjudged -x=unjudged -s',
    operands: 'code text*',
    when: {'-v --version -V -e -E -n -p -i -M -m -x': {operands: 'text*'}},
    refine: (reading, call) => {
      const acts = readPerlCall(call);
      return acts ? {acts, unknown: []} : reading;
    },
  },
  {
    name: 'prove',
    ...tests,
    options:
      '-v|--verbose -r|--recurse -l|--lib -b|--blib -I=code -j|--jobs=text -f|--failures -o|--comments -Q -q|--quiet -s|--shuffle --color --nocolor --timer --state=text --merge -V|--version -h|--help --ext=text',
    operands: 'text*',
    refine: (reading, _call, {operands}) => runsFiles(reading, operands),
  },
  {
    name: ['perldoc', 'ri', 'pydoc', 'pydoc3'],
    options: '-f=text -q=text -v=text -T -t -l -m -k=text',
    operands: 'text+',
  },
  {
    name: ['perltidy', 'perlcritic'],
    options: '--version --help --severity=text --gentle --stern --harsh --verbose=text --quiet',
    operands: 'reads-tree+',
    refine: (reading, {name}) =>
      name === 'perltidy' ? withUnknown(reading, 'perltidy', 'writes beside its sources') : reading,
  },
  {
    name: ['php', 'php8', 'php7'],
    style: 'posix',
    options:
      '-v|--version -h|--help -l -m -i -r=unjudged -a=unjudged -B=unjudged -R=unjudged -E=unjudged -F=unjudged -f=code -n -q --ini --rf=text --rc=text --re=text --ri=text',
    operands: 'code text*',
    when: {
      '-v --version -h --help -m --ini --rf --rc --re --ri -r -a -B -R -E -F': {operands: 'text*'},
      '-i': {does: 'reveals=the_environment'},
      '-l': {operands: 'reads+'},
      '-f': {operands: 'text*'},
    },
    refine: (reading, call, given) =>
      withInlineCode(phpOf(reading, call, given), {
        code: onlyOf(given, '-r'),
        option: '-r',
        read: readPhp,
      }),
  },
  {
    name: 'composer',
    options: `-V|--version -h|--help ${composerOptions}`,
    subcommands: {
      '': {},
      'install i dump-autoload dumpautoload update u upgrade': {
        options: composerOptions,
        operands: 'installs*',
        when: {'': {does: 'installs=declared loads=composer.json'}},
      },
      'require req remove rm reinstall bump': {options: composerOptions, operands: 'installs+'},
      'show info outdated validate diagnose licenses depends why why-not prohibits check-platform-reqs audit status list about suggests fund help':
        {options: composerOptions, operands: 'text*'},
      'run-script run': {
        style: 'posix',
        options: '--list -l --timeout=text --dev --no-dev',
        operands: 'text*',
        does: 'runs=a_script loads=composer.json',
      },
      'test lint check phpstan cs cs-check analyse analyze format fix stan ci': {
        style: 'posix',
        operands: 'text*',
        does: 'runs=a_script loads=composer.json',
      },
      exec: {style: 'posix', options: '-l|--list', operands: 'command'},
    },
  },
  {
    name: ['phpunit', 'pest', 'paratest', 'codecept', 'behat'],
    ...tests,
    options: `${asked} -c|--configuration=code --bootstrap=code --filter=text --exclude-filter=text --testsuite=text --group=text --exclude-group=text --stop-on-failure --stop-on-error --testdox --colors=?text --no-coverage --coverage-text=?text --coverage-html=writes-tree --coverage-clover|--log-junit|--testdox-html=writes --no-progress --display-warnings --display-deprecations --order-by=text --random-order-seed=text -v|--verbose -p|--processes=text --parallel --list-tests --do-not-cache-result --fail-on-warning --strict-coverage --no-configuration --cache-directory=writes-tree --compact --dirty --type-coverage --min=text`,
    operands: 'text*',
    refine: (reading, _call, {operands}) => runsFiles(reading, operands),
    when: {
      '-V --version -h --help --list-tests': {
        operands: 'text*',
        does: 'runs=the_tests',
        isTest: false,
      },
    },
  },
  {
    name: ['phpstan', 'psalm', 'phpcs', 'phpmd', 'php-cs-fixer', 'phpcbf', 'pint', 'rector', 'ecs'],
    options: `${asked} -c|--configuration|--config=code -l|--level=text --memory-limit=text --no-progress --error-format=text --no-interaction -n -q|--quiet -v|--verbose --dry-run --diff --standard=code --extensions=text --ignore=text --colors -s -p --report=text --show-info=text --threads=text --test --dirty --using-cache=text --allow-risky=text --no-cache --ansi --no-ansi --debug`,
    operands: 'text*',
    does: 'runs=a_linter',
    refine: (reading, {name}, given) => {
      const edits =
        /^(?:php-cs-fixer|phpcbf|pint|rector|ecs)$/.test(name) &&
        !has(given, '--dry-run --test -V --version -h --help') &&
        given.operands[0]?.text !== 'check';
      return edits ? withActs(reading, act('edits-tree', '.')) : reading;
    },
  },
  {
    name: ['lua', 'luajit', 'lua5.4', 'lua5.3', 'lua5.1'],
    style: 'posix',
    options: '-v -e=unjudged -i=unjudged -l=code -W',
    operands: 'code text*',
    when: {'-v': {operands: 'code? text*'}, '-e -i': {operands: 'text*'}},
  },
  {
    name: ['luacheck', 'busted', 'stylua', 'selene'],
    options: `${asked} --no-color -q --std=text --check --config=code --codes --verbose -o=code`,
    operands: 'reads-tree*',
    does: 'runs=a_tool_of_Lua',
    refine: (reading, {name}, given) =>
      name === 'stylua' && !has(given, '--check')
        ? withActs(reading, ...given.operands.map((word) => act('edits-tree', word)))
        : reading,
  },
  {
    name: ['Rscript', 'R'],
    style: 'posix',
    options: '--version --help -e=unjudged --vanilla --no-save --slave --quiet',
    operands: 'code text*',
    when: {'--version --help': {operands: 'text*'}},
    refine: onlyTasks(/\.[Rr]$/),
  },
  {
    name: 'mix',
    options: '-v|--version -h|--help',
    subcommands: {
      test: {
        ...tests,
        options:
          '--cover --trace --stale --failed --max-failures=text --seed=text --only|--exclude|--include=text --warnings-as-errors --slowest=text --color --no-color --partitions=text',
        operands: 'text*',
        refine: (reading, _call, {operands}) => runsFiles(reading, operands),
      },
      'compile deps.compile dialyzer credo docs xref sobelow': {
        options: '--force --warnings-as-errors --strict --format=text --no-compile --all',
        operands: 'text*',
        does: 'runs=the_build',
      },
      format: {
        options: '--check-formatted --dry-run --check-equivalent',
        operands: 'edits-tree*',
        when: {
          '--check-formatted --dry-run': {operands: 'reads-tree*'},
          '': {does: 'edits-tree=.'},
        },
      },
      'deps.get deps.update deps.unlock local.hex local.rebar': {
        options: '--all --check-unused --unused --force --if-missing --only=text',
        operands: 'installs*',
        when: {'': {does: 'installs=declared'}, '--all': {does: 'installs=declared'}},
      },
      'deps deps.tree hex.outdated hex.audit help phx.routes ecto.migrations': {
        options: '--all',
        operands: 'text*',
      },
      'run phx.server': {options: '--no-halt', operands: 'code*', does: 'runs=the_program'},
      'hex.publish': {options: '*', operands: 'text*', does: 'publishes=packages'},
      'ecto.drop ecto.reset ecto.rollback ecto.migrate ecto.setup': {
        options: '*',
        operands: 'text*',
        does: 'alters=a_database',
      },
    },
  },
  {
    name: ['elixir', 'iex', 'erl', 'escript'],
    style: 'posix',
    options: '-v --version -e|--eval=unjudged',
    operands: 'code text*',
    when: {'-v --version -e --eval': {operands: 'text*'}},
  },
];

/** `php vendor/bin/phpunit`, `php artisan test`. */
function phpOf(reading: Reading, _call: Invocation, {operands}: Arguments): Reading {
  const [file, ...rest] = operands;
  const installed = /^(?:\.\/)?vendor\/bin\/([\w-]+)$/.exec(file?.text ?? '')?.[1];
  if (installed === undefined) return artisanOf(reading, file, rest[0]);
  const acts = reading.acts.filter(({role}) => role !== 'code' && role !== 'text');
  return withActs({...reading, acts}, {...act('command', installed), rest});
}

/** Some of its commands change data. */
function artisanOf(reading: Reading, file: Word | undefined, verb: Word | undefined): Reading {
  if (!/(?:^|\/)(?:artisan|bin\/console)$/.test(file?.text ?? '')) return reading;
  const told = verb?.text ?? '';
  if (told === 'test') return {...reading, isTest: true};
  return /^(?:|list|about|env|route:list|migrate:status|config:show|event:list|schedule:list|inspire|--version|lint:\w+|debug:[\w-]+|cache:clear|view:clear|config:clear|route:clear)$/.test(
    told,
  )
    ? reading
    : withUnknown(reading, `${file?.text ?? ''} ${told}`, 'is no subcommand that is known');
}
