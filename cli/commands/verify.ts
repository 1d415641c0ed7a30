/** `quorate verify ID`: checks the chain of a run, its end, a replay, the statements that are always true, its signatures. */

import {createReadStream} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';

import type {Journal} from '../../actors/journal/journal.ts';
import type {PublicKey} from '../../actors/journal/signing-key.ts';
import type {Check, CheckName, Finding, Verification} from '../../actors/verify/exported-run.ts';
import type {ExpectedKeys} from '../../actors/verify/verify.ts';
import {type Message, t} from '../../machines/message.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {say} from '../language.ts';
import {levelOf, type Parsed} from '../line/command.ts';
import {wordsOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import {findRow} from '../past/find-run.ts';
import {keyFolder, withJournal} from '../past/open-journal.ts';
import {section, type Style} from '../render/style.ts';
import {oneLine, padTo, proseRows} from '../render/text.ts';
import type {Environment, Input, Terminal} from '../terminal.ts';
import {reportCommand} from './define.ts';

export const verify = reportCommand({
  operands: {
    usage: 'ID | FILE',
    what: t`the ID of a run, or the file of an exported run`,
    least: 1,
    most: 1,
  },
  summary: t`check a run: its chain, its end, a replay, its laws, its signatures`,
  detail: t`Checks a run, and prints one line for each check: ✓ it holds, ✗ it fails, – it was not checked.

  chain        every entry has the hash that follows from it and from the entry before it
  end          the last entry ends the run; of an open run, no entry that the journal has written is missing
  replay       the charts of this version reach the recorded states, notes and result; no model is called, no tool runs
  laws         the statements of verify.md that a record shows, by their numbers
  signatures   the end and the decisions of persons are signed, and nothing before them was changed

FILE is what quorate export wrote; - is standard input. A name with a dot or a slash is a file. The end of the run and each
decision of a person must be signed: with --key by that key, or one of several; without it by the key of this installation
(quorate config), and a run of another version without any signature passes. With -v it also lists the named points of the
run, which show and fork take.

Exits 0 when the run holds, 1 when a check fails, 2 when it can't be verified: it could not be replayed, charts of another
version contradict a law, or there is no such run, file or key.`,
  options: {
    key: wordsOption(
      'KEY',
      t`the expected public key: a PEM file, or the base64 of its SPKI; several: again`,
    ),
  },
  obeys: ['output'],
  examples: [
    'quorate verify ID',
    'quorate verify run.jsonl --key their-key.pem',
    'ssh build quorate export ID | quorate verify - --key build.pem',
  ],
  report: async (given, terminal) => {
    const verified = await verifyNamed(given, given.options.key, terminal);
    const isVerbose = levelOf(given) === 'verbose';
    return {
      data: verified,
      lines: (view) => verificationLines(verified, {...view, isVerbose}),
      exitCode: verified.isProven ? 0 : 2,
      ...(verified.holds ? {} : {exitCode: 1}),
    };
  },
});

async function verifyNamed(
  {operands: [wanted = ''], cwd = '.'}: Parsed,
  keys: readonly string[],
  terminal: Terminal,
): Promise<Verification> {
  const {verifyInteraction, verifyRun} = await import('../../actors/verify/verify.ts');
  const isFile = wanted === '-' || /[./]/.test(wanted);
  const expected = keys.length > 0 ? await keysIn(keys, cwd) : await ownKeys(terminal.env, isFile);
  if (isFile) {
    const {readExportedRun} = await import('../../actors/verify/exported-run.ts');
    const {linesIn} = await import('../../actors/verify/exported-run.ts');
    const lines = linesIn(exportedBytes(wanted, cwd, terminal.stdin));
    return await verifyRun(await readExportedRun(lines), expected);
  }
  return await withJournal(terminal, async (journal) => {
    const {id} = await findRow(journal, wanted);
    const enrolled = keys.length > 0 ? [] : await enrolledKeys(journal);
    const known = {...expected, keys: [...expected.keys, ...enrolled]};
    return await verifyInteraction(id, journal.log, known);
  });
}

/** Rejects with AppError `usage` for a file that is missing or holds no key. */
async function keysIn(given: readonly string[], cwd: string): Promise<ExpectedKeys> {
  const {requiredKeys} = await import('../../actors/verify/verify.ts');
  return requiredKeys({key: await Promise.all(given.map(async (key) => readKey(key, cwd)))});
}

/** An installation that can't make a key signs nothing: its own runs have no signature. */
async function ownKeys(env: Environment, isFile: boolean): Promise<ExpectedKeys> {
  const {readOwnKey} = await import('../../actors/journal/signing-key.ts');
  const own = readOwnKey(keyFolder(env));
  return {keys: own ? [own] : [], isRequired: own || isFile ? 'ofThisVersion' : false};
}

/** Of the machines that count as one installation with this one. */
async function enrolledKeys({hosts}: Journal): Promise<readonly PublicKey[]> {
  const {parsePublicKey} = await import('../../actors/journal/signing-key.ts');
  return ((await hosts?.list()) ?? []).map(({key}) => parsePublicKey(key));
}

/** The text of the file, or the given text if it can only be a key. */
async function readKey(given: string, cwd: string): Promise<string> {
  if (/^[A-Za-z0-9+/]{56,}={0,2}$/.test(given)) return given;
  try {
    return await readFile(openable(resolve(cwd, given)), 'utf8');
  } catch (error) {
    throw unreadable(given, error);
  }
}

// The file of an exported run, named on the command line.

/** The bytes of the file; `-` is standard input. Rejects with AppError `usage` for a file that can't be read. */
async function* exportedBytes(
  file: string,
  cwd: string,
  stdin: Input,
): AsyncGenerator<Uint8Array | string, void, undefined> {
  try {
    yield* file === '-' ? stdin : createReadStream(openable(resolve(cwd, file)));
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): Error {
  const [name, why] = [oneLine(file), oneLine(error instanceof Error ? error.message : '')];
  return usageError(t`${name} can't be read: ${why}`);
}

// The checks of a verified run: one line each, with a mark.

const marks = {holds: '✓', fails: '✗', unchecked: '–'} as const;

const labels: Readonly<Record<CheckName, Message>> = {
  chain: t`chain`,
  end: t`end`,
  replay: t`replay`,
  laws: t`laws`,
  signatures: t`signatures`,
};
const labelWidth = 10;

/** The columns of the mark, the label and the blanks around them. */
const indent = 14;

interface VerificationView {
  readonly style: Style;
  readonly width: number;
  /** With the named points of the run. */
  readonly isVerbose: boolean;
}

function verificationLines(
  {id, entries, checks}: Verification,
  {style, width, isVerbose}: VerificationView,
): string[] {
  const count = say(t`${entries} {entry|entries}`, style);
  return [
    `${style.bold(oneLine(id))} ${count}`,
    ...checks.flatMap((each) => checkRows(each, style, width)),
    ...(isVerbose
      ? section(
          say(t`Points, with the entries before and after each`, style),
          pointRows(checks),
          style,
        )
      : []),
  ];
}

function pointRows(checks: readonly Check[]): string[] {
  return checks.flatMap(({points = []}) =>
    points.map(({name, before, after}) => `${name}  ${before}–${after}`),
  );
}

function checkRows(check: Check, style: Style, width: number): string[] {
  const paint = {holds: style.green, fails: style.red, unchecked: style.dim}[check.state];
  const rows = proseRows(say(texts[check.finding](check), style), width - indent);
  const head = `${paint(marks[check.state])} ${padTo(say(labels[check.check], style), labelWidth)}  `;
  return rows.map((row, index) => (index === 0 ? head : ' '.repeat(indent)) + row);
}

const unknownOrigin = {id: '', seq: 0, hash: ''};

function atEntry(entry: number | undefined): Message {
  if (entry === undefined) return t``;
  return t`; entry ${entry}`;
}

const texts: Readonly<Record<Finding, (check: Check) => Message>> = {
  chained: () => t`every entry follows from the one before it`,
  copied: ({origin: {id, seq, hash} = unknownOrigin}) =>
    t`entries 0 to ${seq} were copied from run ${oneLine(id)}, to its hash ${oneLine(hash)}: verify that run, too`,
  broken: ({entry = 0, detail = ''}) => t`${detail}{:broken ${entry}}`,
  ended: ({entry = 0}) => t`entry ${entry} ends the run`,
  open: () => t`the run is open, and no entry is missing at its end`,
  endMissing: ({entry = 0, detail = ''}) => t`${detail}{:cut ${entry}}`,
  notEnded: ({entry = 0}) =>
    t`entry ${entry} is missing: the run was exported before its end, or its end is lost`,
  afterEnd: ({entry = 0}) => t`entry ${entry} follows the end of the run`,
  replayed: () => t`the charts reach the recorded states, notes and result`,
  diverged: ({entry = 0, detail = ''}) => t`entry ${entry}: ${detail}`,
  otherVersion: ({check, laws = [], entry, detail = ''}) =>
    t`${check === 'laws' ? t`${laws.join(', ')} is not checked: ` : t``}charts of another version recorded the run${atEntry(entry)}: ${detail}`,
  lawsHold: ({laws = []}) => t`${laws.join(', ')} hold`,
  lawBroken: ({laws = [], entry = 0, detail = ''}) =>
    t`${laws.join(', ')} is broken at entry ${entry}: ${detail}`,
  lawUnread: ({laws = [], detail = ''}) => t`${laws.join(', ')} is not checked: ${detail}`,
  signed: ({entry = 0, key = ''}) =>
    t`the end and the decisions of persons are signed with the key ${key}, the last at entry ${entry}`,
  unsigned: () =>
    t`no entry is signed: nothing to sign is recorded, or a version or a journal without a key recorded it`,
  forged: ({entry = 0}) => t`entry ${entry} or one before it is not the one that was signed`,
  signatureMissing: ({entry = 0}) => t`entry ${entry} is not signed`,
  otherKey: ({entry = 0, key = ''}) =>
    t`entry ${entry} is signed with another key, ${key}; give its public key with --key if you trust it`,
  keyMissing: ({entry = 0, key = ''}) =>
    t`entry ${entry} is signed with the key ${key}: give its public key with --key`,
  notReached: ({detail = 'entries are missing or changed'}) => t`not checked: ${detail}`,
};
