/** The forms for the open questions of the newest moment, also while an earlier one is shown. */

import {element} from '../../../../serve/page/browser/element.ts';
import type {Panel, View} from '../stage.ts';

export interface Questions<Question> {
  readonly className: string;
  readonly openIn: (view: View) => readonly Question[];
  /** Another text: another question, although it has the same place in its trace. */
  readonly identify: (question: Question) => readonly (string | undefined)[];
  /** `trace`: the id of the trace that asks. */
  readonly makeForm: (question: Question, trace: string) => HTMLElement;
}

/** A form is kept, with the text in it, as long as its question is open and its trace is shown. */
export function questionForms<Question>(questions: Questions<Question>): Panel {
  const {className, openIn, identify, makeForm} = questions;
  const holder = element('div', {class: className});
  const forms = new Map<string, HTMLElement>();
  return {
    element: holder,
    show: (view) => {
      const {id} = view.head;
      const open = new Map(
        openIn(view).map((each) => [JSON.stringify([id, ...identify(each)]), each]),
      );
      for (const [key, form] of forms) {
        if (open.has(key)) continue;
        const hadFocus = form.contains(document.activeElement);
        form.remove();
        if (hadFocus) holder.closest<HTMLElement>('[tabindex]')?.focus();
        forms.delete(key);
      }
      for (const [key, question] of open) {
        if (forms.has(key)) continue;
        const form = makeForm(question, id);
        forms.set(key, form);
        holder.append(form);
      }
      holder.hidden = open.size === 0;
    },
  };
}
