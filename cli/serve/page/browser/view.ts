/** The page of one submission: all its parts are drawn from the shown state. */

import {
  type AnswerList,
  createAnswerList,
  createReview,
  createSide,
  type ReviewActions,
} from './answers.ts';
import {
  createComposer,
  createConversation,
  createSuggestions,
  type Suggested,
} from './conversation.ts';
import {button, byId, element} from './element.ts';
import {createApi} from './sync/api.ts';
import {createTalk, type Drafts, draftsIn, keepOf, rememberBegun} from './sync/talk.ts';
import {
  type Begun,
  type Field,
  isOver,
  progressOf,
  type Shown,
  type Standing,
  type Submission,
} from './sync/wire.ts';
import {type Texts, textsFor} from './texts.ts';

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

// Draws all parts of the page from the shown state.

interface ViewActions extends HeadingActions, ReviewActions {
  /** With a field: as its answer. */
  readonly say: (text: string, field?: Field) => void;
}

interface View {
  readonly show: (shown: Shown) => void;
  readonly giveBack: (text: string) => void;
  readonly focus: () => void;
}

function createView(drafts: Drafts, actions: ViewActions): View {
  let about: Field | undefined;
  const changing = {drafts, change: (field: Field, text: string) => actions.say(text, field)};
  const composer = createComposer(drafts.read('say'), {
    say: (text) => actions.say(text),
    drafted: (text) => drafts.write('say', text, about),
  });
  const suggestions = createSuggestions((text) => {
    actions.say(text);
    composer.focus();
  });
  const conversation = createConversation();
  const heading = createHeading(actions);
  const side = createSide(createAnswerList(changing));
  const review = createReview(createAnswerList(changing), actions);
  const over = createOver(() => void actions.download());

  const draw = (shown: Shown): void => {
    const {submission, sending} = shown;
    const texts = textsOf(submission);
    document.documentElement.lang = texts.language;
    about = submission.fields.find(({id}) => id === submission.current);
    heading(submission, texts);
    side(shown, texts);
    conversation(shown, texts);
    const hadFocus = byId('review', HTMLElement).contains(document.activeElement);
    const isReviewing = review(shown, texts);
    document.body.dataset['state'] = isReviewing ? 'reviewing' : 'talking';
    composer.show(about, texts);
    const isAsked = sending.length === 0 && !submission.isAtWork;
    suggestions(isAsked ? toSuggest(submission, about, texts) : undefined);
    byId('notice', HTMLElement).textContent = noticeOf(shown, texts);
    if (hadFocus && !isReviewing) composer.focus();
    if (isOver(submission)) over(submission, texts);
  };
  return {show: keepingToEnd(draw), giveBack: composer.giveBack, focus: composer.focus};
}

/** Scrolls to new messages at the end; at once on opening. The review is shown from its beginning. */
function keepingToEnd(draw: (shown: Shown) => void): (shown: Shown) => void {
  let isOpening = true;
  return (shown) => {
    const before = [heightOf('log'), heightOf('dock')];
    draw(shown);
    const isLonger = heightOf('log') !== before[0] || heightOf('dock') !== before[1];
    const isTalking = document.body.dataset['state'] === 'talking';
    if (isTalking && (isLonger || isOpening)) toEnd(isOpening);
    isOpening = false;
  };
}

function toSuggest(
  {state, messages}: Submission,
  about: Field | undefined,
  texts: Texts,
): Suggested {
  return {state, about, section: messages.at(-1)?.section, texts};
}

function heightOf(id: string): number {
  return byId(id, HTMLElement).offsetHeight;
}

/** Texts in the person's language; until it is known in the browser's. */
function textsOf({language}: Pick<Standing, 'language'>): Texts {
  return textsFor(language ?? navigator.language);
}

function noticeOf({connection, problem}: Shown, texts: Texts): string {
  if (connection === 'offline') return texts.offline;
  if (problem) return texts.problems[problem];
  return connection === 'lost' ? texts.lost : '';
}

function toEnd(isAtOnce: boolean): void {
  const isCalm = isAtOnce || matchMedia('(prefers-reduced-motion: reduce)').matches;
  const {scrollHeight} = document.documentElement;
  scrollTo({top: scrollHeight, behavior: isCalm ? 'instant' : 'smooth'});
}

// The top of the page: title, progress, and the actions on the submission.

interface HeadingActions {
  readonly download: () => Promise<void>;
  readonly erase: () => Promise<void>;
}

