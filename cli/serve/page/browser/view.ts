/** Draws all parts of the page from the shown state. */

import {createAnswerList} from './answer-list.ts';
import {createComposer} from './composer.ts';
import {createConversation} from './conversation.ts';
import {byId} from './element.ts';
import {createOver} from './ending.ts';
import {createHeading, type HeadingActions} from './heading.ts';
import {createReview, type ReviewActions} from './review.ts';
import {createSide} from './side.ts';
import {createSuggestions, type Suggested} from './suggestions.ts';
import type {Drafts} from './sync/keep.ts';
import {isOver, type Shown} from './sync/shown.ts';
import type {Field, Standing, Submission} from './sync/wire.ts';
import {type Texts, textsFor} from './texts/texts.ts';

export interface ViewActions extends HeadingActions, ReviewActions {
  /** With a field: as its answer. */
  readonly say: (text: string, field?: Field) => void;
}

export interface View {
  readonly show: (shown: Shown) => void;
  readonly giveBack: (text: string) => void;
  readonly focus: () => void;
}

export function createView(drafts: Drafts, actions: ViewActions): View {
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
export function textsOf({language}: Pick<Standing, 'language'>): Texts {
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
