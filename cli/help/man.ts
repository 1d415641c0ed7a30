/** The manual page, generated from the help. */

import {loadAll} from '../commands/index.ts';
import {helpText} from './text.ts';
import {topics} from './topics.ts';

/** Roff for `man`. */
export async function manPage(version: string): Promise<string> {
  const names = (await loadAll()).map(([name]) => name);
  const [usage = '', ...options] = (await helpText()).split(/^(?=Options )/m);
  const named = [
    ...names.map((name) => ({title: `quorate ${name}`, name})),
    ...Object.keys(topics).map((name) => ({title: name, name})),
  ];
  const texts = await Promise.all(named.map(async ({name}) => await helpText(name)));
  const sections = [
    {title: 'SYNOPSIS', text: usage},
    {title: 'OPTIONS', text: options.join('')},
    ...named.map(({title}, index) => ({title, text: texts[index] ?? ''})),
  ];
  return [
    `.TH QUORATE 1 "" "quorate ${version}" "User Commands"`,
    '.SH NAME',
    'quorate \\- models plan and act, a panel of models votes, a person decides where it can\\(aqt',
    ...sections.flatMap(({title, text}) => section(title, text)),
    '',
  ].join('\n');
}

/** The help is already laid out: lines stay as they are. */
function section(title: string, text: string): string[] {
  const lines = text.trimEnd().split('\n').map(escaped);
  return [`.SH "${escaped(title.toUpperCase())}"`, '.nf', ...lines, '.fi'];
}

/** A backslash begins an escape, a dot or a quote at the beginning of a line a request, and a bare dash is a hyphen. */
function escaped(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');
}
