/** How the runtime finds a model by its name. */

import type {Model, Price} from './model.ts';

export interface ProviderConfig {
  readonly kind: 'openai' | 'anthropic' | 'openai-compatible';
  readonly baseUrl?: string;
  /** The variable that holds the key; empty when the server wants none. */
  readonly apiKeyEnv: string;
}

export type ModelCheck =
  | {readonly ok: true}
  | {
      readonly ok: false;
      readonly code: 'unknown_provider' | 'missing_key' | 'unknown_model';
      /** Names the model, what is missing (the variable), and the next step. */
      readonly message: string;
    };

export interface Router {
  /** `provider/model` for a bare or full name. Throws AppError `config` for a name no provider takes. */
  readonly canonical: (name: string) => string;
  readonly check: (name: string) => ModelCheck;
  /** The adapter; SDKs are imported at its first call. Throws AppError for a name that fails `check`. */
  readonly get: (name: string) => Model;
  /** Undefined when the price is not known. Local servers and the offline model are free. */
  readonly price: (name: string) => Price | undefined;
}
