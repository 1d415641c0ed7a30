/** Programs that run tests. What they are configured to load runs like the tests themselves. */

import type {Program} from '../program.ts';
import {valuesOf} from './given.ts';
import {has, runsFiles, withUnknown} from './refine.ts';

const vitestOptions =
  '-v|--version -h|--help -r|--root|--dir=code -c|--config=code -u|--update -w|--watch=?text --no-watch -t|--testNamePattern=text --ui --open=?text --run --silent=?text --hideSkippedTests --reporter=code --outputFile=writes --coverage=?text --coverage.enabled=?text --coverage.provider|--coverage.reporter|--coverage.include|--coverage.exclude=text --coverage.all=?text --coverage.reportsDirectory=deletes-tree --no-coverage --mode=text --isolate=?text --no-isolate --globals=?text --dom --browser=?text --browser.headless=?text --browser.name=text --pool=code --environment=code --passWithNoTests|--pass-with-no-tests=?text --fileParallelism=?text --no-file-parallelism --maxWorkers|--minWorkers|--maxConcurrency=text --poolOptions.threads.singleThread --poolOptions.forks.singleFork --logHeapUsage --allowOnly --dangerouslyIgnoreUnhandledErrors --shard=text --changed=?text --sequence.shuffle=?text --sequence.seed=text --testTimeout|--hookTimeout|--teardownTimeout=text --bail=text --retry=text --exclude=text --expandSnapshotDiff --disableConsoleIntercept --printConsoleTrace --typecheck=?text --typecheck.only --project=text --inspect --inspect-brk --no-color --color --clearScreen=?text --no-clearScreen --slowTestThreshold=text --related --json=?writes --filesOnly --experimental.fsModuleCache';

const jestOptions =
  '-v|--version -h|--help -c|--config=code -i|--runInBand -t|--testNamePattern=text --testPathPattern|--testPathPatterns|--testPathIgnorePatterns=text --runTestsByPath -u|--updateSnapshot --watch --watchAll=?text --watchman=?text --no-watchman --coverage=?text --collectCoverage=?text --coverageDirectory=writes-tree --collectCoverageFrom|--coverageReporters|--coverageProvider=text --no-coverage --ci=?text -b --bail=?text --verbose=?text --silent=?text --no-cache --cache=?text --clearCache -w|--maxWorkers=text -o|--onlyChanged -f|--onlyFailures --changedSince=text --lastCommit --findRelatedTests --passWithNoTests --forceExit --detectOpenHandles --json --outputFile=writes --listTests --showConfig --selectProjects|--ignoreProjects=text --shard=text --testTimeout=text --logHeapUsage --color --colors --no-color --rootDir=code --env|--testEnvironment=code --reporters=code --debug -e|--expand --randomize --seed=text --showSeed --workerIdleMemoryLimit=text --notify=?text --noStackTrace --errorOnDeprecated';

const mochaOptions =
  '-V|--version -h|--help -r|--require|--import|--loader=code -R|--reporter=code -g|--grep=text -f|--fgrep=text -t|--timeout=text -s|--slow=text -b|--bail --exit --recursive --spec=text -w|--watch --watch-files|--watch-ignore=text -p|--parallel -j|--jobs=text -u|--ui=code --config=code --package=code --file=code --extension=text --ignore=text -c|--color --no-color --check-leaks --forbid-only --forbid-pending --full-trace --inline-diffs --diff --no-diff --retries=text --dry-run -A|--async-only -i|--invert -S|--sort --fail-zero --pass-on-failing-test-suite --no-config --no-timeouts --allow-uncaught';

const playwrightOptions =
  '-c|--config=code -g|--grep|--grep-invert=text --headed --debug --ui --project=text --no-deps -j|--workers=text --reporter=code --retries=text --timeout|--global-timeout=text --max-failures=text -x --list --update-snapshots=?text -u=?text --trace=text --output=deletes-tree --pass-with-no-tests --quiet --repeat-each=text --shard=text --last-failed --only-changed=?text --forbid-only --fully-parallel --ignore-snapshots --tsconfig=reads --fail-on-flaky-tests --browser=text';

const tests = {does: 'runs=the_tests', isTest: true} as const;

