/** The contract of every journal, for any storage, whether it answers at once or later. */

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import type {
  Awaitable,
  EntryBody,
  Host,
  Journal,
  RowQuery,
} from '../../../actors/journal/journal.ts';
import type {Sign} from '../../../actors/journal/signing-key.ts';
import {testInbox, testPositions, testReactions, testSigning} from './conformance-parts.ts';
import {testSubmissions} from './conformance-submissions.ts';
import {append, attempt, closed, opened, settled} from './entries.ts';

/** `create` makes an empty journal, which is closed after each test. */
export function describeJournal(
  name: string,
  create: (options?: {readonly sign?: Sign}) => Awaitable<Journal>,
): void {
  describe(`${name} keeps the contract of a journal:`, () => {
    let journal: Journal;
    beforeEach(async () => {
      journal = await create();
    });
    afterEach(async () => {
      await journal.close();
    });
    const given = () => journal;

    testAppends(given);
    testPositions(given);
    testReading(given);
    testIds(given);
    testList(given);
    testOwnership(given);
    testInbox(given);
    testChildren(given);
    testBackups(given);
    testErasing(given);
    testReactions(given);
    testSubmissions(given);
    testSigning(create);
  });
}

function testAppends(given: () => Journal): void {
  test('entries are read back in the order of the appends, numbered from 0, with their times', async () => {
    await append(given(), 'a', [opened, settled('x')], 1000);
    const note = {type: 'noted', note: {rule: 'majority', votes: [1, null]}, digest: 'd1'} as const;
    await append(given(), 'a', [note], 2000);

    expect(await given().log.read('a')).toEqual([
      {...JSON.parse(JSON.stringify(opened)), seq: 0, at: 1000, hash: expect.any(String)},
      {...settled('x'), seq: 1, at: 1000, hash: expect.any(String)},
      {...note, seq: 2, at: 2000, hash: expect.any(String)},
    ]);
  });

  test('appends are kept in the order of the calls, without waiting for one another', async () => {
    const keys = Array.from({length: 20}, (_, index) => `${index}`);
    await Promise.all(keys.map((key) => append(given(), 'a', [settled(key)], 1)));

    expect((await given().log.read('a')).map((entry) => 'key' in entry && entry.key)).toEqual(keys);
  });

  test('entries are numbered per interaction, also within one shared transaction', async () => {
    await given().log.append([
      {interaction: 'a', bodies: [opened, settled('1')], at: 5},
      {interaction: 'b', bodies: [opened], at: 6},
      {interaction: 'a', bodies: [settled('2')], at: 7},
    ]);

    expect(await given().log.read('a')).toMatchObject([
      {type: 'opened', seq: 0, at: 5},
      {key: '1', seq: 1, at: 5},
      {key: '2', seq: 2, at: 7},
    ]);
    expect(await given().log.read('b')).toMatchObject([{type: 'opened', seq: 0, at: 6}]);
    expect(await given().log.read('other')).toEqual([]);
  });

  test('the number of entries of an interaction is known without reading them', async () => {
    expect(await given().log.lengthOf('a')).toBe(0);
    await append(given(), 'a', [opened, settled('x')], 1);
    expect(await given().log.lengthOf('a')).toBe(2);
    await append(given(), 'a', [closed], 2);
    expect(await given().log.lengthOf('a')).toBe(3);
  });

  test('the entries after one are read page by page, and must follow it', async () => {
    const {log} = given();
    const bodies = Array.from({length: 1_200}, (_, index) => settled(`${index}`));
    await append(given(), 'a', [opened, ...bodies], 1);
    const all = await log.read('a');
    const [first, second] = all;
    if (!first || !second) throw new Error('there are no entries');

    const page = await log.after('a', first);
    expect(page).toEqual(all.slice(1, 1_001));
    expect(await log.after('a', page.at(-1) ?? first)).toEqual(all.slice(1_001));
    expect(await log.after('a', all.at(-1) ?? first)).toEqual([]);
    expect(await log.after('other', first)).toEqual([]);
    await append(given(), 'a', [closed], 2);
    expect(await log.after('a', all.at(-1) ?? first)).toMatchObject([{type: 'closed', seq: 1_201}]);
    const wrong = {seq: first.seq, hash: second.hash};
    await expect(attempt(() => log.after('a', wrong))).rejects.toMatchObject({
      code: 'journal_corrupt',
    });
  });

  test('a batch with one body that is not JSON appends nothing, and the next append works', async () => {
    const circle: Record<string, never> = {};
    Object.assign(circle, {circle});
    await append(given(), 'a', [opened], 1);

    await expect(
      attempt(() =>
        given().log.append([
          {interaction: 'a', bodies: [settled('lost')], at: 2},
          {interaction: 'b', bodies: [{type: 'received', event: circle}], at: 2},
        ]),
      ),
    ).rejects.toThrow(TypeError);
    expect(await given().log.read('a')).toHaveLength(1);
    await append(given(), 'a', [settled('kept')], 3);
    expect(await given().log.read('a')).toMatchObject([{seq: 0}, {seq: 1, key: 'kept'}]);
  });

  test('an empty batch and an empty addition change nothing', async () => {
    await given().log.append([]);
    await append(given(), 'a', [], 1);

    expect(await given().log.read('a')).toEqual([]);
    expect(await given().log.list()).toEqual([]);
  });
}

