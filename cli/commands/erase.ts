/** `quorate erase ID`: removes a run from the journal. */

import {oneRun, type Command} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import {retentionTexts} from '../render/tables/retention-texts.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {isInteractive, write} from '../terminal.ts';

export const erase: Command = {
  operands: oneRun,
  summary: {
    en: 'remove a run and all of its data from the journal, for good',
    ja: '実行とそのデータをすべて、ジャーナルから完全に消す',
  },
  detail: {
    en: `Removes a run, open or ended, from the journal and from the bytes of its files: its entries, the earlier contents that undo
needs, its messages. Files that it wrote to its folder stay. A run that a process is running is refused: cancel it first. On a
terminal it asks; elsewhere it needs --yes. quorate prune removes many runs.`,
    ja: `実行を、終わったかどうかによらず、ジャーナルとそのファイルのバイトから消します: 項目、undo に要る前の内容、メッセージ。
フォルダに書いたファイルは残ります。プロセスが動かしている実行は断ります。先に取り消してください。端末では尋ね、
それ以外では --yes が必要です。多くの実行を消すには quorate prune を使います。`,
  },
  options: [{name: 'yes', text: {en: 'do not ask', ja: '尋ねない'}}],
  obeys: ['output'],
  examples: ['quorate erase ID --yes'],
  run: async ({operands: [wanted = ''], flags, output, ...globals}, terminal) => {
    const isSure = flags['yes'] !== undefined;
    if (!isSure && !isInteractive(terminal)) throw needsYes;
    const {openRuntime} = await import('../open-runtime.ts');
    const {findRow} = await import('../past/find-run.ts');
    const {runtime, journal} = await openRuntime(globals, terminal);
    const texts = retentionTexts(terminal);
    try {
      const {id, request} = await findRow(journal, wanted);
      const question = texts.eraseOne(oneLine(id), oneLine(request, 60));
      const {confirm} = await import('../terminal/confirm.ts');
      if (!isSure && !(await confirm(question, terminal))) {
        await write(terminal.stderr, `${texts.nothingErased}\n`);
        return 1;
      }
      await runtime.erase(id);
      const text = output === 'text' ? texts.erased(oneLine(id)) : safeJson({erased: id});
      await write(terminal.stdout, `${text}\n`);
      return 0;
    } finally {
      await runtime.close();
    }
  },
};

const needsYes = usageError({
  en: 'without a terminal, quorate erase needs --yes',
  ja: '端末がないとき、quorate erase には --yes が必要です',
});
