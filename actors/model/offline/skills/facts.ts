/** The skill that answers simple questions about a repository: its files, its version, its tests. */

import {type Label, labelsFor} from '../japanese.ts';
import {readListing} from '../listing.ts';
import type {Slots} from '../phrase.ts';
import {entryPoints, sizeText, surveyRepository} from '../repository.ts';
import {describeScope, isMeant, listings, type Scope, scopeIn} from '../scope.ts';
import {findTestCommands} from './run-tests.ts';
import {done, type Job, jobOf, notDone, refusal, skillOf, type Work} from './skill.ts';

const maxListed = 2_000;
const maxShown = 200;

export const facts = skillOf(
  {
    count: (slots, question) => filesJob(slots, question, false),
    list: (slots, question) => filesJob(slots, question, true),
    version: (_, question) =>
      jobOf('report', 'Report the version', () => versionReport(labelsFor(question))),
    content: (slots, question) => {
      const [place, ...others] = scopeIn(slots)?.places ?? [];
      return place !== undefined && others.length === 0 && !/\.\w+$/.test(place)
        ? filesJob(slots, question, true)
        : undefined;
    },
    section: ({section = ''}, question) =>
      jobOf('report', `Report the ${section}`, () => sectionReport(section, labelsFor(question))),
    tests: () => jobOf('report', 'Report the test command', testsReport),
  },
  `
count
how many {kind:kind} files <there> [{scope:words}]
how many files <there> [{scope:words}]
(count|count all) [the] files [{scope:words}]
(ファイルはいくつ|ファイルは何個|ファイルの数は|ファイル数は) [ありますか|あるか|ですか]
{japanese:words} に (ファイルはいくつ|ファイルは何個) [ありますか|ある]

list
(list|show|show me) [all] [the] files [{scope:words}]
(list|show|show me) [all] [the] {kind:kind} files [{scope:words}]
(what|which) files are [there] {scope:words}
{japanese:words} (にある|の) ファイル (は何ですか|を一覧にして|の一覧を見せて|を教えて)

content
(what is|what's|what are) [there] {scope:words}
(what is|what's) the (content|contents) {scope:words}
{japanese:words} (には何がありますか|には何がある|には何のファイルがありますか|の中身は何ですか|の中身は|にはどんなファイルがありますか|に何が入っていますか)

section
(what are|what is|list|show|show me|tell me|which are) [all] [the|its|our|my] [project] {section:section} <thing>
(what|which) {section:section} <there>
(what|which) {section:section} (does it have|does this project have|does the project have|does it need|does this project need|does this project use|does it use)
(what|which) file is the {section:section} <thing>
[この] [プロジェクトの] {section:section} (は|を|には) [何ですか|何がありますか|教えて|どれですか|なに]

version
(what is|what's|which is|tell me|show|show me) the [current] version <thing>
(what|which) version (is|has) [this|it|the project|the package]
(what|which) version of [this|the] (project|package|program|library|tool) is this
(what|which) version is this [project|package]
(what|which) (version of|versions of) {runtime:identifier} (does it need|does this need|does this project need|is needed|is required|do i need)
[この] [プロジェクトの|パッケージの|リポジトリの] バージョン (は|を) [何ですか|いくつですか|教えて|なに]

tests
how (do i|do you|can i|does one|to) (run|execute|start) the tests <thing>
how are the tests run
what is the (test command|command to run the tests|command for the tests)
テスト (はどうやって|はどのように|をどうやって) (実行しますか|実行する|実行するのですか|走らせますか)
テストの (実行方法|実行の仕方) (は|を教えて)
`,
  {
    there: ['[are there|are|do we have|exist|does it have|does this project have]'],
    thing: [
      '[of|for] [this|the|my|our] [repository|repo|project|package|code base|codebase|workspace|program|library|tool]',
    ],
  },
);

function filesJob(slots: Slots, question: string, isNamed: boolean): Job | undefined {
  const scope = scopeIn(slots);
  if (!scope) return undefined;
  const objective = `${isNamed ? 'List' : 'Count'} ${describeScope(scope)}`;
  return jobOf('files', objective, () => listFiles(scope, isNamed, labelsFor(question)));
}

function* listFiles(scope: Scope, isNamed: boolean, label: Label): Work {
  const answers = yield listings(scope, maxListed);
  const refused = answers.find(({isError}) => isError);
  if (refused) return refusal("the files can't be listed", refused);
  const lists = answers.map(({text}) => readListing(text));
  const found = new Map(lists.flatMap(({files}) => files.map((file) => [file.path, file])));
  const meant = [...found.values()].filter(({path}) => isMeant(scope, path));
  const notes = lists.flatMap((list) => list.notes);
  const where = describeScope(scope);
  const bytes = sizeText(meant.reduce((sum, file) => sum + file.bytes, 0));
  const names = meant.map(({path}) => path);
  const more =
    names.length > maxShown ? [`… ${label('and $1 more', names.length - maxShown)}`] : [];
  // The last line of a truncated listing has the total number of files.
  const head = notes.some((note) => /^\d+ files in all$/.test(note))
    ? label('More than $1 files in $2.', names.length, where)
    : label('$1 file{|s} in $2, $3.', names.length, where, bytes);
  return done(
    [
      head,
      ...(isNamed ? [...names.slice(0, maxShown), ...more] : []),
      ...notes,
      label(
        'Folders such as .git and node_modules, and files that .gitignore names, are not counted.',
      ),
    ].join('\n'),
  );
}

function* versionReport(label: Label): Work {
  const repository = yield* surveyRepository();
  if ('isDone' in repository) return repository;
  const {name, version, versionFrom = '', needs} = repository.project;
  const needed = needs.length === 0 ? '' : `\n${label('Needs')}: ${needs.join(', ')}`;
  return version === undefined
    ? notDone('no manifest in the top folder has a version.')
    : done(`${name ?? 'The version'} ${version} (${versionFrom})${needed}`);
}

function* sectionReport(section: string, label: Label): Work {
  const repository = yield* surveyRepository();
  if ('isDone' in repository) return repository;
  const {scripts, dependencies} = repository.project;
  const [title, lines] = /^(?:dep|依)/i.test(section)
    ? (['Depends on', dependencies] as const)
    : /^(?:scr|ス)/i.test(section)
      ? (['Scripts', scripts.map(([name, command]) => `${name}: ${command}`)] as const)
      : (['Entry points', entryPoints(repository)] as const);
  return lines.length === 0
    ? notDone(`no manifest in the top folder has ${section}.`)
    : done([`${label(title)}:`, ...lines].join('\n').replaceAll('`', ''));
}

function* testsReport(): Work {
  const commands = yield* findTestCommands();
  if (commands.length === 0) return notDone('no manifest in the top folder has a test command.');
  return done(commands.map(({command, file}) => `${command} (from ${file})`).join('\n'));
}
