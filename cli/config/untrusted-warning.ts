/** The one warning on all that an untrusted folder does not get. */

import type {Texts} from '../language.ts';

const maxNamed = 4;

/** `ignored`: settings with their places, and files; at least one. */
export function ignoredText(ignored: readonly string[]): Texts {
  const more = ignored.length - maxNamed;
  const names = `${ignored.slice(0, maxNamed).join(', ')}${more > 0 ? ` (+${more})` : ''}`;
  const ja = `${names} を無視します。このフォルダを信頼するまで、有効なのは厳しくする設定だけです。内容を確かめるには: quorate config --trust --show`;
  return ignored.length === 1
    ? {en: `${names} is ignored: ${whyIgnored}`, ja}
    : {en: `${names} are ignored: ${whyIgnored}`, ja};
}

const whyIgnored =
  'until you trust this folder, its settings may only tighten; see what it wants: quorate config --trust --show';
