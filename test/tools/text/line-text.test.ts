import {expect, test} from 'vitest';

import {append, changeLine, deleteLine, insertAt, prepend} from '../../../tools/text/line-text.ts';

const text = 'a\n  b\na\nd';

test('a line is selected by its number, as the first or last one, or by its text', () => {
  expect(deleteLine({nth: '2nd'})(text)).toBe('a\na\nd');
  expect(deleteLine({nth: 'last'})(text)).toBe('a\n  b\na');
  expect(deleteLine({nth: '最初'})('a\nb\n')).toBe('b\n');
  expect(deleteLine({line: 'b'})(text)).toBe('a\na\nd');
  expect(deleteLine({nth: '1'})('only\n')).toBe('');
});

test('a line that is missing or not unique is a problem', () => {
  expect(deleteLine({nth: '5'})(text)).toEqual({problem: 'has no line 5: it has 4'});
  expect(deleteLine({nth: 'last'})('')).toMatchObject({
    problem: expect.stringContaining('no line'),
  });
  expect(changeLine({line: 'x'}, 'y')(text)).toEqual({problem: 'has no line "x"'});
  expect(changeLine({line: 'a'}, 'y')(text)).toEqual({
    problem: 'has more than one line "a": 1, 3',
  });
});

test('a line that is selected by its text keeps its indentation', () => {
  expect(changeLine({line: 'b'}, 'c')(text)).toBe('a\n  c\na\nd');
  expect(changeLine({line: 'b'}, ' c')(text)).toBe('a\n c\na\nd');
  expect(changeLine({nth: '2'}, 'c')(text)).toBe('a\nc\na\nd');
});

test('lines are inserted before and after another, at the top and at the end', () => {
  expect(insertAt({nth: '1'}, 'x\ny\n', 1)(text)).toBe('a\nx\ny\n  b\na\nd');
  expect(insertAt({line: 'd'}, 'x', 0)(text)).toBe('a\n  b\na\nx\nd');
  expect(prepend('x')('')).toBe('x\n');
  expect(append('x')('a')).toBe('a\nx\n');
});
