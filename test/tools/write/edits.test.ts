/** edit_file: several edits, passages that differ in white space or line ends, passages that do not occur. */

import {describe, expect, test} from 'vitest';

import {jsonSchemaOf} from '../../../tools/tool.ts';
import {editFile} from '../../../tools/write/edit-file.ts';
import {cpuMs} from '../../support/cpu-time.ts';
import {createPlace, type Place, textOf, verdictOf} from '../place.ts';

function placeWith(text: string): Place {
  const place = createPlace();
  place.put('a.txt', text);
  return place;
}

interface Edit {
  readonly [name: string]: string | boolean;
  readonly old_text: string;
  readonly new_text: string;
}

async function edit(place: Place, ...edits: readonly Edit[]) {
  return await place.run('edit_file', {path: 'a.txt', edits});
}

async function edited(text: string, old_text: string, new_text: string): Promise<string> {
  const place = placeWith(text);
  const outcome = await edit(place, {old_text, new_text});
  expect(verdictOf(outcome)).toBe('succeeded');
  return place.text('a.txt');
}

describe('several edits', () => {
  test('are made in order, each on the result of the one before, with one preview', async () => {
    const place = placeWith('one\ntwo\nthree\n');
    const edits = [
      {old_text: 'two', new_text: '2'},
      {old_text: '2\nthree', new_text: '2\n3'},
    ];
    const preview = await place.preview('edit_file', {path: 'a.txt', edits});
    expect(preview).toMatchObject({
      args: {path: 'a.txt', edits},
      preview: expect.stringContaining('-two\n-three\n+2\n+3'),
    });
    expect(textOf(await edit(place, ...edits))).toBe('edited a.txt (8 bytes)');
    expect(place.text('a.txt')).toBe('one\n2\n3\n');
  });

  test('are not made if one of them fails, and the message names it', async () => {
    const place = placeWith('one\ntwo\n');
    const edits = [
      {old_text: 'one', new_text: '1'},
      {old_text: 'four', new_text: '4'},
    ];
    expect(await edit(place, ...edits)).toMatchObject({
      code: 'no_match',
      message: expect.stringMatching(
        /^edit 2 of 2: old_text does not occur in a.txt.*No edit was made\.$/s,
      ),
    });
    expect(place.text('a.txt')).toBe('one\ntwo\n');
  });

  test('replace every occurrence with replace_all', async () => {
    const place = placeWith('a, b, a\na');
    const outcome = await edit(place, {old_text: 'a', new_text: 'aa', replace_all: true});
    expect(verdictOf(outcome)).toBe('succeeded');
    expect(place.text('a.txt')).toBe('aa, b, aa\naa');
  });

  test.each([
    [{}, 'name the edits'],
    [{edits: []}, 'edits: '],
    [{old_text: 'a'}, 'name the edits'],
    [{old_text: 'a', new_text: 'b', edits: [{old_text: 'a', new_text: 'b'}]}, 'name the edits'],
    [{edits: [{old_text: 'a', with: 'b'}]}, 'edits[0]'],
  ])('as %j are refused: %s', async (args, words) => {
    const place = placeWith('a');
    expect(await place.run('edit_file', {path: 'a.txt', ...args})).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining(words),
    });
  });

  test('are offered with plain types, each with a description', () => {
    const {properties, required} = jsonSchemaOf(editFile.parameters);
    expect(required).toEqual(['path', 'edits']);
    expect(properties).toMatchObject({
      path: {type: 'string', description: expect.any(String)},
      edits: {
        type: 'array',
        description: expect.any(String),
        items: {
          type: 'object',
          properties: {
            old_text: {type: 'string', description: expect.any(String)},
            new_text: {type: 'string', description: expect.any(String)},
            replace_all: {type: 'boolean', description: expect.any(String)},
          },
          required: ['old_text', 'new_text'],
        },
      },
    });
    expect(Object.keys(properties ?? {})).toEqual(['path', 'edits']);
  });
});

describe('a passage that differs in white space', () => {
  test('matches if it is the only one, and the outcome says so', async () => {
    const place = placeWith('a\n\tif x:  \n\t\treturn  1\nb\n');
    const outcome = await edit(place, {
      old_text: 'if x:\n    return 1',
      new_text: 'if x:\n    return 2',
    });
    expect(textOf(outcome)).toBe(
      'edited a.txt (24 bytes)\n[old_text matched up to white space (line 2)]',
    );
    expect(place.text('a.txt')).toBe('a\n\tif x:  \n\t\treturn 2\nb\n');
  });

  test.each([
    [
      'deeper',
      '    def f():\n        pass\n',
      'def f():\n    pass\n',
      'def f():\n    if a:\n        pass\n',
      '    def f():\n        if a:\n            pass\n',
    ],
    [
      'less deep',
      'def f():\n    pass\n',
      '    def f():\n        pass\n',
      '    def f():\n        go()\n        pass\n',
      'def f():\n    go()\n    pass\n',
    ],
    [
      'by tabs',
      '\tif a:\n\t\tb\n',
      '  if a:\n    b\n',
      '  if a:\n    if c:\n      b\n',
      '\tif a:\n\t\tif c:\n\t\t\tb\n',
    ],
    [
      'by fewer blanks',
      'if a:\n  b\n',
      'if a:\n    b\n',
      'if a:\n    b\n    if c:\n        d\n',
      'if a:\n  b\n  if c:\n    d\n',
    ],
  ])(
    'gives new lines the indentation of a file that is indented %s',
    async (_how, text, old, now, wanted) => {
      expect(await edited(text, old, now)).toBe(wanted);
    },
  );

  test('keeps the lines that the edit does not change', async () => {
    expect(await edited('a  =  1 \nb\t= 2\t\nc\n', 'a = 1\nb = 2\nc', 'a = 1\nb = 3\nc')).toBe(
      'a  =  1 \nb = 3\nc\n',
    );
  });

  test('is not replaced when several match', async () => {
    const place = placeWith('a  b\na\tb\n');
    const edit1 = {old_text: 'a b', new_text: 'c', replace_all: true};
    expect(await edit(place, edit1)).toMatchObject({
      code: 'ambiguous_match',
      message:
        'old_text occurs 2 times in a.txt up to white space (lines 1, 2); include more of its surroundings, or copy it exactly',
    });
  });

  test('does not match where a line or a word would have to be cut', async () => {
    const place = placeWith('max = 1\n');
    expect(await edit(place, {old_text: '  x = 1\n', new_text: ''})).toMatchObject({
      code: 'no_match',
    });
    expect(await edit(place, {old_text: 'ma x', new_text: ''})).toMatchObject({code: 'no_match'});
  });
});

