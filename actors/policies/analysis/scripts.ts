/** Finds shell text in files that a call writes: scripts, and commands of package managers, `make` and CI. */

export interface Script {
  readonly text: string;
  /** The folder in which it starts, relative to the workspace. */
  readonly folder: string;
}

const maxScripts = 50;

/** The scripts in a file with this path. `puts`: its whole new text, or the passages that change. */
export function scriptsIn(path: string, puts: readonly string[]): readonly Script[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const texts = puts.flatMap((text) => textsIn(path, name, text)).slice(0, maxScripts);
  const startsThere = /^(?:package\.json|(?:GNU)?[Mm]akefile|.*\.mk)$/.test(name);
  return texts.map((text) => ({text, folder: startsThere ? folder : ''}));
}

function textsIn(path: string, name: string, text: string): readonly string[] {
  if (/\.(?:sh|bash|zsh|ksh)$/i.test(name) || /^#!.*\b(?:ba|da|z|k)?sh\b/.test(text)) return [text];
  if (/(?:^|\/)(?:\.husky|\.githooks|\.git\/hooks)\/[^/]+$/.test(path)) return [text];
  if (name === 'package.json') return packageScripts(text);
  if (/^(?:GNU)?[Mm]akefile$|\.mk$/.test(name)) return recipes(text);
  const isCi = /(?:^|\/)\.(?:github|forgejo|gitea)\/|^\.gitlab-ci\.ya?ml$|^\.circleci\//.test(path);
  return isCi && /\.ya?ml$/.test(name) ? stepsOf(text) : [];
}

/** The scripts of a `package.json`. In a passage of the file, every entry that could be a script. */
function packageScripts(text: string): string[] {
  const parsed = tryParse(text);
  if (parsed !== undefined) {
    const scripts = isRecord(parsed) ? parsed['scripts'] : undefined;
    return isRecord(scripts)
      ? Object.values(scripts).filter((value) => typeof value === 'string')
      : [];
  }
  return [...text.matchAll(/"[\w:.-]{1,100}"\s*:\s*("(?:[^"\\\n]|\\.){1,5000}")/g)]
    .map(([, value = '""']) => tryParse(value))
    .filter((value) => typeof value === 'string');
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Each line of a recipe is a separate command. A variable of `make` becomes a shell variable with an unknown value. */
function recipes(text: string): string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.startsWith('\t'))
    .map((line) =>
      line
        .replace(/^\t[\s@+-]*/, '')
        .replaceAll(/\$(?:[({]([^)}]*)[)}]|(\$)|([^\s$]))/g, (_, name, dollar) =>
          dollar === undefined ? `\${make_${String(name ?? '').replaceAll(/\W/g, '_')}}` : '$',
        ),
    )
    .filter((line) => line.trim() !== '');
}

const step = /^(\s*)(?:-\s+)?(?:run|script|before_script|after_script|command):\s*(.*)$/;

/** `run: COMMAND`, a block below it, or a list. */
function stepsOf(text: string): string[] {
  const lines = text
    .replaceAll(/\$\{\{[^}\n]{0,500}\}\}/g, '${expression}')
    .replaceAll('\t', ' ')
    .split('\n');
  return lines.flatMap((line, at) => {
    const [, indent = '', value = ''] = step.exec(line) ?? [];
    if (!step.test(line)) return [];
    if (value !== '' && !/^[|>][+-]?\d?\s*$/.test(value)) return [unquoted(value)];
    const block = lines.slice(at + 1);
    const end = block.findIndex((one) => one.trim() !== '' && !one.startsWith(`${indent} `));
    const body = block.slice(0, end < 0 ? undefined : end).map((one) => one.trim());
    return [
      body.map((one) => (value === '' ? unquoted(one.replace(/^-\s+/, '')) : one)).join('\n'),
    ];
  });
}

function unquoted(value: string): string {
  return value.replace(/^(["'])(.*)\1\s*$/, '$2');
}
