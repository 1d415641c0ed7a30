/** `quorate verify ID`: checks the chain of a run, its end, a replay, the statements that are always true, its signatures. */

import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';

import type {Verification} from '../../actors/verify/exported-run.ts';
import type {ExpectedKeys} from '../../actors/verify/verify.ts';
import {t} from '../../machines/message.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {levelOf, type Parsed} from '../line/command.ts';
import {exportedBytes, unreadable} from '../line/exported-file.ts';
import {wordsOption} from '../line/option-values.ts';
import {findRow} from '../past/find-run.ts';
import {keyFolder, withJournal} from '../past/open-journal.ts';
import {verificationLines} from '../render/tables/verification.ts';
import type {Environment, Terminal} from '../terminal.ts';
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
    return await verifyInteraction(id, journal.log, expected);
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

/** The text of the file, or the given text if it can only be a key. */
async function readKey(given: string, cwd: string): Promise<string> {
  if (/^[A-Za-z0-9+/]{56,}={0,2}$/.test(given)) return given;
  try {
    return await readFile(openable(resolve(cwd, given)), 'utf8');
  } catch (error) {
    throw unreadable(given, error);
  }
}
