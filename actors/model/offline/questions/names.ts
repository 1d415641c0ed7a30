/** Finds names of code in a question, and lines that contain, define or call them. */

import {escapePattern} from '../../../../machines/domain/escape-pattern.ts';
import {isStopWord} from '../../../../tools/search/stop-words.ts';

export interface Name {
  readonly name: string;
  /** True for `camelCase`, `snake_case`, backticks and parentheses. Other words are names only if the code defines them. */
  readonly isCertain: boolean;
}

const word = String.raw`[A-Za-z_$][\w$]*`;
const token = new RegExp(
  String.raw`(?<![\w./@-])(?:\`(?<cited>${word}(?:(?:\.|::|#)${word})*)(?:\(\))?\`|(?<bare>${word}(?:(?:\.|::|#)${word})*)(?<call>\(\))?)(?![\w/-]|\.\w)`,
  'g',
);
const productNames =
  /^(?:JavaScript|TypeScript|GitHub|GitLab|YouTube|macOS|iOS|README|OpenAI|PostgreSQL|SQLite|MySQL|GraphQL|DevOps)$/;
const spokenOf =
  /(?<=\b(?:function|class|method|type|interface|constant|variable|struct|enum|component|calls?|invokes?|uses?|imports?|depends? on)\s+(?:the\s+)?)[A-Za-z_$][\w$]*(?![\w-])|(?<![\w-])[A-Za-z_$][\w$]*(?=\s+(?:function|class|method|(?:(?:is|get|gets) )?(?:called|invoked|instantiated|used|defined|declared|implemented|imported))|\s*[はがの](?:どこで|どのファイルで)?(?:定義|呼|使))/g;
/** `left-pad`, `@types/node`: the name of a package if a manifest or an import contains it. */
const packageName = /(?<![\w./@-])(?:@[\w.-]+\/[\w.-]*\w|[a-z][\w.]*(?:-[\w.]*\w)+)(?![\w/-])/g;
/** A question about a name that may not exist: `Does anything use X?` */
const isSought = /^\W*(?:does|do|is) any(?:thing|body|one| \w+)\b/i;

/** At most three names, without duplicates. */
export function namesIn(question: string): Name[] {
  const named = [...question.matchAll(token)].flatMap(({0: all, groups = {}, index}) => {
    const whole = groups['cited'] ?? groups['bare'] ?? '';
    const name = whole.split(/\.|::|#/).at(-1) ?? '';
    const isCertain = /^`|\(\)$|::/.test(all) || isWrittenByCode(name);
    const isPossible = index > 0 ? /\d|^[A-Z]/.test(name) : /\d|^[A-Z]{2}/.test(name);
    return isCertain || isPossible ? [{name, isCertain}] : [];
  });
  const isCertain = isSought.test(question);
  const spoken = [packageName, spokenOf]
    .flatMap((pattern) => question.match(pattern) ?? [])
    .filter((name) => !isStopWord(name.toLowerCase()))
    .map((name) => ({name, isCertain}));
  const distinct = new Map([...spoken, ...named].map((one) => [one.name, one]));
  return [...distinct.values()].slice(0, 3);
}

function isWrittenByCode(name: string): boolean {
  return /[a-z\d][A-Z]|[A-Za-z\d]_|_[A-Za-z\d]/.test(name) && !productNames.test(name);
}

export function namePattern(name: string): string {
  return String.raw`(?<![\w$])${escapePattern(name)}(?![\w$])`;
}

export function holdsName(line: string, name: string): boolean {
  return new RegExp(namePattern(name)).test(line);
}

export function callsName(line: string, name: string): boolean {
  return new RegExp(
    String.raw`${namePattern(name)}(?:<[^>()]*>)?\s*\(|\bnew\s+${namePattern(name)}|^\s*@${namePattern(name)}`,
  ).test(line);
}

/** Keywords that precede the name in a definition, in various languages. */
export const definingWords =
  'def|class|function\\*?|fn|func|fun|sub|const|let|var|val|type|interface|enum|struct|trait|union|impl|module|namespace|package|macro_rules!|define|record|object|protocol|extension|create\\s+(?:table|view|index)';

const topLevel = new RegExp(
  String.raw`^(?<exported>export\s+|pub(?:\([^)]*\))?\s+|public\s+)?(?:(?:default|async|abstract|declare|static|final|unsafe)\s+)*(?:(?:${definingWords})\s+)(?<name>${word})|^(?:module\.)?(?<common>exports)\.(?<member>${word})\s*=`,
);

/** `NAME (LINE)` for each definition at the start of a line; only exported definitions, if there are any. */
export function definedNames(lines: readonly string[]): {exported: boolean; names: string[]} {
  const found = lines.flatMap((line, at) => {
    const {exported: mark, name, common, member} = topLevel.exec(line)?.groups ?? {};
    const own = name ?? member;
    if (own === undefined) return [];
    return [{text: `${own} (${at + 1})`, isExported: mark !== undefined || common !== undefined}];
  });
  const exported = found.filter(({isExported}) => isExported);
  return {
    exported: exported.length > 0,
    names: (exported.length > 0 ? exported : found).map(({text}) => text),
  };
}
