/** Texts of participants, without what says who wrote them. */

import {escapePattern} from '../domain/escape-pattern.ts';

/** Who may be named: `id` is a seat's, `model` is `provider/model`. */
export interface Named {
  readonly id: string;
  readonly model: string;
}

/** What stands in place of a name. */
const nobody = '[a participant]';

/** Words that are the name of a maker or of a family of models wherever they stand. */
const wellKnown =
  /^(?:anthropic|chatgpt|claude|codex|deepseek|gemini|gemma|gpt|grok|kimi|llama|mistral|openai|qwen)$/;
const versions = String.raw`(?:[-\s]?(?:\d[\w.]*|sonnet|opus|haiku|codex|flash|pro|mini|nano|turbo))*`;

/** Shorter words mean too much else. */
const shortest = 3;

/**
 * Hides the names of all participants. A name that can be nothing else goes wherever it stands, unless the question itself
 * has it: then it is what is spoken about. A name that is also a word goes only where somebody introduces himself by it.
 */
export function hideNames(text: string, named: readonly Named[], question: string): string {
  const names = [...new Set(named.flatMap(namesOf))].filter((name) => name.length >= shortest);
  if (names.length === 0) return text;
  const asked = question.toLowerCase();
  const anywhere = names.filter((name) => isDistinct(name) && !asked.includes(name));
  const hidden = anywhere.length === 0 ? text : text.replaceAll(wordsOf(anywhere), nobody);
  return introductions(names).reduce(
    (shown, pattern) =>
      shown.replaceAll(pattern, (_whole, before: string, after: string) => before + nobody + after),
    hidden,
  );
}

/** `openai/gpt-5.2` is also gpt-5.2, gpt and openai. */
function namesOf({id, model}: Named): string[] {
  const provider = model.slice(0, Math.max(0, model.indexOf('/')));
  const bare = model.slice(model.indexOf('/') + 1);
  const family = /^\p{L}+/u.exec(bare)?.[0] ?? '';
  const seat = id.replace(/#\d+$/, '');
  return [model, bare, seat, provider, family].map((name) => name.toLowerCase());
}

function isDistinct(name: string): boolean {
  return wellKnown.test(name) || /\d|[^\p{L}]/u.test(name);
}

function wordsOf(names: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![A-Za-z0-9_])(?:${alternatives(names)})(?![A-Za-z0-9_])`, 'giu');
}

/** The longest first. Blanks may stand for what joins the parts of a name. */
function alternatives(names: readonly string[]): string {
  return names
    .toSorted((a, b) => b.length - a.length)
    .map((name) => {
      const parts = name.split(/[-_ /:]/).map(escapePattern);
      return parts.join(String.raw`[-_\s/:]?`) + (wellKnown.test(name) ? versions : '');
    })
    .join('|');
}

/** Each has what stands before the name, and what stands after it. */
function introductions(names: readonly string[]): RegExp[] {
  const name = `(?:${alternatives(names)})`;
  const words = String.raw`\b(?:I am|I['’]m|as|this is|my name is|speaking as|signed|(?:made|built|trained|developed|created) by)\s+`;
  return [
    new RegExp(String.raw`(${words})${name}(?![A-Za-z0-9_])()`, 'giu'),
    new RegExp(String.raw`(^[\s*_#>]*)${name}([\s*_]*[:：])`, 'gimu'),
    new RegExp(String.raw`(^\s*[—–-]+\s*)${name}(\W*$)`, 'gimu'),
    new RegExp(
      String.raw`((?<![A-Za-z0-9_]))${name}(\s+here\b|\s*(?:です|として|と申します))`,
      'giu',
    ),
    new RegExp(String.raw`(\bI,\s+)${name}(,)`, 'giu'),
  ];
}
