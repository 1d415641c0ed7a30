/** Figures of the search tool's index: generated documents in Japanese and English, a file for every ten chunks. */

import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {createSearch} from '../../tools/search.ts';

const chunkCount = 20_000;
const paragraphsAFile = 20;
const paragraphChars = 500;
const queryCount = 50;

export interface BenchLine {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
}

const english = 'shipping refund warranty session planner ballot journal retry limit window sensor';
const japanese = '送料 返品 保証 営業時間 予約 休暇 申請 在庫 修理 充電 交換 領収書 配達 会員 端末';
const vocabulary = [...english.split(' '), ...japanese.split(' ')];

/** Numbers that look random and are the same in each run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % sides;
  };
}

function paragraph(roll: (sides: number) => number): string {
  let text = '';
  while (text.length < paragraphChars) {
    const word = vocabulary[roll(vocabulary.length)] ?? '';
    text += roll(3) === 0 ? `${word}は${roll(1_000)}です。` : ` ${word}${roll(5_000)} ${word}.`;
  }
  return text;
}

function fill(workspace: string): void {
  const roll = createDice(7);
  const files = (chunkCount * 2) / paragraphsAFile;
  for (let file = 0; file < files; file += 1) {
    const folder = join(workspace, String(file % 50));
    mkdirSync(folder, {recursive: true});
    const paragraphs = Array.from({length: paragraphsAFile}, () => paragraph(roll));
    writeFileSync(join(folder, `${file}.md`), `# Document ${file}\n\n${paragraphs.join('\n\n')}\n`);
  }
}

function chunksIn(indexFile: string): number {
  const index = new DatabaseSync(indexFile, {readOnly: true});
  const row = index.prepare('SELECT count(*) AS count FROM chunks').get();
  index.close();
  return Number(row?.['count']);
}

/** Resolves with the figures; makes and removes its own files. */
export async function measureSearch(): Promise<readonly BenchLine[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-bench-')));
  const workspace = join(folder, 'workspace');
  const indexFile = join(folder, 'index', 'search.db');
  fill(workspace);
  const tool = createSearch({paths: ['**/*.md'], topK: 5, indexFile});
  const {signal} = new AbortController();
  const context = {workspace, signal, recovering: false, onChild: () => undefined};
  const time = async (query: string): Promise<number> => {
    const before = performance.now();
    const outcome = await tool.run({query}, context);
    if (outcome.kind !== 'succeeded') throw new Error(`the bench's search ${outcome.kind}`);
    return performance.now() - before;
  };
  try {
    const indexing = await time('first');
    const roll = createDice(11);
    const times: number[] = [];
    for (let round = 0; round < queryCount; round += 1) {
      const [one, other] = [roll(vocabulary.length), roll(vocabulary.length)];
      times.push(await time(`How is ${vocabulary[one]} related to ${vocabulary[other]}?`));
    }
    return describe(chunksIn(indexFile), indexing, times);
  } finally {
    rmSync(folder, {recursive: true});
  }
}

function describe(chunks: number, indexing: number, times: readonly number[]): BenchLine[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return [
    {label: 'search: chunks in the index', value: chunks, unit: 'chunks'},
    {label: 'search: indexing them', value: indexing, unit: 'ms'},
    {label: 'search: a query, look for changed files included, median', value: at(0.5), unit: 'ms'},
    {label: 'search: a query, look for changed files included, p95', value: at(0.95), unit: 'ms'},
  ];
}
