/** State and context of the selected actor at the shown moment, and the differences between two moments. */

import type {Json} from '../../../../../machines/domain/json.ts';
import type {Moment} from '../../../../../machines/trace/moments.ts';
import type {JsonPath, MemberDifference} from '../../../../../machines/trace/patch.ts';
import type {ActorState, Step, TraceHead} from '../../../../../machines/trace/step.ts';
import {escapeLine} from '../../../../../tools/escape.ts';
import {button, element} from '../../../../serve/page/browser/element.ts';
import {type ActorDifference, differencesBetween, stateText} from '../derived/actors.ts';
import {createJsonTree, type JsonTree, safeLine, textSpan} from '../elements/values.ts';
import {grouped, t} from '../language.ts';
import type {MakePanel, Stage, View} from '../stage.ts';
import {actorName} from './names.ts';

const kinds = {began: t`began`, ended: t`ended`, changed: t`changed{:actor}`};
const sides = {before: t`before`, after: t`after`};

export const contextPanel: MakePanel = (stage) => {
  const pin = button(t`Compare with this moment`, {'aria-pressed': 'false'}, () => {
    const {compared, index} = stage.view();
    stage.compare(compared === undefined ? index : undefined);
  });
  const back = button(t`Show that moment`, {class: 'quiet'}, () => {
    const {compared} = stage.view();
    if (compared !== undefined) stage.goTo(compared);
  });
  const one = actorContext();
  const all = comparison(stage);
  return {
    element: element(
      'section',
      {class: 'panel context'},
      element('div', {class: 'panel-head'}, pin, back),
      element(
        'div',
        {class: 'panel-body', tabindex: 0, role: 'region', 'aria-label': t`Context`},
        all.element,
        one.element,
      ),
    ),
    show: (view) => {
      const isComparing = view.compared !== undefined;
      pin.textContent = isComparing ? t`End the comparison` : t`Compare with this moment`;
      pin.setAttribute('aria-pressed', String(isComparing));
      pin.disabled = view.index < 0;
      back.hidden = !isComparing || view.compared === view.index;
      all.element.hidden = !isComparing;
      one.element.hidden = isComparing;
      if (isComparing) all.show(view);
      else one.show(view);
    },
  };
};

interface Part {
  readonly element: HTMLElement;
  readonly show: (view: View) => void;
}

function actorContext(): Part {
  const facts = element('dl', {class: 'actor-facts'});
  const removed = element('p', {class: 'notice', hidden: true});
  const message = element('p', {class: 'empty'});
  /** One for each actor, so that each keeps what is open in it. */
  const trees = new Map<string, JsonTree>();
  const holder = element('div');
  return {
    element: element('div', {}, facts, removed, message, holder),
    show: ({head, moment, moments, index, actor: path}) => {
      const actor = path === undefined ? undefined : moment.actors.get(path);
      const text =
        path === undefined
          ? t`Select an actor to see its state and context.`
          : t`This actor does not exist at this moment.{:context}`;
      message.textContent = actor ? t`This actor has no context.` : text;
      message.hidden = actor !== undefined && actor.context !== null;
      facts.replaceChildren(...(actor ? factsOf(actor, head) : []));
      const isShown = actor !== undefined && actor.context !== null;
      removed.hidden = true;
      if (!isShown) {
        holder.replaceChildren();
        return;
      }
      const changes = changesIn(moments.steps[index], actor.path);
      drawRemoved(removed, changes.removed);
      const tree = trees.get(actor.path) ?? createJsonTree(t`Context`);
      trees.set(actor.path, tree);
      if (tree.element.parentNode !== holder) holder.replaceChildren(tree.element);
      tree.show(actor.context, changes.changed);
    },
  };
}

function factsOf(actor: ActorState, head: TraceHead): HTMLElement[] {
  const {path, machine, logic, state, status, last} = actor;
  return [
    element('dt', {class: 'visually-hidden'}, t`Context`),
    element('dd', {class: 'actor-path'}, safeLine(actorName(actor, head))),
    ...factRow(t`id`, path),
    ...factRow(t`machine`, machine ?? logic),
    ...factRow(t`state`, stateText(state)),
    ...factRow(t`status`, status),
    ...factRow(t`last event`, last?.event ?? ''),
  ];
}

function factRow(name: string, text: string): HTMLElement[] {
  return text === '' ? [] : [element('dt', {}, name), element('dd', {}, safeLine(text))];
}

