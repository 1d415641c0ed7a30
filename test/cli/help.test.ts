/** The help: its topics, and its lines on a terminal. */

import {PassThrough} from 'node:stream';

import {expect, test} from 'vitest';

import {resume} from '../../cli/commands/resume.ts';
import {helpText, writeHelp} from '../../cli/help/text.ts';
import {topics} from '../../cli/help/topics.ts';

async function flat(topic?: string): Promise<string> {
  return (await helpText(topic)).replaceAll(/\s+/g, ' ');
}

test('every topic is printed under its name', async () => {
  for (const [name, topic] of Object.entries(topics)) {
    expect(await helpText(name)).toContain(await topic());
  }
});

test('a topic that shares the name of a command is followed by the help of the command', async () => {
  expect(await flat('models')).toMatch(
    /^Models are named .*\[providers\.mine\].* Usage: quorate models /,
  );
});

test('lists every decision of the command line', async () => {
  const {values = [], text} = resume.options?.find(({name}) => name === 'decision') ?? {};
  expect(values).toContain('always');
  for (const value of values) {
    expect(text?.en).toMatch(new RegExp(String.raw`(?:^|, )${value}`, 'm'));
  }
});

async function shownOn(columns: number): Promise<string> {
  const stdout = Object.assign(new PassThrough(), {isTTY: true, columns});
  await writeHelp({stdout});
  return String(stdout.read());
}

test.each([60, 100])(
  'on a terminal of %i columns no word of the help is broken',
  async (columns) => {
    const shown = await shownOn(columns);
    expect(shown.replaceAll(/\s+/g, ' ')).toBe(await flat());
    expect(shown.split('\n').filter((line) => line.length > columns)).toEqual([]);
  },
);

test('the continuation of a column is below its beginning', async () => {
  expect(await shownOn(100)).toMatch(/\n {2}runs [^ ]+ +list the newest runs[^\n]*\n {28}\S/);
});
