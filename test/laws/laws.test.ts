/** The laws read in the record of a real run, and in records that differ from it in one place. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {beforeAll, describe, expect, onTestFinished, test} from 'vitest';

import {type RecordedRun, readRecordedRun} from '../../actors/history/record.ts';
import {createSqliteJournal} from '../../actors/index.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import {unpackBefore} from '../fixtures/journals/recorded.ts';
import {createScenario} from '../support/scenario.ts';
import {readAllLaws} from './laws.ts';

let recorded: RecordedRun;

beforeAll(async () => {
  const {start, journal} = createScenario();
  const {id, result} = start();
  await result;
  recorded = await readRecordedRun(id, await journal.log.read(id));
});

type Of<Type extends Entry['type']> = Extract<Entry, {readonly type: Type}>;

/** The record with the entries that the function returns in place of each. They are numbered anew. */
function rewritten(change: (entry: Entry) => readonly Entry[]): RecordedRun {
  const entries = recorded.entries
    .flatMap((entry) => change(entry))
    .map((entry, seq) => Object.assign({}, entry, {seq}));
  return {...recorded, entries};
}

function changed<Type extends Entry['type']>(
  type: Type,
  change: (entry: Of<Type>) => Partial<Of<Type>>,
): RecordedRun {
  const isOfType = (entry: Entry): entry is Of<Type> => entry.type === type;
  return rewritten((entry) =>
    isOfType(entry) ? [Object.assign({}, entry, change(entry))] : [entry],
  );
}

/** The record with another member in the notes of a panel about actions. */
function inRounds(change: (round: JsonObject) => JsonObject): RecordedRun {
  return changed('noted', ({note}) =>
    note['type'] === 'quorum.decided' && note['kind'] === 'action'
      ? {note: {...note, ...change(note)}}
      : {},
  );
}

function inResult(change: (result: JsonObject) => JsonObject): RecordedRun {
  return changed('closed', ({result}) => ({result: {...result, ...change(result)}}));
}

function votesIn({votes}: JsonObject): JsonObject[] {
  return Array.isArray(votes) ? votes.filter((vote) => isJsonObject(vote)) : [];
}

function lawsBrokenIn(run: RecordedRun): number[] {
  return [...new Set(readAllLaws(run).violations.map(({law}) => law))];
}

const received = (event: JsonObject, {seq, at, hash}: Entry): Entry => ({
  type: 'received',
  event,
  seq,
  at,
  hash,
});

const noted = (note: JsonObject, {seq, at, hash}: Entry): Entry => ({
  type: 'noted',
  by: 'host',
  note,
  seq,
  at,
  hash,
});

const dropped = (isDropped: (entry: Entry) => boolean): RecordedRun =>
  rewritten((entry) => (isDropped(entry) ? [] : [entry]));

const before = (type: Entry['type'], make: (entry: Entry) => Entry): RecordedRun =>
  rewritten((entry) => (entry.type === type ? [make(entry), entry] : [entry]));

const twice = (type: Entry['type']): RecordedRun => before(type, (entry) => entry);

const inVotes = (vote: JsonObject, more: JsonObject = {}): RecordedRun =>
  inRounds((round) => ({
    votes: votesIn(round).map((each) => Object.assign({}, each, vote)),
    ...more,
  }));

/** Each begins with the law that it breaks. */
const forgeries: Readonly<Record<string, () => RecordedRun>> = {
  '1: of a call with another approval': () => changed('requested', () => ({approval: 'other'})),
  '1: of another call': () => changed('requested', () => ({callHash: 'c', approval: 'c'})),
  '1: without the decisions of the panel on actions': () =>
    dropped((entry) => entry.type === 'noted' && entry.note['kind'] === 'action'),
  '3: of a vote that is counted twice': () =>
    inRounds((round) => ({votes: [...votesIn(round), ...votesIn(round).slice(0, 1)]})),
  '3: of an approval by a reviewer that did not vote': () =>
    inVotes({abstainedBecause: 'deadline passed'}),
  '3: of an approval without approvals': () => inVotes({verdict: 'abstain'}, {verdict: 'approved'}),
  '4: of a rejection that the remaining ballots could have changed': () =>
    inRounds(() => ({votes: [], verdict: 'rejected', approved: false})),
  '5: of a completed run with a failed task': () =>
    inResult(() => ({tasks: [{id: 'd', status: 'failed'}]})),
  '5: of a result with another exit code': () => inResult(() => ({exitCode: 1})),
  '6: of a cancel before the first effect': () =>
    before('requested', (entry) => received({type: 'user.cancel'}, entry)),
  '7: of an interaction of depth 4': () =>
    before('closed', (entry) =>
      noted({type: 'interaction.spawned', child: 'x.4', depth: 4}, entry),
    ),
  '9: of an outcome that counts twice': () => twice('settled'),
  '9: of another result': () => inResult(() => ({summary: 'All is well.'})),
  '10: of an effect that was begun again': () => twice('requested'),
  '10: of an outcome without a beginning': () => dropped(({type}) => type === 'requested'),
  '10: of an effect without an outcome': () =>
    dropped((entry) => entry.type === 'settled' && entry.key.endsWith('/run#1')),
  '12: of more calls than its limit allows': () =>
    changed('opened', ({input}) => ({
      input: {...input, limits: {maxCostUsd: 5, maxModelCalls: 3, timeoutMs: 1}},
    })),
  '12: of another usage': () => inResult(() => ({usage: {modelCalls: 0}})),
};

