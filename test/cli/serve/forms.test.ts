/** The forms of a folder: found by name only, changed at run time, and their results for the owner. */

import {mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {silentLogger} from '../../../actors/logger.ts';
import {type Forms, openForms} from '../../../cli/serve/forms.ts';
import {fill, fillAgain} from '../../support/filling.ts';
import {ownerToken} from '../../support/serving.ts';
import {setFolder} from '../folders.ts';
import {setServer} from './stage.ts';

describe('served forms', () => {
  const {
    server,
    restart,
    folder: place,
  } = setServer(async (data) => {
    mkdirSync(join(data, 'forms'));
    writeFileSync(join(data, 'forms/size.toml'), formOf('id-of-size', 'L or S'));
    writeFileSync(join(data, 'secret.toml'), formOf('secret', 'Password'));
    return await served(data);
  });
  const folder = () => join(place(), 'forms');

  function write(name: string, ...labels: readonly string[]): void {
    writeFileSync(join(folder(), `${name}.toml`), formOf(`id-of-${name}`, ...labels));
  }

  const token = ownerToken;

  describe('a form', () => {
    test('that is not served has an error page, with status 404', async () => {
      const paths = [
        '/f/nope',
        '/f/..%2Fsecret',
        '/f/%E0%A4%A',
        '/f/size',
        '/f/id-of-size',
        '/s/nope',
      ];
      const pages = await Promise.all(paths.map(async (path) => await fetch(server.url + path)));
      expect(pages.map(({status}) => status)).toEqual([404, 404, 404, 200, 200, 200]);
      expect(pages[0]?.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await pages[0]?.text()).toMatch(
        /<h1>Form not found<\/h1>[^]*<a class="quiet" href="\/">/,
      );
    });

    test('is found by the name of its file, or by its id', async () => {
      for (const name of ['size', 'id-of-size']) {
        const {status, json} = await server.ask(`/v1/forms/${name}`);
        expect({status, json}).toEqual({
          status: 200,
          json: {form: 'size', title: 'Form id-of-size'},
        });
        expect((await fill(server.ask, name)).messages).toHaveLength(1);
      }
    });

    test.each([
      '..%2fsecret',
      '..%2Fsecret.toml',
      '%2e%2e%2fsecret',
      '..%5csecret',
      'size.toml',
      'size%00',
      '.',
      '%2e%2e',
      'link',
      'nothing',
      'x'.repeat(300),
      '__proto__',
    ])('is found nowhere else: %s', async (name) => {
      symlinkSync(join(place(), 'secret.toml'), join(folder(), 'link.toml'));
      for (const sent of [{}, {body: {}}]) {
        const path = sent.body === undefined ? '' : '/submissions';
        expect((await server.ask(`/v1/forms/${name}${path}`, sent)).status).toBe(404);
      }
    });

    test('that is added while the server runs is served, and a removed one is not', async () => {
      write('later', 'When');
      expect((await server.ask('/v1/forms/later')).status).toBe(200);
      rmSync(join(folder(), 'later.toml'));
      expect((await server.ask('/v1/forms/later')).status).toBe(404);
    });

    test('that becomes invalid while the server runs is served in its earlier version', async () => {
      writeFileSync(join(folder(), 'size.toml'), 'title = ');
      expect((await server.ask('/v1/forms/size')).json).toEqual({
        form: 'size',
        title: 'Form id-of-size',
      });
    });
  });

  describe('a form that changes while it is filled', () => {
    test('is asked in its current version: new fields are asked, removed ones are not', async () => {
      write('size', 'First', 'Second');
      const filling = await fill(server.ask, 'size');
      await filling.say('one');
      write('size', 'First', 'Other', 'Third');
      await restart(await served(place()));
      const again = fillAgain(server.ask, filling);

      expect((await again.look()).json).toMatchObject({
        fields: [
          {label: 'First', status: 'done'},
          {label: 'Other'},
          {label: 'Third', status: 'pending'},
        ],
      });
      await again.say('two');
      const {json} = await again.say('three');
      expect(json['state']).toBe('confirming');
    });

    test('is logged once, however often it is read', async () => {
      const filling = await fill(server.ask, 'size');
      write('size', 'L or M');
      await restart(await served(place()));
      const again = fillAgain(server.ask, filling);
      for (let turn = 0; turn < 3; turn += 1) await again.look();
      await restart(await served(place()));
      await fillAgain(server.ask, filling).look();

      const events = (await server.runtime.entries(filling.id)).filter(
        (entry) => entry.type === 'received' && entry.event['type'] === 'form.changed',
      );
      expect(events).toHaveLength(1);
    });
  });

  describe('the owner', () => {
    test('lists forms and submissions in pages, and reads any of them', async () => {
      write('other', 'What');
      const fillings = [];
      for (let turn = 0; turn < 3; turn += 1) fillings.push(await fill(server.ask, 'size'));
      const [first, second, third] = fillings.map(({id}) => id);
      await fillings[0]?.say('L');
      await fillings[0]?.confirm();
      const list = async (query = ''): Promise<unknown> =>
        (await server.ask(`/v1/forms/size/submissions${query}`, {token})).json['submissions'];

      expect((await server.ask('/v1/forms', {token})).json).toMatchObject({
        forms: [{form: 'other'}, {form: 'size'}],
      });
      expect(await list('?limit=2')).toMatchObject([
        {id: first, state: 'submitted'},
        {id: second, state: 'greeting'},
      ]);
      expect(await list(`?after=${second}`)).toMatchObject([{id: third}]);
      const bad = await server.ask('/v1/forms/size/submissions?limit=0', {token});
      expect(bad.status).toBe(400);
      const {status, json} = await server.ask(`/v1/submissions/${second}`, {token});
      expect({status, id: json['id']}).toEqual({status: 200, id: second});
    });

    test('exports the answers of all submissions of a form, one per line, even after the form is removed', async () => {
      const fillings = [await fill(server.ask, 'size'), await fill(server.ask, 'size')];
      await fillings[0]?.say('L');
      rmSync(join(folder(), 'size.toml'));
      const response = await fetch(`${server.url}/v1/forms/size/export`, {
        headers: {authorization: `Bearer ${token}`},
      });
      const lines = (await response.text()).trimEnd().split('\n');

      expect(response.headers.get('content-type')).toBe('application/x-ndjson');
      expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject(
        fillings.map(({id}) => ({submission: id})),
      );
      expect(lines[0]).toContain('"value":"L"');
    });

    test('receives each of many submissions once, the oldest first, and none that was erased', async () => {
      const fillings = [];
      for (let turn = 0; turn < 45; turn += 1) fillings.push(await fill(server.ask, 'size'));
      const ids = fillings.map(({id}) => id);
      const [erased = ''] = ids.splice(19, 1);
      await server.ask(`/v1/submissions/${erased}`, {token, method: 'DELETE'});
      const response = await fetch(`${server.url}/v1/forms/size/export`, {
        headers: {authorization: `Bearer ${token}`},
      });
      const lines = (await response.text()).trimEnd().split('\n');

      expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject(
        ids.map((id) => ({submission: id})),
      );
    });
  });

  describe('a submission without requests', () => {
    test('is not in memory, and a read neither loads it nor writes anything', async () => {
      await restart(await served(place(), 5));
      const filling = await fill(server.ask, 'size');
      const entries = async () => await server.runtime.entries(filling.id);
      await expect
        .poll(async () => (await entries()).at(-1))
        .toMatchObject({note: {type: 'run.suspended'}});
      const before = (await entries()).length;
      for (const path of ['', '/export']) expect((await filling.look(path)).status).toBe(200);

      expect(await entries()).toHaveLength(before);
      expect((await filling.say('L')).json).toMatchObject({state: 'confirming'});
      expect((await entries()).length).toBeGreaterThan(before);
    });
  });
});

describe('forms by a glob: of several folders, by the names of their files', () => {
  const place = setFolder();

  function write(path: string, title = path): void {
    const file = join(place(), path);
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, `title = "${title}"\n[[fields]]\nid = "size"\nlabel = "Size"\n`);
  }

  async function open(where: string, logger = silentLogger): Promise<Forms> {
    return await openForms(where, logger, place());
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
      rmSync(join(place(), 'forms/new'), {recursive: true});
      expect(await titlesOf(forms)).toEqual({});
    });

    test('follows no links and looks into no hidden folder or node_modules', async () => {
      write('secret/pin.toml');
      write('forms/.old/size.toml');
      write('forms/node_modules/x/dep.toml');
      mkdirSync(join(place(), 'forms/a'));
      symlinkSync('../secret', join(place(), 'forms/link'));
      symlinkSync('../../secret/pin.toml', join(place(), 'forms/a/pin.toml'));
      for (const glob of ['forms/**/*.toml', 'forms/*/pin.toml']) {
        expect(await titlesOf(await open(glob))).toEqual({});
      }
    });

    test('may name several folders, or one outside the current folder', async () => {
      for (const path of ['a/one.toml', 'b/two.json', 'c/three.toml', 'work/x']) write(path);
      writeFileSync(join(place(), 'b/two.json'), '{"title": "Two", "fields": []}');
      const both = await openForms('{a/*.toml,c/*}', silentLogger, place());
      expect(Object.keys(await titlesOf(both))).toEqual(['one', 'three']);
      const outside = await openForms('../a/*.toml', silentLogger, join(place(), 'work'));
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
      rmSync(join(place(), 'forms/b/size.toml'));
      expect(await titlesOf(forms)).toEqual({size: 'Second'});
    });
  });
});

async function served(data: string, idleMs = 5_000) {
  return {idleMs, forms: await openForms(join(data, 'forms'), silentLogger)};
}

function formOf(id: string, ...labels: readonly string[]): string {
  const fields = labels.map(
    (label, index) => `[[fields]]\nid = "f${index}"\nlabel = "${label}"\nrequired = true\n`,
  );
  return `id = "${id}"\ntitle = "Form ${id}"\n${fields.join('')}`;
}

async function titlesOf(forms: Forms): Promise<Record<string, string>> {
  const list = await forms.list();
  return Object.fromEntries(list.map(({name, questionnaire}) => [name, questionnaire.title]));
}
