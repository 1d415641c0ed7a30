/** Everything that a person can do to a live trace: decisions, answers, breakpoints, and continuing from an earlier moment. */

import type {TraceHead} from '../../../../machines/trace/view.ts';
import {element} from '../../../serve/page/browser/element.ts';
import {breakpointForm, heldNotice} from './controls/breakpoints.ts';
import {eventForm} from './controls/event-form.ts';
import {forkForm} from './controls/fork-form.ts';
import {gateForms} from './controls/gates.ts';
import {cancelButton, messageForm, replyForms} from './controls/message-forms.ts';
import {safeText} from './elements/safe-text.ts';
import {localized} from './language.ts';
import type {MakePanel, View} from './stage.ts';

const words = localized({
  en: {
    controls: 'Controls',
    events: 'Any event',
    suspended: 'This run is suspended. Sending anything also continues it, here.',
  },
  ja: {
    controls: '操作',
    events: '任意のイベント',
    suspended: 'この実行は中断しています。何かを送信すると、ここで再開します。',
  },
});

type Reason = NonNullable<TraceHead['control']['why']>;

const reasons: Readonly<Record<Reason, string>> = localized({
  en: {
    ended: 'This trace has ended, so that no event can be sent to it.',
    imported: 'This run was recorded elsewhere. It can be read, but not continued.',
    elsewhere:
      'Another process runs it: it can be cancelled from here, and is otherwise controlled there.',
    file: 'This page is a file: it shows the trace, and can’t change it.',
    run: 'A run takes events through its journal only. Control it with quorate inspect.',
  },
  ja: {
    ended: 'すでに終わっているため、イベントを送信できません。',
    imported: '別の場所の記録です。読めますが、続けられません。',
    elsewhere:
      '別のプロセスが実行しています。ここでは中止だけができ、そのほかの操作はそのプロセスで行います。',
    file: 'このページはファイルです。表示だけができ、操作はできません。',
    run: '実行はジャーナルのイベントだけを受け取ります。quorate inspect で操作してください。',
  },
});

export const controls: MakePanel = (stage) => {
  const why = element('p', {class: 'notice'});
  const ofRun = [heldNotice, gateForms, replyForms, messageForm, breakpointForm];
  const run = ofRun.map((make) => make(stage));
  const events = eventForm(stage);
  const cancel = cancelButton(stage);
  const fork = forkForm(stage);
  const runGroup = group(...run);
  const eventGroup = element(
    'details',
    {class: 'control-group'},
    element('summary', {}, words.events),
    events.element,
  );
  const cancelGroup = group(cancel);
  const forkGroup = group(fork);
  const body = {class: 'panel-body', tabindex: 0, role: 'region', 'aria-label': words.controls};
  return {
    element: element(
      'section',
      {class: 'panel controls'},
      element('div', body, why, runGroup, eventGroup, cancelGroup, forkGroup),
    ),
    show: (view) => {
      const {kind, control} = view.head;
      const {isPossible, why: reason} = control;
      const isRun = kind === 'run';
      const note = reason ? reasons[reason] : pauseText(view);
      why.hidden = note === '';
      why.replaceChildren(safeText(note));
      runGroup.hidden = !isPossible || !isRun;
      eventGroup.hidden = !isPossible;
      if (!isRun) eventGroup.open = true;
      cancelGroup.hidden = !isRun || !(isPossible || reason === 'elsewhere');
      forkGroup.hidden = !isRun;
      if (!runGroup.hidden) for (const part of run) part.show(view);
      if (!eventGroup.hidden) events.show(view);
      if (isRun) fork.show(view);
    },
  };
};

const isPaused: ReadonlySet<string> = new Set(['suspended', 'crashed']);

function pauseText({head}: View): string {
  return isPaused.has(head.state) ? words.suspended : '';
}

function group(...parts: readonly {readonly element: HTMLElement}[]): HTMLElement {
  return element('div', {class: 'control-group'}, ...parts.map((part) => part.element));
}
