/** Computes the facts of a repository from tool results: its files, its manifests, the first paragraph of its README. */

import {isWhole, type ListedFile, readListing} from './listing.ts';
import {manifestNames, type Project, projectOf} from './manifests.ts';
import {firstParagraph, isReadme} from './readme.ts';
import {listings, everywhere} from './scope.ts';
import {findTestCommands, type TestCommand} from './skills/run-tests.ts';
import {type Report, refusal, type Steps} from './skills/skill.ts';

const maxListed = 2_000;

export interface Repository {
  readonly files: readonly ListedFile[];
  readonly notes: readonly string[];
  readonly project: Project;
  readonly about: string | undefined;
  readonly readme: string | undefined;
  readonly tests: readonly TestCommand[];
}

/** `without` is a file that is not counted, because it is about to be written. */
export function* surveyRepository(without?: string): Steps<Repository | Report> {
  const [listed] = yield listings(everywhere, maxListed);
  if (!listed || listed.isError) return refusal("the files can't be listed", listed);
  const {files, notes} = readListing(listed.text);
  const counted = files.filter(({path}) => path !== without);
  const names = counted
    .map(({path}) => path)
    .filter((path) => manifestNames.has(path) || isReadme(path));
  const answers =
    names.length === 0 ? [] : yield names.map((path) => ({tool: 'read_file', args: {path}}));
  const texts = new Map(
    names
      .map((name, index) => [name, answers[index]] as const)
      .flatMap(([name, answer]) => (answer?.isError === false ? [[name, answer.text]] : [])),
  );
  const readme = names.find((name) => isReadme(name) && texts.has(name));
  return {
    files: counted,
    notes,
    project: projectOf(new Map([...texts].filter(([, text]) => isWhole(text)))),
    readme,
    about: firstParagraph(texts.get(readme ?? '') ?? ''),
    tests: yield* findTestCommands(),
  };
}

const entryName =
  /(?:^|\/)(?:main|index|__main__|app|cli|server)\.(?:[cm]?[jt]sx?|py|go|rs|c|cc|cpp|java|kt|rb|php|swift)$/;
const maxDepth = 3;

/** Entry points from the manifests, and files with the usual name of an entry point. */
export function entryPoints({project, files}: Repository): string[] {
  const named = files
    .map(({path}) => path)
    .filter(
      (path) => path.split('/').length <= maxDepth && entryName.test(path) && !testPath.test(path),
    );
  return [...project.entries, ...named.slice(0, 20).map((path) => `\`${path}\``)];
}

export const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?)\/|(?:^|\/)test_[^/]+\.py$|[._-](?:test|spec)\.\w+$|_test\.(?:go|py|rb|exs)$|(?:Test|Tests|Spec)\.(?:java|kt|cs|scala)$/;

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(1)} KiB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
