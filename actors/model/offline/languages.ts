/** Programming languages, by file extension. */

/** Each language: its name, aliases, and file extensions. */
const languages = `
TypeScript|ts: ts tsx mts cts; JavaScript|js: js jsx mjs cjs; Python|py: py pyi; Rust|rs: rs; Go|golang: go; Java: java
Kotlin: kt kts; C: c h; C++|cpp: cc cpp cxx hpp hh; C#|csharp: cs; Ruby|rb: rb; PHP: php; Swift: swift; Scala: scala
Elixir: ex exs; Haskell: hs; Lua: lua; Shell|bash: sh bash zsh; SQL: sql; HTML: html htm; CSS: css scss sass less
Vue: vue; Svelte: svelte; Markdown|md|documentation: md mdx; JSON: json jsonc; YAML|yml: yml yaml; TOML: toml
XML: xml; Text|txt: txt`
  .trim()
  .split(/[;\n]\s*/)
  .map((row) => row.split(': '))
  .map(([names = '', endings = '']) => ({names: names.split('|'), endings: endings.split(' ')}));

export function languageOf(path: string): string {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return languages.find(({endings}) => endings.includes(ending))?.names[0] ?? 'other';
}

export function endingsOf(language: string): readonly string[] | undefined {
  const wanted = language.toLowerCase();
  return languages.find(({names}) => names.some((name) => name.toLowerCase() === wanted))?.endings;
}
