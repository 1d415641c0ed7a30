/** Well-known providers by name, which need no `[providers]` section. */

import type {ProviderConfig} from './router-api.ts';

export interface Preset extends Omit<ProviderConfig, 'baseUrl'> {
  /** Absent: every user has their own address and must configure it. */
  readonly baseUrl?: string;
  /** The form of the user's own address. */
  readonly addressForm?: string;
  /** Hosts that also belong to the provider, besides the host of `baseUrl`: its key may be sent there. */
  readonly ownHosts?: RegExp;
  /** The name of the provider, for the help. */
  readonly what: string;
}

const local = {kind: 'openai-compatible', apiKeyEnv: ''} as const;

function remote(what: string, baseUrl: string, apiKeyEnv: string): Preset {
  return {kind: 'openai-compatible', what, baseUrl, apiKeyEnv};
}

export const presets: Readonly<Record<string, Preset>> = {
  anthropic: {
    kind: 'anthropic',
    what: 'Anthropic',
    baseUrl: 'https://api.anthropic.com',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
  },
  openai: {
    kind: 'openai',
    what: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    apiKeyEnv: 'OPENAI_API_KEY',
  },
  ollama: {...local, what: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1'},
  lmstudio: {...local, what: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1'},
  llamacpp: {...local, what: 'llama.cpp’s llama-server', baseUrl: 'http://127.0.0.1:8080/v1'},
  vllm: {...local, what: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1'},
  openrouter: remote('OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  gemini: remote(
    'Google Gemini',
    'https://generativelanguage.googleapis.com/v1beta/openai',
    'GEMINI_API_KEY',
  ),
  groq: remote('Groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  mistral: remote('Mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  deepseek: remote('DeepSeek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  azure: {
    kind: 'openai',
    what: 'OpenAI’s models on Azure, by the names of your deployments',
    addressForm: 'https://RESOURCE.openai.azure.com/openai/v1',
    ownHosts: /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/,
    apiKeyEnv: 'AZURE_OPENAI_API_KEY',
  },
};

export function presetOf(name: string): Preset | undefined {
  return Object.hasOwn(presets, name) ? presets[name] : undefined;
}
