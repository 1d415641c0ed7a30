/** The MCP servers of a folder, from `.mcp.json` as other programs write it. */

import {resolve} from 'node:path';

import {z} from 'zod';

import {didYouMean} from '../../machines/domain/nearest.ts';
import type {Launch, McpServer} from '../../tools/mcp/server.ts';
import {namedFiles} from '../../tools/mcp/start-place.ts';
import type {Environment} from '../terminal.ts';
import {trustedContent} from './folder-trust.ts';
import {mcpFileName} from './paths.ts';

export interface FolderServers {
  /** Servers of a folder that is not trusted must not be started. */
  readonly isTrusted: boolean;
  readonly servers: readonly McpServer[];
  /** Why the file as a whole can't be used, a sentence. */
  readonly problem?: string;
}

const timeoutMs = 120_000;
const texts = z.record(z.string(), z.string());

/** Unknown keys are those of other programs. */
const entrySchema = z.looseObject({
  type: z.string().optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
  cwd: z.string().optional(),
  url: z.string().optional(),
  headers: texts.default({}),
  disabled: z.boolean().optional(),
});
const fileSchema = z.looseObject({mcpServers: z.record(z.string(), z.unknown())});

/** Throws AppError as `trustedContent` does. A faulty server is there, with the reason why it can't be started. */
export async function folderServers(folder: string, env: Environment): Promise<FolderServers> {
  const {isTrusted, files} = await trustedContent(folder, env);
  const text = files[mcpFileName];
  if (text === undefined) return {isTrusted, servers: []};
  const file = fileSchema.safeParse(parsed(text));
  if (!file.success) {
    return {isTrusted, servers: [], problem: `${mcpFileName} has no "mcpServers" that can be read`};
  }
  const entries = Object.entries(file.data.mcpServers);
  const servers = entries.flatMap(([name, given]): McpServer[] => {
    const entry = entrySchema.safeParse(given);
    if (entry.success && entry.data.disabled === true) return [];
    const launch = entry.success
      ? launchOf(entry.data, folder, env)
      : refused(`${mcpFileName}: ${problemOf(entry.error)}`);
    return [{name: name.slice(0, 200), origin: mcpFileName, trusted: false, timeoutMs, launch}];
  });
  return {isTrusted, servers};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemOf({issues: [issue]}: z.ZodError): string {
  return issue ? `${issue.path.join('.')} ${issue.message}` : 'it is not valid';
}

function refused(why: string): Launch {
  return {kind: 'refused', why};
}

const types = ['stdio', 'http', 'streamable-http'];

type Entry = z.infer<typeof entrySchema>;

function launchOf(entry: Entry, folder: string, env: Environment): Launch {
  const {type} = entry;
  if (type === 'sse') {
    return refused(
      'its transport (HTTP+SSE) is not supported any more; use its address for streamable HTTP',
    );
  }
  if (type !== undefined && !types.includes(type)) {
    return refused(`its type ${JSON.stringify(type)} is not known${didYouMean(type, types)}`);
  }
  const unset = new Set<string>();
  const launch = filledLaunch(entry, folder, (text) => filled(text, env, unset));
  if (unset.size > 0) {
    return refused(`the environment variable ${[...unset].join(', ')} is not set`);
  }
  if (launch.kind === 'http' && !/^https?:$/.test(URL.parse(launch.url)?.protocol ?? '')) {
    return refused('its url is not an http:// or https:// address');
  }
  return launch;
}

function filledLaunch(
  {command, args, env, cwd, url, headers}: Entry,
  folder: string,
  fill: (text: string) => string,
): Launch {
  const fillAll = (all: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(all).map(([name, value]) => [name, fill(value)]));
  if (command !== undefined) {
    const place = cwd === undefined ? folder : resolve(folder, fill(cwd));
    const variables = fillAll(env);
    const words = [command, ...args].map(fill);
    const files = namedFiles([...words, ...Object.values(variables)], place);
    const own = new Set(files.map(({path}) => path));
    // The program starts elsewhere: a word that names a file of the folder becomes its whole path.
    const [program = '', ...rest] = words.map((word) =>
      own.has(resolve(place, word)) ? resolve(place, word) : word,
    );
    return {
      kind: 'stdio',
      command: program,
      args: rest,
      env: variables,
      files,
      ...(cwd === undefined ? {} : {cwd: place}),
    };
  }
  return url === undefined
    ? refused('it has neither a command nor a url')
    : {kind: 'http', url: fill(url), headers: fillAll(headers)};
}

/** `${NAME}` and `${NAME:-default}`, as other programs replace them. */
function filled(text: string, env: Environment, unset: Set<string>): string {
  return text.replaceAll(
    /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
    (_, name: string, preset: string | undefined) => {
      const value = env[name] || preset;
      if (value === undefined) unset.add(name);
      return value ?? '';
    },
  );
}
