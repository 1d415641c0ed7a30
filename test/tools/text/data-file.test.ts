/** Text files of data: read next to the sources, and embedded in a build. */

import {mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {rolldown} from 'rolldown';
import {afterAll, beforeAll, expect, test} from 'vitest';

import {dataFiles} from '../../../rolldown.data-files.ts';
import {dataFile} from '../../../tools/text/data-file.ts';

const text = '# words\n\n"uk"\n`${x}` 日本\u2028\n';
const helper = join(import.meta.dirname, '../../../tools/text/data-file.ts');

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-data-')));
  writeFileSync(join(folder, 'words.txt'), text);
});

afterAll(() => rmSync(folder, {recursive: true}));

/** The code of a module that calls `dataFile` with the given expression. */
async function built(url: string): Promise<string> {
  const input = join(folder, 'words.ts');
  writeFileSync(
    input,
    `import {dataFile} from ${JSON.stringify(helper)};\nexport const words: string = dataFile(${url});\n`,
  );
  const bundle = await rolldown({input, platform: 'node', plugins: [dataFiles]});
  const {output} = await bundle.generate();
  return output[0].code;
}

test('a file is read next to its module', () => {
  expect(dataFile(pathToFileURL(join(folder, 'words.txt')))).toBe(text);
});

test('a build has the text, and reads no file', async () => {
  const code = await built("new URL('words.txt', import.meta.url)");
  expect(code).not.toMatch(/readFileSync|import\.meta/);
  writeFileSync(join(folder, 'built.mjs'), code);
  expect(await import(join(folder, 'built.mjs'))).toMatchObject({words: text});
});

test.each(["new URL('missing.txt', import.meta.url)", 'new URL(`words.txt`, import.meta.url)'])(
  'a build fails at %s',
  async (url) => {
    await expect(built(url)).rejects.toThrow(/missing\.txt|write dataFile\(new URL\('NAME'/);
  },
);
