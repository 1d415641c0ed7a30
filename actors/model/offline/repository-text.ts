/** Writes the facts of a repository as a document with sections, or as a few lines for a report. */

import type {Label} from './japanese.ts';
import {languageOf} from './languages.ts';
import {entryPoints, type Repository, sizeText, testPath} from './repository.ts';

export interface Writing {
  readonly label: Label;
  readonly isShort: boolean;
}

/** A Markdown document. `comments` is the number of TODO and FIXME comments; undefined if they were not counted. */
export function overviewText(
  repository: Repository,
  comments: number | undefined,
  {label, isShort}: Writing,
): string {
  const {project, notes} = repository;
  const open =
    comments === undefined
      ? []
      : [label('$1 {comment says|comments say} TODO or FIXME.', comments)];
  const sections: (readonly [title: string, lines: readonly string[], isLong?: boolean])[] = [
    ['About', aboutLines(repository, label)],
    ['Languages', languageTable(repository, label)],
    ['Entry points', entryPoints(repository).map((line) => `- ${line}`)],
    ['Scripts', project.scripts.map(([name, line]) => `- \`${name}\`: \`${line}\``), true],
    ['Largest files', largest(repository), true],
    ['Tests', testLines(repository, label), true],
    ['TODO and FIXME', open, true],
    ['Left out', notes.map((note) => `- ${note}`)],
  ];
  return [
    `# ${[label('Overview'), ...(project.name === undefined ? [] : [project.name])].join(': ')}\n\n${sizeLine(repository, label)}\n`,
    ...sections
      .filter(([, lines, isLong]) => lines.length > 0 && !(isShort && isLong))
      .map(([title, lines]) => `## ${label(title)}\n\n${lines.join('\n')}\n`),
  ].join('\n');
}

export function explanationText(repository: Repository, {label, isShort}: Writing): string {
  const {project, notes} = repository;
  const shares = languages(repository, label)
    .slice(0, 5)
    .map(([name, {count}]) => `${name} ${count}`);
  const long: (readonly [string, readonly string[]])[] = [
    ['Entry points', entryPoints(repository).slice(0, 5)],
    ['Scripts', project.scripts.map(([name]) => name)],
    ['Depends on', project.dependencies],
  ];
  return [
    ...aboutLines(repository, label),
    `${label('Languages')}: ${shares.join(', ')}. ${sizeLine(repository, label)}`,
    ...(isShort ? [] : long.map(([title, items]) => namesLine(label(title), items, label))),
    ...notes.map((note) => `${label('Left out')}: ${note}`),
  ]
    .filter((line) => line !== '')
    .map((line) => line.replaceAll('`', ''))
    .join('\n');
}

function sizeLine({files, notes}: Repository, label: Label): string {
  const count =
    notes.length > 0 ? 'The first $1 files, $2; there are more: see the end.' : '$1 file{|s}, $2.';
  return label(count, files.length, sizeText(files.reduce((sum, file) => sum + file.bytes, 0)));
}

function namesLine(title: string, items: readonly string[], label: Label): string {
  const more = items.length > 12 ? [label('and $1 more', items.length - 12)] : [];
  return items.length === 0 ? '' : `${title}: ${[...items.slice(0, 12), ...more].join(', ')}`;
}

function aboutLines({project, about = '', readme, tests}: Repository, label: Label): string[] {
  const {name, version, description = '', needs} = project;
  const title = [name, version].filter((part) => part !== undefined).join(' ');
  const commands = tests.map(({command}) => `\`${command}\``);
  return [
    [title, description].filter((part) => part !== '').join(': '),
    about === '' || about === description ? '' : label('$1 ($2)', about, readme ?? 'README'),
    namesLine(label('Needs'), needs, label),
    namesLine(label('Run the tests with'), commands, label),
  ]
    .filter((line) => line !== '')
    .flatMap((line, index) => (index === 0 ? [line] : ['', line]));
}

interface Total {
  readonly count: number;
  readonly bytes: number;
}

function languages({files}: Repository, label: Label): (readonly [string, Total])[] {
  const groups = Map.groupBy(files, ({path}) => languageOf(path));
  return [...groups]
    .map(([language, own]) => {
      const bytes = own.reduce((sum, file) => sum + file.bytes, 0);
      const name = language === 'other' ? label('other') : language;
      return [name, {count: own.length, bytes}] as const;
    })
    .toSorted(([a, x], [b, y]) => y.bytes - x.bytes || (a < b ? -1 : 1));
}

function languageTable(repository: Repository, label: Label): string[] {
  const lines = languages(repository, label).map(
    ([name, {count, bytes}]) => `| ${name} | ${count} | ${sizeText(bytes)} |`,
  );
  const head = `| ${label('Language')} | ${label('Files')} | ${label('Size')} |`;
  return lines.length === 0 ? [] : [head, '| --- | ---: | ---: |', ...lines];
}

function largest({files}: Repository): string[] {
  return files
    .toSorted((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1))
    .slice(0, 10)
    .map(({path, bytes}) => `- \`${path}\` (${sizeText(bytes)})`);
}

function testLines({files}: Repository, label: Label): string[] {
  const tests = files.filter(({path}) => testPath.test(path) && languageOf(path) !== 'other');
  if (tests.length === 0) return [];
  const folders = new Set(tests.map(({path}) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
  const shown = [...folders].toSorted().map((folder) => `- \`${folder || '.'}\``);
  const more = folders.size > 20 ? [`- ${label('and $1 more', folders.size - 20)}`] : [];
  const head = label('$1 test file{|s} in $2 folder{|s}:', tests.length, folders.size);
  return [head, '', ...shown.slice(0, 20), ...more];
}
