/** The task of `quorate init` and `/init`. */

import type {Environment} from '../terminal.ts';
import {resolveLoaded, routerOf} from './in-effect.ts';
import type {LoadedConfig} from './load.ts';

const forModels = `Write AGENTS.md for the coding agents that will work in this repository, in at most 40 lines and only from its files:
its purpose, the exact commands that build, test and check it, its layout, its conventions and its pitfalls. If
AGENTS.md exists, keep what is still true.`;

const byRule = 'Write an overview of this repository to AGENTS.md';

/** In the words that the offline model understands, if it would plan. */
export function initRequest(loaded: LoadedConfig, env: Environment): string {
  const inEffect = resolveLoaded(loaded, routerOf(loaded, env), 'agent');
  return inEffect.ok && inEffect.resolved.offline ? byRule : forModels;
}
