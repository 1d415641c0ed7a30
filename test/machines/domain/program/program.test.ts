/** The words of a program: from the template of a tool and the arguments of a call, to a shell and back. */

import {execFileSync} from 'node:child_process';

import * as fc from 'fast-check';
import {expect, test} from 'vitest';

import {argvOf, commandText} from '../../../../machines/domain/program/program.ts';
import {callSummary, codeOf} from '../../../../machines/domain/tool-facts.ts';
import {cells} from '../../../support/rows.ts';

test('the words are those of the template, with the arguments of the call', () => {
  const program = {argv: ['x', '{a}', '-n={b}', '{{a}}', '{}', '{c}{c}', '{list}']};
  expect(argvOf(program, {a: 'A', b: 2, c: true, list: ['1', '2']})).toEqual(
    cells(`
    x ¦ A ¦ -n=2 ¦ {a} ¦ {} ¦ truetrue ¦ 1 ¦ 2
  `),
  );
  expect(argvOf(program, {})).toEqual(['x', '{a}', '{}']);
});

test('a path is relative to the folder in which the program starts', () => {
  const program = {argv: ['x', '{p}', '{q}'], folder: 'a/b', paths: ['p']};
  expect(argvOf(program, {p: 'c.txt', q: 'c.txt'})).toEqual(['x', '../../c.txt', 'c.txt']);
});

test('a call is summed up, and is known as a command, by its words', () => {
  const facts = {program: {argv: ['if', '{a}']}};
  expect(callSummary('tool', {a: 'b c'}, facts)).toBe(`tool 'if' 'b c'`);
  expect(codeOf(facts, {a: 'b c'}, 'shell')).toBe(`'if' 'b c'`);
  expect(codeOf(facts, {a: 'b c'}, 'sql')).toBeUndefined();
});

test('a shell reads the text of any words as these words', () => {
  const word = fc.string({unit: 'binary'}).map((text) => text.replaceAll('\0', '').toWellFormed());
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const script = `printf '%s\\0' x ${commandText(words)}`;
      const printed = execFileSync('sh', ['-c', script], {encoding: 'utf8'});
      expect(printed.split('\0').slice(1, -1)).toEqual(words);
    }),
    {numRuns: 50},
  );
});
