/** `quorate verify ID`: checks the chain of a run, its end, a replay, the statements that are always true, its signatures. */

import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';

import type {ExpectedKeys} from '../../actors/verify/checks/check-signatures.ts';
import type {Verification} from '../../actors/verify/checks/check.ts';
import {openable} from '../../tools/containment/own-state.ts';
import {levelOf, type Command, type Parsed} from '../line/command.ts';
import {exportedBytes, unreadable} from '../line/exported-file.ts';
import {findRow} from '../past/find-run.ts';
import {keyFolder, openToRead} from '../past/open-journal.ts';
import {styleFor} from '../render/style.ts';
import {verificationLines} from '../render/tables/verification.ts';
import {safeJson} from '../render/text.ts';
import {pageWidthOf, write, type Environment, type Terminal} from '../terminal.ts';

export const verify: Command = {
  operands: {
    usage: 'ID | FILE',
    what: {
      en: 'the ID of a run, or the file of an exported run',
      ja: '実行の ID、または書き出した実行のファイル',
    },
    least: 1,
    most: 1,
  },
  summary: {
    en: 'check a run: its chain, its end, a replay, its laws, its signatures',
    ja: '実行を確かめる: 鎖、末尾、再生、法則、署名',
  },
  detail: {
    en: `Checks a run, and prints one line for each check: ✓ it holds, ✗ it fails, – it was not checked.

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
    ja: `実行を確かめ、検査ごとに 1 行を表示します: ✓ 成り立つ、✗ 成り立たない、– 確かめていない。

  鎖      すべての項目が、その内容と前の項目から決まるハッシュを持つ
  末尾    最後の項目が実行を終えている。未完了の実行では、ジャーナルが書いた項目が欠けていない
  再生    この版のチャートが、記録と同じ状態、メモ、結果に達する。モデルは呼ばず、ツールも動かさない
  法則    verify.md の文のうち、記録から確かめられるもの。番号で示す
  署名    終わりと人の決定が署名され、その前が変えられていない

FILE は quorate export が書いたものです。- は標準入力です。名前に . か / があればファイルです。終わりと人の決定のそれぞれに
署名が必要です。--key を付けるとその鍵か、複数のうちのどれかの署名、付けなければこのインストールの鍵 (quorate config) の
署名です。別の版の、署名のまったくない実行は通ります。-v を付けると、show と fork が取る時点の名前も一覧します。

成り立てば終了コード 0、成り立たない検査があれば 1、確かめられなければ 2 です: 再生できなかった、別の版のチャートが法則に
反して見える、または実行、ファイル、鍵がない。`,
  },
  options: [
    {
      name: 'key',
      takes: 'KEY',
      text: {
        en: 'the expected public key: a PEM file, or the base64 of its SPKI; several: again',
        ja: '想定する公開鍵: PEM ファイルか SPKI の base64。複数: 繰り返し',
      },
    },
  ],
  obeys: ['output'],
  examples: [
    'quorate verify ID',
    'quorate verify run.jsonl --key their-key.pem',
    'ssh build quorate export ID | quorate verify - --key build.pem',
  ],
  run: async (parsed, terminal) => {
    const {stdout, env, language} = terminal;
    const verified = await verifyNamed(parsed, terminal);
    const {output} = parsed;
    const text =
      output === 'text'
        ? verificationLines(verified, {
            style: styleFor(stdout, {env, language}),
            width: pageWidthOf(stdout),
            isVerbose: levelOf(parsed) === 'verbose',
          }).join('\n')
        : safeJson(verified, output === 'json' ? 2 : undefined);
    await write(stdout, `${text}\n`);
    if (!verified.holds) return 1;
    return verified.isProven ? 0 : 2;
  },
};

async function verifyNamed(
  {operands: [wanted = ''], flags, cwd = '.'}: Parsed,
  terminal: Terminal,
): Promise<Verification> {
  const {verifyInteraction, verifyRun} = await import('../../actors/verify/verify.ts');
  const isFile = wanted === '-' || /[./]/.test(wanted);
  const given = flags['key'] ?? [];
  const expected =
    given.length > 0 ? await keysIn(given, cwd) : await ownKeys(terminal.env, isFile);
  if (isFile) {
    const {readExportedRun} = await import('../../actors/verify/exported-run.ts');
    const {linesIn} = await import('../../actors/verify/exported-run.ts');
    const lines = linesIn(exportedBytes(wanted, cwd, terminal.stdin));
    return await verifyRun(await readExportedRun(lines), expected);
  }
  const journal = await openToRead(terminal);
  try {
    const {id} = await findRow(journal, wanted);
    return await verifyInteraction(id, journal.log, expected);
  } finally {
    await journal.close();
  }
}

/** Rejects with AppError `usage` for a file that is missing or holds no key. */
async function keysIn(given: readonly string[], cwd: string): Promise<ExpectedKeys> {
  const {requiredKeys} = await import('../../actors/verify/verify.ts');
  return requiredKeys({key: await Promise.all(given.map(async (key) => readKey(key, cwd)))});
}

/** An installation that can't make a key signs nothing: its own runs have no signature. */
async function ownKeys(env: Environment, isFile: boolean): Promise<ExpectedKeys> {
  const {readOwnKey} = await import('../../actors/journal/signing/signing-key.ts');
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
