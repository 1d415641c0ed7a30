/** The draft by rule: every line states a fact of a file, and names it. */

import {languageOf} from '../../actors/model/offline/languages.ts';
import {
  manifestNames,
  packageOf,
  type Project,
  projectOf,
} from '../../actors/model/offline/manifests.ts';
import {firstParagraph, isReadme} from '../../actors/model/offline/readme.ts';
import {withoutSecrets} from '../../machines/places/secrets.ts';
import {oneLine} from '../render/text.ts';
import type {DraftTexts} from './draft-texts.ts';
import {type RepositoryFacts, versionFiles, workflowPath} from './facts.ts';
import {commandsOfWorkflow} from './workflow.ts';

const limits = {scripts: 40, commands: 20, folders: 40, languages: 6};
const maxValue = 300;
const maxParagraph = 700;

/** Markdown. `name`: of the folder. Deterministic. */
export function rulesDraft(facts: RepositoryFacts, name: string, texts: DraftTexts): string {
  const projects = [...manifestNames].flatMap((file): Described[] => {
    const text = facts.texts.get(file);
    return text === undefined ? [] : [{file, text, project: projectOf(new Map([[file, text]]))}];
  });
  const sections: (readonly [title: string, lines: readonly string[]])[] = [
    [texts.about, aboutLines(facts, projects, texts)],
    [texts.build, buildLines(facts, projects, texts)],
    [texts.layout, layoutLines(facts, projects, texts)],
    [texts.conventions, conventionLines(facts, projects, texts)],
    [texts.pitfalls, pitfallLines(facts, texts)],
  ];
  const title = projects.find(({project}) => project.name !== undefined)?.project.name ?? name;
  const parts = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([head, lines]) => `## ${head}\n\n${lines.map((line) => `- ${line}`).join('\n')}`);
  return withoutSecrets([texts.title(plain(title)), ...parts].join('\n\n'));
}

interface Described {
  readonly file: string;
  readonly text: string;
  readonly project: Project;
}

function aboutLines(
  {files, texts: read}: RepositoryFacts,
  projects: readonly Described[],
  texts: DraftTexts,
): string[] {
  const named = projects.flatMap(({file, project: {name, version, description}}) => {
    const title = [name, version].filter((part) => part !== undefined).join(' ');
    const parts = [title, description ?? '']
      .filter((part) => part !== '')
      .map((part) => plain(part));
    return parts.length === 0 ? [] : [`${parts.join(': ')} (${file})`];
  });
  const readme = [...read].find(([path]) => isReadme(path));
  const first = readme && firstParagraph(readme[1]);
  return [
    ...named,
    ...(readme && first !== undefined ? [texts.begins(readme[0], plain(first, maxParagraph))] : []),
    texts.languages(sharesOf(files)),
  ];
}

function buildLines(
  {files, texts: read, tests}: RepositoryFacts,
  projects: readonly Described[],
  texts: DraftTexts,
): string[] {
  const needs = projects.flatMap(({file, project}) =>
    project.needs.map((what) => texts.needs(plain(what), file)),
  );
  const versions = [...read]
    .filter(([path]) => versionFiles.has(path))
    .map(([path, text]) => texts.needs(plain(text), path));
  const manager = stringIn(read.get('package.json'), 'packageManager');
  const scripts = projects.flatMap(({file, project}) =>
    project.scripts.map(([command, line]) =>
      file === 'Makefile'
        ? `${code(command)} (${file})`
        : `${code(command)}: ${code(line)} (${file})`,
    ),
  );
  const workflows = [...read].filter(([path]) => workflowPath.test(path));
  return [
    ...needs,
    ...versions,
    ...(manager === undefined ? [] : [texts.packager(code(manager), 'package.json')]),
    ...files.filter((path) => locks.has(path)).map(texts.locked),
    ...tests.map(({command, file}) => texts.tests(code(command), plain(file))),
    ...firstOf(scripts, limits.scripts, texts),
    ...workflows.flatMap(([path, text]) => ciLine(path, text, texts)),
    ...files.filter((path) => otherCi.test(path)).map((path) => texts.ciFile(path)),
  ];
}

const locks: ReadonlySet<string> = new Set(
  'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock Cargo.lock go.sum poetry.lock uv.lock Gemfile.lock composer.lock'.split(
    ' ',
  ),
);
const otherCi =
  /^(?:\.gitlab-ci\.ya?ml|\.travis\.yml|azure-pipelines\.yml|Jenkinsfile|\.circleci\/config\.yml|\.woodpecker\.ya?ml)$/;

