/** The servers that a `.mcp.json` names, as it names them: for people to read. Nothing is started. */

export interface NamedServer {
  readonly name: string;
  /** The program and its arguments; absent for a server that is reached by its address. */
  readonly argv?: readonly string[];
  /** The names of its environment variables. */
  readonly env: readonly string[];
  /** Everything else about it. Of HTTP headers, only the names. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** `problem`: why the text is not a list of servers. */
export type NamedServers =
  | {readonly ok: true; readonly servers: readonly NamedServer[]}
  | {readonly ok: false; readonly problem: string};

export function serversIn(text: string): NamedServers {
  try {
    const document: unknown = JSON.parse(text);
    const servers = tableIn(tableIn(document)?.['mcpServers']);
    if (!servers) return {ok: false, problem: 'it has no table "mcpServers"'};
    return {ok: true, servers: Object.entries(servers).map(toServer)};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {ok: false, problem: error.message};
  }
}

/** Every text of each row, with the defaults of its variables, and the folder that it starts in. */
export function rowTexts(
  text: string,
): {readonly cwd: string; readonly texts: readonly string[]}[] {
  try {
    const rows = tableIn(tableIn(JSON.parse(text))?.['mcpServers']) ?? {};
    return Object.values(rows).map((row) => {
      const cwd = tableIn(row)?.['cwd'];
      return {cwd: typeof cwd === 'string' ? cwd : '.', texts: textsIn(row)};
    });
  } catch {
    return [];
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value.replaceAll(/\$\{\w+(?::-([^}]*))?\}/g, '$1')];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.values(tableIn(value) ?? {}).flatMap(textsIn);
}

function toServer([name, given]: readonly [string, unknown]): NamedServer {
  const {command, args, env, headers, ...more} = tableIn(given) ?? {value: given};
  return {
    name,
    ...(command === undefined ? {} : {argv: [command, args ?? []].flat().map(wordOf)}),
    env: Object.keys(tableIn(env) ?? {}),
    more: headers === undefined ? more : {...more, headers: Object.keys(tableIn(headers) ?? {})},
  };
}

function wordOf(word: unknown): string {
  return typeof word === 'string' ? word : (JSON.stringify(word) ?? '');
}

function tableIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isTable = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isTable ? Object.fromEntries(Object.entries(value)) : undefined;
}