function createHeading(actions: HeadingActions): (submission: Submission, texts: Texts) => void {
  const menu = byId('menu', HTMLDetailsElement);
  const bar = byId('progress', HTMLProgressElement);
  for (const name of ['download', 'erase'] as const) {
    byId(name, HTMLElement).addEventListener('click', () => {
      menu.open = false;
      void actions[name]();
    });
  }
  closeAside(menu);
  menu.hidden = false;

  return (submission, texts) => {
    const {title} = submission;
    const progress = progressOf(submission);
    document.title = title;
    byId('title', HTMLElement).textContent = title;
    byId('menu-title', HTMLElement).setAttribute('aria-label', texts.menu);
    byId('download', HTMLElement).textContent = texts.ending.download;
    byId('erase', HTMLElement).textContent = texts.erase.action;
    bar.value = progress.share;
    bar.setAttribute('aria-label', texts.progress(progress));
  };
}

/** A click elsewhere, or Escape, closes the menu. */
function closeAside(menu: HTMLDetailsElement): void {
  document.addEventListener('click', ({target}) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  menu.addEventListener('keydown', ({key}) => {
    if (key !== 'Escape') return;
    menu.open = false;
    byId('menu-title', HTMLElement).focus();
  });
}

// The final pages: submitted, deleted, or not found. Each has a heading that takes the focus.

interface Ending {
  readonly title: string;
  readonly text: string;
  readonly more?: readonly HTMLElement[];
}

/** Replaces the whole page. */
export function showEnding(ending: Ending): void {
  document.body.dataset['state'] = 'closed';
  fill(ending);
}

/** The answers at the end of the conversation. */
function createOver(download: () => void): (submission: Submission, texts: Texts) => void {
  let list: AnswerList | undefined;
  return ({state, fields}, texts) => {
    document.body.dataset['state'] = 'over';
    if (list === undefined) {
      list = createAnswerList();
      const isSubmitted = state === 'submitted';
      const {title, text} = isSubmitted ? texts.ending : texts.broken;
      const row = element(
        'div',
        {class: 'row'},
        button(texts.ending.download, {class: 'primary'}, download),
        button(texts.ending.print, {class: 'quiet'}, () => print()),
      );
      const answers = element('div', {class: 'card'}, element('h3', {}, texts.answers), list.node);
      fill({title, text, more: [row, answers]}, isSubmitted);
    }
    list.show({fields, current: undefined, texts});
  };
}

function fill({title, text, more = []}: Ending, isGood = false): void {
  const section = byId('ending', HTMLElement);
  const heading = element('h2', {tabindex: -1}, title);
  const mark = element('span', {class: 'mark', 'aria-hidden': 'true'}, '✓');
  const lead = element('p', {class: 'lead'}, text);
  section.replaceChildren(...(isGood ? [mark] : []), heading, lead, ...more);
  section.hidden = false;
  heading.focus();
}

// Shows a returning person the progress of the form, with the choice to continue or start over.

interface BackActions {
  readonly goOn: () => void;
  readonly startOver: () => Promise<void>;
}

function showWelcomeBack(submission: Submission, texts: Texts, actions: BackActions): void {
  const card = element(
    'section',
    {class: 'card back', 'aria-labelledby': 'back-title'},
    element('h2', {id: 'back-title'}, texts.back.title),
    element('p', {}, texts.progress(progressOf(submission))),
    element(
      'div',
      {class: 'row'},
      button(texts.back.goOn, {class: 'primary small'}, actions.goOn),
      button(texts.back.startOver, {class: 'quiet'}, () => void actions.startOver()),
    ),
  );
  byId('back', HTMLElement).replaceChildren(card);
}

function hideWelcomeBack(): void {
  byId('back', HTMLElement).replaceChildren();
}

// Asks before an action that can't be undone.

interface Question {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
}

/** Resolves with true when the person agreed; Escape means no. */
async function confirmed({title, text, yes, no}: Question): Promise<boolean> {
  const agree = button(yes, {class: 'primary danger'}, () => dialog.close('yes'));
  const refuse = button(no, {class: 'quiet', autofocus: true}, () => dialog.close());
  const dialog = element(
    'dialog',
    {'aria-labelledby': 'dialog-title', 'aria-describedby': 'dialog-text'},
    element('h2', {id: 'dialog-title'}, title),
    element('p', {id: 'dialog-text'}, text),
    element('div', {class: 'row'}, agree, refuse),
  );
  document.body.append(dialog);
  return await new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
    dialog.showModal();
  });
}
