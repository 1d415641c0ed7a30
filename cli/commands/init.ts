/** `quorate init`: drafts `.quorate/context.md`, which describes a repository to agents. */

import type {Command} from '../line/command.ts';

export const init: Command = {
  summary: {
    en: 'draft .quorate/context.md, which describes this repository to agents; --yes: write without asking',
    ja: 'リポジトリをエージェントに説明する .quorate/context.md の案を作る。--yes: 尋ねずに書く',
  },
  detail: {
    en: `Drafts .quorate/context.md: what the repository is, how it is built and tested, its layout, conventions and pitfalls. Agents
and questions receive this file with AGENTS.md and CLAUDE.md (quorate help input).

The models of quorate discuss each write a draft from README, manifests, documents, the list of files and CI; they review each
other, and the moderator writes the file. Without a configured model, rules write it: each line names the file that it comes from.

On a terminal the draft is shown, and written if you agree. Without one it is printed on stdout and nothing is written, unless
--yes is given. An existing file is replaced only with --force, which shows the difference; what you write below the marker at
the end of the file is kept.
Exit 0 printed, written or up to date, 1 declined or nothing to describe, 2 could not run, 3 stopped by a limit.`,
    ja: `.quorate/context.md の案を作ります: リポジトリが何であり、どうビルドしテストするか、構成、慣習、注意点。エージェントと
質問は、このファイルを AGENTS.md と CLAUDE.md とともに受け取ります（quorate help input）。

quorate discuss のモデルが、README、マニフェスト、文書、ファイルの一覧、CI からそれぞれ案を書き、互いに評価し、司会がファイルを
書きます。モデルが設定されていなければ規則が書き、各行に出典のファイルを示します。

端末では案を示し、同意すれば書きます。端末がなければ標準出力に出すだけで、--yes がなければ何も書きません。既にあるファイルは
--force でだけ置き換え、差分を示します。ファイルの終わりの目印より下に書いたものは残ります。
終了コード 0 表示・書き込み・最新、1 断った・説明するものがない、2 実行できず、3 上限。`,
  },
  options: [
    {name: 'yes', text: {en: 'write without asking', ja: '尋ねずに書く'}},
    {
      name: 'force',
      text: {
        en: 'replace an existing file, except what is below its marker',
        ja: '既にあるファイルを、目印より下を除いて置き換える',
      },
    },
  ],
  obeys: ['log', 'models', 'limits'],
  roles: ['participants', 'moderator'],
  examples: ['quorate init', 'quorate init --yes', 'quorate init --force'],
  run: async (parsed, terminal) => {
    const {initContext} = await import('../init/init.ts');
    return await initContext(parsed, terminal);
  },
};
