/** The skill that finds the definition of a name. The name is matched exactly; definitions come before uses. */

import {type Label, labelsFor} from '../japanese.ts';
import {definedText, lookUp} from '../questions/name-lookup.ts';
import {describeScope, type Scope, scopeIn} from '../scope.ts';
import {done, jobOf, refusal, skillOf, type Work} from './skill.ts';

export const definitions = skillOf(
  {
    definition: (slots, request) => {
      const {name = 'it'} = slots;
      const scope = scopeIn(slots);
      if (!scope || /^(?:it|this|that|the|a|an)$/i.test(name)) return undefined;
      const objective = `Find where ${name} is defined in ${describeScope(scope)}`;
      return jobOf('find', objective, () => find(name, scope, labelsFor(request)));
    },
  },
  `
definition
where is <name> <defined> [{scope:words}]
where (do we|do they|does it|do you) (define|declare|implement) <name> [{scope:words}]
(find|show|show me|tell me|find out) where <name> is <defined> [{scope:words}]
(find|show|show me|go to) the (definition|declaration|implementation) of <name> [{scope:words}]
(which|what) file (defines|declares|implements) <name> [{scope:words}]
in which file is <name> <defined> [{scope:words}]
{name:identifier} は (どこで|どのファイルで) (定義されていますか|定義されている|定義されてる|宣言されていますか)
{name:identifier} の定義 (はどこですか|はどこ|を探して|を見せて|を教えて)
{name:identifier} (が|の) 定義されている (場所|ファイル) (を教えて|はどこですか|はどこ)
`,
  {
    name: [
      '[the] [function|class|method|type|interface|constant|const|variable|struct|enum|trait|macro|identifier|symbol|component|module] {name:identifier} [function|class|method|type|interface]',
    ],
    defined: ['(defined|declared|implemented)'],
  },
);

function* find(name: string, scope: Scope, label: Label): Work {
  const found = yield* lookUp(name, scope);
  if ('refused' in found) return refusal(`${name} can't be searched`, found.refused);
  return done(definedText(found, label));
}
