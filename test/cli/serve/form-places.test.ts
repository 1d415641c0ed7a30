/** `--forms` as a glob: forms of several folders, by the names of their files. */

import {mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import {silentLogger} from '../../../actors/logger.ts';
import {type Forms, openForms} from '../../../cli/serve/forms.ts';
import {temporaryFolder} from '../../support/serving.ts';

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

function write(path: string, title = path): void {
  const file = join(place.folder, path);
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, `title = "${title}"\n[[fields]]\nid = "size"\nlabel = "Size"\n`);
}

async function open(where: string, logger = silentLogger): Promise<Forms> {
  return await openForms(where, logger, place.folder);
}

async function titlesOf(forms: Forms): Promise<Record<string, string>> {
  const list = await forms.list();
  return Object.fromEntries(list.map(({name, questionnaire}) => [name, questionnaire.title]));
}

describe('a glob of forms', () => {
  test('serves the forms of several folders, each by the name of its file', async () => {
    for (const path of ['forms/size.toml', 'forms/shop/de/order.toml', 'forms/a/notes.md']) {
      write(path);
    }
    const forms = await open('forms/**/*.toml');
    expect(await titlesOf(forms)).toEqual({
      size: 'forms/size.toml',
      order: 'forms/shop/de/order.toml',
    });
    expect(await forms.find('order')).toMatchObject({name: 'order'});
    expect(await forms.find('de/order')).toBeUndefined();
  });

  test('follows changes of the files while the server runs', async () => {
    write('forms/size.toml');
    const forms = await open('forms/*/*.toml');
    expect(await titlesOf(forms)).toEqual({});
    write('forms/new/late.toml', 'Late');
    expect(await titlesOf(forms)).toEqual({late: 'Late'});
    rmSync(join(place.folder, 'forms/new'), {recursive: true});
    expect(await titlesOf(forms)).toEqual({});
  });

  test('follows no links and looks into no hidden folder or node_modules', async () => {
    write('secret/pin.toml');
    write('forms/.old/size.toml');
    write('forms/node_modules/x/dep.toml');
    mkdirSync(join(place.folder, 'forms/a'));
    symlinkSync('../secret', join(place.folder, 'forms/link'));
    symlinkSync('../../secret/pin.toml', join(place.folder, 'forms/a/pin.toml'));
    for (const glob of ['forms/**/*.toml', 'forms/*/pin.toml']) {
      expect(await titlesOf(await open(glob))).toEqual({});
    }
  });

  test('may name several folders, or one outside the current folder', async () => {
    for (const path of ['a/one.toml', 'b/two.json', 'c/three.toml', 'work/x']) write(path);
    writeFileSync(join(place.folder, 'b/two.json'), '{"title": "Two", "fields": []}');
    const both = await openForms('{a/*.toml,c/*}', silentLogger, place.folder);
    expect(Object.keys(await titlesOf(both))).toEqual(['one', 'three']);
    const outside = await openForms('../a/*.toml', silentLogger, join(place.folder, 'work'));
    expect(Object.keys(await titlesOf(outside))).toEqual(['one']);
  });

  test('is a folder if one of that name exists', async () => {
    write('forms*/size.toml');
    write('forms2/other.toml');
    expect(Object.keys(await titlesOf(await open('forms*')))).toEqual(['size']);
  });

  test.each(['nowhere/**/*.toml', 'nowhere', 'forms/size.toml'])(
    'that leads to no folder is an error: %s',
    async (where) => {
      write('forms/size.toml');
      await expect(open(where)).rejects.toMatchObject({
        code: 'config',
        message: `--forms ${where}: there is no such folder`,
      });
    },
  );
});

describe('two forms of one name', () => {
  test.each([
    ['forms/**/*', 'forms/a/size.toml', 'forms/b/size.toml'],
    ['forms/a', 'forms/a/size.json', 'forms/a/size.toml'],
  ])('are an error that names both: %s', async (where, one, other) => {
    for (const path of [one, other]) write(path);
    await expect(open(where)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining(
        `${one} and ${other} are both the form "size"; rename one of them`,
      ),
    });
  });

  test('keep the one already served, and the log says so once', async () => {
    write('forms/b/size.toml', 'Served');
    const warnings: unknown[] = [];
    const warn = (message: string, details?: unknown): void =>
      void warnings.push([message, details]);
    const forms = await open('forms/**/*.toml', {...silentLogger, warn});
    write('forms/a/size.toml', 'Second');
    expect(await titlesOf(forms)).toEqual({size: 'Served'});
    expect(await titlesOf(forms)).toEqual({size: 'Served'});
    expect(warnings).toEqual([
      [
        'a form can not be read',
        {
          form: 'size',
          problems: [
            'forms/a/size.toml and forms/b/size.toml are both the form "size"; rename one of them',
          ],
        },
      ],
    ]);
    rmSync(join(place.folder, 'forms/b/size.toml'));
    expect(await titlesOf(forms)).toEqual({size: 'Second'});
  });
});
