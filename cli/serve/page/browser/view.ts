/** All parts of the page, drawn from what is shown. */

import {createAnswerList} from './answer-list.ts';
import {createComposer} from './composer.ts';
import {createConversation} from './conversation.ts';
import {byId} from './element.ts';
import {createSubmitted} from './ending.ts';
import {createHeading, type HeadingActions} from './heading.ts';
import {createReview, type ReviewActions} from './review.ts';
import type {Shown} from './shown.ts';
import {createSide} from './side.ts';
import {createSuggestions} from './suggestions.ts';
import {type Texts, textsFor} from './texts/texts.ts';
import type {Field, Standing} from './wire.ts';

export interface ViewActions extends HeadingActions, ReviewActions {
  /** With a field: meant as its answer. */
  readonly say: (text: string, field?: Field) => void;
  readonly drafted: (text: string, about: Field | undefined) => void;
}

export interface View {
  readonly show: (shown: Shown) => void;
  readonly giveBack: (text: string) => void;
  readonly focus: () => void;
}

export function createView(draft: string, actions: ViewActions): View {
  let about: Field | undefined;
  let isOpening = true;
  const dock = byId('dock', HTMLElement);
  const change = (field: Field, text: string): void => actions.say(text, field);
  const composer = createComposer(draft, {
    say: (text) => actions.say(text),
    drafted: (text) => actions.drafted(text, about),
  });
  const conversation = createConversation();
  const suggestions = createSuggestions((text) => {
    actions.say(text);
    composer.focus();
  });
  const heading = createHeading(actions);
  const side = createSide(createAnswerList(change));
  const review = createReview(createAnswerList(change), actions);
  const submitted = createSubmitted(() => void actions.download());

  return {
    giveBack: composer.giveBack,
    focus: composer.focus,
    show: (shown) => {
      const {submission, sending} = shown;
      const before = dock.offsetHeight;
      const texts = textsOf(submission);
      document.documentElement.lang = texts.language;
      document.body.dataset['state'] = submission.state;
      about = submission.fields.find(({id}) => id === submission.current);
      heading(submission, texts);
      side(submission, texts);
      const isMore = conversation(shown, texts);
      review(submission, texts);
      composer.show(about, texts);
      const isAsked = sending.length === 0 && !submission.isAtWork;
      suggestions(isAsked ? {state: submission.state, about, texts} : undefined);
      byId('notice', HTMLElement).textContent = noticeOf(shown, texts);
      if (submission.state === 'submitted') submitted(submission, texts);
      else if (submission.state !== 'confirming' && (isMore || dock.offsetHeight > before)) {
        toEnd(isOpening);
      }
      isOpening = false;
    },
  };
}

/** The person's language, and until it is known the browser's. */
export function textsOf({language}: Pick<Standing, 'language'>): Texts {
  return textsFor(language ?? navigator.language);
}

function noticeOf({connection, problem}: Shown, texts: Texts): string {
  if (connection === 'offline') return texts.offline;
  if (problem) return texts.problems[problem];
  return connection === 'lost' ? texts.lost : '';
}

/** The end of the conversation comes into sight; at once on opening. */
function toEnd(isOpening: boolean): void {
  const isCalm = isOpening || matchMedia('(prefers-reduced-motion: reduce)').matches;
  const {scrollHeight} = document.documentElement;
  scrollTo({top: scrollHeight, behavior: isCalm ? 'instant' : 'smooth'});
}
