/** The router: finds models by name. */

import type {JsonObject} from '../../machines/domain/json.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import type {Model, OfferedTool, Price} from './model.ts';

export interface ProviderConfig {
  readonly kind: 'openai' | 'anthropic' | 'openai-compatible';
  readonly baseUrl?: string;
  /** The variable that holds the key; empty if the server requires none. */
  readonly apiKeyEnv: string;
  /** The time limit of a whole reply. Absent: ten minutes, on loopback one hour. */
  readonly timeoutMs?: number;
  /** The time limit from the request to the first byte of a reply. Absent: 30 s, on loopback ten minutes. */
  readonly firstByteMs?: number;
  /** The longest reply to request, in tokens, thinking included. Absent: 32,000, on loopback 8,000. */
  readonly maxOutputTokens?: number;
  /** The context window of its models, in tokens. Absent: as listed, 128,000 for a model that is not. */
  readonly contextWindow?: number;
  /** The time for repetitions of a call that fails for a while, in ms. Absent: five minutes. */
  readonly retryMs?: number;
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

export interface ServedWindows {
  readonly windows: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

export interface Router {
  /** Returns `provider/model` for a bare or full name. Throws AppError `config` for a name that no provider has. */
  readonly canonical: (name: string) => string;
  readonly check: (name: string) => ModelCheck;
  /** Returns the adapter; its SDK is imported at the first call. Throws AppError for a name that fails `check`. */
  readonly get: (name: string) => Model;
  /** Returns undefined if the price is not known. Local servers and the offline model are free. */
  readonly price: (name: string) => Price | undefined;
  /** The upper limit of a reply of the model, in tokens, for every request. Undefined for a name that fails `check`. */
  readonly outputLimit: (name: string) => number | undefined;
  /** The context window of the model, in tokens. */
  readonly window: (name: string) => number;
  /** The windows of models, as servers on this machine report theirs, and warnings for the person. */
  readonly servedWindows: (windows: Readonly<Record<string, number>>) => Promise<ServedWindows>;
  /** The body of a request as it is sent to the provider of the model. Undefined for a model without a known provider. */
  readonly body: (
    name: string,
    request: ModelRequest,
    tools: readonly OfferedTool[],
  ) => Promise<JsonObject | undefined>;
}
