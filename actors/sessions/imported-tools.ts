/** The tools of a run that was imported: somebody else configured them. */

import {AppError} from '../../machines/domain/app-error.ts';
import {canonicalJson} from '../../machines/domain/digest.ts';
import type {CustomTool} from '../../tools/custom/definition.ts';
import type {OpenedInput} from '../run/run-input.ts';

/**
 * Throws AppError `config` when the run was opened with a tool that this configuration does not have in exactly that form: its
 * program would start, perhaps without a vote, although nobody here trusts it. `own`: the tools of this configuration.
 */
export function requireOwnTools({tooling}: OpenedInput, own: readonly CustomTool[]): void {
  const known = new Set(own.map((tool) => canonicalJson(tool)));
  const foreign = tooling?.custom?.find((tool) => !known.has(canonicalJson(tool)));
  if (!foreign) return;
  const {name, command} = foreign;
  const line = JSON.stringify(command);
  throw new AppError(
    'config',
    `the run was imported with the tool ${name}, which starts ${line}; to continue it, configure [tools.${name}] in the same way`,
    {
      translations: {
        ja: `取り込んだ実行には道具 ${name} があり、${line} を起動します。続けるには、[tools.${name}] を同じ内容で設定してください`,
      },
    },
  );
}
