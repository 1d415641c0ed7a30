/** Files that may hold credentials: a named one is read after a vote, others are not opened. */

import {symlinkSync} from 'node:fs';
import {join} from 'node:path';

import {expect, test} from 'vitest';

import {riskOf} from '../../../machines/domain/tool.ts';
import {builtInTools, createSearch, createToolbox, surveyWorkspace} from '../../../tools/index.ts';
import {triples} from '../../support/rows.ts';
import {createPlace, textOf, verdictOf} from '../place.ts';

const infos = createToolbox(builtInTools('off')).infos();

test.each(
  triples(`
  read_file ⇒ .env ⇒ high ¦ read_file ⇒ ./config/../.ENV ⇒ high
  read_file ⇒ config/.env.production ⇒ high ¦ read_file ⇒ deploy/production.env ⇒ high
  read_file ⇒ .netrc ⇒ high ¦ read_file ⇒ keys/id_ed25519 ⇒ high
  read_file ⇒ certs/server.key ⇒ high ¦ grep_search ⇒ .env ⇒ high ¦ grep_search ⇒ home/.ssh ⇒ high
  read_file ⇒ .env.example ⇒ low ¦ read_file ⇒ .env.local.sample ⇒ low
  read_file ⇒ src/environment.ts ⇒ low ¦ grep_search ⇒ src ⇒ low
`),
)('%s of %s is of %s risk', (tool, path, risk) => {
  const risks = infos.filter(({name}) => name === tool).map((info) => riskOf(info, {path}));
  expect(risks).toEqual([risk]);
});

test('a file that may hold credentials is not read through the name of a link', async () => {
  const place = createPlace();
  place.put('.env', 'TOKEN=opensesame');
  symlinkSync('.env', join(place.workspace, 'notes.txt'));
  symlinkSync('.env', join(place.workspace, 'README.md'));

  const outcome = await place.run('read_file', {path: 'notes.txt'});
  expect(outcome).toMatchObject({
    kind: 'refused',
    code: 'credentials',
    message: 'notes.txt leads to .env, which may hold credentials; name that file itself',
  });
  expect(verdictOf(await place.run('read_file', {path: '.env/.'}))).toBe('refused/credentials');
  expect(textOf(await place.run('read_file', {path: '.env'}))).toContain('opensesame');
  const {text, read} = await surveyWorkspace(place.workspace, 10_000, new AbortController().signal);
  expect(text).not.toContain('opensesame');
  expect(read).toEqual([]);
});

test('a search through a folder skips files that may hold credentials, and says so; a search that names one does not', async () => {
  const place = createPlace();
  place.put('.env', 'TOKEN=opensesame');
  place.put('.env.example', 'TOKEN=opensomething');
  place.put('keys/id_rsa', 'opensesame');
  place.put('.ssh/config', 'opensesame');
  symlinkSync('.ssh', join(place.workspace, 'shell'));

  expect(
    textOf(await place.run('grep_search', {pattern: 'opens', file_pattern: '{**/*,**/.env*}'})),
  ).toBe(
    [
      '.env.example:1: TOKEN=opensomething',
      '… 2 files not searched, which may hold credentials; name one as path to have it voted on: .env, keys/id_rsa',
      '1 match in 1 file',
    ].join('\n'),
  );
  const behindLink = textOf(await place.run('grep_search', {pattern: 'opens', path: 'shell'}));
  expect(behindLink).toContain('1 file not searched, which may hold credentials');
  expect(textOf(await place.run('grep_search', {pattern: 'opens', path: '.ssh'}))).toContain(
    '.ssh/config:1: opensesame',
  );
});

test('documents that may hold credentials are not searched, and are counted', async () => {
  const place = createPlace(
    createToolbox([createSearch({paths: ['**/*.md', '**/*.txt', '**/.env'], topK: 5})]),
  );
  place.put('.env', 'password of the harbour is opensesame');
  place.put('secrets.txt', 'password of the harbour is opensesame');
  place.put('guide.md', '# Harbour\n\nAsk the harbour master for the password.\n');

  const found = textOf(await place.run('search', {query: 'harbour password'}));
  expect(found).not.toContain('opensesame');
  expect(found).toContain('guide.md');
  expect(found).toContain('files not searched: 2 that may hold credentials');
});
