/** The one warning on all that an untrusted folder does not get. */

import {type Message, t} from '../../machines/message.ts';

const maxNamed = 4;

/** `ignored`: settings with their places, and files; at least one. */
export function ignoredText(ignored: readonly string[]): Message {
  const more = ignored.length - maxNamed;
  const names = `${ignored.slice(0, maxNamed).join(', ')}${more > 0 ? ` (+${more})` : ''}`;
  return ignored.length === 1
    ? t`${names} is ignored: ${whyIgnored}`
    : t`${names} are ignored: ${whyIgnored}`;
}

const whyIgnored = t`until you trust this folder, its settings may only tighten; see what it wants: quorate config --trust --show`;
