/** The providers and their models as two tables. */

import {t} from '../../../machines/message.ts';
import {say} from '../../language.ts';
import type {ListedModel, SurveyedProvider} from '../../models/survey.ts';
import type {Style} from '../style.ts';
import {tableLines} from './table.ts';

const states = {
  builtIn: t`built in`,
  reachable: t`reachable`,
  noKey: t`no key`,
  noAddress: t`no address`,
  unlisted: t`no list`,
  keyRefused: t`key refused`,
  unreachable: t`unreachable`,
};
const providerTitles = [t`PROVIDER`, t`STATE`, t`MODELS`, t``];
const modelTitles = [t`MODEL`, t`$ IN`, t`$ OUT`, t`ROLES`];

export interface ModelsView {
  readonly style: Style;
  readonly width?: number;
  /** Rows of one provider; further models are counted. */
  readonly maxModels: number;
}

export function modelsLines(providers: readonly SurveyedProvider[], view: ModelsView): string[] {
  const rows = providers.map(({name, state, detail, models}) => [
    name,
    say(states[state], view.style),
    state === 'reachable' || state === 'builtIn' ? String(models.length) : '',
    detail,
  ]);
  const shown = providers.flatMap(({name, models}) => shownOf(name, models, view));
  const table = tableLines(providerTitles, rows, view.style, view.width);
  if (shown.length > 0) {
    return [...table, '', ...tableLines(modelTitles, shown, view.style, view.width)];
  }
  const mayHave = providers.some(({state}) => state === 'unlisted');
  return mayHave
    ? table
    : [...table, '', say(t`No model is available: see quorate help models.`, view.style)];
}

/** Models in use are always shown. */
function shownOf(
  provider: string,
  models: readonly ListedModel[],
  {maxModels: most, style}: ModelsView,
): string[][] {
  const shown = models.filter(({roles}, index) => index < most || roles.length > 0);
  const more = models.length - shown.length;
  return [
    ...shown.map(({name, price, roles}) => [
      name,
      price ? String(price.input) : '?',
      price ? String(price.output) : '?',
      roles.join(', '),
    ]),
    ...(more > 0 ? [[say(t`… ${more} more: quorate models ${provider}`, style)]] : []),
  ];
}
