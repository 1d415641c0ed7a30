/** The completion of shells: one list of words for all of them. */

import {loadAll} from '../commands/index.ts';
import {globalOptions} from './options.ts';
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
    throw usageError({
      en: `--completion takes ${known}, not "${shell}"${near.en}`,
      ja: `--completion の値は ${known} です（"${shell}" は使えません）${near.ja}`,
    });
  }
  const all = await loadAll();
  const options = [...globalOptions, ...all.flatMap(([, {options: own = []}]) => own)].filter(
    ({text}) => text,
  );
  const words = [
    ...all.map(([name]) => name),
    ...['help', 'version', 'continue', ...options.map(({name}) => name)].map((name) => `--${name}`),
  ];
  return script([...new Set(words)].join(' '));
}
