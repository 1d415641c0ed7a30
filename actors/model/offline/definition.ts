/** The skill that finds where a name is defined: the name verbatim, lines that define it before those that use it. */

import {type Labels, labelsFor} from './labels.ts';
import {definedText, lookUp} from './name-lookup.ts';
import {firstReading, phrase, type Slots} from './phrase.ts';
import {describeScope, readJapaneseScope, readScope, type Scope} from './scope.ts';
import {done, refusal, type Report, type Skill, type Steps, type Work, workedOut} from './skill.ts';

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
        work: () => findDefinition(order, labelsFor(request)),
      },
    );
  },
};

function* findDefinition({name, scope}: Order, labels: Labels): Work {
  const found = yield* lookUp(name, scope);
  if ('refused' in found) return refusal(`${name} can't be searched`, found.refused);
  return done(definedText(found, labels));
}

/** The work of a question: a name that is defined nowhere leaves it to others. */
export function* tryDefinition({name, scope}: Order, labels: Labels): Steps<Report | undefined> {
  const found = yield* lookUp(name, scope);
  if ('refused' in found || found.definitions.length === 0) return undefined;
  return done(definedText(found, labels));
}
