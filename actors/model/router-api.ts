/** How the runtime finds a model by its name. */

import type {Model, Price} from './model.ts';

export interface ProviderConfig {
  readonly kind: 'openai' | 'anthropic' | 'openai-compatible';
  readonly baseUrl?: string;
  /** The variable that holds the key; empty when the server wants none. */
  readonly apiKeyEnv: string;
  /** Of a whole reply. Absent: ten minutes, on loopback an hour. */
  readonly timeoutMs?: number;
  /** From the request to the first sign of a reply. Absent: 30 s, on loopback ten minutes. */
  readonly firstByteMs?: number;
  /** The longest reply asked for, in tokens. Absent: 8,192. */
  readonly maxOutputTokens?: number;
}

export type ModelCheck =
  | {readonly ok: true}
  | {
      readonly ok: false;
      readonly code: 'unknown_provider' | 'missing_key' | 'unknown_model';
      /** Names the model, what is missing (the variable), and the next step. */
      readonly message: string;
      /** The variable that would hold the missing key. */
      readonly apiKeyEnv?: string;
    };

export interface Router {
  /** `provider/model` for a bare or full name. Throws AppError `config` for a name no provider takes. */
  readonly canonical: (name: string) => string;
  readonly check: (name: string) => ModelCheck;
  /** The adapter; SDKs are imported at its first call. Throws AppError for a name that fails `check`. */
  readonly get: (name: string) => Model;
  /** Undefined when the price is not known. Local servers and the offline model are free. */
  readonly price: (name: string) => Price | undefined;
  /** The longest reply asked of the model, in tokens, whatever a request asks for; undefined for a name that fails. */
  readonly outputLimit: (name: string) => number | undefined;
}
