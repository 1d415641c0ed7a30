/** `quorate doctor`: checks configuration, providers and the machine. */

import {resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {Command} from '../line/command.ts';
import {safeJson} from '../render/text.ts';
import {pageWidthOf, write} from '../terminal.ts';

export const doctor: Command = {
  summary: {
    en: 'check configuration, providers and the machine; --online: ask the vendors, too',
    ja: '設定、接続、不足を調べる。--online: プロバイダーにも問い合わせる',
  },
  detail: {
    en: `Reports what is configured, what can be reached and what is missing. The models in use on your own servers are asked
for one word, with a tool on offer; those of Anthropic, OpenAI and other vendors only with --online, as it costs
a little. Exit 0 if a run could start, 2 if not. Keys are never shown.`,
    ja: `設定、接続できるもの、不足を示します。使うモデルが自分のサーバーにあれば、道具を添えて一言を求めます。Anthropic、
OpenAI などには、少し費用がかかるため --online のときだけです。実行を始められれば終了コード 0、でなければ 2。
キーは表示しません。`,
  },
  obeys: ['output', 'models', 'rule', 'panel', 'phases', 'plans', 'tasks', 'limits'],
  options: [
    {name: 'online', text: {en: 'ask models of vendors, too', ja: 'ベンダーのモデルにも尋ねる'}},
    {
      name: 'runs',
      text: {
        en: "replay the open runs of every folder, and list the runs that this version can't resume",
        ja: 'すべてのフォルダの未完了の実行を再現し、この版で再開できないものを一覧',
      },
    },
  ],
  run: async ({cwd: folder = '.', flags, output, overrides}, {stdout, env, language}) => {
    const cwd = resolve(folder);
    const {loadConfig} = await import('../config/load.ts');
    const loaded = await loadConfig({cwd, env, overrides}).catch(toAppError);
    const {doctor: examine, doctorLines} = await import('../doctor/doctor.ts');
    const reader = output === 'text' ? {language} : {};
    const online = flags['online'] !== undefined;
    const withRuns = flags['runs'] !== undefined;
    const report = await examine({...reader, loaded, env, cwd, online, withRuns});
    const text =
      output === 'text'
        ? doctorLines(report, pageWidthOf(stdout), reader).join('\n')
        : safeJson(report, output === 'json' ? 2 : undefined);
    await write(stdout, `${text}\n`);
    return report.exitCode;
  },
};

/** An invalid configuration is a finding; any other error is a bug. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}
