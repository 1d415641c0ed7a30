/** The providers and their models as two tables. */

import type {ListedModel, SurveyedProvider} from '../../models/survey.ts';
import type {Style} from '../style.ts';
import {tableLines} from './table.ts';
import {tableTexts} from './texts.ts';

export interface ModelsView {
  readonly style: Style;
  readonly width?: number;
  /** Rows of one provider; further models are counted. */
  readonly maxModels: number;
}

export function modelsLines(providers: readonly SurveyedProvider[], view: ModelsView): string[] {
  const texts = tableTexts(view.style).models;
  const rows = providers.map(({name, state, detail, models}) => [
    name,
    texts.states[state],
    state === 'reachable' || state === 'builtIn' ? String(models.length) : '',
    detail,
  ]);
  const shown = providers.flatMap(({name, models}) => shownOf(name, models, view));
  const table = tableLines(texts.providers, rows, view.style, view.width);
  if (shown.length > 0) {
    return [...table, '', ...tableLines(texts.models, shown, view.style, view.width)];
  }
  const mayHave = providers.some(({state}) => state === 'unlisted');
  return mayHave ? table : [...table, '', texts.none];
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
    ...(more > 0 ? [[tableTexts(style).models.more(more, provider)]] : []),
  ];
}