function testReading(given: () => Journal): void {
  test.for([
    '{"type":"granted"}',
    '{"type":"constructor"}',
    '{"type":"received","event":null}',
    '{"type":"settled","key":"1"}',
    '{"type":"noted"}',
  ])('a correctly chained body that is not a valid entry is named: %s', async (text) => {
    await append(given(), 'a', [opened], 1);
    const body: EntryBody = JSON.parse(text);
    await given().log.append([{interaction: 'a', bodies: [body], at: 2}]);
    await append(given(), 'a', [settled('1')], 3);

    await expect(attempt(() => given().log.read('a'))).rejects.toMatchObject({
      code: 'journal_corrupt',
      message: expect.stringContaining('journal of a, entry 1: it is not a valid entry'),
    });
    expect((await given().log.salvage('a')).entries).toHaveLength(1);
  });

  test('the closing entry is read alone, and only of an interaction that has ended', async () => {
    const end: EntryBody = {type: 'closed', result: {status: 'failed'}, figures: {counts: {}}};
    await append(given(), 'a', [opened, settled('x')], 1);
    await append(given(), 'b', [opened, closed], 1);
    expect(await given().log.closing('a')).toBeUndefined();
    expect(await given().log.closing('b')).toEqual(closed);
    expect(await given().log.closing('nobody')).toBeUndefined();

    await append(given(), 'a', [settled('y'), end], 2);
    expect(await given().log.closing('a')).toEqual(end);
    await given().erase('a');
    expect(await given().log.closing('a')).toBeUndefined();
  });

  test('every hash depends on all entries before it', async () => {
    for (const [id, key] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
    ] as const) {
      await append(given(), id, [settled(key)], 1);
      await append(given(), id, [settled('same')], 1);
    }
    const a = await given().log.read('a');
    const b = await given().log.read('b');
    const c = await given().log.read('c');

    expect(a[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(a[1]?.hash).not.toBe(b[1]?.hash);
    expect(a[0]?.hash).not.toBe(c[0]?.hash);
  });

  test('changes to a passed-in event or a returned entry do not reach the journal', async () => {
    const event = {text: 'as it was'};
    const appended = append(given(), 'a', [{type: 'received', event}], 1);
    event.text = 'changed';
    await appended;
    Object.assign((await given().log.read('a'))[0] ?? {}, {seq: 9});

    expect(await given().log.read('a')).toMatchObject([{seq: 0, event: {text: 'as it was'}}]);
  });

  test('all entries of a sound interaction can be salvaged', async () => {
    await append(given(), 'a', [opened, settled('x')], 1);

    expect(await given().log.salvage('a')).toEqual({
      entries: await given().log.read('a'),
      damage: undefined,
    });
    expect(await given().log.salvage('other')).toEqual({entries: [], damage: undefined});
  });
}

function testIds(given: () => Journal): void {
  test.for(['', '../a', 'a/b', 'a\0', 'é', 'a'.repeat(65), 'a\n', "'; DROP TABLE entries; --"])(
    'log, owners and inbox refuse the id %j, and so does a host',
    async (id) => {
      const refusal = expect.objectContaining({code: 'usage'});
      const {log, owners, inbox, host} = given();
      const uses = [
        () => append(given(), id, [opened], 1),
        () => log.read(id),
        () => log.salvage(id),
        () => owners.own(id),
        () => owners.tenureOf(id),
        () => inbox.post(id, {}),
        () => inbox.read(id),
        () => inbox.remove(id, [1]),
        () => inbox.watch(id, () => {}),
        ...(host ? childUses(host, id) : []),
      ];
      for (const use of uses) await expect(attempt<unknown>(use)).rejects.toThrow(refusal);
    },
  );
}

function childUses({children}: Host, id: string): (() => unknown)[] {
  return [() => children.remember(id, 1, ''), () => children.list(id), () => children.forget(id)];
}

function openedIn(session: string, workspace: string) {
  return {...opened, input: {...opened.input, session, workspace}};
}

function testList(given: () => Journal): void {
  test('interactions are listed newest first, open ones without a status', async () => {
    await append(given(), 'old', [opened], 1000);
    await append(given(), 'new', [opened], 2000);
    await append(given(), 'tie', [opened], 2000);
    await append(given(), 'old', [settled('x'), closed], 3000);
    const rows = await given().log.list();

    expect(rows.map(({id}) => id)).toEqual(['tie', 'new', 'old']);
    expect(rows[1]).toMatchObject({entries: 1, updatedAt: 2000, status: undefined});
    expect(rows[2]).toEqual({
      id: 'old',
      form: 'agent',
      request: expect.stringContaining('Fix the "test"\n日本語'),
      workspace: '/w',
      openedAt: 1000,
      updatedAt: 3000,
      entries: 3,
      session: 'old',
      status: 'completed',
      answer: '42',
      bytes: expect.any(Number),
    });
  });

  test('the size of an interaction grows with each entry, and is zero after it was erased', async () => {
    const sizes: (number | undefined)[] = [];
    const measure = async (): Promise<void> => {
      sizes.push((await given().log.list()).find(({id}) => id === 'a')?.bytes);
    };
    await append(given(), 'a', [opened], 1);
    await measure();
    await append(given(), 'a', [settled('x', '日'.repeat(1000))], 2);
    await measure();
    await append(given(), 'a', [closed], 3);
    await measure();
    await given().erase('a');
    await append(given(), 'a', [opened], 4);
    await measure();

    const [first = 0, second = 0, third = 0, anew] = sizes;
    expect(second - first).toBeGreaterThanOrEqual(3000);
    expect(second - first).toBeLessThan(3200);
    expect(third).toBeGreaterThan(second);
    expect(anew).toBe(first);
  });

  test('an interaction is listed with the session it was opened in, otherwise with a session of its own', async () => {
    const inSession = {...opened, input: {...opened.input, session: 's'}};
    await append(given(), 'a', [opened], 1);
    await append(given(), 'b', [inSession], 2);
    await append(given(), 'c', [inSession], 3);

    expect((await given().log.list()).map(({id, session}) => [id, session])).toEqual([
      ['c', 's'],
      ['b', 's'],
      ['a', 'a'],
    ]);
  });

  test('those of one session, of one folder, or one alone are listed without the others', async () => {
    await append(given(), 'a', [openedIn('s', '/v')], 1);
    await append(given(), 'b', [openedIn('s', '/w')], 2);
    await append(given(), 'c', [openedIn('t', '/v')], 3);
    const ids = async (of: RowQuery) => (await given().log.list(of)).map(({id}) => id);

    expect(await ids({session: 's'})).toEqual(['b', 'a']);
    expect(await ids({workspace: '/v'})).toEqual(['c', 'a']);
    expect(await ids({session: 's', workspace: '/v'})).toEqual(['a']);
    expect(await ids({id: 'c'})).toEqual(['c']);
    expect(await ids({id: 'd'})).toEqual([]);
  });

  test('an interaction is listed with its answer or, without one, its summary; an open one has neither', async () => {
    const result = {status: 'failed', summary: 'It broke.'};
    await append(given(), 'answered', [opened, closed], 1);
    await append(given(), 'summed', [opened, {type: 'closed', result}], 2);
    await append(given(), 'open', [opened], 3);

    expect((await given().log.list()).map(({id, answer}) => [id, answer])).toEqual([
      ['open', undefined],
      ['summed', 'It broke.'],
      ['answered', '42'],
    ]);
  });
}

function testOwnership(given: () => Journal): void {
  const own = async (id: string) => await given().owners.own(id);

  test('an interaction has one owner at a time, other interactions stay free', async () => {
    const ownership = await own('a');
    await own('b');

    await expect(own('a')).rejects.toThrow(
      expect.objectContaining({code: 'busy', message: expect.stringContaining('interaction a')}),
    );
    await ownership.release();
    await expect(own('a')).resolves.toBeDefined();
  });

  test('the tenure of an interaction can be read without taking it', async () => {
    expect(await given().owners.tenureOf('a')).toBe('free');
    const ownership = await own('a');
    expect(await given().owners.tenureOf('a')).toBe('owned');
    await ownership.release();
    expect(await given().owners.tenureOf('a')).toBe('free');
    await expect(own('a')).resolves.toBeDefined();
  });

  test('a second release does not take the interaction from its next owner', async () => {
    const first = await own('a');
    await first.release();
    await own('a');
    await first.release();

    await expect(own('a')).rejects.toThrow(expect.objectContaining({code: 'busy'}));
  });

  test('an ownership released after the journal was closed is harmless', async () => {
    const ownership = await own('a');
    await given().close();

    await expect(attempt(() => ownership.release())).resolves.toBeUndefined();
    await expect(attempt(() => given().close())).resolves.toBeUndefined();
  });

  test('a new owner appends after the last entry of the former one', async () => {
    const first = await own('a');
    await append(given(), 'a', [opened], 1);
    await first.release();
    await own('a');
    expect(await given().log.read('a')).toHaveLength(1);
    await append(given(), 'a', [settled('next')], 2);

    expect(await given().log.read('a')).toMatchObject([{seq: 0}, {seq: 1, key: 'next'}]);
  });
}

function testChildren(given: () => Journal): void {
  test('child processes are remembered until they are forgotten', async () => {
    const children = given().host?.children;
    if (!children) return;
    await children.remember('a', 4711, 'Mon');
    await children.remember('a', 4712, 'Tue');
    await children.remember('b', 1, 'Wed');

    expect(await children.list('a')).toEqual([
      {processGroup: 4711, startedAt: 'Mon'},
      {processGroup: 4712, startedAt: 'Tue'},
    ]);
    await children.forget('a');
    expect(await children.list('a')).toEqual([]);
    expect(await children.list('b')).toHaveLength(1);
  });
}

function testBackups(given: () => Journal): void {
  test('file backups are kept in order, per run, also after the end of the run', async () => {
    const {backups, log} = given();
    const content = Buffer.from([0, 255, 10]);
    const replaced = {
      path: 'a',
      effect: 'i/call#1',
      before: {hash: 'h', mode: 0o640, content},
      after: 'i',
    };
    const hidden = {path: 'b', before: {hash: 'h', mode: 0o600, content: 'secret'}} as const;
    await append(given(), 'a', [opened], 1);
    await backups?.keep('a', [replaced]);
    await backups?.keep('b', [{path: 'c', after: 'i'}]);
    await backups?.keep('a', [hidden]);
    await log.append([{interaction: 'a', bodies: [closed], at: 2}]);
    content.fill(7);

    expect(await backups?.list('a')).toEqual([
      {...replaced, before: {...replaced.before, content: new Uint8Array([0, 255, 10])}},
      hidden,
    ]);
    expect(await backups?.list('b')).toEqual([{path: 'c', after: 'i'}]);
    expect(await backups?.list('c')).toEqual([]);
    expect([...((await backups?.sizes()) ?? [])]).toEqual([['a', 3]]);
  });
}

function testErasing(given: () => Journal): void {
  test('erasing an interaction removes everything of it and nothing of others', async () => {
    const {log, inbox, host, backups, owners, erase} = given();
    for (const id of ['a', 'b']) {
      await owners.own(id);
      await append(given(), id, [opened, settled('x')], 1);
      await inbox.post(id, {type: 'user.said', text: 'mine'});
      await host?.children.remember(id, 1234, 'then');
      await backups?.keep(id, [{path: 'c', after: 'i'}]);
    }
    await erase('a');
    await erase('never-there');

    const left = async (id: string) => [
      await log.read(id),
      await inbox.read(id),
      (await host?.children.list(id)) ?? [],
      (await backups?.list(id)) ?? [],
    ];
    expect(await left('a')).toEqual([[], [], [], []]);
    expect((await left('b')).map(({length}) => length)).toEqual([
      2,
      1,
      host ? 1 : 0,
      backups ? 1 : 0,
    ]);
    expect((await log.list()).map(({id}) => id)).toEqual(['b']);
  });

  test('after erasing an interaction, its owner still owns the id and may open it anew', async () => {
    const {log, owners, erase} = given();
    const owned = await owners.own('a');
    await append(given(), 'a', [opened, closed], 1);
    await erase('a');

    expect(await owners.tenureOf('a')).toBe('owned');
    await append(given(), 'a', [opened], 2);
    await owned.release();
    expect(await log.read('a')).toMatchObject([{type: 'opened', seq: 0}]);
    expect(await log.list()).toMatchObject([{id: 'a', status: undefined, openedAt: 2}]);
  });
}
