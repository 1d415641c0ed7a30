/** The page of one submission. */

import {confirmed} from './confirm-dialog.ts';
import {element} from './element.ts';
import {hideWelcomeBack, showEnding, showWelcomeBack} from './ending.ts';
import {createApi} from './sync/api.ts';
import {draftsIn, keepOf, rememberBegun} from './sync/keep.ts';
import {isOver} from './sync/shown.ts';
import {createTalk} from './sync/talk.ts';
import type {Begun, Submission} from './sync/wire.ts';
import {createView, textsOf, type View} from './view.ts';

/** Rejects with `Refused` when the submission does not exist, or the token is not for it. */
export async function converse(begun: Begun): Promise<void> {
  const api = createApi(begun);
  const keep = keepOf(begun.id);
  const opened = await api.read();
  let submission = opened;

  const forget = (): void => {
    talk.end();
    keep.forgetAll();
    rememberBegun(opened.form, undefined);
  };
  const erase = async (): Promise<boolean> => {
    const isErased = await talk.erase();
    if (isErased) forget();
    return isErased;
  };
  const view = createView(draftsIn(keep), {
    say: (text, field) => {
      hideWelcomeBack();
      talk.say(text, field?.id);
    },
    submit: async () => await talk.submit(),
    download: async () => save(await talk.answers(), `${opened.form}.json`),
    erase: async () => await eraseIfMeant(submission, erase),
  });
  const talk = createTalk(api, keep, opened, {
    changed: (shown) => {
      ({submission} = shown);
      view.show(shown);
      if (isOver(submission)) forget();
    },
    gaveBack: view.giveBack,
    gone: () => showEnding(textsOf(submission).gone),
  });
  const isBack = isComingBack(opened, keep.isNewTab());
  if (isBack) welcomeBack(opened, view, async () => await startOverIfMeant(submission, erase));
  talk.start();
  if (!isBack) view.focus();
}

/** There are earlier messages, from before this tab was opened. */
function isComingBack(submission: Submission, isNewTab: boolean): boolean {
  const hasSpoken = submission.messages.some(({from}) => from === 'person');
  return isNewTab && hasSpoken && !isOver(submission);
}

function welcomeBack(submission: Submission, {focus}: View, startOver: () => Promise<void>): void {
  const goOn = (): void => {
    hideWelcomeBack();
    focus();
  };
  showWelcomeBack(submission, textsOf(submission), {goOn, startOver});
}

async function startOverIfMeant(
  submission: Submission,
  erase: () => Promise<boolean>,
): Promise<void> {
  const {back, cancel} = textsOf(submission);
  const {startOver, startOverAsk: text} = back;
  const isMeant = await confirmed({title: startOver, text, yes: startOver, no: cancel});
  if (isMeant && (await erase())) location.assign(`/f/${encodeURIComponent(submission.form)}`);
}

async function eraseIfMeant(submission: Submission, erase: () => Promise<boolean>): Promise<void> {
  const {erase: texts, cancel} = textsOf(submission);
  const {title, ask: text, confirm: yes, doneTitle, done} = texts;
  const isMeant = await confirmed({title, text, yes, no: cancel});
  if (isMeant && (await erase())) showEnding({title: doneTitle, text: done});
}

function save(answers: Blob | undefined, name: string): void {
  if (answers === undefined) return;
  const url = URL.createObjectURL(answers);
  element('a', {href: url, download: name}).click();
  URL.revokeObjectURL(url);
}
