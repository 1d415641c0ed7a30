/** The examples of the text files: each command has the effects written next to it. */

import {expect, test} from 'vitest';

import {programTexts} from '../../../../tools/commands/table/program-texts.ts';
import {examplesIn} from '../examples.ts';
import {readingOf, readingText} from '../reading.ts';

test.each(Object.entries(programTexts()))('the examples of %s have their effects', (file, text) => {
  const wrong = examplesIn(text).flatMap(({line, command, effects}) => {
    const found = readingText(readingOf(command)) || 'nothing';
    return found === effects ? [] : [`${file}:${line}: ${command}  ->  ${found}`];
  });
  expect(wrong).toEqual([]);
});

test.each(Object.entries(programTexts()))('each program of %s has an example', (_, text) => {
  const programs = text.split(/^(?=program |group )/m).filter((part) => part.startsWith('program'));
  const without = programs.filter((part) => examplesIn(part).length === 0);
  expect(without.map((part) => part.split('\n', 1)[0])).toEqual([]);
});
