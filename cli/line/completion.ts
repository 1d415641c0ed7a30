/** The words of a command line, and the completion of shells, which is one list of them. */

import {t} from '../../machines/message.ts';
import {loadAll} from '../commands/index.ts';
import {earlyOptions, globalOptions} from './options.ts';
import {meant, usageError} from './usage-error.ts';

const scripts: Readonly<Record<string, (words: string) => string>> = {
  bash: (words) => `complete -o default -W '${words}' quorate\n`,
  zsh: (words) =>
    `autoload -Uz bashcompinit && bashcompinit\ncomplete -o default -W '${words}' quorate\n`,
  fish: (words) => `complete -c quorate -a '${words}'\n`,
};

/** A script that completes commands and options. Rejects with AppError `usage` for another shell. */
export async function completionScript(shell: string): Promise<string> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (!script) {
    const [known, near] = [Object.keys(scripts).join(', '), meant(shell, Object.keys(scripts))];
    throw usageError(t`--completion takes ${known}, not "${shell}"${near}`);
  }
  return script((await lineWords()).join(' '));
}

/** The commands, and the options that the help shows. */
export async function lineWords(): Promise<readonly string[]> {
  const all = await loadAll();
  const own = all.flatMap(([, {options = []}]) => options);
  const shown = [...earlyOptions, ...globalOptions, ...own].filter(({text}) => text);
  return [...new Set([...all.map(([name]) => name), ...shown.map(({name}) => `--${name}`)])];
}
