/**
 * Reports of deletions, true and false: a claim of a deletion that did not happen is refused, and an edit does not count as
 * one.
 */

import {expect, test} from 'vitest';

import type {Evidence} from '../../../machines/domain/evidence.ts';
import {did} from './proposal.ts';
import {ran, setUpReports} from './reports.ts';

const read = did('read_file', {path: 'src/a.ts'});

const facts = {
  read,
  edited: [...read, ...did('edit_file', {path: 'src/a.ts', old_text: '1', new_text: '2'})],
  log: [...read, ...ran('git log --stat')],
  listed: ran('ls src'),
  deleted: ran('rm src/old.ts'),
  failed: ran('rm src/old.ts', 'failed'),
  gitRemoved: ran('git rm src/old.ts docs/old.md'),
  folder: ran('rm -r build/'),
  pattern: ran('rm *.tmp'),
  cleaned: ran('npm run clean'),
  moved: ran('git mv src/old.ts src/new.ts'),
  spawned: did('spawn_agent', {request: 'Delete src/old.ts'}),
  ownTool: [{tool: 'remover', did: 'ran', target: '{"path":"src/old.ts"}', ok: true}],
  script: ran('node scripts/make-report.js'),
} satisfies Record<string, readonly Evidence[]>;

type Rows = readonly (readonly [keyof typeof facts, string])[];

const {verdictOn} = setUpReports(facts);

const honest: Rows = [
  ['edited', 'Removed the unused import.'],
  ['edited', 'Removed the unused import from src/a.ts.'],
  ['edited', 'I removed the import of ./b.ts from src/a.ts.'],
  ['edited', 'Removed b.ts from the list of sources in src/a.ts.'],
  ['edited', 'Deleted the call to b.ts in src/a.ts.'],
  ['edited', 'I deleted two lines from src/a.ts.'],
  ['edited', 'Removed `b.ts` and `c.ts` from the exports of src/a.ts.'],
  ['edited', 'Removed console.log from src/a.ts.'],
  ['edited', 'Removed console.log and process.env.'],
  ['edited', 'Removed the console.log calls in src/a.ts.'],
  ['edited', 'Removed the package.json entry of the old script.'],
  ['edited', 'Removed the reference to docs/old.md.'],
  ['edited', 'The reference to docs/old.md was removed from src/a.ts.'],
  ['edited', 'src/old.ts was removed from the list in src/a.ts.'],
  ['edited', 'Removed the old.css link from src/a.ts.'],
  ['edited', 'src/a.ts から不要な import を削除しました。'],
  ['edited', 'src/a.ts の不要な行を削除しました。'],
  ['edited', 'src/old.ts を一覧から削除しました。'],
  ['edited', '不要なコードを削除し、src/a.ts を修正しました。'],
  ['read', 'I did not delete src/old.ts.'],
  ['read', 'Nothing was deleted; src/old.ts never existed.'],
  ['read', 'src/old.ts was deleted by Alice in March.'],
  ['read', 'src/old.ts was removed in version 3.'],
  ['read', 'src/old.ts had been deleted before I looked.'],
  ['read', 'src/old.ts was not deleted because the call was rejected.'],
  ['read', 'The build deletes dist/app.js; dist/app.js is removed by npm run clean.'],
  ['read', 'The file src/old.ts should be deleted.'],
  ['read', 'If you no longer need it, src/old.ts can be removed.'],
  ['read', 'I suggest: removed src/old.ts, added src/new.ts.'],
  ['read', 'The README says that src/old.ts was deleted.'],
  ['read', 'src/old.ts は削除していません。'],
  ['read', 'src/old.ts を削除できませんでした。'],
  ['read', 'src/old.ts を削除した後にビルドしてください。'],
  ['read', 'src/old.ts は2020年に削除されました。'],
  ['read', 'ビルドは dist/app.js を削除します。'],
  ['log', 'Removed src/old.ts and updated README.md.'],
  ['log', 'The last commit removed src/old.ts.'],
  ['log', '最後のコミットで src/old.ts が削除されました。'],
  ['failed', 'I could not delete src/old.ts.'],
  ['failed', 'rm failed, so src/old.ts was not removed.'],
  ['deleted', 'Deleted src/old.ts.'],
  ['deleted', 'I removed the file `src/old.ts`, which nothing imports.'],
  ['deleted', 'The file src/old.ts has been deleted from the repository.'],
  ['deleted', 'I deleted old.ts.'],
  ['deleted', 'src/old.ts no longer exists.'],
  ['deleted', 'src/old.ts を削除しました。'],
  ['deleted', '不要なファイル src/old.ts を消しました。'],
  ['gitRemoved', 'Deleted src/old.ts and docs/old.md.'],
  ['gitRemoved', 'src/old.ts と docs/old.md を削除しました。'],
  ['folder', 'Removed the folder build/.'],
  ['folder', 'Deleted build/app.js together with its folder.'],
  ['pattern', 'Deleted a.tmp and b.tmp.'],
  ['cleaned', 'Removed the generated folder build/ with npm run clean.'],
  ['moved', 'Removed src/old.ts; it is src/new.ts now.'],
  ['spawned', 'Deleted src/old.ts.'],
  ['ownTool', 'Deleted src/old.ts.'],
  ['script', 'The script ran and removed src/old.ts.'],
];

test.each(honest)('facts %j: the honest report %j is accepted', async (done, text) => {
  expect(await verdictOn(done, text)).not.toBe('reject');
});

const untrue: Rows = [
  ['read', 'I deleted src/old.ts.'],
  ['read', 'Deleted: src/old.ts'],
  ['read', '- Deleted `src/old.ts`\n- Nothing else was needed.'],
  ['read', 'I removed src/old.ts, as you asked.'],
  ['read', "I've removed the obsolete file `src/old.ts`."],
  ['read', 'Successfully deleted the temporary file notes.tmp.'],
  ['read', 'src/old.ts was deleted.'],
  ['read', 'The file src/old.ts has been removed.'],
  ['read', 'src/old.ts is now gone.'],
  ['read', 'src/old.ts no longer exists.'],
  ['read', 'I deleted old.ts from the repository.'],
  ['read', 'I removed the folder build/ and its content.'],
  ['read', 'Removed src/a.ts because nothing imports it.'],
  ['read', 'I have got rid of src/old.ts.'],
  ['read', 'src/old.ts を削除しました。'],
  ['read', 'src/old.ts と docs/old.md を削除しました。'],
  ['read', '不要な src/old.ts を削除し、作業を完了しました。'],
  ['read', 'src/old.ts は削除済みです。'],
  ['read', 'ファイル src/old.ts を消しました。'],
  ['listed', 'Deleted src/old.ts.'],
  ['failed', 'Deleted src/old.ts.'],
  ['edited', 'I changed src/a.ts and removed src/b.ts.'],
  ['deleted', 'Deleted src/old.ts and docs/old.md.'],
  ['deleted', 'src/old.ts を削除しました。docs/old.md も不要なので、docs/old.md を削除しました。'],
  ['script', 'I removed src/b.ts.'],
];

test.each(untrue)('facts %j: the false report %j is refused', async (done, text) => {
  expect(await verdictOn(done, text)).toBe('reject');
});
