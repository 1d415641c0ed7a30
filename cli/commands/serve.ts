/** `quorate serve --forms DIR`: forms filled by conversation, and runs, over HTTP. */

import type {Command} from '../line/command.ts';

export const serve: Command = {
  summary: {
    en: 'serve forms over HTTP, filled by conversation in a browser (--forms DIR), and runs',
    ja: 'フォーム（--forms DIR）をブラウザーでの会話で、実行を HTTP で提供する',
  },
  detail: {
    en: `People fill the forms of --forms by conversation, in a browser at /f/FORM, FORM being the name of the file, or over an HTTP
API. --forms takes a folder, whose own files are served, or a glob in quotation marks, for forms in several folders; two
files with the same name are an error. The owner lists and exports submissions, and begins runs of the forms agent, ask and
discuss, which work in the current folder, or in that of -C. The API is described at /openapi.json.

The first line on stdout is the address. The owner's token, the address of each form and that of /openapi.json follow. The page at /
lists the forms. The owner's token is QUORATE_OWNER_TOKEN, or a generated one, which is printed; a respondent's token comes
with a new submission. Only this machine is served unless --host names another address, which needs QUORATE_OWNER_TOKEN. A
first Ctrl-C suspends running work and ends; the next start continues it.`,
    ja: `--forms のフォームを、ブラウザーの /f/FORM（FORM はファイル名）での会話か HTTP API で埋めてもらいます。--forms には、
直下のファイルを提供するフォルダか、複数のフォルダのための引用符つきの glob を指定します。同名のファイルが 2 つあれば
エラーです。所有者は、送信されたものを一覧・書き出しし、agent、ask、discuss の実行を始めます。実行は今のフォルダか -C の
フォルダで動きます。API の説明は /openapi.json にあります。

標準出力の 1 行目はアドレスです。所有者のトークン、各フォームのアドレス、/openapi.json のアドレスが続きます。/ のページは
フォームの一覧です。所有者のトークンは QUORATE_OWNER_TOKEN か、作られて表示されるものです。回答者のトークンは新しい送信と
ともに届きます。--host で別のアドレスを指定しなければ、この機械だけが対象です。指定には QUORATE_OWNER_TOKEN が必要です。
最初の Ctrl-C は作業を中断して終了し、次の起動で続きます。`,
  },
  options: [
    {
      name: 'port',
      takes: 'PORT',
      text: {
        en: 'the port to listen at (8787); 0: any free port',
        ja: '待ち受けるポート。既定は 8787、0: 空いているもの',
      },
    },
    {
      name: 'host',
      takes: 'ADDRESS',
      text: {
        en: 'the address to listen at (127.0.0.1)',
        ja: '待ち受けるアドレス。既定は 127.0.0.1',
      },
    },
    {
      name: 'forms',
      takes: 'DIR',
      text: {
        en: 'the folder of the forms (*.toml, *.json), or a glob such as "forms/**/*.toml"',
        ja: 'フォームのフォルダ (*.toml, *.json)、または glob。例 "forms/**/*.toml"',
      },
    },
    {
      name: 'rate',
      takes: 'N',
      text: {
        en: 'average requests a second from one address (50); bursts of ten seconds’ worth',
        ja: '1 つのアドレスからの毎秒の要求数 (50)。一度に 10 秒分まで',
      },
    },
  ],
  examples: [
    'quorate serve --forms forms/',
    'quorate serve --forms "forms/**/*.toml"',
    'quorate serve --port 0',
  ],
  obeys: ['log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  run: async (parsed, terminal) => {
    const {serveForms} = await import('../serve/serve.ts');
    return await serveForms(parsed, terminal);
  },
};
