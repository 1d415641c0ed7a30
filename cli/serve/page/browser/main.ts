/** Begins a submission at `/f/FORM`, opens one at `/s/ID#TOKEN`. The token leaves the page only in a header. */

import {button} from './element.ts';
import {begin, Refused} from './sync/api.ts';
import {begunBefore, keepOf, rememberBegun} from './sync/talk.ts';
import type {Begun} from './sync/wire.ts';
import {textsFor} from './texts.ts';
import {converse, showEnding} from './view.ts';

const [, kind = '', name = ''] = location.pathname.split('/');
const subject = decodeURIComponent(name);

async function open(): Promise<void> {
  if (kind === 's') {
    const token = location.hash.slice(1) || (keepOf(subject).read('token') ?? '');
    await converseAt({id: subject, token});
    return;
  }
  const before = begunBefore(subject);
  if (before && (await isOpened(before))) return;
  const begun = await begin(subject);
  rememberBegun(subject, begun);
  keepOf(begun.id).isNewTab();
  await converseAt(begun);
}

async function converseAt(begun: Begun): Promise<void> {
  history.replaceState(null, '', `/s/${encodeURIComponent(begun.id)}#${begun.token}`);
  await converse(begun);
}

/** False when the earlier submission no longer exists. */
async function isOpened(before: Begun): Promise<boolean> {
  try {
    await converseAt(before);
    return true;
  } catch (error) {
    if (!isGone(error)) throw error;
    rememberBegun(subject, undefined);
    return false;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Refused && [401, 403, 404].includes(error.status);
}

function fail(error: unknown): void {
  const texts = textsFor(navigator.language);
  document.documentElement.lang = texts.language;
  if (isGone(error)) {
    showEnding(kind === 's' ? texts.gone : texts.unknownForm);
    return;
  }
  const {title, text, again} = texts.failed;
  showEnding({title, text, more: [button(again, {class: 'primary'}, () => location.reload())]});
}

addEventListener('hashchange', () => location.reload());
open().catch(fail);
