/** The manual page: the text of the help, as roff that groff and man can read. */

import {execa} from 'execa';
import {expect, test} from 'vitest';

import {commands} from '../../cli/commands/index.ts';
import {manPage} from '../../cli/help/man.ts';
import {helpText} from '../../cli/help/text.ts';
import {topics} from '../../cli/help/topics.ts';

const page = await manPage('1.2.3');
const lines = page.split('\n');

/** A line of text as a reader of roff shows it. */
function shown(line: string): string {
  return line.replace(/^\\&/, '').replaceAll('\\-', '-').replaceAll('\\e', '\\');
}

test('begins with its title and name, and has a section for every command and topic', () => {
  expect(lines.slice(0, 3)).toEqual([
    '.TH QUORATE 1 "" "quorate 1.2.3" "User Commands"',
    '.SH NAME',
    expect.stringMatching(/^quorate \\- /),
  ]);
  const titles = lines.filter((line) => line.startsWith('.SH ')).map(shown);
  for (const name of Object.keys(commands)) {
    expect(titles).toContain(`.SH "QUORATE ${name.toUpperCase()}"`);
  }
  for (const topic of Object.keys(topics)) expect(titles).toContain(`.SH "${topic.toUpperCase()}"`);
});

test('has the text of the help, line by line, and no line of it is a request', async () => {
  const text = lines.filter((line) => !/^\.(?:TH|SH|nf|fi)\b/.test(line)).map(shown);
  for (const line of (await helpText('resume')).trimEnd().split('\n')) expect(text).toContain(line);
  for (const line of (await helpText()).trimEnd().split('\n')) expect(text).toContain(line);
  expect(lines.filter((line) => /^['.](?!TH |SH |nf$|fi$)/.test(line))).toEqual([]);
});

test('every block of unfilled lines is closed', () => {
  const marks = lines.filter((line) => line === '.nf' || line === '.fi');
  expect(marks).toEqual(marks.map((_, index) => (index % 2 === 0 ? '.nf' : '.fi')));
});

/** The reader is not installed on every machine. */
const reader = 'groff';
const hasReader = (await execa(reader, ['--version'], {reject: false})).exitCode === 0;

test.runIf(hasReader)('a reader of roff shows it without warnings', async () => {
  const {stdout, stderr} = await execa(reader, ['-man', '-Tutf8', '-Kutf8', '-ww', '-P-c'], {
    input: page,
  });
  expect(stderr).toBe('');
  expect(stdout).toContain('--decision DECISION');
});
