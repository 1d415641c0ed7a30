/** The words about tools and MCP servers. */

import {inLanguages} from '../../language.ts';

const trustLine = (name: string): string => `quorate doctor tools --trust ${name}`;

const en = {
  tools: ['TOOL', 'FROM', 'RISK', 'EFFECTS', ''] as readonly string[],
  servers: ['SERVER', 'FROM', 'STATE', 'TOOLS', 'CONFINED', ''] as readonly string[],
  sources: {builtIn: 'built in', custom: 'quorate.toml', server: 'server'},
  risks: {low: 'low', high: 'high'},
  effects: {
    reads: 'reads files',
    writes: 'writes files',
    runs: 'runs code',
    spawns: 'spawns',
    reaches: {nothing: 'reaches nothing', workspace: 'workspace', network: 'network'},
    unknown: 'effects not stated',
    quotes: 'texts of others',
  },
  toolStates: {overLimit: 'not offered: too many', changed: 'not offered: changed'},
  states: {
    offered: 'offered',
    new: 'not started yet',
    changed: 'changed',
    damaged: 'record damaged',
    unreachable: 'unreachable',
    needsToken: 'needs a token',
    refused: 'unusable',
    untrustedFolder: 'untrusted folder',
  },
  todo: {
    new: () => 'the next run starts it; quorate doctor tools --start shows its tools now',
    changed: (name: string) => `read: quorate doctor tools ${name}; then: ${trustLine(name)}`,
    damaged: trustLine,
    untrustedFolder: () => 'quorate config --trust',
  } as Readonly<Record<string, (name: string) => string>>,
  grades: {
    none: 'no',
    closed: 'no network',
    network: (hosts: string) => `network: only ${hosts}`,
    unknown: (file: string) => `no network, as it may run ${file}, which git does not know`,
    known: (why: string) => `runs code of the folder unconfined: ${why}`,
    refused: (why: string) => `does not start: ${why}`,
  },
  tokens: (sent: string, all: string) =>
    `A request of a worker begins with ${sent} of ${all} tokens of definitions (estimated). The model finds the other tools with find_tools.`,
  omitted: (server: string, why: string) => `  left out of ${server}: ${why}`,
  trusted: (server: string, changes: string) =>
    `${server} is trusted with its tools as they are now${changes === '' ? '' : `: ${changes}`}`,
};

type ToolTexts = Readonly<typeof en>;

const ja: ToolTexts = {
  tools: ['道具', '出所', '危険度', '影響', ''],
  servers: ['サーバー', '出所', '状態', '道具', '隔離', ''],
  sources: {builtIn: '組み込み', custom: 'quorate.toml', server: 'サーバー'},
  risks: {low: '低', high: '高'},
  effects: {
    reads: 'ファイルを読む',
    writes: 'ファイルを書く',
    runs: 'コードを実行',
    spawns: '対話を起こす',
    reaches: {nothing: '外に触れない', workspace: '作業フォルダ', network: 'ネットワーク'},
    unknown: '影響の申告なし',
    quotes: '他人の文章',
  },
  toolStates: {overLimit: '対象外: 多すぎる', changed: '対象外: 変更あり'},
  states: {
    offered: '使える',
    new: '未起動',
    changed: '変更あり',
    damaged: '記録の破損',
    unreachable: '接続できない',
    needsToken: 'トークンが必要',
    refused: '使えない',
    untrustedFolder: '未信頼のフォルダ',
  },
  todo: {
    new: () => '次の実行で起動します。quorate doctor tools --start なら今、道具を表示します',
    changed: (name: string) => `読む: quorate doctor tools ${name} その後: ${trustLine(name)}`,
    damaged: trustLine,
    untrustedFolder: () => 'quorate config --trust',
  },
  grades: {
    none: 'なし',
    closed: 'ネットワークなし',
    network: (hosts) => `接続先は ${hosts} のみ`,
    unknown: (file) => `git が知らない ${file} を実行しうるため、ネットワークなし`,
    known: (why) => `フォルダのコードを隔離せずに実行: ${why}`,
    refused: (why) => `起動しません: ${why}`,
  },
  tokens: (sent, all) =>
    `作業者へのリクエストの始めに、道具の定義を ${sent} トークン入れます（全部で ${all}。推定）。モデルはほかの道具を find_tools で探します。`,
  omitted: (server, why) => `  ${server} から除外: ${why}`,
  trusted: (server, changes) =>
    `今の道具とともに ${server} を信頼します${changes === '' ? '' : `: ${changes}`}`,
};

export const toolTexts = inLanguages({en, ja});
