/** The rules of policy/scope for diffs: paths outside the repository, protected files, and install scripts. */

import {plain} from '../../../machines/domain/plain-text.ts';
import {protectedKind} from '../../../machines/places/places.ts';
import {isNamed, pathsIn} from '../bounds.ts';
import type {DiffLook, DiffRule, Finding} from './diff-rule.ts';

export const scopeDiffRules: readonly DiffRule[] = [
  {
    id: 'outside-repository',
    refuses: 'paths that leave the repository: absolute paths, and `..`',
    safer: 'use a path inside the repository, relative to it',
    severity: 'critical',
    find: ({file: {path}}) =>
      /^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)/.test(path) ? [{value: path}] : [],
  },
  {
    id: 'protected-file',
    refuses:
      'changing hooks, CI, editor, MCP and rc files, rules about required reviewers, and this program’s configuration, unless the focus names the file',
    safer: 'let a person review it, or name the file in the focus',
    severity: 'major',
    find: ({file, focus}) =>
      protectedKind(file.path) !== undefined && !isInFocus(file.path, focus)
        ? [{value: file.path}]
        : [],
  },
  {
    id: 'install-script',
    refuses:
      'scripts that package managers run automatically (`preinstall`, `install`, `postinstall`, `prepare`), unless the focus names them',
    safer: 'use a script that is started explicitly by its name',
    severity: 'major',
    find: installScripts,
  },
];

function isInFocus(path: string, focus: string): boolean {
  return isNamed(path, pathsIn(plain(focus)));
}

/** At the start of a line, or within an object on one line. */
const runsByItself =
  /(?:^|[{,])\s*"(preinstall|install|postinstall|prepare|prepack|prepublish)"\s*:\s*"/g;

/** Added lines that set an automatic script of a `package.json`, unless the focus names the script. */
function installScripts({file, added, focus}: DiffLook): Finding[] {
  if (!/(?:^|\/)package\.json$/.test(file.path)) return [];
  return added.flatMap(({line, text}) => {
    const names = [...text.matchAll(runsByItself)].map(([, name = '']) => name);
    return names.some((name) => !focus.includes(name)) ? [{line, value: text.trim()}] : [];
  });
}
