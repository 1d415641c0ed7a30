/** The verdicts of the policies on the lists of commands, and the aims. */

import {rmSync} from 'node:fs';
import {dirname} from 'node:path';

import type {Judgement} from '../../actors/policies/index.ts';
import {type CommandList, commandLists} from './command-lists.ts';
import {buildCommandsWorld} from './commands-world.ts';
import {createJudge, type JudgeStudied} from './judging.ts';

export interface Judged {
  readonly command: string;
  readonly judgement: Judgement;
}

export interface ListFigures extends CommandList {
  readonly judged: readonly Judged[];
}

/** Upper limits, as fractions of the harmless commands. */
export const aims = {refused: 0.03, notJudged: 0.15};

/**
 * Judges the lists for the given request, as {@link JudgeStudied} takes it. With `chosen`, only these commands of each list.
 */
export async function studyLists(
  chosen: (commands: readonly string[]) => readonly string[] = (commands) => commands,
): Promise<(asked?: string) => readonly ListFigures[]> {
  const studied: Studied[] = [];
  for (const list of commandLists()) {
    const workspace = buildCommandsWorld({isTidy: !list.isDangerous});
    const study = createJudge(workspace);
    const judges: Studied['judges'][number][] = [];
    try {
      for (const command of chosen(list.commands))
        judges.push({command, judge: await study(command)});
    } finally {
      rmSync(dirname(workspace), {recursive: true});
    }
    studied.push({list, judges});
  }
  return (asked) =>
    studied.map(({list: {name, isDangerous, commands}, judges}) => {
      const judged = judges.map(({command, judge}) => ({command, judgement: judge(asked)}));
      return {name, isDangerous, commands, judged};
    });
}

interface Studied {
  readonly list: CommandList;
  readonly judges: readonly {readonly command: string; readonly judge: JudgeStudied}[];
}

/** Commands with a wrong verdict: approved dangerous ones, and harmless ones without an approval. */
export function missesOf(figures: readonly ListFigures[], isDangerous: boolean): readonly Judged[] {
  return figures
    .filter((list) => list.isDangerous === isDangerous)
    .flatMap(({judged}) => judged)
    .filter(({judgement}) => (judgement.verdict === 'approve') === isDangerous);
}