function ciLine(path: string, text: string, texts: DraftTexts): string[] {
  const commands = commandsOfWorkflow(text).map(code);
  if (commands.length === 0) return [];
  return [texts.ci(firstOf(commands, limits.commands, texts).join(', '), plain(path))];
}

function layoutLines(
  {files}: RepositoryFacts,
  projects: readonly Described[],
  texts: DraftTexts,
): string[] {
  const inFolders = files.filter((path) => path.includes('/'));
  const folders = [...Map.groupBy(inFolders, (path) => path.slice(0, path.indexOf('/') + 1))].map(
    ([folder, own]) => texts.folder(code(folder), own.length, sharesOf(own)),
  );
  const entries = projects.flatMap(({project}) => project.entries).map((line) => plain(line));
  const named = files.filter((path) => entryName.test(path)).map((path) => texts.entry(code(path)));
  return [...firstOf(folders, limits.folders, texts), ...entries, ...named];
}

const entryName =
  /^(?:src\/|cmd\/|app\/|bin\/)?(?:main|index|__main__|app|cli|server)\.(?:[cm]?[jt]sx?|py|go|rs|c|cc|cpp|java|kt|rb|php|swift)$/;

/** Files in the top folder by their purpose. */
const purposes: readonly (readonly [keyof DraftTexts['purposes'], RegExp])[] = [
  [
    'format',
    /^(?:\.editorconfig|\.prettierrc.*|prettier\.config\..+|\.oxfmtrc\..+|biome\.jsonc?|rustfmt\.toml|\.rustfmt\.toml|\.clang-format)$/,
  ],
  [
    'lint',
    /^(?:\.eslintrc.*|eslint\.config\..+|\.oxlintrc\.json|ruff\.toml|\.ruff\.toml|\.flake8|\.golangci\.ya?ml|clippy\.toml|\.rubocop\.yml)$/,
  ],
  ['types', /^(?:tsconfig\.json|jsconfig\.json|mypy\.ini|pyrightconfig\.json)$/],
  ['tests', /^(?:vitest|jest|playwright|cypress)\.config\..+$|^(?:pytest|tox)\.ini$/],
  ['hooks', /^(?:\.pre-commit-config\.ya?ml|lefthook\.ya?ml|\.husky\/.+)$/],
];

function conventionLines(
  {files}: RepositoryFacts,
  projects: readonly Described[],
  texts: DraftTexts,
): string[] {
  const configured = purposes.flatMap(([purpose, pattern]) => {
    const own = files.filter((path) => pattern.test(path)).map(code);
    return own.length === 0 ? [] : [texts.configured(texts.purposes[purpose], own.join(', '))];
  });
  const type = stringIn(projects.find(({file}) => file === 'package.json')?.text, 'type');
  const guides = files.filter((path) => guide.test(path)).map(code);
  return [
    ...configured,
    ...(type === undefined ? [] : [texts.modules(code(type), 'package.json')]),
    ...(guides.length === 0 ? [] : [texts.readToo(guides.join(', '))]),
  ];
}

const guide = /^(?:(?:docs\/|\.github\/)?CONTRIBUTING(?:\.\w+)?|AGENTS\.md|CLAUDE\.md)$/;

function pitfallLines({files, texts: read, isCut}: RepositoryFacts, texts: DraftTexts): string[] {
  const variables = files.filter((path) => /^\.?env\.(?:example|sample|template)$/.test(path));
  const attributes = read.get('.gitattributes') ?? '';
  return [
    ...(files.includes('.gitmodules') ? [texts.submodules('.gitmodules')] : []),
    ...variables.map(texts.variables),
    ...(/\bfilter=lfs\b/.test(attributes) ? [texts.largeFiles('.gitattributes')] : []),
    ...(isCut ? [texts.cut] : []),
  ];
}

/** `TypeScript 12, Markdown 3`. */
function sharesOf(files: readonly string[]): string {
  return [...Map.groupBy(files, (path) => languageOf(path))]
    .map(([language, own]) => [language, own.length] as const)
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, limits.languages)
    .map(([language, count]) => `${language} ${count}`)
    .join(', ');
}

function firstOf(lines: readonly string[], most: number, texts: DraftTexts): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), texts.more(lines.length - most)];
}

function stringIn(manifest: string | undefined, key: string): string | undefined {
  const value = manifest === undefined ? undefined : packageOf(manifest)[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A value of a file in one line that ends no element of the document and begins no comment. */
function plain(text: string, width = maxValue): string {
  return oneLine(text, width).replaceAll('<', '&lt;');
}

function code(text: string): string {
  return `\`${oneLine(text, maxValue).replaceAll('`', "'")}\``;
}
