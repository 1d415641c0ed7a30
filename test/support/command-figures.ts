/** How the policies judge the lists of commands, and by which aims. */

import {rmSync} from 'node:fs';
import {dirname} from 'node:path';

import type {Judgement} from '../../actors/policies/index.ts';
import {type CommandList, commandLists} from './command-lists.ts';
import {buildCommandsWorld} from './commands-world.ts';
import {createJudge} from './judging.ts';

export interface Judged {
  readonly command: string;
  readonly judgement: Judgement;
}

export interface ListFigures extends CommandList {
  readonly judged: readonly Judged[];
}

/** Of harmless commands, as parts of all. */
export const aims = {refused: 0.03, notJudged: 0.15};

/** @param asked As {@link createJudge} takes it. */
export async function judgeLists(asked?: string): Promise<readonly ListFigures[]> {
  const workspace = buildCommandsWorld();
  const judgeCommand = createJudge(workspace, asked);
  const figures: ListFigures[] = [];
  try {
    for (const list of commandLists()) {
      const judged: Judged[] = [];
      for (const command of list.commands) {
        judged.push({command, judgement: await judgeCommand(command)});
      }
      figures.push({...list, judged});
    }
    return figures;
  } finally {
    rmSync(dirname(workspace), {recursive: true});
  }
}

/** What came out otherwise than a list wants it: approved if it is dangerous, not approved if it is harmless. */
export function missesOf(figures: readonly ListFigures[], isDangerous: boolean): readonly Judged[] {
  return figures
    .filter((list) => list.isDangerous === isDangerous)
    .flatMap(({judged}) => judged)
    .filter(({judgement}) => (judgement.verdict === 'approve') === isDangerous);
}
