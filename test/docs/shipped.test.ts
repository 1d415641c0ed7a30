/** The package as npm lists it. */

import {readFileSync} from 'node:fs';

import {execa} from 'execa';
import {expect, test} from 'vitest';

import manifest from '../../package.json' with {type: 'json'};

test('the package has its licence and each file that README links, and lists its manual page', async () => {
  const {stdout} = await execa('npm', ['pack', '--dry-run', '--ignore-scripts', '--json']);
  const [{files}]: [{files: {path: string}[]}] = JSON.parse(stdout);
  const shipped = files.map(({path}) => path);
  const readme = readFileSync('README.md', 'utf8');
  const linked = [...readme.matchAll(/\]\(([\w./-]+)\)|(?:src|srcset)="([\w./-]+)"/g)]
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter((path) => !path.endsWith('/'));
  expect(linked).not.toEqual([]);
  expect(shipped).toEqual(expect.arrayContaining(['LICENSE', ...linked]));
  // npm links manual pages of a list only.
  expect(manifest.man).toEqual(['dist/quorate.1']);
});
