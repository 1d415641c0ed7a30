/** The help on the offline model. */

import {grammar, questions, repertoire} from '../../actors/model/offline/repertoire.ts';
import {type Reader, say} from '../language.ts';
import * as japanese from './ja/topics.ts';
import {inJapanese} from './ja/translation.ts';

const head = `Without a configured model, a built-in rule-based model works and the policy reviewers vote. It calls no model and costs nothing.
The model acts only if it understands every word of a request; otherwise it changes nothing, and the answer names the first word that it did not understand and the nearest requests. Put text to write in quotes or after a colon. Courtesies such as please are ignored.`;

const scopes =
  'Searches and changes take a scope; a pattern without a folder means names in any folder.';

const parts = 'Several requests follow each other.';

const asked = 'quorate ask answers questions on the repository like those above, and:';

const foot = `Existing files are never replaced unseen, line ends are kept, and text that is not UTF-8 is reported and left unchanged.
To use a language model: quorate help models.`;

export function offlineHelp(reader: Reader = {}): string {
  const row = (english: string): string => say({en: english, ja: inJapanese(english)}, reader);
  const skills = repertoire.map(({does, phrases}) => `${row(does)}\n${indented(phrases)}`);
  const answers = questions.map(({phrase, does}) => `${phrase}: ${row(does)}`);
  return `${say({en: head, ja: japanese.offlineHead}, reader)}

${skills.join('\n\n')}

${say({en: scopes, ja: japanese.offlineScopes}, reader)}
${indented(grammar.scopes)}

${say({en: parts, ja: japanese.offlineParts}, reader)}
${indented(grammar.parts)}

${say({en: asked, ja: japanese.offlineAsk}, reader)}
${indented(answers)}

${say({en: foot, ja: japanese.offlineFoot}, reader)}
`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
