/** The tools of Swift, Dart, Zig and Haskell. */

import type {Program} from '../program.ts';
import {onlyTasks, onlyWith, runsFiles} from './refine.ts';

export const otherBuilds: readonly Program[] = [
  {
    name: 'swift',
    options: '--version -h|--help',
    subcommands: {
      build: {
        options: '-c|--configuration=text --product=text --target=text -v|--verbose --build-tests',
        does: 'installs=declared runs=the_build',
      },
      test: {
        options:
          '-c=text --filter=text --skip=text --parallel --enable-code-coverage -v|--verbose -l|--list-tests',
        does: 'installs=declared runs=the_tests',
        isTest: true,
      },
      run: {
        style: 'posix',
        options: '-c=text',
        operands: 'text*',
        does: 'installs=declared runs=the_program',
      },
      package: {
        subcommands: {
          'resolve update': {does: 'installs=declared'},
          'describe show-dependencies dump-package': {options: '--type|--format=text'},
        },
      },
    },
  },
  {
    name: ['dart', 'flutter'],
    options: '--version -h|--help --no-color',
    subcommands: {
      '': {},
      test: {
        options:
          '--coverage=?writes-tree -r|--reporter=text --name=text --tags=text -j|--concurrency=text --no-pub',
        operands: 'text*',
        does: 'runs=the_tests',
        isTest: true,
        refine: (reading, _call, {operands}) => runsFiles(reading, operands),
      },
      analyze: {
        options: '--fatal-infos --fatal-warnings --no-fatal-infos --no-pub',
        operands: 'reads-tree*',
      },
      format: {
        options: '-o|--output=text --set-exit-if-changed -l|--line-length=text',
        operands: 'edits-tree+',
      },
      fix: {options: '--dry-run --apply', does: 'edits-tree=.', when: {'--dry-run': {does: ''}}},
      run: {
        style: 'posix',
        options: '--release --debug --no-pub -d=text',
        operands: 'code? text*',
        does: 'runs=the_program',
      },
      compile: {
        options: '-o|--output=writes --verbosity=text',
        operands: 'text reads',
        does: 'runs=the_build',
        refine: onlyWith('-o --output', 'writes beside its source'),
      },
      build: {
        options: '--release --debug --no-pub -d=text',
        operands: 'text*',
        does: 'runs=the_build',
      },
      'doctor devices channel': {options: '-v'},
      pub: {
        subcommands: {
          'get upgrade': {options: '--offline', does: 'installs=declared'},
          'deps outdated': {options: '--json --style=text'},
          'add remove': {options: '--dev', operands: 'installs+'},
          publish: {options: '*', does: 'publishes=packages'},
        },
      },
    },
  },
  {
    name: 'zig',
    options: '',
    subcommands: {
      build: {
        options: '--summary=text -D=text',
        operands: 'text*',
        does: 'runs=the_build',
        refine: onlyTasks(/^(?:test|run|check)$/),
      },
      test: {
        options: '--test-filter=text',
        operands: 'code+',
        does: 'runs=the_tests',
        isTest: true,
      },
      fmt: {
        options: '--check',
        operands: 'edits-tree+',
        when: {'--check': {operands: 'reads-tree+'}},
      },
      'version env': {},
    },
  },
  {
    name: ['stack', 'cabal'],
    options: '--version --help',
    subcommands: {
      'build run': {
        options: '--fast --pedantic -j=text',
        operands: 'text*',
        does: 'installs=declared runs=the_build',
      },
      test: {
        options: '--fast --ta|--test-arguments=text',
        operands: 'text*',
        does: 'installs=declared runs=the_tests',
        isTest: true,
      },
      clean: {does: 'runs=the_build'},
      'path list ls': {operands: 'text*'},
    },
  },
];
