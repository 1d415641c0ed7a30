/** The help on the offline model. */

import {grammar, questions, repertoire} from '../../actors/model/offline/repertoire.ts';

export function offlineHelp(): string {
  const skills = repertoire.map(({does, phrases}) => `${does}\n${indented(phrases)}`);
  const asked = questions.map(({phrase, does}) => `${phrase}: ${does}`);
  return `With no model configured, a built-in rule-based model works and the policy reviewers vote. It calls no model and costs nothing.
A request is understood only if every word of it is; else it does nothing, names the word at which it stopped, and shows the nearest requests. Text to write stands in quotes or after a colon. Courtesies such as please are left out.

${skills.join('\n\n')}

Searches and changes take a scope; a pattern without a folder means names in any folder.
${indented(grammar.scopes)}

Several requests follow each other.
${indented(grammar.parts)}

quorate ask answers questions on the repository like those above, and:
${indented(asked)}

Files that exist are never replaced unseen, line ends are kept, and text that is not in UTF-8 is named and left alone.
To have a language model work: quorate help models.
`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}`).join('\n');
}
