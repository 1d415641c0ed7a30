/** The rules of a person for commands, as they are now: other processes make and withdraw them, too. */

import type {AllowRule} from '../../machines/domain/allow-rule.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import {toAllowRules} from '../config/rules.ts';
import type {Config} from '../config/schema.ts';

/** Those for a folder and below it. Never rejects: without a readable list no rule holds, and `onWarning` has the cause. */
export type StandingRules = (
  folder: string,
  onWarning: (message: string) => void,
) => Promise<readonly AllowRule[]>;

/** Without `read`: those of the configuration. */
export function createStandingRules(
  config: Config,
  read: () => Promise<readonly AllowRule[]> = async () => toAllowRules(config),
): StandingRules {
  return async (folder, onWarning) => {
    try {
      return rulesBelow(folder, await read());
    } catch (error) {
      onWarning(`no command is allowed for good now: ${toFailure(error).message}`);
      return [];
    }
  };
}

/** A run knows no more than it needs. */
function rulesBelow(workspace: string, rules: readonly AllowRule[]): readonly AllowRule[] {
  return rules.filter(({folder}) => folder === workspace || folder.startsWith(`${workspace}/`));
}
