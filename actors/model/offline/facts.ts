/** The skills that answer a plain question on a repository: how many files, which version, how its tests are run. */

import {type Labels, labelsFor} from './labels.ts';
import {type ListedFile, readListing} from './listing.ts';
import {firstReading, phrase, readings, type Slots} from './phrase.ts';
import {isRepository, sizeText, surveyRepository} from './repository.ts';
import {findTestCommands} from './run-tests.ts';
import {
  describeScope,
  isMeant,
  listings,
  readJapaneseScope,
  readScope,
  type Scope,
} from './scope.ts';
import {done, type Job, notDone, refusal, type Skill, type Work, workedOut} from './skill.ts';

const maxListed = 2_000;
const maxShown = 200;

const thing =
  '[of|for] [this|the|my|our] [repository|repo|project|package|code base|codebase|workspace|program|library|tool]';
const there = '[are there|are|do we have|exist|does it have|does this project have]';

const counting = [
  `how many {kind:kind} files ${there}`,
  `how many {kind:kind} files ${there} {scope:words}`,
  `how many files ${there}`,
  `how many files ${there} {scope:words}`,
  `(count|count all) [the] files`,
  `(count|count all) [the] files {scope:words}`,
].map(phrase);
const countingJapanese = [
  '(ファイルはいくつ|ファイルは何個|ファイルの数は|ファイル数は) [ありますか|あるか|ですか]',
  '{scope:words} に (ファイルはいくつ|ファイルは何個) [ありますか|ある]',
].map(phrase);
const listing = [
  `(list|show|show me) [all] [the] files`,
  `(list|show|show me) [all] [the] files {scope:words}`,
  `(list|show|show me) [all] [the] {kind:kind} files`,
  `(list|show|show me) [all] [the] {kind:kind} files {scope:words}`,
].map(phrase);
const versions = [
  `(what is|what's|which is|tell me|show|show me) the [current] version ${thing}`,
  `(what|which) version (is|has) [this|it|the project|the package]`,
  `(what|which) version of [this|the] (project|package|program|library|tool) is this`,
  `(what|which) version is this [project|package]`,
  `(what|which) (version of|versions of) {runtime:identifier} (does it need|does this need|does this project need|is needed|is required|do i need)`,
  `[この] [プロジェクトの|パッケージの|リポジトリの] バージョン (は|を) [何ですか|いくつですか|教えて|なに]`,
].map(phrase);
const testing = [
  `how (do i|do you|can i|does one|to) (run|execute|start) the tests ${thing}`,
  `how are the tests run`,
  `what is the (test command|command to run the tests|command for the tests)`,
  `テスト (はどうやって|はどのように|をどうやって) (実行しますか|実行する|実行するのですか|走らせますか)`,
  `テストの (実行方法|実行の仕方) (は|を教えて)`,
].map(phrase);

/** A question that this file answers, as a job of its own. */
export function factAsked(question: string): Job | undefined {
  const files = firstReading(counting, question, (slots) => scopeOf(slots, readScope));
  const japanese = firstReading(countingJapanese, question, (slots) =>
    scopeOf(slots, readJapaneseScope),
  );
  const counted = files ?? japanese;
  const labels = labelsFor(question);
  if (counted) {
    return jobOf(`Count ${describeScope(counted)}`, () => listFiles(counted, false, labels));
  }
  const listed = firstReading(listing, question, (slots) => scopeOf(slots, readScope));
  if (listed) return jobOf(`List ${describeScope(listed)}`, () => listFiles(listed, true, labels));
  if (fits(versions, question)) return jobOf('Tell the version', () => tellVersion(labels));
  return fits(testing, question) ? jobOf('Tell how the tests are run', tellTests) : undefined;
}

export const facts: Skill = {skill: 'facts', understand: factAsked};

function fits(phrases: Parameters<typeof readings>[0], question: string): boolean {
  return readings(phrases, question).next().done !== true;
}

function scopeOf(
  {kind, scope: words}: Slots,
  read: (words: string | undefined) => Scope | undefined,
): Scope | undefined {
  if (kind === undefined) return read(words);
  const kinds = readScope(`in ${kind} files`);
  const places = read(words);
  if (!kinds || kinds.kinds.length === 0 || !places || places.kinds.length > 0) return undefined;
  return {...places, kinds: kinds.kinds};
}

function jobOf(objective: string, work: () => Work): Job {
  return workedOut(
    {id: 'tell', description: `${objective}, from the listing and the manifests`},
    {objective, reasoning: 'It stands in the files; nothing is written.', work},
  );
}

function* listFiles(scope: Scope, isNamed: boolean, labels: Labels): Work {
  const answers = yield listings(scope, maxListed);
  const refused = answers.find(({isError}) => isError);
  if (refused) return refusal("the files can't be listed", refused);
  const lists = answers.map(({text}) => readListing(text));
  const found = new Map(lists.flatMap(({files}) => files.map((file) => [file.path, file])));
  const files = [...found.values()].filter(({path}) => isMeant(scope, path));
  const notes = lists.flatMap((list) => list.notes.map((note) => note.replace(/^…\s*/, '')));
  const names = isNamed ? files.slice(0, maxShown).map(({path}) => path) : [];
  const more =
    isNamed && files.length > maxShown ? [`… ${labels.more(files.length - maxShown)}`] : [];
  return done(
    [countLine(files, scope, notes, labels), ...names, ...more, ...notes, labels.uncounted].join(
      '\n',
    ),
  );
}

/** When a listing was cut, its last line says how many there are in all. */
function countLine(
  files: readonly ListedFile[],
  scope: Scope,
  notes: readonly string[],
  labels: Labels,
): string {
  const bytes = sizeText(files.reduce((sum, file) => sum + file.bytes, 0));
  const where = describeScope(scope);
  if (notes.some((note) => /^\d+ files in all$/.test(note))) {
    return labels.moreFilesIn(files.length, where);
  }
  return labels.filesIn(files.length, where, bytes);
}

function* tellVersion(labels: Labels): Work {
  const repository = yield* surveyRepository();
  if (!isRepository(repository)) return repository;
  const {name, version, versionFrom = '', needs} = repository.project;
  const needed = needs.length === 0 ? '' : `\n${labels.needs}: ${needs.join(', ')}`;
  if (version !== undefined)
    return done(`${name ?? 'The version'} ${version} (${versionFrom})${needed}`);
  const [found] = yield [
    {
      tool: 'grep_search',
      args: {pattern: String.raw`^\s*(?:__version__|VERSION|version)\s*[:=]\s*["'][\w.+-]+["']`},
    },
  ];
  const lines = (found?.isError === false ? found.text : '')
    .split('\n')
    .filter((line) => /:\d+: /.test(line));
  if (lines.length === 0) return notDone('no manifest at the top says which version this is.');
  return done(`${lines.slice(0, 5).join('\n')}${needed}`);
}

function* tellTests(): Work {
  const commands = yield* findTestCommands();
  if (commands.length === 0) return notDone('no manifest at the top says how the tests are run.');
  return done(commands.map(({command, file}) => `${command} (from ${file})`).join('\n'));
}
