/** `quorate completion SHELL`: a script that completes the launcher's words. */

import type {Command} from '../line/command.ts';
import {meant, usageError} from '../line/usage-error.ts';
import {write} from '../terminal.ts';

const shells = ['bash', 'zsh', 'fish'];

export const completion: Command = {
  operands: {
    usage: 'SHELL',
    what: {en: 'bash, zsh or fish', ja: 'bash か zsh か fish'},
    values: shells,
    least: 1,
    most: 1,
  },
  summary: {
    en: 'print the completion for bash, zsh or fish',
    ja: 'bash、zsh、fish の補完スクリプトを出力する',
  },
  detail: {
    en: `Prints a script that completes commands, options, their values, IDs of runs and topics. To enable it in every shell:

  bash    echo 'eval "$(quorate completion bash)"' >> ~/.bashrc
  zsh     echo 'eval "$(quorate completion zsh)"' >> ~/.zshrc, below compinit
  fish    quorate completion fish > ~/.config/fish/completions/quorate.fish`,
    ja: `コマンド、オプションとその値、実行の ID、トピックを補完するスクリプトを出力します。すべてのシェルで使うには:

  bash    echo 'eval "$(quorate completion bash)"' >> ~/.bashrc
  zsh     echo 'eval "$(quorate completion zsh)"' >> ~/.zshrc（compinit より下）
  fish    quorate completion fish > ~/.config/fish/completions/quorate.fish`,
  },
  obeys: [],
  run: async ({operands: [shell = '']}, {stdout}) => {
    const {completionScripts} = await import('../completion/scripts.ts');
    const {vocabulary} = await import('../completion/vocabulary.ts');
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
    if (!script) {
      const [known, near] = [shells.join(', '), meant(shell, shells)];
      throw usageError({
        en: `completion exists for ${known}, not for "${shell}"${near.en}`,
        ja: `補完があるのは ${known} です（"${shell}" にはありません）${near.ja}`,
      });
    }
    await write(stdout, script(await vocabulary()));
    return 0;
  },
};
