/** The current rules of a person that allow commands. They are read anew each time: other processes add and remove rules. */

import type {AllowRule} from '../../machines/domain/allow-rule.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import {toAllowRules} from '../config/resolve.ts';
import type {Config} from '../config/schema.ts';

/** Rules for the folder and below. Never rejects: if the list is unreadable, no rule applies and `onWarning` gets the cause. */
export type StandingRules = (
  folder: string,
  onWarning: (message: string) => void,
) => Promise<readonly AllowRule[]>;

/** Without `read`, the rules of the configuration apply. */
export function createStandingRules(
  config: Config,
  read: () => Promise<readonly AllowRule[]> = async () => toAllowRules(config),
): StandingRules {
  return async (folder, onWarning) => {
    try {
      return rulesBelow(folder, await read());
    } catch (error) {
      onWarning(`rules that allow commands are ignored: ${toFailure(error).message}`);
      return [];
    }
  };
}

/** Limits a run to the rules that it needs. */
function rulesBelow(workspace: string, rules: readonly AllowRule[]): readonly AllowRule[] {
  return rules.filter(({folder}) => folder === workspace || folder.startsWith(`${workspace}/`));
}
