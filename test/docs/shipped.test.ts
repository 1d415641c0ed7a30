/** The contents of the package, as npm lists them. */

import {dirname, join} from 'node:path';

import {execa} from 'execa';
import {expect, test} from 'vitest';

import {documents, linksOf, readDocument} from '../support/documents.ts';

test('the package has its license, the pages and every file that they link', async () => {
  const {stdout} = await execa('npm', ['pack', '--dry-run', '--ignore-scripts', '--json']);
  const [{files}]: [{files: {path: string}[]}] = JSON.parse(stdout);
  const shipped = files.map(({path}) => path);
  const linked = documents.flatMap((page) =>
    linksOf(readDocument(page)).flatMap((link) => {
      const [path = ''] = link.split('#');
      return path === '' || path.endsWith('/') ? [] : [join(dirname(page), path)];
    }),
  );
  expect(linked).not.toEqual([]);
  expect(shipped).toEqual(expect.arrayContaining(['LICENSE', ...documents, ...linked]));
});
