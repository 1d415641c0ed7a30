/** The parts of a journal's contract that are about positions, messages, signatures, and reactions to runs. */

import {createHash, createPublicKey, generateKeyPairSync, sign, verify} from 'node:crypto';

import {beforeEach, describe, expect, test} from 'vitest';

import type {Awaitable, Entry, EntryBody, Journal} from '../../../actors/journal/journal.ts';
import {type Envelope, payloadType, type Sign} from '../../../actors/journal/signing-key.ts';
import {createMemoryJournal} from '../../../actors/journal/sqlite.ts';
import type {JsonObject} from '../../../machines/domain/json.ts';
import {append, attempt, closed, messagesFor, opened, settled} from './entries.ts';

type Create = (options?: {readonly sign?: Sign}) => Awaitable<Journal>;

const {privateKey} = generateKeyPairSync('ed25519');

/** DSSE by its specification alone. */
function signTest(payload: string): Envelope {
  const text = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} ${payload}`;
  const sig = sign(null, Buffer.from(text), privateKey).toString('base64');
  return {payloadType, payload: btoa(payload), signatures: [{keyid: 'test', sig}]};
}

function isValid({payloadType: type, payload: coded, signatures}: Envelope): boolean {
  const payload = atob(coded);
  const text = Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} ${payload}`);
  const sig = Buffer.from(signatures[0].sig, 'base64');
  return verify(null, text, createPublicKey(privateKey), sig);
}

const decided: EntryBody = {
  type: 'received',
  event: {type: 'human.decided', gate: 'g', decision: 'approve', reason: '日本語 \ud800'},
  digest: 'd1',
};
const confirmed: EntryBody = {
  type: 'received',
  event: {type: 'person.replied', ask: 'a', text: 'submit', confirms: true},
};
const replied: EntryBody = {
  type: 'received',
  event: {type: 'person.replied', ask: 'a', text: 'blue'},
};

function payloadOf({signature}: Entry): unknown {
  return signature && JSON.parse(atob(signature.payload));
}

function digestOf(body: EntryBody): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}

export function testSigning(create: Create): void {
  test('with a signer, decisions of persons and the end are signed, and nothing else', async () => {
    const journal = await create({sign: signTest});
    await append(journal, 'a', [opened, replied, decided], 1000);
    await append(journal, 'a', [settled('x'), confirmed], 2000);
    await append(journal, 'a', [closed], 3000);

    const entries = await journal.log.read('a');
    expect(entries.filter(({signature}) => signature).map(({seq}) => seq)).toEqual([2, 4, 5]);
    expect(entries[2]).toEqual({
      ...JSON.parse(JSON.stringify(decided)),
      seq: 2,
      at: 1000,
      hash: expect.any(String),
      signature: expect.objectContaining({payloadType}),
    });
    await journal.close();
  });

  test('a signature covers the entry, its place and the hash before it', async () => {
    const journal = await create({sign: signTest});
    await append(journal, 'a', [opened, decided], 1000);
    await append(journal, 'a', [closed], 2000);

    const [first, second, third] = await journal.log.read('a');
    expect([second, third].map((entry) => entry && payloadOf(entry))).toEqual([
      {interaction: 'a', seq: 1, at: 1000, previous: first?.hash, body: digestOf(decided)},
      {interaction: 'a', seq: 2, at: 2000, previous: second?.hash, body: digestOf(closed)},
    ]);
    for (const entry of [second, third]) {
      expect(entry?.signature && isValid(entry.signature)).toBe(true);
      expect(Object.keys(entry ?? {}).slice(-4)).toEqual(['signature', 'seq', 'at', 'hash']);
    }
    await journal.close();
  });

  test('a signed addition with a position adds nothing when it is repeated', async () => {
    const journal = await create({sign: signTest});
    const addition = {interaction: 'a', bodies: [opened, decided], at: 1000, seq: 0};
    await journal.log.append([addition]);
    const entries = await journal.log.read('a');
    await journal.log.append([addition]);

    expect(await journal.log.read('a')).toEqual(entries);
    await journal.close();
  });

  test('the hash of an entry covers its signature', async () => {
    const [journal, plain] = [await create({sign: signTest}), createMemoryJournal()];
    for (const each of [journal, plain]) await append(each, 'a', [opened, closed], 1000);
    const [signed, unsigned] = [await journal.log.read('a'), await plain.log.read('a')];
    expect(signed[0]).toEqual(unsigned[0]);
    expect(signed[1]?.hash).not.toBe(unsigned[1]?.hash);
    await journal.close();
  });

  test('a signer without a key leaves the entries as they are', async () => {
    const [journal, plain] = [await create({sign: () => undefined}), createMemoryJournal()];
    for (const each of [journal, plain]) await append(each, 'a', [opened, decided, closed], 1000);
    expect(await journal.log.read('a')).toEqual(plain.log.read('a'));
    await journal.close();
  });
}

