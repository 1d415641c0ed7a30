/** The providers and their models as two tables. */

import type {ListedModel, SurveyedProvider} from '../../models/survey.ts';
import type {Style} from '../style.ts';
import {tableLines} from './table.ts';

export interface ModelsView {
  readonly style: Style;
  readonly width?: number;
  /** Rows of one provider; further models are counted. */
  readonly maxModels: number;
}

const stateWords: Readonly<Record<SurveyedProvider['state'], string>> = {
  builtIn: 'built in',
  reachable: 'reachable',
  noKey: 'no key',
  noAddress: 'no address',
  unlisted: 'no list',
  keyRefused: 'key refused',
  unreachable: 'not there',
};

export function modelsLines(providers: readonly SurveyedProvider[], view: ModelsView): string[] {
  const rows = providers.map(({name, state, detail, models}) => [
    name,
    stateWords[state],
    state === 'reachable' || state === 'builtIn' ? String(models.length) : '',
    detail,
  ]);
  const shown = providers.flatMap(({name, models}) => shownOf(name, models, view.maxModels));
  const table = tableLines(['PROVIDER', 'STATE', 'MODELS', ''], rows, view.style, view.width);
  const header = ['MODEL', '$ IN', '$ OUT', 'ROLES'];
  if (shown.length > 0) {
    return [...table, '', ...tableLines(header, shown, view.style, view.width)];
  }
  const mayHave = providers.some(({state}) => state === 'unlisted');
  return mayHave ? table : [...table, '', 'No model can be had: see quorate help models.'];
}

/** Models in use are always shown. */
function shownOf(provider: string, models: readonly ListedModel[], most: number): string[][] {
  const shown = models.filter(({roles}, index) => index < most || roles.length > 0);
  const more = models.length - shown.length;
  return [
    ...shown.map(({name, price, roles}) => [
      name,
      price ? String(price.input) : '?',
      price ? String(price.output) : '?',
      roles.join(', '),
    ]),
    ...(more > 0 ? [[`… ${more} more: quorate models ${provider}`]] : []),
  ];
}
