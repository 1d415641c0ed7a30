/** Finds claims about work in a text, in English and in Japanese, by fixed phrases. */

import {
  isHedged,
  isJapaneseClaim,
  isPast,
  isReported,
  type Spot,
  sentencesOf,
  spotsOf,
} from './claim-sentences.ts';
import {deletionClaims} from './deletion-claims.ts';
import {type Doer, writeClaims} from './write-claims.ts';

const subject = String.raw`(?:\b(?:all|the|every|each|\d+(?:\/\d+)?|both|my|our|its|these|new|existing|other|remaining|relevant|unit|integration|regression|e2e|end-to-end)\s+(?:of\s+)?){0,5}\b(?:tests?(?:\s+(?:suites?|runs?|cases?))?|specs|(?:failing|broken|red|flaky)\s+spec)`;
const success = String.raw`(?:pass(?:ed|es|ing)?|succeed(?:ed|s)?|green|ok(?:ay)?(?!\s+to\b)|successful(?:ly)?(?!\s+(?!now|again|and|in|on|with)\w)|without (?:any )?(?:failures?|errors?))`;

const testsPass: readonly RegExp[] = [
  new RegExp(
    String.raw`${subject}\s*:?\s+(?:(?:now|all|still|again|both|have|has|had|also|are|is|were|was|ran|run|came back|comes back|come back|completed?|finished|\d+)\s+){0,4}${success}\b`,
    'gi',
  ),
  new RegExp(
    String.raw`${subject}\s+(?:now\s+|all\s+){0,2}(?:ran|runs?|came back|comes? back|finish(?:ed)?)\s+(?:all\s+)?clean\b`,
    'gi',
  ),
  new RegExp(
    String.raw`\b(?:test\s+)?suites?\s+(?:(?:now|still|again|is|are|was|has|have|ran|all)\s+){0,3}${success}\b`,
    'gi',
  ),
  /\ball green\b|\beverything\s+(?:is\s+|now\s+){0,2}(?:green|pass(?:es|ed|ing))\b|\b(?:no|zero|0)\s+(?:failing tests|tests?\s+fail(?:ed|ing|ures?|s)?|test failures|failures|failed)\b/gi,
  /\b(?:tests?:?\s+)?ok\b\W{1,3}\d{1,6}\s+(?:tests?|passed)\b|\b\d{1,6}(?:\/\d{1,6})?\s+(?:tests?\s+pass(?:ed|ing)?\b|pass(?:ed|ing)?(?=\s*(?:$|[^\w\s]|\d|and\b|in\b|now\b|with\b)))|\bpassed\s+\d{1,6}\s+tests?\b/gi,
  /`?\b(?:(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?test[\w:-]*|pytest|vitest|jest|mocha|rspec|(?:cargo|go|mix|dotnet|mvn|make|gradle) test)\b[^.;\n]{0,20}?\s(?:pass(?:es|ed)?|succeed(?:s|ed)|(?:is|was)\s+(?:green|successful)|exit(?:s|ed)? (?:with )?(?:code )?0)\b/gi,
  /\b(?:tests?|specs|vitest|jest|pytest|mocha|rspec)\b\W{1,3}(\d{1,6})\/\1\b|[✅✔✓☑]\uFE0F?\s?(?:all\s+)?(?:tests?|specs)\b|\b(?:tests?|specs)\b\W{0,3}[✅✔✓☑]/gi,
  /\b(?:ran|executed)\s+(?:all\s+)?(?:the\s+)?(?:tests?|test suite)\s+(?:\w+\s+){0,2}(?:successfully|with success|without (?:any )?(?:failures?|errors?))/gi,
];
const testsPassJapanese =
  /テスト[^。\n、]{0,20}?(?:通(?:り|っ|過|る)|成功|パス|PASS|合格|グリーン|OK|[✅✔✓]|(?:問題|失敗|エラー)(?:は)?(?:な(?:し|く)|ありません))|テストを(?:実行|走ら|回)し[^。\n]{0,20}?(?:通り|通っ|成功|パス)|(?:全て|すべて|全)の?テスト[^。\n]{0,10}?(?:通|成功|パス)/g;

const someTests = String.raw`(?:[1-9]\d{0,5}|one|two|three|four|five|some|several|many|others?|tests?|specs?|suite|rest)`;
/** The sentence admits that some tests failed. */
const admitsFailure = new RegExp(
  String.raw`(?<!\b(?:no|zero|0|none of the|never)\s(?:\w+\s)?)\b${someTests}\s+(?:tests?\s+|of \w+ )?(?:still\s+)?(?:fail(?:ed|ing|ures?|s)?|errors?)\b`,
  'i',
);
/** The sentence says that tests still fail. */
const failsNow =
  /(?<!\b(?:no|none|nothing|never)\s(?:[\w.]+\s){0,3})\b(?:fails|still fail(?:s|ing)?|still red)\b|\b(?:npm|pnpm|yarn) (?:run )?test\b[^.]{0,20}\bfailed\b(?![^.]*\b(?:first|before|initially|previously)\b)/i;
const partly =
  /\b(?:all|every(?:thing)?)\b[^,;.]{0,40}?\b(?:but|except|apart from|other than)\b|\b(?:except|apart from|other than)\b|\b(?:most|some|many|several|half|few)\b[^,;.]{0,20}\btests?\b/i;

/** True when the sentence covers only some of the tests: `11 of 12`. */
function isPartly(sentence: string): boolean {
  if (partly.test(sentence)) return true;
  return [...sentence.matchAll(/\b(\d{1,6})\s?(?:of|\/)\s?(?:the )?(\d{1,6})\b/g)].some(
    ([, some, all]) => Number(some) < Number(all),
  );
}

/** Text after "pass" that gives it another meaning: `tests pass through the queue`, `tests passed to the runner`. */
const elsewhere =
  /^\s+(?:(?:in)?to|through|along|only|its|their|an?|as (?:an? )?(?:argument|parameter|option)s?|by (?!running|executing|hand|me\b|us\b)\w+)\b/i;

function isClaim(spot: Spot): boolean {
  return !isHedged(spot) && !isPast(spot) && !elsewhere.test(spot.after);
}

/** True when `0 failures` may refer to a linter, or to a number in a program. */
function isOfOthers({found}: Spot, sentence: string): boolean {
  if (!/^(?:no|zero|0)\s+fail/i.test(found)) return false;
  return (
    !/\b(?:tests?|specs|suites?|vitest|jest|pytest|mocha|rspec|passed)\b/i.test(sentence) &&
    !/^\W*(?:there (?:are|were) |with )?(?:no|zero|0) (?:failures|failed)\W*$/i.test(sentence)
  );
}

/** The phrases that claim that tests pass; none when the text says that tests still fail. */
export function testClaims(text: string): readonly string[] {
  const sentences = sentencesOf(text);
  if (sentences.some((sentence) => failsNow.test(sentence))) return [];
  return sentences.flatMap((sentence) => {
    if (admitsFailure.test(sentence) || isPartly(sentence)) return [];
    const english = testsPass
      .flatMap((pattern) => spotsOf(sentence, pattern))
      .filter((spot) => isClaim(spot) && !isReported(spot) && !isOfOthers(spot, sentence));
    const japanese = spotsOf(sentence, testsPassJapanese).filter(isJapaneseClaim);
    return [...english, ...japanese].map(({found}) => found.trim());
  });
}

const ranIt: readonly RegExp[] = [
  /\b(?:verified|tested|confirmed|checked|tried)\s+(?:(?:it|this|that|them|everything|the \w+)\s+)?(?:locally|manually|on my machine|by (?:running|executing))\b/gi,
  /\b(?:I|we)(?:['’]ve| have)?\s+(?:also\s+)?(?:ran|run|executed|tested)\s+(?:it|this|that|them|everything|the (?:code|script|program|command|build|linter|app))\b/gi,
];
const ranItJapanese =
  /(?:動作|実行結果|挙動)を?(?:は)?(?:確認|検証)(?:し(?:ました|た)|済み)|(?:ローカル|手元)で(?:実行|確認|検証)(?:し(?:ました|た)|済み)|実行して(?:確認|検証)しました/g;

/** The phrases that claim that something was run or tried. */
export function runClaims(text: string): readonly string[] {
  return sentencesOf(text).flatMap((sentence) => {
    const english = ranIt.flatMap((pattern) => spotsOf(sentence, pattern)).filter(isClaim);
    const japanese = spotsOf(sentence, ranItJapanese).filter(isJapaneseClaim);
    return [...english, ...japanese].map(({found}) => found.trim());
  });
}

/** True when the text makes a claim about work, correct or not. */
export function hasClaims(text: string, by: Doer = 'anybody'): boolean {
  return [testClaims(text), runClaims(text), writeClaims(text, by), deletionClaims(text, by)].some(
    ({length}) => length > 0,
  );
}

/** The text without the sentences that make claims, trimmed. Runs of blank lines become one blank line. */
export function withoutClaims(text: string, by: Doer = 'anybody'): string {
  const lines = text.split('\n').map((line) => {
    if (!hasClaims(line, by)) return line;
    const sentences = line.split(/(?<=[.!?]\s)|(?<=[。！？])/);
    return sentences.filter((sentence) => !hasClaims(sentence, by)).join('');
  });
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
