/** Everything that a person can do to a live trace: decisions, answers, breakpoints, and continuing from an earlier moment. */

import {element} from '../../../serve/page/browser/element.ts';
import {breakpointForm, heldNotice} from './controls/breakpoints.ts';
import {gateForms} from './controls/gates.ts';
import {pastForm} from './controls/past.ts';
import {eventForm} from './controls/program.ts';
import {cancelButton, messageForm, replyForms} from './controls/talk.ts';
import {safeText} from './elements/safe-text.ts';
import {localized} from './language.ts';
import type {MakePanel, View} from './stage.ts';

const words = localized({
  en: {
    controls: 'Controls',
    file: 'This page is a file: it shows the trace, and can’t change it.',
    suspended: 'This run is suspended. Sending anything also continues it, here.',
  },
  ja: {
    controls: '操作',
    file: 'このページはファイルです。表示だけができ、操作はできません。',
    suspended: 'この実行は中断しています。何かを送信すると、ここで再開します。',
  },
});

const reasons: Readonly<Record<string, string>> = localized({
  en: {
    ended: 'This trace has ended, so that no event can be sent to it.',
    imported: 'This run was imported. It can be read, but not continued.',
    elsewhere: 'Another process is running this. It can only be controlled from there.',
  },
  ja: {
    ended: 'すでに終わっているため、イベントを送信できません。',
    imported: '取り込まれた実行です。読めますが、続けられません。',
    elsewhere: '別のプロセスが実行中です。操作はそのプロセスからのみ可能です。',
  },
});

export const controls: MakePanel = (stage) => {
  const why = element('p', {class: 'notice'});
  const ofRun = [heldNotice, gateForms, replyForms, messageForm, breakpointForm, cancelButton];
  const run = ofRun.map((make) => make(stage));
  const program = eventForm(stage);
  const past = pastForm(stage);
  const runGroup = group(...run);
  const programGroup = group(program);
  const pastGroup = group(past);
  const body = {class: 'panel-body', tabindex: 0, role: 'region', 'aria-label': words.controls};
  return {
    element: element(
      'section',
      {class: 'panel controls'},
      element('div', body, why, runGroup, programGroup, pastGroup),
    ),
    show: (view) => {
      const {kind, control} = view.head;
      const isPossible = stage.source.isLive && control.isPossible;
      const note = isPossible ? pauseText(view) : whyNot(view, stage.source.isLive);
      why.hidden = note === '';
      why.replaceChildren(safeText(note));
      runGroup.hidden = !isPossible || kind !== 'run';
      programGroup.hidden = !isPossible || kind !== 'program';
      pastGroup.hidden = !stage.source.isLive || kind !== 'run';
      if (!runGroup.hidden) for (const part of run) part.show(view);
      if (!programGroup.hidden) program.show(view);
      if (!pastGroup.hidden) past.show(view);
    },
  };
};

function whyNot({head}: View, isLive: boolean): string {
  const {why = ''} = head.control;
  return isLive ? (reasons[why] ?? why) : words.file;
}

function pauseText({head}: View): string {
  return head.state === 'suspended' ? words.suspended : '';
}

function group(...parts: readonly {readonly element: HTMLElement}[]): HTMLElement {
  return element('div', {class: 'control-group'}, ...parts.map((part) => part.element));
}
