/** Continues from the shown moment in another way: a fork, or a rewind that also takes back file changes. */

import {confirmed} from '../../../../serve/page/browser/confirm-dialog.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import type {Rewound} from '../../../replies.ts';
import {safeLine} from '../elements/safe-text.ts';
import {localized} from '../language.ts';
import type {MakePanel, Stage} from '../stage.ts';
import {createAttempt} from './sending.ts';

const words = localized({
  en: {
    title: (seq: number) => `From entry ${seq} on`,
    hint: 'A fork is a new run with the same past. A rewind is a fork that first takes back the file changes made since.',
    say: 'Message to the new run (optional, for a fork)',
    fork: 'Fork here',
    forked: 'The new run is shown.',
    rewind: 'Rewind to here …',
    files: 'A rewind does this to files:',
    noFiles: 'No file has to be reverted.',
    rewindNow: 'Rewind',
    rewindTitle: 'Rewind the run?',
    rewindText: 'The files are reverted as listed, and a new run continues from this entry.',
    rewound: 'The files were reverted; the new run is shown.',
    keep: 'Leave it',
  },
  ja: {
    title: (seq: number) => `エントリー ${seq} から`,
    hint: '分岐は同じ過去を持つ新しい実行です。巻き戻しは、その後のファイル変更を元に戻してから分岐します。',
    say: '新しい実行へのメッセージ（任意、分岐用）',
    fork: 'ここで分岐',
    forked: '新しい実行を表示しました。',
    rewind: 'ここまで巻き戻す…',
    files: '巻き戻しによるファイルの変更:',
    noFiles: '元に戻すファイルはありません。',
    rewindNow: '巻き戻す',
    rewindTitle: '実行を巻き戻しますか?',
    rewindText: '一覧のとおりファイルを元に戻し、このエントリーから新しい実行が続きます。',
    rewound: 'ファイルを元に戻し、新しい実行を表示しました。',
    keep: 'やめる',
  },
});

/** For the moment at which it was asked. */
export const forkForm: MakePanel = (stage) => {
  const title = element('h2');
  const say = element('textarea', {rows: 2});
  const plan = element('div', {class: 'rewind-plan', hidden: true});
  const attempt = createAttempt(() => section);
  const fork = async (): Promise<void> => {
    const {id, seq} = shownOf(stage);
    const said = say.value.trim();
    await attempt.run(async () => {
      const made = await stage.source.fork(id, seq, ...(said === '' ? [] : [said]));
      say.value = '';
      stage.notify(words.forked);
      stage.openTrace(made);
    });
  };
  const preview = async (): Promise<void> => {
    const {id, seq} = shownOf(stage);
    await attempt.run(async () => {
      const {files} = await stage.source.rewind(id, seq, false);
      if (drawn !== `${id} ${seq}`) return;
      plan.hidden = false;
      plan.replaceChildren(...rewindPlan(files, () => void rewind(id, seq)));
    });
  };
  const rewind = async (id: string, seq: number): Promise<void> => {
    if (!(await isSure())) return;
    await attempt.run(async () => {
      const made = await stage.source.rewind(id, seq, true);
      stage.notify(words.rewound);
      if (made.id !== undefined) stage.openTrace(made.id);
    });
  };
  const section: HTMLElement = element(
    'section',
    {class: 'control-form'},
    title,
    element('p', {class: 'muted'}, words.hint),
    element('label', {class: 'field'}, element('span', {}, words.say), say),
    buttonRow(fork, preview),
    plan,
    attempt.problem,
  );
  let drawn = '';
  return {
    element: section,
    show: ({head: {id}, index}) => {
      section.hidden = index < 0;
      const {seq} = shownOf(stage);
      title.textContent = words.title(seq);
      if (drawn !== `${id} ${seq}`) plan.hidden = true;
      drawn = `${id} ${seq}`;
    },
  };
};

function buttonRow(fork: () => Promise<void>, preview: () => Promise<void>): HTMLElement {
  return element(
    'div',
    {class: 'row'},
    button(words.fork, {}, () => void fork()),
    button(words.rewind, {}, () => void preview()),
  );
}

async function isSure(): Promise<boolean> {
  const {rewindTitle: title, rewindText: text, rewindNow: yes, keep: no} = words;
  return await confirmed({title, text, yes, no});
}

function shownOf({view}: Stage): {readonly id: string; readonly seq: number} {
  const {head, moment} = view();
  return {id: head.id, seq: moment.seq};
}

function rewindPlan(files: Rewound['files'], press: () => void): HTMLElement[] {
  const items = files.map(({path, outcome}) =>
    element(
      'li',
      {},
      element('span', {class: 'mono'}, safeLine(path)),
      ' ',
      element('span', {class: 'muted'}, safeLine(outcome)),
    ),
  );
  return [
    element('p', {class: 'strong'}, files.length > 0 ? words.files : words.noFiles),
    element('ul', {class: 'list'}, ...items),
    element('div', {class: 'row'}, button(words.rewindNow, {class: 'danger'}, press)),
  ];
}
