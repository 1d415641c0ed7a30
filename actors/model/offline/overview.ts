/** The skill that writes an overview of a repository: everything in it is computed from tool results. */

import {languageOf} from './languages.ts';
import {
  type FileList,
  isWhole,
  type ListedFile,
  type Matches,
  readListing,
  readMatches,
} from './listing.ts';
import {entryPoints, manifestNames, scriptsOf} from './manifests.ts';
import {type Answer, refusal, type Skill, type Work} from './skill.ts';
import {exists, lookFor, targetOf, writeWhole} from './write-whole.ts';

const maxListed = 2_000;
const listFiles = {tool: 'glob_search', args: {pattern: '**/*', max_results: maxListed}};
const findMarks = {tool: 'grep_search', args: {pattern: String.raw`\b(?:TODO|FIXME)\b`}};

const english =
  /\b(?:write|create|make|generate|produce|save|put)\b.*\b(?:overview|summary|description)\b.*\b(?:repo(?:sitory)?|project|code ?base|workspace|folder|directory)\b/is;
const japanese = /(?:リポジトリ|プロジェクト|コードベース).*(?:概要|サマリー|要約)/s;
const intoFileJapanese = /([\w@./-]+\.\w{1,8})[`"'」]?\s*(?:に|へ|として)/;

export const overview: Skill = {
  skill: 'overview',
  phrases: [
    'Write an overview of this repository to OVERVIEW.md',
    'Create a summary of the project in docs/summary.md',
    'このリポジトリの概要を OVERVIEW.md に書いて',
  ],
  does: 'Writes languages, entry points, scripts, largest files, tests and the number of TODOs into a file.',
  understand: (request) => {
    if (!english.test(request) && !japanese.test(request)) return undefined;
    const path = targetOf(request) ?? intoFileJapanese.exec(request)?.[1] ?? 'OVERVIEW.md';
    return {
      objective: `Write an overview of the repository to ${path}`,
      reasoning:
        'Facts first: the files and the open marks are listed, then the overview is computed from them.',
      tasks: [
        {
          id: 'list',
          description: 'List the files of the repository with their sizes',
          ...listFiles,
        },
        {id: 'marks', description: 'Find TODO and FIXME', ...findMarks},
        {
          id: 'write',
          description: `Compute the overview from what the tools return and write it to ${path}`,
          tool: 'write_file',
          depends_on: ['list', 'marks'],
          expected_outcome: `${path} exists and describes the repository`,
        },
      ],
      work: () => work(path),
    };
  },
};

function* work(path: string): Work {
  const [listed, marked, target] = yield [listFiles, findMarks, lookFor(path)];
  if (!listed || listed.isError) return refusal("the files can't be listed", listed);
  const listing = withoutFile(readListing(listed.text), path);
  const marks = marked && !marked.isError ? readMatches(marked.text) : undefined;
  const paths = listing.files.map((file) => file.path).filter((name) => manifestNames.has(name));
  const reads = paths.map((name) => ({tool: 'read_file', args: {path: name}}));
  const answers: readonly Answer[] = reads.length === 0 ? [] : yield reads;
  const manifests = new Map(
    paths.flatMap((name, index) => {
      const answer = answers[index];
      return answer && !answer.isError && isWhole(answer.text)
        ? [[name, answer.text] as const]
        : [];
    }),
  );
  const content = overviewText(listing, marks, manifests, path);
  const summary = `It covers ${listing.files.length} files.`;
  return yield* writeWhole(path, content, exists(path, target), summary);
}

/** The overview does not describe itself: written twice, it stays the same. */
function withoutFile(listing: FileList, path: string): FileList {
  return {...listing, files: listing.files.filter((file) => file.path !== path)};
}

function overviewText(
  {files, notes}: FileList,
  marks: Matches | undefined,
  manifests: ReadonlyMap<string, string>,
  path: string,
): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Languages', languageTable(files)],
    [
      'Entry points',
      entryPoints(
        manifests,
        files.map((file) => file.path),
      ).map((line) => `- ${line}`),
    ],
    ['Scripts', scriptsOf(manifests).map(([name, line]) => `- \`${name}\`: \`${line}\``)],
    ['Largest files', largest(files)],
    ['Tests', testLines(files)],
    ['TODO and FIXME', markLines(marks, path)],
    ...(notes.length > 0
      ? [['Left out', notes.map((note) => `- ${note.replace(/^…\s*/, '')}`)] as const]
      : []),
  ];
  const body = sections.map(
    ([title, lines]) => `## ${title}\n\n${lines.length > 0 ? lines.join('\n') : 'None found.'}\n`,
  );
  const cut = notes.length > 0 ? ' (the listing was cut: see the end)' : '';
  return [`# Overview\n\n${files.length} files, ${size(bytes)}${cut}.\n`, ...body].join('\n');
}

function languageTable(files: readonly ListedFile[]): string[] {
  const totals = new Map<string, {files: number; bytes: number}>();
  for (const {path, bytes} of files) {
    const language = languageOf(path);
    const total = totals.get(language) ?? {files: 0, bytes: 0};
    totals.set(language, {files: total.files + 1, bytes: total.bytes + bytes});
  }
  const rows = [...totals].toSorted(([a, x], [b, y]) => y.bytes - x.bytes || (a < b ? -1 : 1));
  const lines = rows.map(
    ([language, total]) => `| ${language} | ${total.files} | ${size(total.bytes)} |`,
  );
  return lines.length === 0
    ? []
    : ['| Language | Files | Size |', '| --- | ---: | ---: |', ...lines];
}

function largest(files: readonly ListedFile[]): string[] {
  return files
    .toSorted((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1))
    .slice(0, 10)
    .map(({path, bytes}) => `- \`${path}\` (${size(bytes)})`);
}

const testPath =
  /(?:^|\/)(?:tests?|__tests__|specs?)\/|(?:^|\/)test_[^/]+\.py$|[._-](?:test|spec)\.\w+$|_test\.(?:go|py|rb|exs)$|(?:Test|Tests|Spec)\.(?:java|kt|cs|scala)$/;

function testLines(files: readonly ListedFile[]): string[] {
  const tests = files.filter(({path}) => testPath.test(path) && languageOf(path) !== 'other');
  if (tests.length === 0) return [];
  const folders = [
    ...new Set(tests.map(({path}) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))),
  ];
  const shown = folders
    .toSorted()
    .slice(0, 20)
    .map((folder) => `- \`${folder === '' ? '.' : folder}\``);
  const more = folders.length > 20 ? [`- and ${folders.length - 20} more folders`] : [];
  return [`${tests.length} test files in ${folders.length} folders:`, '', ...shown, ...more];
}

function markLines(marks: Matches | undefined, path: string): string[] {
  if (!marks) return ['They could not be searched.'];
  const own = marks.matches.filter((match) => match.path === path).length;
  return [
    `${marks.total - own} lines mention TODO or FIXME.`,
    ...marks.notes.map((note) => note.replace(/^…\s*/, '')),
  ];
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024
    ? `${(bytes / 1024).toFixed(1)} KiB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
