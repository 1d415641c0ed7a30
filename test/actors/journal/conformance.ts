/** What every journal must do, whatever it keeps its entries in. */

import {afterEach, beforeEach, describe, expect, test} from 'vitest';

import type {Journal} from '../../../actors/journal/journal.ts';
import {closed, opened, settled} from './entries.ts';

/** `create` makes an empty journal; what it makes is closed after each test. */
export function describeJournal(name: string, create: () => Journal): void {
  describe(`${name} keeps the contract of a journal:`, () => {
    let journal: Journal;
    beforeEach(() => {
      journal = create();
    });
    afterEach(() => journal.close());
    const given = () => journal;

    testEntries(given);
    testSessions(given);
    testOwnership(given);
    testInbox(given);
    testChildren(given);
  });
}

function testEntries(given: () => Journal): void {
  test('what was appended is read back in order, numbered from 0, with its time', () => {
    const first = given().append('a', [opened, settled('x')], 1000);
    const second = given().append('a', [{...settled('y'), digest: 'd1'}], 2000);

    expect(given().read('a')).toEqual([...first, ...second]);
    expect(second).toMatchObject([{type: 'settled', key: 'y', seq: 2, at: 2000, digest: 'd1'}]);
    expect(first.map(({seq, at}) => [seq, at])).toEqual([
      [0, 1000],
      [1, 1000],
    ]);
  });

  test('every hash depends on all that came before it', () => {
    for (const [id, key] of [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
    ] as const) {
      given().append(id, [settled(key)], 1);
      given().append(id, [settled('same')], 1);
    }
    const [a, b, c] = ['a', 'b', 'c'].map((id) =>
      given()
        .read(id)
        .map(({hash}) => hash),
    );

    expect(a?.[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(a?.[1]).not.toBe(b?.[1]);
    expect(a?.[0]).not.toBe(c?.[0]);
  });

  test('interactions are counted apart, also within one shared transaction', () => {
    const [forA, forB, againA] = given().appendMany([
      {interaction: 'a', bodies: [opened, settled('1')], at: 5},
      {interaction: 'b', bodies: [opened], at: 6},
      {interaction: 'a', bodies: [settled('2')], at: 7},
    ]);

    expect(given().read('a')).toEqual([...(forA ?? []), ...(againA ?? [])]);
    expect(given().read('b')).toEqual(forB);
    expect(againA?.[0]).toMatchObject({seq: 2, at: 7});
    expect(given().read('other')).toEqual([]);
  });

  test('a batch with one body that is not JSON leaves nothing, and the next append works', () => {
    const circle: Record<string, never> = {};
    Object.assign(circle, {circle});
    given().append('a', [opened], 1);

    expect(() =>
      given().appendMany([
        {interaction: 'a', bodies: [settled('lost')], at: 2},
        {interaction: 'b', bodies: [{type: 'received', event: circle}], at: 2},
      ]),
    ).toThrow(TypeError);
    expect(given().read('a')).toHaveLength(1);
    expect(given().append('a', [settled('kept')], 3)[0]).toMatchObject({seq: 1});
    expect(given().read('a')).toHaveLength(2);
  });

  test('an entry read back cannot be changed through what was passed in or handed out', () => {
    const event = {text: 'as it was'};
    const [entry] = given().append('a', [{type: 'received', event}], 1);
    event.text = 'changed';
    Object.assign(given().read('a')[0] ?? {}, {seq: 9});

    expect(given().read('a')).toMatchObject([{seq: 0, event: {text: 'as it was'}}]);
    expect(entry).toMatchObject({seq: 0});
  });

  test('an empty batch and an empty addition change nothing', () => {
    expect(given().appendMany([])).toEqual([]);
    expect(given().append('a', [], 1)).toEqual([]);
    expect(given().read('a')).toEqual([]);
    expect(given().sessions()).toEqual([]);
  });

  test.for(['', '../a', 'a/b', 'a\0', 'é', 'a'.repeat(65), 'a\n', "'; DROP TABLE entries; --"])(
    'the id %j is refused wherever one is given',
    (id) => {
      const refusal = expect.objectContaining({code: 'usage'});
      const uses = [
        () => given().append(id, [opened], 1),
        () => given().read(id),
        () => given().own(id),
        () => given().post(id, {}),
        () => given().take(id),
        () => given().watch(id, () => {}),
        () => given().rememberChild(id, 1, ''),
        () => given().children(id),
        () => given().forgetChildren(id),
      ];
      for (const use of uses) expect(use).toThrow(refusal);
    },
  );
}

function testSessions(given: () => Journal): void {
  test('sessions are listed newest first, open ones without a status', () => {
    given().append('old', [opened], 1000);
    given().append('new', [opened], 2000);
    given().append('tie', [opened], 2000);
    given().append('old', [settled('x'), closed], 3000);

    expect(
      given()
        .sessions()
        .map(({id}) => id),
    ).toEqual(['tie', 'new', 'old']);
    expect(given().sessions()[1]).toMatchObject({entries: 1, updatedAt: 2000, status: undefined});
    expect(given().sessions()[2]).toEqual({
      id: 'old',
      form: 'agent',
      request: expect.stringContaining('Fix the "test"\n日本語'),
      workspace: '/w',
      openedAt: 1000,
      updatedAt: 3000,
      entries: 3,
      status: 'completed',
    });
  });
}

function testOwnership(given: () => Journal): void {
  test('an interaction has one owner at a time, others are free', () => {
    const ownership = given().own('a');
    given().own('b');

    expect(() => given().own('a')).toThrow(
      expect.objectContaining({code: 'busy', message: expect.stringContaining('interaction a')}),
    );
    ownership.release();
    expect(() => given().own('a')).not.toThrow();
  });

  test('releasing twice does not take the interaction from its next owner', () => {
    const first = given().own('a');
    first.release();
    given().own('a');
    first.release();

    expect(() => given().own('a')).toThrow(expect.objectContaining({code: 'busy'}));
  });

  test('an ownership released after the journal was closed is harmless', () => {
    const ownership = given().own('a');
    given().close();

    expect(() => ownership.release()).not.toThrow();
    expect(() => given().close()).not.toThrow();
  });
}

function testInbox(given: () => Journal): void {
  test('messages are taken once, oldest first, each by its own interaction', () => {
    given().post('a', {type: 'user.cancel', n: 1});
    given().post('b', {n: 2});
    given().post('a', {n: 3});

    expect(given().take('a')).toEqual([{type: 'user.cancel', n: 1}, {n: 3}]);
    expect(given().take('a')).toEqual([]);
    expect(given().take('b')).toEqual([{n: 2}]);
  });

  test('a watcher hears of a message at once, but never on the stack of whoever posts', async () => {
    const heard: string[] = [];
    const told = new Promise<void>((resolve) => {
      given().watch('a', () => {
        heard.push('a');
        resolve();
      });
    });
    given().watch('b', () => heard.push('b'));

    given().post('a', {n: 1});
    expect(heard).toEqual([]);
    await told;
    expect(heard).toEqual(['a']);
  });

  test('a watcher hears of messages that were left before it came', async () => {
    given().post('a', {n: 1});

    await new Promise<void>((resolve) => {
      given().watch('a', resolve);
    });
    expect(given().take('a')).toEqual([{n: 1}]);
  });

  test('a watcher that has stopped hears nothing, not even of a message on its way', async () => {
    const heard: string[] = [];
    const stop = given().watch('a', () => heard.push('stopped'));
    const other = new Promise<void>((resolve) => {
      given().watch('a', resolve);
    });
    given().post('a', {n: 1});
    stop();
    stop();

    await other;
    expect(heard).toEqual([]);
  });
}

function testChildren(given: () => Journal): void {
  test('child processes are remembered until they are forgotten', () => {
    given().rememberChild('a', 4711, 'Mon');
    given().rememberChild('a', 4712, 'Tue');
    given().rememberChild('b', 1, 'Wed');

    expect(given().children('a')).toEqual([
      {processGroup: 4711, startedAt: 'Mon'},
      {processGroup: 4712, startedAt: 'Tue'},
    ]);
    given().forgetChildren('a');
    expect(given().children('a')).toEqual([]);
    expect(given().children('b')).toHaveLength(1);
  });
}