function changesIn(
  step: Step | undefined,
  path: string,
): {readonly changed: readonly JsonPath[]; readonly removed: readonly JsonPath[]} {
  const change = step?.changes.find((each) => each.path === path);
  const edits = change?.change === 'moved' ? (change.context ?? []) : [];
  const isRemoval = ({value, length}: (typeof edits)[number]): boolean =>
    value === undefined && length === undefined;
  return {
    changed: edits.filter((edit) => !isRemoval(edit)).map((edit) => edit.path),
    removed: edits.filter(isRemoval).map((edit) => edit.path),
  };
}

function drawRemoved(holder: HTMLElement, paths: readonly JsonPath[]): void {
  holder.hidden = paths.length === 0;
  holder.replaceChildren(
    t`Removed in this step:`,
    ' ',
    safeLine(paths.map((path) => path.join('.')).join(', ')),
  );
}

function comparison(stage: Stage): Part {
  const title = element('h2');
  const list = element('ul', {class: 'differences'});
  let before:
    | {readonly index: number; readonly moments: unknown; readonly moment: Moment}
    | undefined;
  let drawn: Moment | undefined;
  return {
    element: element('div', {}, title, list),
    show: ({moments, moment, index, compared = -1}) => {
      if (before?.index !== compared || before.moments !== moments) {
        before = {index: compared, moments, moment: moments.at(compared)};
        drawn = undefined;
      }
      if (drawn === moment) return;
      drawn = moment;
      const isLater = index >= compared;
      const [from, to] = isLater ? [before.moment, moment] : [moment, before.moment];
      title.textContent = t`Changes from entry ${from.seq} to entry ${to.seq}`;
      if (index === compared)
        return list.replaceChildren(
          element(
            'li',
            {class: 'empty'},
            t`This is the moment to compare with. Show another one to see the changes.`,
          ),
        );
      const found = differencesBetween(from, to);
      if (found.length === 0)
        return list.replaceChildren(
          element('li', {class: 'empty'}, t`All actors are the same at both moments.`),
        );
      return list.replaceChildren(
        ...found.slice(0, maxActors).map((each) => differenceItem(each, stage)),
        ...moreItem(found.length - maxActors),
      );
    },
  };
}

const maxActors = 200;
const maxMembers = 100;

function moreItem(count: number): HTMLElement[] {
  return count > 0 ? [element('li', {class: 'muted'}, t`and ${grouped(count)} more`)] : [];
}

function differenceItem(difference: ActorDifference, stage: Stage): HTMLElement {
  const {path, kind, before, after, members} = difference;
  const known = after ?? before;
  const title = escapeLine(path);
  const name = button('', {class: 'link', title}, () => stage.select(path));
  name.append(safeLine(known ? actorName(known, stage.view().head) : path));
  const states = [before, after].map((actor) => (actor ? stateText(actor.state) : ''));
  const [old = '', now = ''] = states;
  const statuses = [before?.status, after?.status].filter(Boolean);
  const change = old === now ? old : [old, now].filter(Boolean).join(' → ');
  const isStatusChange = statuses.length === 2 && statuses[0] !== statuses[1];
  return element(
    'li',
    {class: `difference ${kind}`},
    element(
      'div',
      {class: 'row'},
      element('span', {class: `badge ${kind}`}, kinds[kind]),
      name,
      textSpan('mono', change),
      isStatusChange ? element('span', {class: 'muted'}, statuses.join(' → ')) : undefined,
    ),
    membersList(members),
  );
}

function membersList(members: readonly MemberDifference[]): HTMLElement | undefined {
  if (members.length === 0) return undefined;
  return element(
    'ul',
    {class: 'members'},
    ...members
      .slice(0, maxMembers)
      .map(({path, before, after}) =>
        element(
          'li',
          {},
          textSpan('json-key', path.join('.')),
          valueRow('before', before),
          valueRow('after', after),
        ),
      ),
    ...moreItem(members.length - maxMembers),
  );
}

function valueRow(side: 'before' | 'after', value: Json | undefined): HTMLElement | undefined {
  if (value === undefined) return undefined;
  const tree = createJsonTree(sides[side], 0);
  tree.show(value);
  return element(
    'div',
    {class: `member ${side}`},
    element('span', {class: 'visually-hidden'}, sides[side]),
    tree.element,
  );
}
