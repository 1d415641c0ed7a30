/** Forged exports of a run: each is found and named, by `verify` and by the program on its page. */

import {createHash} from 'node:crypto';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {execa} from 'execa';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {ActorTree} from '../../../actors/engine/actor-tree.ts';
import {replay} from '../../../actors/engine/replay.ts';
import type {Entry} from '../../../actors/journal/journal.ts';
import {
  type Check,
  type Verification,
  readExportedRun,
} from '../../../actors/verify/exported-run.ts';
import {requiredKeys, verifyRun} from '../../../actors/verify/verify.ts';
import {ports} from '../../../machines/port-natures.ts';
import {treeMachine} from '../../../machines/tree/tree.ts';
import {codeBlocks, readDocument} from '../../support/documents.ts';
import {cells} from '../../support/rows.ts';
import {
  chainAnew,
  exportText,
  forgeriesOf,
  isDecision,
  recordSignedRun,
  type SignedRun,
  withoutSignature,
} from './signed-run.ts';

let folder: string;
let signed: SignedRun;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-verify-'));
  signed = await recordSignedRun(folder);
});
afterAll(() => rmSync(folder, {recursive: true}));

async function verifyEntries(entries: readonly Entry[]): Promise<Verification> {
  const run = await readExportedRun(exportText(entries).split('\n'));
  return await verifyRun(run, requiredKeys({key: signed.key}));
}

function failuresOf({checks}: Verification): readonly Check[] {
  return checks.filter(({state}) => state === 'fails');
}

interface Printed {
  readonly exitCode: number | undefined;
  readonly lines: readonly string[];
}

/** Runs the program of the page in an empty folder. */
async function runScript(entries: readonly Entry[]): Promise<Printed> {
  const cwd = mkdtempSync(join(folder, 'empty-'));
  const [code = ''] = codeBlocks(readDocument('actors/verify/verify.md'), 'js');
  writeFileSync(join(cwd, 'check.mjs'), code);
  writeFileSync(join(cwd, 'run.jsonl'), exportText(entries));
  writeFileSync(join(cwd, 'key.pem'), signed.key);
  const {exitCode, stdout, stderr} = await execa({
    cwd,
    env: {PATH: process.env['PATH'] ?? ''},
    extendEnv: false,
    reject: false,
  })`${process.execPath} check.mjs run.jsonl key.pem`;
  expect(stderr).toBe('');
  return {exitCode, lines: stdout.split('\n')};
}

const names = cells(`
  a missing tail ¦ a missing end ¦ a changed entry ¦ a changed entry, chained anew ¦ a missing entry
  a missing entry, chained anew ¦ reordered entries ¦ reordered entries, chained anew
  an inserted entry ¦ an inserted entry, chained anew ¦ a forged decision
  a forged decision, chained anew ¦ a forged decision without signatures
  an unsigned decision, and a signed end ¦ a decision whose signature is left out, and a signed end
  a second, unsigned decision ¦ an entry after the end
`);

describe('a signed run', () => {
  test('holds, and its decision names the exact proposal', async () => {
    const {entries, id} = signed;
    const verified = await verifyEntries(entries);
    expect(failuresOf(verified)).toEqual([]);
    expect(verified).toMatchObject({id, holds: true, entries: entries.length});
    expect(verified.checks.filter(({check}) => check !== 'laws')).toMatchObject([
      {check: 'chain', state: 'holds', finding: 'chained'},
      {check: 'end', state: 'holds', finding: 'ended', entry: entries.length - 1},
      {check: 'replay', state: 'holds', finding: 'replayed'},
      {check: 'signatures', state: 'holds', finding: 'signed', entry: entries.length - 1},
    ]);
    expect(entries.find(isDecision)?.event).toEqual({
      type: 'human.decided',
      decision: 'approve',
      gate: expect.any(String),
      proposalHash: proposalOf(entries),
      by: 'person',
    });
  });

  test('is sound for the program on the page, which lists who decided what', async () => {
    const {exitCode, lines} = await runScript(signed.entries);
    expect([exitCode, lines.at(-1)]).toEqual([0, `${signed.id}: sound and signed`]);
    const {seq, at} = signed.entries.find(isDecision) ?? {seq: 0, at: 0};
    expect(lines).toContain(
      `${new Date(at).toISOString()} ${seq} person approve ${proposalOf(signed.entries)}`,
    );
    expect(
      lines.filter((line) => / machine \(panel\) approved [0-9a-f]{64}$/.test(line)),
    ).toHaveLength(2);
  });
});

test('entries without outcomes are a run that fails the replay', async () => {
  const bare = signed.entries.map((entry): Entry => {
    if (entry.type !== 'settled') return entry;
    const {outcome: _, ...rest} = entry;
    return JSON.parse(JSON.stringify(rest));
  });
  const verified = await verifyEntries(chainAnew(signed.id, bare));
  expect(failuresOf(verified).map(({check}) => check)).toContain('replay');
});

/** The SHA-256 that the panel has voted on, and the person was asked about. */
function proposalOf(entries: readonly Entry[]): string {
  const [round] = entries.flatMap((entry) =>
    entry.type === 'noted' && entry.note['type'] === 'quorum.decided' ? [entry.note] : [],
  );
  return JSON.parse(JSON.stringify(round?.['proposalHash'] ?? ''));
}

