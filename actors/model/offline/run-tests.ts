/** The skill that finds out how the tests of a project are run, and runs them. */

import {readListing} from './listing.ts';
import {packageOf} from './manifests.ts';
import {firstReading, phrase} from './phrase.ts';
import {
  type Answer,
  done,
  notDone,
  type Skill,
  type Steps,
  type Use,
  type Work,
  workedOut,
} from './skill.ts';

const phrases = [
  "(run|execute|start) [all] [the|my|our|this project's] (tests|test suite|unit tests) [of this project|of this repository|in this repository|of the project|in this project] [and report|and report the result|and report the results|and show the output|and show me the output|and tell me the result|and report what fails|and tell me what fails]",
  '(test this project|test this repository|test the project|test the code)',
  '(do the tests pass|are the tests green|check that the tests pass|check whether the tests pass|do all tests pass)',
  '[すべての|全ての|この] [プロジェクトの|リポジトリの] (テストを実行して|テストを走らせて|テストして|テストを実行する) [結果を報告して|結果を教えて]',
].map(phrase);

export const runTests: Skill = {
  skill: 'tests',
  understand: (request) =>
    firstReading(phrases, request, () =>
      workedOut(
        {
          id: 'test',
          description: 'Find in the manifests how the tests are run, and run them',
          tool: 'run_command',
        },
        {objective: 'Run the tests', work},
      ),
    ),
};

/** What a file at the top tells of how tests are run. */
interface Runner {
  readonly file: string;
  readonly command: (text: string, names: ReadonlySet<string>) => string | undefined;
}

const runners: readonly Runner[] = [
  {
    file: 'package.json',
    command: (text, names) => (hasTestScript(text) ? `${packager(names)} test` : undefined),
  },
  {file: 'Cargo.toml', command: () => 'cargo test'},
  {file: 'go.mod', command: () => 'go test ./...'},
  {file: 'pytest.ini', command: () => 'python3 -m pytest'},
  {
    file: 'pyproject.toml',
    command: (text) => (/pytest/.test(text) ? 'python3 -m pytest' : undefined),
  },
  {
    file: 'tox.ini',
    command: (text) => (/\[pytest\]|pytest/.test(text) ? 'python3 -m pytest' : undefined),
  },
  {
    file: 'setup.cfg',
    command: (text) => (/\[tool:pytest\]/.test(text) ? 'python3 -m pytest' : undefined),
  },
  {file: 'Makefile', command: (text) => (/^test:(?!=)/m.test(text) ? 'make test' : undefined)},
];

/** What npm writes into a new manifest is no test. */
function hasTestScript(text: string): boolean {
  const {scripts} = packageOf(text);
  const test =
    scripts !== null && typeof scripts === 'object' && 'test' in scripts
      ? scripts['test']
      : undefined;
  return typeof test === 'string' && !/no test specified/.test(test);
}

function packager(names: ReadonlySet<string>): string {
  if (names.has('pnpm-lock.yaml')) return 'pnpm';
  return names.has('yarn.lock') ? 'yarn' : 'npm';
}

export interface TestCommand {
  readonly command: string;
  /** The manifest that says so. */
  readonly file: string;
}

const look: Use = {
  tool: 'glob_search',
  args: {
    pattern: `{${[...runners.map(({file}) => file), 'pnpm-lock.yaml', 'yarn.lock', 'test_*.py', 'tests/test_*.py'].join(',')}}`,
  },
};

/** The commands that run tests, each once; a Makefile speaks only when nothing else does. */
export function* findTestCommands(): Steps<readonly TestCommand[]> {
  const [listed] = yield [look];
  const names = new Set(readListing(listed?.text ?? '').files.map(({path}) => path));
  const there = runners.filter(({file}) => names.has(file));
  const texts: readonly Answer[] =
    there.length === 0
      ? []
      : yield there.map(({file}) => ({tool: 'read_file', args: {path: file}}));
  const found = there.flatMap(({file, command}, index) => {
    const answer = texts[index];
    const line = answer && !answer.isError ? command(answer.text, names) : undefined;
    return line === undefined ? [] : [{command: line, file}];
  });
  const byFiles = [...names].find((name) => name.endsWith('.py'));
  if (byFiles !== undefined && found.length === 0) {
    return [{command: 'python3 -m pytest', file: byFiles}];
  }
  const distinct = [
    ...new Map(found.toReversed().map((one) => [one.command, one])).values(),
  ].toReversed();
  const first = distinct.filter(({file}) => file !== 'Makefile');
  return first.length > 0 ? first : distinct;
}

function* work(): Work {
  const commands = yield* findTestCommands();
  if (commands.length === 0) {
    return notDone(
      `no manifest at the top says how the tests are run (${runners.map(({file}) => file).join(', ')}). Name the command: Run \`…\`.`,
    );
  }
  const answers = yield commands.map(({command}) => ({tool: 'run_command', args: {command}}));
  const parts = commands.map(({command, file}, index) => {
    const answer = answers[index];
    return `${command} (from ${file}) ${answer?.isError === false ? 'succeeded' : 'failed'}:\n${answer?.text ?? ''}`;
  });
  const failed = commands.filter((_, index) => answers[index]?.isError !== false);
  if (failed.length === 0) return done(parts.join('\n\n'));
  return notDone(
    `${failed.map(({command}) => command).join(' and ')} did not succeed.\n${parts.join('\n\n')}`,
  );
}
