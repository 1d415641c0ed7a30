/** Figures of the index of the search tool: generated documents in Japanese and English, one file per ten chunks. */

import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {createSearch} from '../../tools/search/search.ts';
import {createDice, type Roll} from '../support/dice.ts';
import type {Row} from './table.ts';

/** The number that yields about 20,000 chunks. */
const fileCount = 1_265;
const paragraphsAFile = 20;
const paragraphChars = 500;
const queryCount = 50;

const syllables = 'ba ke mi no ru sta len por vex dri gam hol'.split(' ');
const characters = Array.from(
  '送料返品保証営業時間予約休暇申請在庫修理充電交換領収書配達会員端末店舗',
);

/** Few words are frequent and many rare, as in any text. */
function createWord(roll: Roll): () => string {
  const pick = (parts: readonly string[]): string => parts[roll(roll(parts.length) + 1)] ?? '';
  return () =>
    (roll(3) === 0 ? pick(characters) : pick(syllables) + pick(syllables)) +
    pick(syllables.concat(characters));
}

function paragraph(word: () => string): string {
  let text = '';
  while (text.length < paragraphChars) {
    text += `${word()} ${word()}は${word()}の${word()}です。 The ${word()} is ${word()}. `;
  }
  return text;
}

function fill(workspace: string): void {
  const word = createWord(createDice(7));
  for (let file = 0; file < fileCount; file += 1) {
    const folder = join(workspace, String(file % 50));
    mkdirSync(folder, {recursive: true});
    const paragraphs = Array.from({length: paragraphsAFile}, () => paragraph(word));
    writeFileSync(join(folder, `${file}.md`), `# Document ${file}\n\n${paragraphs.join('\n\n')}\n`);
  }
}

/** Resolves with the figures; makes and removes its own files. */
export async function measureSearch(): Promise<readonly Row[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-bench-')));
  const workspace = join(folder, 'workspace');
  fill(workspace);
  const tool = createSearch({paths: ['**/*.md'], topK: 5});
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
    const word = createWord(createDice(11));
    const times: number[] = [];
    for (let round = 0; round < queryCount; round += 1) {
      times.push(await time(`How is ${word()} related to ${word()} and ${word()}?`));
    }
    return describe(indexing, times);
  } finally {
    rmSync(folder, {recursive: true});
  }
}

function describe(indexing: number, times: readonly number[]): Row[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return [
    {label: `search: indexing ${fileCount} documents`, ours: indexing, unit: 'ms'},
    {label: 'search: a query, look for changed files included, median', ours: at(0.5), unit: 'ms'},
    {label: 'search: a query, look for changed files included, p95', ours: at(0.95), unit: 'ms'},
  ];
}