describe('a forgery is named:', () => {
  test('these are all', () => {
    expect(forgeriesOf(signed).map(({name}) => name)).toEqual(names);
  });

  test.each(names)('%s', async (name) => {
    const forgery = forgeriesOf(signed).find((each) => each.name === name);
    if (!forgery) throw new Error(`there is no forgery ${name}`);
    const {entries, entry} = forgery;
    const verified = await verifyEntries(entries);
    expect(verified.holds).toBe(false);
    const ours = failuresOf(verified).find(({check}) => check !== 'replay' && check !== 'laws');
    expect(ours).toMatchObject({entry});

    const {exitCode, lines} = await runScript(entries);
    expect(exitCode).toBe(1);
    expect(lines.find((line) => line.startsWith('entry '))).toContain(`entry ${entry}: `);
  });
});

test('a run that another key signs fails, and names the key', async () => {
  const other = await recordSignedRun(mkdtempSync(join(folder, 'other-')));
  const verified = await verifyEntries(other.entries);
  expect(failuresOf(verified)).toMatchObject([
    {finding: 'otherKey', key: keyIdOf(other.key)},
    {finding: 'otherKey', key: keyIdOf(other.key)},
  ]);
  const both = requiredKeys({key: [signed.key, other.key]});
  const run = await readExportedRun(exportText(other.entries).split('\n'));
  expect(await verifyRun(run, both)).toMatchObject({holds: true});
});

function keyIdOf(pem: string): string {
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  return createHash('sha256').update(der).digest('hex').slice(0, 16);
}

test('without a key, signatures that can be checked are named as unchecked, and misplaced ones fail', async () => {
  const none = requiredKeys({});
  const run = await readExportedRun(exportText(signed.entries).split('\n'));
  const verified = await verifyRun(run, none);
  expect(verified.holds).toBe(true);
  expect(verified.checks.find(({check}) => check === 'signatures')).toMatchObject({
    state: 'unchecked',
    finding: 'keyMissing',
    key: keyIdOf(signed.key),
  });

  const forged = chainAnew(signed.id, signed.entries.toSpliced(1, 1));
  const misplaced = await readExportedRun(exportText(forged).split('\n'));
  expect(await verifyRun(misplaced, none)).toMatchObject({holds: false});
});

test('a run without signatures passes unless a key is required, or journals of its version sign', async () => {
  const bare = chainAnew(signed.id, signed.entries.map(withoutSignature));
  const run = await readExportedRun(exportText(bare).split('\n'));
  const verified = await verifyRun(run, requiredKeys({}));
  expect(verified.holds).toBe(true);
  expect(verified.checks.at(-1)).toMatchObject({state: 'unchecked', finding: 'unsigned'});
  const [decision = -1] = signed.entries.flatMap((entry) => (isDecision(entry) ? entry.seq : []));
  const strict = await verifyRun(run, {keys: [], isRequired: 'ofThisVersion'});
  expect(failuresOf(strict)).toMatchObject([
    {finding: 'signatureMissing', entry: decision},
    {finding: 'signatureMissing', entry: bare.length - 1},
  ]);
});

test("an outcome in place of a person's answer fails the replay", async () => {
  const {entries, id} = signed;
  const place = entries.findIndex(isDecision);
  const decision = entries[place];
  if (decision?.type !== 'received') throw new Error('there is no decision');
  const {gate, ...outcome} = decision.event;
  const key = typeof gate === 'string' ? gate : '';
  const tree = new ActorTree({logic: treeMachine, ports, onReport: () => {}});
  await replay({tree}, entries.slice(0, place));
  const request = tree.effects.get(key)?.digest ?? '';
  const answer = {type: 'settled', key, request, outcome, ms: 1} as const;
  const forged = entries.with(place, {...answer, seq: place, at: decision.at, hash: ''});
  expect(failuresOf(await verifyEntries(chainAnew(id, forged)))).toContainEqual(
    expect.objectContaining({
      finding: 'diverged',
      detail: expect.stringContaining('only a message of a person'),
    }),
  );
});

test('a record of an unknown version, whose ballots were turned, is not proven', async () => {
  const turned = signed.entries.map((entry): Entry => {
    const text = JSON.stringify(withoutSignature(entry));
    const changed: Entry = JSON.parse(
      entry.type === 'settled' ? text.replaceAll('"approve"', '"reject"') : text,
    );
    return changed.type === 'opened' ? {...changed, version: '0.0.9'} : changed;
  });
  const run = await readExportedRun(exportText(chainAnew(signed.id, turned)).split('\n'));
  expect(await verifyRun(run, {keys: [], isRequired: 'ofThisVersion'})).toMatchObject({
    holds: true,
    isProven: false,
  });
});

test('a line that is parsed and written again is exactly the text that was hashed', async () => {
  const [opened] = signed.entries;
  if (opened?.type !== 'opened') throw new Error('the run was not opened');
  const odd = JSON.parse('{"b":1,"10":2,"2":3,"__proto__":{"a":"\\ud800"},"é":0.5,"big":1e21}');
  const [entry] = chainAnew(signed.id, [{...opened, input: {...opened.input, odd}}]);
  if (!entry) throw new Error('nothing was chained');
  const {entries, damage} = await readExportedRun([JSON.stringify(entry)]);
  expect([damage, entries]).toEqual([undefined, [entry]]);
});

test('brackets that are nested too deeply break the chain there', async () => {
  const [first] = signed.entries;
  const nest = `{"type":"noted","note":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
  const run = await readExportedRun([JSON.stringify(first), nest]);
  expect(run.entries).toEqual([first]);
  expect(await verifyRun(run, requiredKeys({}))).toMatchObject({
    holds: false,
    checks: [{check: 'chain', finding: 'broken', entry: 1}, {}, {}, {}, {}],
  });
});

test.each([
  ['an empty file', ''],
  ['a file of something else', '{"name": "x"}\n'],
  ['a text', 'hello\n'],
])('%s is refused', async (_, text) => {
  await expect(readExportedRun(text.split('\n'))).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('does not open a run'),
  });
});