export function testReactions(given: () => Journal): void {
  test('of ratings the last one counts; an undo is kept beside it', async () => {
    const {reactions} = given();
    if (!reactions) return;
    await append(given(), 'a', [opened, closed], 1);
    await append(given(), 'b', [opened, closed], 2);
    await reactions.add('a', {kind: 'down', at: 3, words: 'no "tests"\n日本語'});
    await reactions.add('a', {kind: 'undone', at: 4});
    await reactions.add('b', {kind: 'down', at: 5});
    await reactions.add('unknown', {kind: 'up', at: 6});
    const own = async () => (await reactions.list('a')).toSorted((one, other) => one.at - other.at);
    expect(await own()).toEqual([
      {interaction: 'a', kind: 'down', at: 3, words: 'no "tests"\n日本語'},
      {interaction: 'a', kind: 'undone', at: 4},
    ]);

    await reactions.add('a', {kind: 'up', at: 7});
    expect(await own()).toEqual([
      {interaction: 'a', kind: 'undone', at: 4},
      {interaction: 'a', kind: 'up', at: 7},
    ]);
    expect(await reactions.list()).toHaveLength(3);
    expect(await reactions.list('unknown')).toEqual([]);
  });

  test('erasing an interaction erases its reactions, and no others', async () => {
    const {reactions, erase} = given();
    if (!reactions) return;
    for (const id of ['a', 'b']) {
      await append(given(), id, [opened, settled('x'), closed], 1);
      await reactions.add(id, {kind: 'up', at: 2, words: `words on ${id}`});
    }
    await erase('a');
    expect(await reactions.list()).toMatchObject([{interaction: 'b'}]);

    await append(given(), 'a', [opened, closed], 3);
    expect(await reactions.list('a')).toEqual([]);
  });

  test('a reaction to an invalid id is refused', async () => {
    const {reactions} = given();
    if (!reactions) return;
    await expect(attempt(() => reactions.add('../a', {kind: 'up', at: 1}))).rejects.toMatchObject({
      code: 'usage',
    });
  });
}

export function testPositions(given: () => Journal): void {
  describe('an addition with a position', () => {
    const second = {interaction: 'a', bodies: [settled('1'), decided], at: 5, seq: 1};

    beforeEach(async () => {
      await append(given(), 'a', [opened], 1);
      await given().log.append([second]);
    });

    test('follows the entries before it', async () => {
      expect(await given().log.read('a')).toMatchObject([{seq: 0}, {seq: 1}, {seq: 2, at: 5}]);
    });

    test('adds nothing when it is repeated, alone, in a batch, and after more entries', async () => {
      await given().log.append([second]);
      await given().log.append([second, {...second, bodies: [settled('2')], seq: 3}]);
      await given().log.append([second]);

      expect(await given().log.read('a')).toMatchObject([
        {seq: 0},
        {seq: 1},
        {seq: 2},
        {key: '2', seq: 3},
      ]);
      await append(given(), 'a', [closed], 6);
      expect(await given().log.read('a')).toHaveLength(5);
    });

    test.for([
      ['at a taken position, with another body', {bodies: [settled('other'), decided]}],
      ['at a taken position, with another time', {at: 6}],
      ['at a taken position, with more entries', {bodies: [settled('1'), decided, closed]}],
      ['before the beginning of another', {bodies: [decided], seq: 1}],
      ['beyond the end', {seq: 4}],
    ] as const)('is refused %s, and nothing of its batch is kept', async ([, change]) => {
      const other = {interaction: 'b', bodies: [opened], at: 9};
      await expect(
        attempt(() => given().log.append([other, {...second, ...change}])),
      ).rejects.toMatchObject({code: 'busy'});

      expect(await given().log.read('a')).toHaveLength(3);
      expect(await given().log.read('b')).toEqual([]);
    });
  });
}

