/** `quorate ask QUESTION`: a run of the form ask. */

import type {Command} from '../line/command.ts';
import type {Option} from '../line/option.ts';

const options: readonly Option[] = [
  {
    name: 'db',
    takes: 'FILE',
    text: {
      en: 'a SQLite file for SELECT queries (database.path)',
      ja: 'SELECT で問い合わせる SQLite ファイル (database.path)',
    },
    override: (values) =>
      values.slice(-1).map((value) => ({key: 'database.path', value, source: '--db'})),
  },
  {
    name: 'docs',
    takes: 'GLOB',
    text: {
      en: 'the documents to search, such as "docs/**/*.md"; repeat it for several (search.paths)',
      ja: '検索する文書。例 "docs/**/*.md"。複数なら繰り返す (search.paths)',
    },
    override: (value) => [{key: 'search.paths', value, source: '--docs'}],
  },
];

export const ask: Command = {
  operands: {usage: 'QUESTION…', what: {en: 'a question', ja: '質問'}, least: 0, most: Infinity},
  summary: {
    en: 'answer a question with tools that only read; --db FILE: a SQLite file, --docs GLOB: documents',
    ja: '読み取り専用の道具で質問に答える。--db FILE: SQLite、--docs GLOB: 文書',
  },
  detail: {
    en: `Answers a question on stdout, with its sources; the steps go to stderr. It changes nothing: it has no
tools that write files or run commands.

Tools: the workspace's files, a calculator, documents, a database, and, with [web] enabled = true, web pages. A tool that
fails is tried again; if it fails for good, the answer is given without it and says so. [guardrails] bounds and filters
questions and answers. Exit 0 answered, 1 blocked, 3 stopped by a limit.`,
    ja: `質問への答えを出典つきで標準出力に、経過を標準エラーに出します。何も変更できません。書き込む道具や
コマンドを実行する道具は、ここにはありません。

道具: ワークスペースのファイル、電卓、文書、データベース、[web] enabled = true なら Web ページ。失敗した道具は
もう一度試します。それでも失敗すれば、その道具なしで答え、そのことを明記します。[guardrails] は質問と答えを
制限し、伏せ字にします。終了コード 0 回答、1 遮断、3 上限で停止。`,
  },
  options,
  obeys: ['output', 'log', 'models', 'limits'],
  roles: ['ask'],
  examples: [
    'quorate ask "Where is the retry limit defined?"',
    'quorate ask --db sales.sqlite "SELECT count(*) FROM orders"',
  ],
  endsWithResult: 'ask',
  run: async (parsed, terminal) => {
    const {startRun} = await import('../start-run.ts');
    return await startRun('ask', parsed, terminal);
  },
};
