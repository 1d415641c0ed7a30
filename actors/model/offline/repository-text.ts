/** The facts of a repository as text: sections of a document, or a few lines for a report. */

import {type Labels, labels, type Language} from './labels.ts';
import {languageOf} from './languages.ts';
import {entryPoints, type Repository, sizeText, testPath} from './repository.ts';

export interface Writing {
  readonly language: Language;
  readonly isShort: boolean;
}

type Section = readonly [title: string, lines: readonly string[]];

/** A Markdown document. `comments` counts what is left to do; undefined when that was not looked for. */
export function overviewText(
  repository: Repository,
  comments: number | undefined,
  {language, isShort}: Writing,
): string {
  const label = labels[language];
  const {project, files} = repository;
  const short: Section[] = [
    [label.about, aboutLines(repository, label)],
    [label.languages, languageTable(repository, label)],
    [label.entries, entryPoints(repository).map((line) => `- ${line}`)],
  ];
  const long: Section[] = [
    [label.scripts, project.scripts.map(([name, line]) => `- \`${name}\`: \`${line}\``)],
    [label.largest, largest(repository)],
    [label.tests, testLines(repository, label)],
    ...(comments === undefined ? [] : [[label.marks, [label.comments(comments)]] as const]),
  ];
  const left: Section = [label.leftOut, repository.notes.map((note) => `- ${note}`)];
  const size = sizeText(files.reduce((sum, file) => sum + file.bytes, 0));
  const count = repository.notes.length > 0 ? label.atLeast : label.files;
  const sections = [...short, ...(isShort ? [] : long), left].filter(
    ([, lines]) => lines.length > 0,
  );
  return [
    `# ${label.overview}${project.name === undefined ? '' : `: ${project.name}`}\n\n${count(files.length, size)}\n`,
    ...sections.map(([title, lines]) => `## ${title}\n\n${lines.join('\n')}\n`),
  ].join('\n');
}

/** What it is and how it is used, in a few lines. */
export function explanationText(repository: Repository, {language, isShort}: Writing): string {
  const label = labels[language];
  const {files, project} = repository;
  const size = sizeText(files.reduce((sum, file) => sum + file.bytes, 0));
  const entries = entryPoints(repository).map((line) => line.replaceAll('`', ''));
  const long = [
    named(label.entries, entries.slice(0, 5), label),
    named(
      label.scripts,
      project.scripts.map(([name]) => name),
      label,
    ),
    named(label.dependsOn, project.dependencies, label),
  ];
  return [
    ...aboutLines(repository, label).map((line) => line.replaceAll('`', '')),
    `${label.languages}: ${languages(repository, label)
      .slice(0, 5)
      .map(([name, {count}]) => `${name} ${count}`)
      .join(
        ', ',
      )}. ${(repository.notes.length > 0 ? label.atLeast : label.files)(files.length, size)}`,
    ...(isShort ? [] : long),
    ...repository.notes.map((note) => `${label.leftOut}: ${note}`),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function named(title: string, items: readonly string[], label: Labels): string {
  const shown = items.slice(0, 12).join(', ');
  const more = items.length > 12 ? `, ${label.more(items.length - 12)}` : '';
  return items.length === 0 ? '' : `${title}: ${shown}${more}`;
}

/** Name and version, what manifest and README say, what is needed, how tests are run. */
function aboutLines({project, about, readme, tests}: Repository, label: Labels): string[] {
  const {name, version, description, needs} = project;
  const title = [name, version].filter((part) => part !== undefined).join(' ');
  return [
    [title, description].filter((part) => part !== undefined && part !== '').join(': '),
    about === undefined || about === description ? '' : `${about}${label.from(readme ?? 'README')}`,
    needs.length === 0 ? '' : `${label.needs}: ${needs.join(', ')}`,
    tests.length === 0
      ? ''
      : `${label.runTests}: ${tests.map(({command}) => `\`${command}\``).join(', ')}`,
  ]
    .filter((line) => line !== '')
    .flatMap((line, index) => (index === 0 ? [line] : ['', line]));
}

interface Total {
  readonly count: number;
  readonly bytes: number;
}

/** The largest first. */
function languages({files}: Repository, label: Labels): (readonly [string, Total])[] {
  const totals = new Map<string, Total>();
  for (const {path, bytes} of files) {
    const known = languageOf(path);
    const language = known === 'other' ? label.other : known;
    const total = totals.get(language) ?? {count: 0, bytes: 0};
    totals.set(language, {count: total.count + 1, bytes: total.bytes + bytes});
  }
  return [...totals].toSorted(([a, x], [b, y]) => y.bytes - x.bytes || (a < b ? -1 : 1));
}

function languageTable(repository: Repository, label: Labels): string[] {
  const lines = languages(repository, label).map(
    ([name, {count, bytes}]) => `| ${name} | ${count} | ${sizeText(bytes)} |`,
  );
  if (lines.length === 0) return [];
  return [
    `| ${label.language} | ${label.count} | ${label.size} |`,
    '| --- | ---: | ---: |',
    ...lines,
  ];
}

function largest({files}: Repository): string[] {
  return files
    .toSorted((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1))
    .slice(0, 10)
    .map(({path, bytes}) => `- \`${path}\` (${sizeText(bytes)})`);
}

function testLines({files}: Repository, label: Labels): string[] {
  const tests = files.filter(({path}) => testPath.test(path) && languageOf(path) !== 'other');
  if (tests.length === 0) return [];
  const folders = [
    ...new Set(tests.map(({path}) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))),
  ].toSorted();
  const shown = folders.slice(0, 20).map((folder) => `- \`${folder === '' ? '.' : folder}\``);
  const more = folders.length > 20 ? [`- ${label.more(folders.length - 20)}`] : [];
  return [label.testFiles(tests.length, folders.length), '', ...shown, ...more];
}
