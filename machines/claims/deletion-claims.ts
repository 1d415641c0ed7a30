/** Finds claims that files or folders were deleted, in English and in Japanese, by fixed phrases. */

import {isHedged, isJapaneseClaim, type Spot, sentencesOf, spotsOf} from './claim-sentences.ts';
import {
  type Doer,
  fileKinds,
  frameworks,
  isDoneBy,
  isDoneInJapanese,
  ofHistory,
  ofOld,
} from './write-claims.ts';

const kinds = `${fileKinds}|tmp|temp|bak|orig|swp|zip|tgz|gz|tar|db|sqlite`;
const file = String.raw`(?:(?:[\w@~.-]*[\w@-]\/|\.{0,2}\/)*[\w@.-]*[\w@-]\.(?:${kinds}))(?![\w(/]|\.\w)`;
const folder = String.raw`(?:(?:[\w@~.-]*[\w@-]\/)+(?![\w.]))`;
const ticked = String.raw`[\`'"]?(?<![\w@./~-])(${file}|${folder})[\`'"]?`;

const determiners =
  'the|this|that|these|those|a|an|your|all|both|entire|whole|two|three|four|five|following';
const traits =
  'old|obsolete|outdated|stale|unused|unneeded|unnecessary|redundant|duplicate|duplicated|temporary|temp|empty|generated|leftover|legacy|dead|test|log|backup|config|source|cache';
const things =
  'files?|folders?|director(?:y|ies)|scripts?|modules?|documents?|copy|copies|named|called';
/** Words allowed between the verb and the file: determiners, traits and kinds of files. */
const gap = String.raw`(?:(?:${determiners}|${traits}|${things})[\s:]+){0,6}`;

const deleted = new RegExp(
  String.raw`\b(?:deleted|removed|erased|unlinked|wiped|got rid of)\b[\s:]+${gap}${ticked}`,
  'gi',
);
const another = new RegExp(
  String.raw`^\s*(?:,\s*(?:and\s+)?|and\s+|&\s*)(?:the\s+)?${ticked}(?!\s+(?:is|are|was|were|has|have|stays?|remains?|still|now)\b)`,
  'i',
);
const gone = new RegExp(
  String.raw`${ticked}\s+(?:(?:has|have) (?:now |successfully )?been (?:deleted|removed|erased|wiped)|(?:was|were) (?:now |successfully )*(?:deleted|removed|erased|wiped)|(?:is|are) now (?:deleted|removed|gone)|no longer exists?)\b`,
  'gi',
);

const wholePlaces =
  'project|repo|repository|workspace|disk|folder|directory|file ?system|tree|codebase|machine|root|src|test|tests|docs';
/** Text after the file that ends the deleted object. With a noun, another object was deleted: `the a.ts entry`. */
const endsThere = new RegExp(
  String.raw`^(?:\s*$|\s*[.!;:),—–]|\s*\(|\s+[-—–]|\s+(?:and|but|or|because|as|since|so|which|that|with|using|via|by|after|before|too|successfully|now|permanently|entirely|completely|together|along|again|per|for good)\b|\s+from\s+(?:(?:the|this|your|its)\s+)?(?:${wholePlaces})\b)`,
  'i',
);
/** Names the file from which a part was deleted, such as an import or an item of a list. */
const partOf = new RegExp(
  String.raw`\b(?:from|in|inside|within|out of)\s+(?!(?:(?:the|this|your|its)\s+)?(?:${wholePlaces})\b)`,
  'i',
);

const japaneseNames = String.raw`((?:${file}|${folder})(?:[\`'"]?\s*(?:と|、|や|,|および|及び)\s*[\`'"]?(?:${file}|${folder}))*)`;
const deletedJapanese = new RegExp(
  String.raw`(?<![\w@./~-])${japaneseNames}[\`'"]?\s*(?:という|の)?(?:ファイル|フォルダ|ディレクトリ)?\s*(?:(?:を|は)(?:(?:プロジェクト|リポジトリ|ワークスペース|ディスク|フォルダ)から)?(?:すべて|全て|両方とも|両方|完全に|正常に|無事)?(?:(?:削除|消去|除去|抹消)(?:し(?:ました|ておきました|てあります|た)|済み|されました|完了)|(?:消し|取り除き)ました|(?:消し|取り除い)(?:ておきました|た)|(?:(?:削除|消去|除去)し|(?:消し|取り除い)て|(?:削除|消去)し?、|(?:消し|取り除き)、)[^。\n]{0,60}?(?:ました|済み))|削除済み)`,
  'g',
);
const japaneseSplit = /[`'"]?\s*(?:と|、|や|,|および|及び)\s*[`'"]?/;
const negatedJapanese = /ません|ない|せず|失敗|予定|べき/;

/** Text before a file that is only mentioned: `the reference to a.ts was removed`. */
const mentioned = /\b(?:to|of|from|in|for|on|at|by|with|about|behind|inside)\s+(?:the\s+)?$/i;

/** Objects whose members look like files: `console.log`. */
const codeNames =
  /^(?:console|process|module|window|document|globalThis|this|self|import|meta|Math|JSON|Object|logger|log)\./;

/** The files and folders that the text claims were deleted, without a leading `./` and a trailing slash. */
export function deletionClaims(text: string, by: Doer = 'anybody'): readonly string[] {
  const names = sentencesOf(text)
    .flatMap((sentence) => deletedIn(sentence, by))
    .map((name) => name.replace(/^\.\//, '').replace(/\/$/, ''));
  return [...new Set(names)].filter(
    (name) => name !== '' && !frameworks.test(name) && !codeNames.test(name),
  );
}

function deletedIn(sentence: string, by: Doer): string[] {
  const active = spotsOf(sentence, deleted).flatMap((spot) =>
    isHedged(spot) || !isDoneBy(by, spot, sentence) ? [] : targetsOf(spot),
  );
  const passive = spotsOf(sentence, gone).filter(
    (spot) =>
      by === 'anybody' &&
      !isHedged(spot) &&
      !ofOld.test(spot.after) &&
      !mentioned.test(spot.before) &&
      !partOf.test(spot.after) &&
      !ofHistory.test(sentence),
  );
  const japanese = spotsOf(sentence, deletedJapanese).filter(
    (spot) =>
      isJapaneseClaim(spot) &&
      isDoneInJapanese(by, spot.before) &&
      !negatedJapanese.test(spot.found),
  );
  return [
    ...active,
    ...passive.map(({name}) => name),
    ...japanese.flatMap(({name}) => name.split(japaneseSplit)),
  ];
}

/** The file and the files listed after it; none when they are parts of another file or of a longer name. */
function targetsOf({name, after}: Spot): string[] {
  const names = [name];
  let rest = after;
  for (let next = another.exec(rest); next; next = another.exec(rest)) {
    names.push(next[1] ?? '');
    rest = rest.slice(next[0].length);
  }
  const clause = rest.split(/[,;.](?:\s|$)|\b(?:and|but)\b/)[0] ?? '';
  return endsThere.test(rest) && !partOf.test(clause) ? names : [];
}
