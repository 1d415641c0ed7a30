/** The scripts by the name of their shell. */

import {bashScript} from './bash.ts';
import {fishScript} from './fish.ts';
import type {Vocabulary} from './vocabulary.ts';
import {zshScript} from './zsh.ts';

export const completionScripts: Readonly<Record<string, (words: Vocabulary) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
