/** Languages by the endings of file names. */

const endings: Readonly<Record<string, string>> = {
  TypeScript: 'ts tsx mts cts',
  JavaScript: 'js jsx mjs cjs',
  Python: 'py pyi',
  Rust: 'rs',
  Go: 'go',
  Java: 'java',
  Kotlin: 'kt kts',
  C: 'c h',
  'C++': 'cc cpp cxx hpp hh',
  'C#': 'cs',
  Ruby: 'rb',
  PHP: 'php',
  Swift: 'swift',
  Scala: 'scala',
  Elixir: 'ex exs',
  Haskell: 'hs',
  Lua: 'lua',
  Shell: 'sh bash zsh',
  SQL: 'sql',
  HTML: 'html htm',
  CSS: 'css scss sass less',
  Vue: 'vue',
  Svelte: 'svelte',
  Markdown: 'md mdx',
  JSON: 'json jsonc',
  YAML: 'yml yaml',
  TOML: 'toml',
  XML: 'xml',
  Text: 'txt',
};

const byEnding = new Map(
  Object.entries(endings).flatMap(([language, list]) =>
    list.split(' ').map((ending) => [ending, language] as const),
  ),
);

export function languageOf(path: string): string {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase();
  return (ending === undefined ? undefined : byEnding.get(ending)) ?? 'other';
}

/** The endings of a language's files, by its name or a usual short one; undefined for any other word. */
export function endingsOf(language: string): readonly string[] | undefined {
  const wanted = language.toLowerCase();
  const name = Object.keys(endings).find(
    (known) => known.toLowerCase() === (shortNames[wanted] ?? wanted),
  );
  return name === undefined ? undefined : endings[name]?.split(' ');
}

const shortNames: Readonly<Record<string, string>> = {
  ts: 'typescript',
  js: 'javascript',
  py: 'python',
  rs: 'rust',
  golang: 'go',
  cpp: 'c++',
  csharp: 'c#',
  rb: 'ruby',
  bash: 'shell',
  md: 'markdown',
  yml: 'yaml',
  txt: 'text',
  documentation: 'markdown',
};
