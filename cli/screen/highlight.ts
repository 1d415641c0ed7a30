/** Colours for code. */

import {type Paint, plainStyle, type Style} from '../render/style.ts';

/** The lines of the code, which must be escaped. Long code, and that of an unknown language, keeps its colour. */
export type Highlight = (code: string, language: string | undefined, style: Style) => string[];

/** The time for hostile code grows with the square of its length: for this many characters it is below a second. */
const maxCode = 10_000;

const colours: Readonly<Record<string, 'cyan' | 'green' | 'yellow' | 'dim' | undefined>> = {
  keyword: 'cyan',
  string: 'green',
  jsxliterals: 'green',
  class: 'yellow',
  entity: 'yellow',
  comment: 'dim',
};

/** Loads the library. Once it is loaded, nothing waits. */
export async function loadHighlight(): Promise<Highlight> {
  const [{parse}, {lang, languages}] = await Promise.all([
    import('sugar-high/core'),
    import('sugar-high/lang'),
  ]);
  return (code, language, style) => {
    const id = language === undefined ? undefined : lang(language.trim().toLowerCase());
    const known = languages.find((one) => one.id === id);
    if (!known || code.length > maxCode) return code.split('\n');
    return parse(code, known.config).lines.map(({tokens}) =>
      tokens.map(({type, value}) => paintFor(type, style)(value)).join(''),
    );
  };
}

function paintFor(type: string, style: Style): Paint {
  const colour = colours[type];
  return colour === undefined ? plainStyle.bold : style[colour];
}
