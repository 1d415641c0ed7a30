/** `quorate discuss QUESTION`: a run of the form discuss. */

import type {Command} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import {oneOf, strategies} from '../line/options.ts';

const options: readonly Option[] = [
  {
    name: 'strategy',
    takes: 'STRATEGY',
    override: oneOf('--strategy', 'discuss.strategy', strategies),
  },
  {
    name: 'debate',
    text: {
      en: 'one holds a position, another objects, instead of all ranking each other (discuss.strategy)',
      ja: '互いに順位をつける代わりに、1 つが立場を保ち、別の 1 つが反論する (discuss.strategy)',
    },
    override: () => [{key: 'discuss.strategy', value: 'debate', source: '--debate'}],
  },
];

export const discuss: Command = {
  operands: {usage: 'QUESTION…', what: {en: 'a question', ja: '質問'}, least: 0, most: Infinity},
  summary: {
    en: 'have several models answer, review each other anonymously, and conclude',
    ja: '複数のモデルが答え、匿名で互いを評価し、結論を出す',
  },
  detail: {
    en: `Several models answer a question, each alone; then each ranks the answers of the others, without their names and in an
order of its own, and a moderator draws the conclusion. They have no tools: they receive the passages of README, the manifests
and the documents (search.paths) of the folder that concern the question, and the attachments. The conclusion goes to stdout.

The models are those of -m participants=a,b,c, else of discuss.participants, else the review models; one may be named
several times. The moderator is -m moderator=d, else discuss.moderator, else the decision model; if it fails, the participant
that was ranked best replaces it. Two that say the same count as one. One answer is enough to continue; a result that rests
on less than was asked for says so.

As a debate (--debate), the first participant takes a position, the second objects, and the moderator rules on each objection, round by
round, until no critical or major one is open. After debate.max_rounds, or a round without progress, a person decides
whether the position stands (--hil).

Without a configured model, rules look for benefits, risks, cost and evidence, and quote them: they make up no opinion.
Exit 0 concluded, 1 nobody answered or rejected, 2 and 3 (resumable) no model can be called or a limit is reached, 4 waiting.`,
    ja: `複数のモデルがそれぞれ単独で質問に答えます。次に、各モデルがほかの答えを名前なしで、独自の順序で順位づけし、
司会が結論を出します。道具はありません。README、マニフェスト、文書（search.paths）の中の質問に関係する部分と、添付された
ものが渡されます。結論は標準出力に出ます。

モデルは -m participants=a,b,c、なければ discuss.participants、なければレビューのモデルです。同じものを何度挙げても
かまいません。司会は -m moderator=d、なければ discuss.moderator、なければ決定のモデルです。司会が失敗すると、最高位の
参加者が代わります。同じことを言う 2 つは 1 つと数えます。答えが 1 つあれば続けられ、求めた数に足りない結果はそう明記します。

討論（--debate）では、最初の参加者が立場を述べ、2 番目が反論し、司会が各反論を裁定します。重大なものがなくなるまで繰り返します。
debate.max_rounds の後、または何も動かなかった回の後は、立場を保つかどうかを人が決めます（--hil）。

モデルが設定されていなければ、規則が利点、リスク、費用、根拠を探して引用します。意見は作りません。
終了コード 0 結論、1 誰も答えない・却下、2 と 3（再開可能）モデルを呼べない・上限、4 待機。`,
  },
  options,
  obeys: ['output', 'log', 'models', 'panel', 'limits'],
  roles: ['participants', 'moderator'],
  examples: [
    'quorate discuss "Should we move the queue to Postgres?"',
    'quorate discuss "Tabs or spaces?" -m participants=ollama/qwen3,gpt-5.2 -m moderator=claude-sonnet-4.5',
    'quorate discuss --debate "Should we rewrite it in Rust?"',
    'git diff | quorate discuss "Is this worth merging?"',
  ],
  endsWithResult: 'discuss',
  run: async (parsed, terminal) => {
    const {startRun} = await import('../start-run.ts');
    return await startRun('discuss', parsed, terminal);
  },
};
