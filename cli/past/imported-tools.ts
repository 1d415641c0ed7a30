/** The tools of a run that was imported: somebody else configured them. */

import {resolve} from 'node:path';

import type {Entry} from '../../actors/journal/journal.ts';
import {toolingOf} from '../../actors/performers/tooling.ts';
import {openedIn} from '../../actors/run/run-input.ts';
import {canonicalJson} from '../../machines/domain/digest.ts';
import {loadConfig, type LoadOptions} from '../config/load.ts';
import {localError} from '../line/usage-error.ts';

/**
 * Throws AppError `config` when the run was opened with a tool of a configuration that this person does not have in exactly that
 * form: its program would start, perhaps without a vote, although nobody here trusts it.
 */
export async function requireOwnTools(
  entries: readonly Entry[],
  {cwd, env}: Pick<LoadOptions, 'cwd' | 'env'>,
): Promise<void> {
  const recorded = openedIn(entries)?.tooling?.custom ?? [];
  if (recorded.length === 0) return;
  const {config} = await loadConfig({cwd: resolve(cwd), env});
  const own = new Set((toolingOf(config, '.').custom ?? []).map((tool) => canonicalJson(tool)));
  const foreign = recorded.find((tool) => !own.has(canonicalJson(tool)));
  if (!foreign) return;
  const {name, command} = foreign;
  throw localError('config', {
    en: `the run was imported with the tool ${name}, which starts ${JSON.stringify(command)}; to continue it, configure [tools.${name}] in the same way`,
    ja: `取り込んだ実行には道具 ${name} があり、${JSON.stringify(command)} を起動します。続けるには、[tools.${name}] を同じ内容で設定してください`,
  });
}