describe('a record', () => {
  test('of a run as it was breaks no law', () => {
    const {violations, unchecked} = readAllLaws(recorded);
    expect(violations).toEqual([]);
    expect(unchecked.map(({law}) => law)).toEqual([]);
  });

  test.each(Object.entries(forgeries))('breaks law %s', (name, forged) => {
    expect(lawsBrokenIn(forged())).toContain(Number.parseInt(name, 10));
  });

  test('names the entry that breaks a law', () => {
    const first = recorded.entries.find(({type}) => type === 'requested');
    const {violations} = readAllLaws(changed('requested', () => ({approval: 'other'})));
    expect(violations[0]).toMatchObject({law: 1, entry: first?.seq});
  });

  test('of a task that is claimed to have succeeded breaks law 14', () => {
    const {replayed} = recorded;
    const failed = {status: 'failed'} as const;
    const reports = (replayed?.reports ?? []).map((placed) =>
      placed.report.type === 'task.settled'
        ? Object.assign({}, placed, {report: Object.assign({}, placed.report, failed)})
        : placed,
    );
    const run = replayed ? {...recorded, replayed: {...replayed, reports}} : recorded;
    expect(lawsBrokenIn(run)).toEqual([14]);
  });

  test('of a child whose task has the id of a successful task of the root breaks no law', () => {
    const {replayed} = recorded;
    const failed = (replayed?.reports ?? []).flatMap((placed) =>
      placed.report.type === 'task.settled'
        ? [
            Object.assign({}, placed, {
              actor: `interaction/form/interaction:x.1/form`,
              report: Object.assign({}, placed.report, {status: 'failed'}),
            }),
          ]
        : [],
    );
    expect(failed).toHaveLength(4);
    const reports = [...(replayed?.reports ?? []), ...failed];
    const run = replayed ? {...recorded, replayed: {...replayed, reports}} : recorded;
    expect(lawsBrokenIn(run)).toEqual([]);
  });

  test('of an approval whose reviewer rejected what "was approved before" breaks law 3', () => {
    const rejection = {verdict: 'reject', reasons: ['it was approved before'], confidence: 1};
    const run = changed('settled', ({key, outcome}) =>
      key.includes('/seat:x/') && isJsonObject(outcome)
        ? {outcome: {...outcome, calls: [{id: 'c', name: 'cast_ballot', args: rejection}]}}
        : {},
    );
    expect(readAllLaws(run).violations).toContainEqual(
      expect.objectContaining({law: 3, message: 'the ballot of x is in no recorded reply'}),
    );
  });
});

/** A record whose entries name no tools, and whose charts are gone. */
function earlier(): RecordedRun {
  const {id, entries} = recorded;
  return {
    id,
    entries: entries.map((entry): Entry => {
      if (entry.type === 'opened') return Object.assign({}, entry, {version: 'earlier'});
      if (entry.type !== 'requested') return entry;
      const {type, key, request, seq, at, hash} = entry;
      return {type, key, request, seq, at, hash};
    }),
  };
}

test('no run of every form in a journal on disk breaks a law', async () => {
  const home = mkdtempSync(join(tmpdir(), 'quorate-laws-'));
  onTestFinished(() => rmSync(home, {recursive: true}));
  const path = join(home, 'journal.db');
  unpackBefore(path);
  const journal = createSqliteJournal(path);
  for (const {id} of await journal.log.list()) {
    const {entries} = await journal.log.salvage(id);
    expect(readAllLaws(await readRecordedRun(id, entries)).violations).toEqual([]);
  }
  await journal.close();
});

test('a record of an earlier version breaks no law, and the laws that can not be checked are named', () => {
  const {violations, unchecked} = readAllLaws(earlier());
  expect(violations).toEqual([]);
  expect([...new Set(unchecked.map(({law}) => law))]).toEqual([1, 2, 9]);
  expect(unchecked.find(({law}) => law === 9)?.because).toContain('version earlier');
});