describe('line ends', () => {
  const mixed = 'a\r\nb\nc\r\nd\n';

  test.each([
    ['a changed line', 'b', 'B', 'a\r\nB\nc\r\nd\n'],
    [
      'lines that were changed and lines that were not',
      'a\nb\nc\nd',
      'A\nb\nC\nd',
      'A\r\nb\nC\r\nd\n',
    ],
    ['a new line', 'a\nb\nc', 'a\nb\nx\nc', 'a\r\nb\nx\nc\r\nd\n'],
    ['a line after the last of a passage', 'c', 'c\nx', 'a\r\nb\nc\r\nx\r\nd\n'],
    ['lines without one', 'b\nc\n', 'c\n', 'a\r\nc\r\nd\n'],
  ])('of a file that has both stay: %s', async (_what, old, now, wanted) => {
    expect(await edited(mixed, old, now)).toBe(wanted);
  });

  test('that differ from those of the file match, and the outcome says so', async () => {
    const place = placeWith('a\r\nb\r\na\r\nb\r\n');
    const every = {old_text: 'a\nb\n', new_text: 'c\nd\n', replace_all: true};
    expect(textOf(await edit(place, every))).toContain('matched up to line ends (lines 1, 3)');
    expect(place.text('a.txt')).toBe('c\r\nd\r\nc\r\nd\r\n');
    const other = placeWith('a\nb\n');
    await edit(other, {old_text: 'a\r\nb\r\n', new_text: 'a\r\nc\r\n'});
    expect(other.text('a.txt')).toBe('a\nc\n');
  });
});

describe('a passage copied with the line numbers of read_file', () => {
  test('is replaced without them, and the outcome says so', async () => {
    const place = placeWith('a\nb\nc\n');
    const outcome = await edit(place, {old_text: '2\tb\n3\tc', new_text: '2\tb\n3\td\ne'});
    expect(textOf(outcome)).toContain('[the line numbers were left out]');
    expect(place.text('a.txt')).toBe('a\nb\nd\ne\n');
  });

  test('is kept as it is where the file has it', async () => {
    expect(await edited('2\tb\nb\n', '2\tb', '3\tb')).toBe('3\tb\nb\n');
  });
});

describe('a passage that does not occur', () => {
  const text = [...Array(50).keys()]
    .map((at) => `function number${at}() {\n  return ${at};\n}\n`)
    .join('');

  test('is answered by the three nearest passages with their line numbers', async () => {
    const place = placeWith(`${text}const total = sum(prices, tax);\n`);
    const outcome = await edit(place, {old_text: 'const total = sum(price, taxes);', new_text: ''});
    expect(outcome).toMatchObject({
      message:
        'old_text does not occur in a.txt. The nearest passage is:\n151\tconst total = sum(prices, tax);\nCopy the passage exactly, without the line numbers.',
    });
    const several = await edit(place, {
      old_text: 'function number() {\n  return 42\n}',
      new_text: '',
    });
    const message = 'message' in several ? several.message : '';
    expect(message).toContain('127\tfunction number42() {\n128\t  return 42;\n129\t}');
    expect(message.split('\n--\n')).toHaveLength(3);
  });

  test('is answered without passages when nothing is like it, or the file may hold credentials', async () => {
    const place = placeWith(text);
    place.put('.env', 'TOKEN=abcdefgh\n');
    const wanted = /does not occur in \S+; read the file/;
    expect(await edit(place, {old_text: 'Ωμέγα', new_text: ''})).toMatchObject({
      message: expect.stringMatching(wanted),
    });
    const args = {path: '.env', edits: [{old_text: 'TOKEN=abcdefgi', new_text: ''}]};
    expect(await place.run('edit_file', args)).toMatchObject({
      message: expect.stringMatching(wanted),
    });
  });

  test('is answered in time for large files', async () => {
    const place = placeWith('a b c d e f g h\n'.repeat(300_000));
    const started = cpuMs();
    const outcome = await edit(place, {old_text: 'a b c d e f g i\n'.repeat(50), new_text: ''});
    expect(verdictOf(outcome)).toBe('failed/no_match');
    expect(cpuMs() - started).toBeLessThan(10_000);
  });
});