export const testRunners: readonly Program[] = [
  {
    name: 'vitest',
    ...tests,
    options: vitestOptions,
    operands: 'text*',
    when: {'-v --version -h --help': {does: '', isTest: false}},
    refine: (reading, _call, given) => {
      const isNew = given.operands[0]?.text === 'init';
      return isNew ? withUnknown(reading, 'vitest init', 'changes the configuration') : reading;
    },
  },
  {
    name: 'jest',
    ...tests,
    options: jestOptions,
    operands: 'text*',
    // Else they are patterns among the tests.
    refine: (reading, _call, given) =>
      has(given, '--runTestsByPath') ? runsFiles(reading, given.operands) : reading,
    when: {
      '-v --version -h --help --showConfig --listTests --clearCache': {
        operands: 'text*',
        does: 'loads=jest.config.js',
        isTest: false,
      },
    },
  },
  {
    name: ['mocha', '_mocha'],
    ...tests,
    options: mochaOptions,
    operands: 'text*',
    refine: (reading, _call, given) =>
      runsFiles(reading, [...given.operands, ...valuesOf(given, '--spec')]),
    when: {'-V --version -h --help': {does: '', isTest: false}},
  },
  {
    name: 'ava',
    ...tests,
    options:
      '--version --help -m|--match=text --watch -w -v|--verbose --fail-fast -s|--serial -c|--concurrency=text -T|--timeout=text -u|--update-snapshots --config=code -t|--tap --no-worker-threads --node-arguments=unjudged --color --no-color',
    operands: 'text*',
    refine: (reading, _call, {operands}) => runsFiles(reading, operands),
  },
  {
    name: ['tape', 'jasmine', 'uvu'],
    ...tests,
    options:
      '--version --help -r|--require|--config=code --reporter=code --no-coverage --disable-coverage --allow-incomplete-coverage --random=?text --filter=text -t|--timeout=text -b|--bail --color --no-color -i|--ignore=text',
    operands: 'text*',
    refine: (reading, _call, {operands}) => runsFiles(reading, operands),
  },
  {
    name: ['c8', 'nyc'],
    style: 'posix',
    options:
      '-r|--reporter=text -a|--all --check-coverage -x|--exclude=text -n|--include=text -e|--extension=text --lines|--functions|--branches|--statements=text --per-file --100 --skip-full --exclude-after-remap -o|--reports-dir|--report-dir=writes-tree --src=lists --clean=?text --silent -s --cache=?text --no-clean --exclude-node-modules --version --help',
    operands: 'command',
    does: 'runs=with_coverage',
    refine: (reading, _call, {operands}) => {
      const isReport = /^(?:report|check-coverage)$/.test(operands[0]?.text ?? '');
      return isReport
        ? {...reading, acts: reading.acts.filter(({role}) => role !== 'command')}
        : reading;
    },
  },
  {
    name: 'playwright',
    options: '-V|--version -h|--help',
    subcommands: {
      '': {},
      test: {
        ...tests,
        options: playwrightOptions,
        operands: 'text*',
        when: {'--list': {operands: 'text*', isTest: false}},
      },
      'install install-deps': {
        options: '--with-deps --dry-run --force --only-shell --no-shell --list',
        does: 'installs=browsers',
        operands: 'text*',
      },
      'show-report show-trace merge-reports': {
        options: '--reporter=code --port=text -c|--config=code',
        operands: 'lists?',
        does: 'runs=a_report',
      },
      'uninstall clear-cache': {options: '--all', does: 'alters=browsers_of_this_machine'},
    },
  },
  {
    name: 'cypress',
    options: '-v|--version -h|--help',
    subcommands: {
      '': {},
      run: {
        ...tests,
        options:
          '-s|--spec=text -b|--browser=text --headless --headed --component --e2e -C|--config-file=code -q|--quiet -p|--port=text --reporter=code --no-exit --no-runner-ui -P|--project=lists',
      },
      open: {
        ...tests,
        options: '--e2e --component -b|--browser=text -C|--config-file=code -P|--project=lists',
      },
      'verify version info help': {operands: 'text*'},
      install: {does: 'installs=browsers'},
    },
  },
  {
    name: 'karma',
    options: '--version --help',
    subcommands: {
      'start run': {
        ...tests,
        options:
          '--single-run --no-single-run --browsers=text --reporters=text --log-level=text --auto-watch --no-auto-watch',
        operands: 'code?',
        does: 'runs=the_tests loads=karma.conf.js',
      },
    },
  },
  {
    name: 'ng',
    options: '--version --help',
    subcommands: {
      '': {},
      'test e2e': {
        ...tests,
        options:
          '--watch=?text --no-watch --browsers=text --code-coverage=?text --include=text --karma-config=code --configuration|-c=text --source-map=?text --progress=?text',
        operands: 'text?',
      },
      'build lint serve s b': {
        options:
          '--configuration|-c=text --prod --production --watch=?text --fix --source-map=?text --port=text --open -o --host=text --base-href=text --progress=?text',
        operands: 'text?',
        does: 'runs=the_build',
        when: {'--fix': {operands: 'text?', does: 'edits-tree=.'}},
      },
      'version help config cache': {operands: 'text?'},
    },
  },
];
