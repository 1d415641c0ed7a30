/** `quorate mcp`: Quorate as an MCP server. */

import type {Command} from '../line/command.ts';

export const mcp: Command = {
  summary: {
    en: 'an MCP server with the tools review_diff, plan, ask, discuss and recount, on standard input and output',
    ja: 'review_diff、plan、ask、discuss、recount を提供する MCP サーバー（標準入出力）',
  },
  detail: {
    en: `Serves one client of the Model Context Protocol on standard input and output. The client starts the command; for one that
reads .mcp.json:

  {"mcpServers": {"quorate": {"command": "quorate", "args": ["mcp"]}}}

Runs work in the current folder, or in that of -C, with your configuration. review_diff and plan return the votes of the
panel with reasons; ask and discuss return an answer; recount counts the votes of a run again. Progress is reported, and a
call that the client cancels cancels its run.

Where the panel can't decide, the client asks its person, if it can (elicitation). Otherwise the result has the status
"waiting", the digest of the question and the commands that answer it; the run stays open. No tool lets a model decide for a
person. When the client goes away, its runs are suspended: quorate resume ID continues one. Over HTTP: quorate serve, at /mcp.`,
    ja: `Model Context Protocol のクライアント 1 つに、標準入出力で応じます。コマンドはクライアントが起動します。.mcp.json を読む
クライアントの場合:

  {"mcpServers": {"quorate": {"command": "quorate", "args": ["mcp"]}}}

実行は今のフォルダか -C のフォルダで、あなたの設定で動きます。review_diff と plan は合議体の票を理由とともに、ask と
discuss は答えを返し、recount は実行の票を数え直します。進行は報告され、クライアントが呼び出しを取り消せば実行も
取り消されます。

合議体が決められないとき、クライアントが人に尋ねられるなら（elicitation）尋ねます。できなければ結果の状態は "waiting" で、
質問のダイジェストと答えるためのコマンドを含み、実行は開いたままです。モデルが人の代わりに決める道具はありません。
クライアントがいなくなると実行は中断され、quorate resume ID で続けられます。HTTP では quorate serve の /mcp です。`,
  },
  obeys: ['log', 'models', 'rule', 'panel', 'plans', 'tasks', 'limits'],
  examples: ['quorate mcp', 'quorate mcp -C ~/project --max-cost 1'],
  run: async (parsed, terminal) => {
    const {serveMcp} = await import('../mcp/stdio.ts');
    return await serveMcp(parsed, terminal);
  },
};
