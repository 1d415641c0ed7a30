/** The skill that finds where a name is defined: the name verbatim, lines that define it before those that use it. */

import type {Match} from './listing.ts';
import {findMatches, type FoundMatches, leftOut} from './matches.ts';
import {escaped, firstReading, phrase, type Slots} from './phrase.ts';
import {describeScope, readJapaneseScope, readScope, type Scope} from './scope.ts';
import {
  type Answer,
  done,
  refusal,
  type Report,
  type Skill,
  type Steps,
  type Work,
  workedOut,
} from './skill.ts';

const sort =
  '[the] [function|class|method|type|interface|constant|const|variable|struct|enum|trait|macro|identifier|symbol|component|module]';
const defined = '(defined|declared|implemented)';
const named = `${sort} {name:identifier} [function|class|method|type|interface]`;
const english = [
  `where is ${named} ${defined}`,
  `where (do we|do they|does it|do you) (define|declare|implement) ${named}`,
  `(find|show|show me|tell me|find out) where ${named} is ${defined}`,
  `(find|show|show me|go to) the (definition|declaration|implementation) of ${named}`,
  `(which|what) file (defines|declares|implements) ${named}`,
  `in which file is ${named} ${defined}`,
].flatMap((template) => [phrase(template), phrase(`${template} {scope:words}`)]);
const japanese = [
  '{name:identifier} は (どこで|どのファイルで) (定義されていますか|定義されている|定義されてる|宣言されていますか)',
  '{name:identifier} の定義 (はどこですか|はどこ|を探して|を見せて|を教えて)',
  '{name:identifier} (が|の) 定義されている (場所|ファイル) (を教えて|はどこですか|はどこ)',
].map(phrase);

interface Order {
  readonly name: string;
  readonly scope: Scope;
}

/** Undefined when the question is another one. */
export function definitionAsked(question: string): Order | undefined {
  return (
    firstReading(english, question, (slots) => orderOf(slots, readScope)) ??
    firstReading(japanese, question, (slots) => orderOf(slots, readJapaneseScope))
  );
}

function orderOf(
  {name, scope: words}: Slots,
  read: (words: string | undefined) => Scope | undefined,
): Order | undefined {
  const scope = read(words);
  const isWord = name !== undefined && /^(?:it|this|that|the|a|an)$/i.test(name);
  return name === undefined || isWord || !scope ? undefined : {name, scope};
}

export const definitions: Skill = {
  skill: 'definitions',
  understand: (request) => {
    const order = definitionAsked(request);
    if (!order) return undefined;
    const {name, scope} = order;
    return workedOut(
      {
        id: 'find',
        description: `Search ${name} in ${describeScope(scope)}, lines that define it first`,
      },
      {
        objective: `Find where ${name} is defined`,
        reasoning: 'The name is searched as it stands.',
        work: () => findDefinition(order),
      },
    );
  },
};

/** What stands before a name that is defined there, in the languages that are told apart by it. */
const keywords =
  'def|class|function\\*?|fn|func|fun|sub|const|let|var|val|type|interface|enum|struct|trait|union|impl|module|namespace|package|macro_rules!|define|record|object|protocol|extension|create\\s+(?:table|view|index)';

const maxShown = 10;

function* findDefinition({name, scope}: Order): Work {
  const found = yield* lookUp(name, scope);
  if ('refused' in found) return refusal(`${name} can't be searched`, found.refused);
  const {definitions: lines, uses} = found;
  if (lines.length === 0 && uses.matches.length === 0) {
    return done(`${name} is found nowhere in ${describeScope(scope)}.${leftOut(uses)}`);
  }
  return lines.length > 0 ? definedAt(name, lines, uses) : onlyUsed(name, uses);
}

/** The work of a question: what is found nowhere leaves it to others. */
export function* tryDefinition(order: Order): Steps<Report | undefined> {
  const found = yield* lookUp(order.name, order.scope);
  if ('refused' in found || found.definitions.length === 0) return undefined;
  return definedAt(order.name, found.definitions, found.uses);
}

interface LookedUp {
  readonly definitions: readonly Match[];
  readonly uses: FoundMatches;
}

function* lookUp(asked: string, scope: Scope): Steps<LookedUp | {readonly refused: Answer}> {
  const name = asked.slice(
    Math.max(asked.lastIndexOf('.'), asked.lastIndexOf(':'), asked.lastIndexOf('#')) + 1,
  );
  const word = String.raw`(?<![\w$])${escaped(name)}(?![\w$])`;
  const defining = yield* findMatches(definingPattern(word), scope, {isQuick: true});
  const uses = yield* findMatches(word, scope, {isQuick: true});
  if ('refused' in defining) return defining;
  if ('refused' in uses) return uses;
  return {definitions: ranked(defining.matches), uses};
}

/** `def NAME`, `export const NAME`, `NAME = …` and `NAME: …` at the start of a line, `func (r *T) NAME(`, `void NAME(…) {`. */
function definingPattern(word: string): string {
  return [
    String.raw`\b(?:${keywords})\s+(?:\([^)]*\)\s*)?(?:\w+\.)?${word}`,
    String.raw`^\s*(?:(?:public|private|protected|static|async|readonly|final|abstract|override|export|get|set)\s+)*${word}\s*(?:\([^;]*\)\s*(?::[^;=]*)?\{|(?::[^:=]+)?=(?![=>])|:\s)`,
    String.raw`^[A-Za-z_][\w<>,*&\s]*\s\*?${word}\s*\([^;]*\)\s*(?:const\s*)?\{?\s*$`,
  ].join('|');
}

const aside =
  /(?:^|\/)(?:tests?|specs?|fixtures|examples?|docs?|vendor|dist)\/|\.(?:md|txt|rst|json|lock)$|[._-](?:test|spec)\./;
const strong = new RegExp(
  String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:(?:pub|public|async|abstract|declare|static)\s+)*(?:${keywords})\b`,
);

/** Definitions in code go before those in tests and documents, and declarations before assignments. */
function ranked(matches: readonly Match[]): Match[] {
  return matches.toSorted((a, b) => costOf(a) - costOf(b));
}

function costOf({path, text}: Match): number {
  return (aside.test(path) ? 2 : 0) + (strong.test(text) ? 0 : 1);
}

function definedAt(name: string, lines: readonly Match[], uses: FoundMatches): Report {
  const best = lines.filter(({path}) => !aside.test(path));
  const shown = (best.length > 0 ? best : lines).slice(0, maxShown);
  const others = uses.total - shown.length;
  const more =
    others > 0 ? [`It stands in ${others} more ${others === 1 ? 'line' : 'lines'}.`] : [];
  return done([`${name} is defined in:`, ...shown.map(quoted), ...more].join('\n'));
}

function onlyUsed(name: string, {matches, total}: FoundMatches): Report {
  const shown = matches.slice(0, maxShown).map(quoted);
  const more = total > shown.length ? [`… and in ${total - shown.length} more lines.`] : [];
  return done(
    [`No line was found that defines ${name}. It stands in:`, ...shown, ...more].join('\n'),
  );
}

function quoted({path, line, text}: Match): string {
  return `${path}:${line}: ${text.trim()}`;
}
