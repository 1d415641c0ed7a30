/** Questions as people ask them, each with the document that answers it. */

export interface Question {
  readonly query: string;
  readonly expected: string;
}

/** About the sources in `test/fixtures/sources.json.gz`. */
export const sourceQuestions: readonly Question[] = [
  {query: 'Which exit code means that the program is waiting for a person?', expected: 'README.md'},
  {query: 'How are secrets kept out of the journal?', expected: 'actors/redact.ts'},
  {query: 'When has a panel reached a majority?', expected: 'machines/panel/rule.ts'},
  {query: 'What does a million tokens of each model cost?', expected: 'actors/model/prices.ts'},
  {
    query: 'How does a conversation that grew too long get shortened?',
    expected: 'machines/loop/compaction.ts',
  },
  {
    query: 'Can the configuration of an untrusted project loosen the rules?',
    expected: 'cli/config/tighten.ts',
  },
  {
    query: 'Can two processes own one interaction at the same time?',
    expected: 'actors/journal/sqlite-owners.ts',
  },
  {query: 'How is the plan edited in my own editor?', expected: 'cli/gate/editor.ts'},
  {query: 'Can a malicious glob pattern hang the search?', expected: 'tools/read/glob.ts'},
  {
    query: 'How are control characters escaped before printing to the terminal?',
    expected: 'tools/escape.ts',
  },
  {
    query: 'How are entries of the journal linked by hashes?',
    expected: 'actors/journal/chain.ts',
  },
  {
    query: 'How is an HTTP error of a provider turned into a failure?',
    expected: 'actors/model/wire/faults.ts',
  },
];

/** About the Japanese corpus. */
export const japaneseQuestions: readonly Question[] = [
  {query: '大阪のお店は夜何時まで開いていますか？', expected: 'stores/osaka.md'},
  {query: '札幌で店が休みになるのはいつ？', expected: 'stores/sapporo.md'},
  {
    query: '買ったスリッパが小さかったので、大きいのに取り替えてもらえますか',
    expected: 'shop/exchange.md',
  },
  {query: '品物を送り返したあと、お金はいつ口座に戻ってきますか？', expected: 'shop/refund.md'},
  {query: '沖縄に送ってもらうと配送料はいくらかかる？', expected: 'shop/remote-islands.md'},
  {query: '保証が切れた製品でも直してもらえますか', expected: 'products/repair.md'},
  {query: 'パスワードを忘れてログインできなくなった', expected: 'shop/password.md'},
  {query: '子どもが生まれたら父親も休めますか', expected: 'hr/childcare-leave.md'},
  {query: '家で働けるのは一週間に何日までですか', expected: 'hr/remote-work.md'},
  {query: '加湿器についた白い汚れを落としたい', expected: 'products/humidifier.md'},
  {query: '出先から会社のネットワークにつなぐ方法', expected: 'tech/vpn.md'},
  {query: '夜中にサーバーが止まったら誰に電話すればいい？', expected: 'tech/incident.md'},
];