export function testInbox(given: () => Journal): void {
  test('an inbox accepts any JSON value: the reader validates it', async () => {
    const {inbox} = given();
    const nothing: JsonObject = JSON.parse('null');
    await inbox.post('a', nothing);

    expect(await messagesFor(given(), 'a')).toEqual([null]);
  });

  describe('messages', () => {
    beforeEach(async () => {
      const {inbox} = given();
      await append(given(), 'a', [opened], 1);
      await inbox.post('a', {type: 'user.cancel', n: 1});
      await inbox.post('b', {n: 2});
      await inbox.post('a', {n: 3});
    });

    test('are read oldest first, each by its own interaction, and stay', async () => {
      for (const _ of [1, 2]) {
        expect(await messagesFor(given(), 'a')).toEqual([{type: 'user.cancel', n: 1}, {n: 3}]);
      }
      expect(await messagesFor(given(), 'b')).toEqual([{n: 2}]);
    });

    test('are removed with the addition that records them, not with one that fails', async () => {
      const {log, inbox} = given();
      const [first] = await inbox.read('a');
      const [other] = await inbox.read('b');
      const taken = [first?.id ?? 0, other?.id ?? 0];
      const addition = {interaction: 'a', bodies: [settled('x')], at: 2, taken};
      await expect(attempt(() => log.append([{...addition, seq: 5}]))).rejects.toMatchObject({
        code: 'busy',
      });
      expect(await messagesFor(given(), 'a')).toHaveLength(2);

      await log.append([addition]);
      expect(await messagesFor(given(), 'a')).toEqual([{n: 3}]);
      expect(await messagesFor(given(), 'b')).toEqual([{n: 2}]);
    });

    test('that no entry records are removed by their ids', async () => {
      const {inbox} = given();
      const [first] = await inbox.read('a');
      await inbox.remove('b', [first?.id ?? 0]);
      expect(await messagesFor(given(), 'a')).toHaveLength(2);
      await inbox.remove('a', [first?.id ?? 0]);
      expect(await messagesFor(given(), 'a')).toEqual([{n: 3}]);
    });
  });

  test('a watcher is notified of a message soon, but never synchronously by the post', async () => {
    const notified: string[] = [];
    const watched = new Promise<void>((resolve) => {
      given().inbox.watch('a', () => {
        notified.push('a');
        resolve();
      });
    });
    given().inbox.watch('b', () => notified.push('b'));

    const posted = given().inbox.post('a', {n: 1});
    expect(notified).toEqual([]);
    await posted;
    await watched;
    expect(notified).toEqual(['a']);
  });

  test('a watcher is notified of messages posted before it started', async () => {
    await given().inbox.post('a', {n: 1});

    await new Promise<void>((resolve) => {
      given().inbox.watch('a', resolve);
    });
    expect(await messagesFor(given(), 'a')).toEqual([{n: 1}]);
  });

  test('a stopped watcher is not notified, not even of a message already posted', async () => {
    const notified: string[] = [];
    const stop = given().inbox.watch('a', () => notified.push('stopped'));
    const other = new Promise<void>((resolve) => {
      given().inbox.watch('a', resolve);
    });
    const posted = given().inbox.post('a', {n: 1});
    stop();
    stop();

    await posted;
    await other;
    expect(notified).toEqual([]);
  });
}
