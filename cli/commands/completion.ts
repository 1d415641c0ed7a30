/** `quorate completion SHELL`: a script that completes the launcher's words. */

import {AppError} from '../../machines/domain/app-error.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import type {Command} from '../line/command.ts';
import {write} from '../terminal.ts';

const shells = ['bash', 'zsh', 'fish'];

export const completion: Command = {
  operands: {usage: 'SHELL', what: 'bash, zsh or fish', values: shells, least: 1, most: 1},
  summary: 'print the completion for bash, zsh or fish',
  detail: `Prints a script that completes commands, options, their values, IDs of runs and topics. To have it in every shell:

  bash    echo 'eval "$(quorate completion bash)"' >> ~/.bashrc
  zsh     echo 'eval "$(quorate completion zsh)"' >> ~/.zshrc, below compinit
  fish    quorate completion fish > ~/.config/fish/completions/quorate.fish`,
  obeys: [],
  run: async ({operands: [shell = '']}, {stdout}) => {
    const {completionScripts} = await import('../completion/scripts.ts');
    const {vocabulary} = await import('../completion/vocabulary.ts');
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
    if (!script) {
      throw new AppError(
        'usage',
        `there is completion for ${shells.join(', ')}, not for "${shell}"${didYouMean(shell, shells)}`,
      );
    }
    await write(stdout, script(await vocabulary()));
    return 0;
  },
};
