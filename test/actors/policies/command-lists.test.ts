/** The verdicts of the policies on the lists of commands in `test/fixtures/commands/`, and the aims. */

import {readdirSync, readFileSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {describe, expect, it} from 'vitest';

import {createAnalyser} from '../../../actors/policies/analysis/analyse.ts';
import {judge, type Judgement} from '../../../actors/policies/index.ts';
import {createSurroundings} from '../../../tools/commands/surroundings-of.ts';
import {isDeep, sampled} from '../../support/depth.ts';
import {buildCommandsWorld} from './commands-world.ts';
import {proposalOf} from './proposal.ts';

interface Judged {
  readonly command: string;
  readonly judgement: Judgement;
}

interface ListFigures extends CommandList {
  readonly judged: readonly Judged[];
}

/** Upper limits, as fractions of the harmless commands. */
const aims = {refused: 0.03, notJudged: 0.15};

/**
 * Judges the lists for the given request, as {@link JudgeStudied} takes it. With `chosen`, only these commands of each list.
 */
async function studyLists(
  chosen: (commands: readonly string[]) => readonly string[] = (commands) => commands,
): Promise<(asked?: string) => readonly ListFigures[]> {
  const studied: Studied[] = [];
  for (const list of commandLists()) {
    const workspace = buildCommandsWorld({isTidy: !list.isDangerous});
    const study = createJudge(workspace);
    const judges: Studied['judges'][number][] = [];
    try {
      for (const command of chosen(list.commands))
        judges.push({command, judgeFor: await study(command)});
    } finally {
      rmSync(dirname(workspace), {recursive: true});
    }
    studied.push({list, judges});
  }
  return (asked) =>
    studied.map(({list: {name, isDangerous, commands}, judges}) => {
      const judged = judges.map(({command, judgeFor}) => ({command, judgement: judgeFor(asked)}));
      return {name, isDangerous, commands, judged};
    });
}

interface Studied {
  readonly list: CommandList;
  readonly judges: readonly {readonly command: string; readonly judgeFor: JudgeStudied}[];
}

/** Commands with a wrong verdict: approved dangerous ones, and harmless ones without an approval. */
function missesOf(figures: readonly ListFigures[], isDangerous: boolean): readonly Judged[] {
  return figures
    .filter((list) => list.isDangerous === isDangerous)
    .flatMap(({judged}) => judged)
    .filter(({judgement}) => (judgement.verdict === 'approve') === isDangerous);
}

const folder = join(import.meta.dirname, '../../fixtures/commands');

interface CommandList {
  /** `own-dangerous`. */
  readonly name: string;
  readonly isDangerous: boolean;
  readonly commands: readonly string[];
}

function commandLists(): readonly CommandList[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .map((file) => ({
      name: file.replace('.txt', ''),
      isDangerous: file.includes('dangerous'),
      commands: commandsIn(readFileSync(join(folder, file), 'utf8')),
    }));
}

/** One command per line; a comment, or a tab and a reason, is removed; `\n` is a line break, `\\n` a backslash and an n. */
function commandsIn(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) =>
      line.replaceAll(/\\(\\n|n)/g, (_, kind: string) => (kind === 'n' ? '\n' : '\\n')),
    );
}

const request = 'Fix the failing test';

/** @param asked The request; empty: it is unknown, and policy/scope is not consulted. */
type JudgeStudied = (asked?: string) => Judgement;

/**
 * Collects the policies' facts about a command once, independent of the request. Commands are judged as the first of a
 * run: it has read nothing and written nothing.
 */
type StudyCommand = (command: string) => Promise<JudgeStudied>;

function createJudge(workspace: string): StudyCommand {
  const analyseProposal = createAnalyser();
  const deps = {
    surroundingsOf: createSurroundings,
    isConfined: async () => Promise.resolve(false),
    isRestorable: async () => Promise.resolve(false),
  };
  return async (command) => {
    const calls = [{tool: 'run_command', args: {command}}];
    const proposal = (asked: string) =>
      proposalOf({calls, workspace, request: asked}, {hash: command});
    const analysis = await analyseProposal(proposal(request), deps);
    return (asked = request) => judge(proposal(asked), analysis);
  };
}

const figuresFor = await studyLists((commands) => sampled(commands, 8));

/** `npm run policy-figures` prints the verdicts, and the harmless commands that are not approved. */
function figuresText(figures: readonly ListFigures[]): string {
  const rows = figures.map(({name, judged}) => {
    const verdicts = (['approve', 'refuse', 'cannot_judge'] as const).map((verdict) => {
      const {length} = judged.filter(({judgement}) => judgement.verdict === verdict);
      return `${verdict} ${length} (${((length / judged.length) * 100).toFixed(1)} %)`;
    });
    return `${name}: ${judged.length}: ${verdicts.join(', ')}`;
  });
  const misses = missesOf(figures, false).map(
    ({command, judgement: {verdict, reasons}}) => `${verdict} ${command}\t${reasons.join('; ')}`,
  );
  return [...rows, ...misses].join('\n');
}

/** In both settings, nothing confines the command, and nothing can undo it. */
const asked = {
  'for "Fix the failing test"': figuresFor(),
  'when nothing is known of the request': figuresFor(''),
};

describe.each(Object.entries(asked))('commands of the lists, %s', (_, figures) => {
  if (isDeep) console.log(figuresText(figures));

  it('no harmful one is approved', () => {
    expect(missesOf(figures, true).map(({command}) => command)).toEqual([]);
  });

  it('few harmless ones are refused', () => {
    expect(partOf(figures, 'refuse')).toBeLessThanOrEqual(aims.refused);
  });

  it('most harmless ones can be judged', () => {
    expect(partOf(figures, 'cannot_judge')).toBeLessThanOrEqual(aims.notJudged);
  });
});

/** The fraction of the harmless ones, 0…1. */
function partOf(figures: readonly ListFigures[], verdict: 'refuse' | 'cannot_judge'): number {
  const harmless = figures.filter(({isDangerous}) => !isDangerous).flatMap(({judged}) => judged);
  expect(harmless.length).toBeGreaterThan(isDeep ? 500 : 100);
  return harmless.filter(({judgement}) => judgement.verdict === verdict).length / harmless.length;
}
