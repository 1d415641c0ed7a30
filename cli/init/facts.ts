/** Facts about a repository, read by rule: the list of its files, the texts of some, its test commands. */

import {manifestNames} from '../../actors/model/offline/manifests.ts';
import {isReadme} from '../../actors/model/offline/readme.ts';
import {findTestCommands, type TestCommand} from '../../actors/model/offline/skills/run-tests.ts';
import type {Answer, Steps, Use} from '../../actors/model/offline/skills/skill.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
import {findFiles} from '../../tools/read/find-files.ts';
import {listFiles} from '../../tools/read/list.ts';
import {decodedText, readInside} from '../../tools/read/read.ts';

export interface RepositoryFacts {
  /** By path, without what git ignores and without files of this program. */
  readonly files: readonly string[];
  /** There are more files than were listed. */
  readonly isCut: boolean;
  /** The texts of README, manifests, CI and version files, by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly tests: readonly TestCommand[];
}

const maxBytes = 1024 * 1024;
const maxWorkflows = 10;
const maxFound = 200;

export const workflowPath = /^\.(?:github|forgejo|gitea)\/workflows\/[^/]+\.ya?ml$/;
export const versionFiles: ReadonlySet<string> = new Set([
  '.nvmrc',
  '.node-version',
  '.python-version',
  '.ruby-version',
  '.tool-versions',
  'rust-toolchain',
]);

/** `workspace`: absolute, links resolved. Rejects when aborted. */
export async function readFacts(workspace: string, signal: AbortSignal): Promise<RepositoryFacts> {
  const listing = await listFiles(workspace, [], signal);
  signal.throwIfAborted();
  const files = listing.files.map(({path}) => path).filter((path) => !path.startsWith('.quorate/'));
  const workflows = files.filter((path) => workflowPath.test(path)).slice(0, maxWorkflows);
  const described = files.filter(
    (path) =>
      manifestNames.has(path) ||
      isReadme(path) ||
      versionFiles.has(path) ||
      path === '.gitattributes',
  );
  const texts = [...described, ...workflows].flatMap((path): [string, string][] => {
    const text = textAt(workspace, path);
    return text === undefined ? [] : [[path, text]];
  });
  const tests = await follow(
    findTestCommands(),
    async (use) => await answer(use, workspace, signal),
  );
  return {files, isCut: listing.cut, texts: new Map(texts), tests};
}

/** Undefined for a file that can't be read as text. */
function textAt(workspace: string, path: string): string | undefined {
  if (isCredentialPlace(path)) return undefined;
  const file = readInside(workspace, path, {maxBytes});
  const text = file.ok && !isCredentialPlace(file.value.path) ? decodedText(file.value) : undefined;
  return text?.ok === true ? text.value : undefined;
}

async function follow<Result>(
  steps: Steps<Result>,
  perform: (use: Use) => Promise<Answer>,
): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    // Each step depends on the answers to the one before it.
    // oxlint-disable-next-line no-await-in-loop
    step = steps.next(await Promise.all(step.value.map(perform)));
  }
  return step.value;
}

/** The steps of the test commands only list and read files. */
async function answer({tool, args}: Use, workspace: string, signal: AbortSignal): Promise<Answer> {
  if (tool === 'glob_search') {
    const wanted = {pattern: wordIn(args, 'pattern'), limit: maxFound};
    const found = await findFiles(wanted, workspace, signal);
    return {
      text: found.kind === 'succeeded' ? found.text : '',
      isError: found.kind !== 'succeeded',
    };
  }
  const text = textAt(workspace, wordIn(args, 'path'));
  return {text: text ?? '', isError: text === undefined};
}

function wordIn(args: JsonObject, key: string): string {
  const value = args[key];
  return typeof value === 'string' ? value : '';
}
