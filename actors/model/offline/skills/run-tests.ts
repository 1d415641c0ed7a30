/** The skill that finds the test command of a project and runs it. */

import {isJsonObject} from '../../../../machines/domain/json.ts';
import {readListing} from '../listing.ts';
import {packageOf} from '../manifests.ts';
import {done, jobOf, notDone, skillOf, type Steps, toolAnswerText, type Work} from './skill.ts';

export const runTests = skillOf(
  {
    tests: () =>
      jobOf('test', 'Run the tests', work, {
        description: 'Find the test command in the manifests, and run it',
        tool: 'run_command',
      }),
  },
  `
tests
(run|execute|start) [all] [the|my|our|this project's] (tests|test suite|unit tests) [of this project|of this repository|in this repository|of the project|in this project] [and report|and report the result|and report the results|and show the output|and show me the output|and tell me the result|and report what fails|and tell me what fails]
(test this project|test this repository|test the project|test the code)
(do the tests pass|are the tests green|check that the tests pass|check whether the tests pass|do all tests pass)
[すべての|全ての|この] [プロジェクトの|リポジトリの] (テストを実行して|テストを走らせて|テストして|テストを実行する) [結果を報告して|結果を教えて]
`,
);

/** Files in the top folder that indicate a test command, by their name or by a pattern in their text. */
const runners: readonly (readonly [file: string, command: string, sign?: RegExp])[] = [
  ['package.json', 'npm test'],
  ['Cargo.toml', 'cargo test'],
  ['go.mod', 'go test ./...'],
  ['pytest.ini', 'python3 -m pytest'],
  ['pyproject.toml', 'python3 -m pytest', /pytest/],
  ['tox.ini', 'python3 -m pytest', /pytest/],
  ['setup.cfg', 'python3 -m pytest', /\[tool:pytest\]/],
  ['Makefile', 'make test', /^test:(?!=)/m],
];
const files = runners.map(([file]) => file);
const locks = ['pnpm-lock.yaml', 'yarn.lock'];

/** The placeholder that npm writes into a new manifest is not a test. */
function hasTestScript(text: string): boolean {
  const {scripts} = packageOf(text);
  const test = isJsonObject(scripts) ? scripts['test'] : undefined;
  return typeof test === 'string' && !/no test specified/.test(test);
}

export interface TestCommand {
  readonly command: string;
  readonly file: string;
}

/** The commands that run the tests, without duplicates. A Makefile is used only if no other file has a command. */
export function* findTestCommands(): Steps<readonly TestCommand[]> {
  const pattern = `{${[...files, ...locks, 'test_*.py', 'tests/test_*.py'].join(',')}}`;
  const [listed] = yield [{tool: 'glob_search', args: {pattern}}];
  const names = readListing(toolAnswerText(listed)).files.map(({path}) => path);
  const there = runners.filter(([file]) => names.includes(file));
  const texts =
    there.length === 0 ? [] : yield there.map(([path]) => ({tool: 'read_file', args: {path}}));
  const [packager = 'npm'] = locks.find((lock) => names.includes(lock))?.split(/\W/) ?? [];
  const found = there.flatMap(([file, command, sign = /(?:)/], index) => {
    const {text = '', isError = true} = texts[index] ?? {};
    const isOwn = file === 'package.json' ? hasTestScript(text) : sign.test(text);
    return isError || !isOwn ? [] : [{command: command.replace('npm', packager), file}];
  });
  const byFiles = names.find((name) => name.endsWith('.py'));
  if (byFiles !== undefined && found.length === 0)
    return [{command: 'python3 -m pytest', file: byFiles}];
  const distinct = [...new Map(found.map((one) => [one.command, one])).values()];
  const first = distinct.filter(({file}) => file !== 'Makefile');
  return first.length > 0 ? first : distinct;
}

function* work(): Work {
  const commands = yield* findTestCommands();
  if (commands.length === 0) {
    return notDone(
      `no manifest in the top folder has a test command (${files.join(', ')}). Name the command: Run \`…\`.`,
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
