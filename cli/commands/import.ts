/** `quorate import FILE`: keeps an exported run in this journal. */

import type {ImportReport} from '../../actors/sessions/import.ts';
import type {Command} from '../line/command.ts';
import {exportedBytes} from '../line/exported-file.ts';
import {openJournal} from '../past/open-journal.ts';
import {importedLine} from '../render/tables/retention.ts';
import {safeJson, wrapWords} from '../render/text.ts';
import {pageWidthOf, write} from '../terminal.ts';

export const importCommand: Command = {
  operands: {
    usage: 'FILE',
    what: {en: 'the file of an exported run, or -', ja: '書き出した実行のファイル、または -'},
    values: 'file',
    least: 1,
    most: 1,
  },
  summary: {
    en: 'keep a run that quorate export wrote, after checking every entry',
    ja: 'quorate export が書いた実行を、項目をすべて確かめて取り込む',
  },
  detail: {
    en: `Reads a run that quorate export wrote; - is standard input. Each entry is checked against the chain of hashes: a line that is
changed, missing or moved is named, and nothing is imported. A run without its last entries is an open run: only
quorate verify on the machine that recorded it, or a signature at its end, shows that the end is missing.
The earlier contents in an export are not part of the chain.

The run keeps its ID, times, session and result. Importing it again changes nothing, and a run with the same ID and other
entries is never replaced. sessions lists an open one as imported: quorate resume ID -C FOLDER continues it in a folder of this
machine; without an ID, resume leaves it out.`,
    ja: `quorate export が書いた実行を読みます。- は標準入力です。項目はすべてハッシュの鎖で確かめます。変えられた行、欠けた行、
動かされた行はそれを示し、何も取り込みません。最後の項目を欠いた実行は、未完了の実行と同じに見えます。末尾が欠けていることは、
記録したマシンの quorate verify か、末尾の署名だけが示します。ファイルの前の内容は鎖に含まれません。

実行の ID、時刻、セッション、結果はそのままです。もう一度取り込んでも何も変わらず、同じ ID で別の項目を持つ実行を
置き換えることもありません。未完了の実行は sessions に「取り込み」と出ます。quorate resume ID -C FOLDER で、このマシンの
フォルダで続きます。ID なしの resume は、これを飛ばします。`,
  },
  obeys: ['output'],
  examples: ['quorate import run.jsonl', 'ssh build quorate export ID | quorate import -'],
  run: async ({operands: [file = ''], cwd = '.', output}, terminal) => {
    const {importRun} = await import('../../actors/sessions/import.ts');
    const {linesIn} = await import('../../actors/sessions/text-lines.ts');
    const journal = await openJournal(terminal);
    let report: ImportReport;
    try {
      report = await importRun(linesIn(exportedBytes(file, cwd, terminal.stdin)), journal);
    } finally {
      await journal.close();
    }
    const width = pageWidthOf(terminal.stdout);
    const text =
      output === 'text'
        ? wrapWords(importedLine(report, terminal), width).join('\n')
        : safeJson(report);
    await write(terminal.stdout, `${text}\n`);
    return 0;
  },
};
