/** The words about the trust in a folder. */

import {inLanguages} from '../../language.ts';

const en = {
  wants: (folder: string) => `${folder} wants to load:`,
  settings: 'settings that loosen something, of quorate.toml',
  tools: 'tools, of quorate.toml',
  servers: 'MCP servers, of .mcp.json',
  unreadable: (why: string) => `not a list of servers: ${why}`,
  variables: (names: string) => `gets the variables ${names}`,
  nothing: 'nothing: its settings only tighten',
  hash: (hash: string) => `SHA-256 of quorate.toml and .mcp.json: ${hash}`,
  trusted: 'It is trusted as it is now.',
  untrusted: 'It is not trusted: none of this is loaded or started.',
  question: 'Trust exactly this from now on?',
  declined: 'nothing was trusted',
  accepted: (folder: string, hash: string) =>
    `${folder} is trusted as it is now (sha256 ${hash}); a change of quorate.toml or .mcp.json ends that`,
  withoutTerminal: (line: string) =>
    `without a terminal, nothing is trusted; to trust exactly this: ${line}`,
};

type TrustTexts = Readonly<typeof en>;

const ja: TrustTexts = {
  wants: (folder) => `${folder} が読み込みたいもの:`,
  settings: 'quorate.toml の、緩める設定',
  tools: 'quorate.toml の道具',
  servers: '.mcp.json の MCP サーバー',
  unreadable: (why) => `サーバーの一覧ではありません: ${why}`,
  variables: (names) => `受け取る環境変数 ${names}`,
  nothing: 'なし: 設定は厳しくするものだけです',
  hash: (hash) => `quorate.toml と .mcp.json の SHA-256: ${hash}`,
  trusted: '今の内容を信頼しています。',
  untrusted: '信頼していません。どれも読み込まず、起動しません。',
  question: '今の内容をこれから信頼しますか？',
  declined: '何も信頼しませんでした',
  accepted: (folder, hash) =>
    `今の ${folder} を信頼します (sha256 ${hash})。quorate.toml か .mcp.json が変わると信頼は終わります`,
  withoutTerminal: (line) => `端末がないので、何も信頼しません。今の内容を信頼するには: ${line}`,
};

export const trustTexts = inLanguages({en, ja});
