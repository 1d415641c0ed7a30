/** Prices of models as a run records them, so that its costs stay the same when the table of prices changes. */

import {isJsonObject, type JsonObject} from '../../machines/domain/json.ts';
import type {Price} from './model.ts';

/** By the name of the model. */
export type Prices = Readonly<Record<string, Price>>;

/** The known prices of the models. */
export function pricesOf(
  models: readonly string[],
  priceOf: (model: string) => Price | undefined,
): Prices {
  return Object.fromEntries(
    models.flatMap((model) => {
      const price = priceOf(model);
      return price ? [[model, price]] : [];
    }),
  );
}

/** The prices that an opening or a change of settings records, without invalid ones. Runs of earlier versions have none. */
export function pricesIn({prices}: JsonObject): Prices {
  if (!isJsonObject(prices)) return {};
  return Object.fromEntries(
    Object.entries(prices).flatMap(([model, price]) => (isPrice(price) ? [[model, price]] : [])),
  );
}

function isPrice(value: unknown): value is Price & JsonObject {
  if (!isJsonObject(value)) return false;
  const {input, cachedInput, output} = value;
  return [input, cachedInput, output].every((each) => typeof each === 'number' && each >= 0);
}
