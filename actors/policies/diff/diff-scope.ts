/** What policy/scope refuses in a diff: what runs or rules later without being asked for, and what lies elsewhere. */

import {plain} from '../../../machines/domain/plain-text.ts';
import {protectedKind} from '../../../machines/places/places.ts';
import {isNamed, pathsIn} from '../bounds.ts';
import type {DiffLook, DiffRule, Finding} from './diff-rule.ts';

export const scopeDiffRules: readonly DiffRule[] = [
  {
    id: 'outside-repository',
    refuses: 'paths that leave the repository: absolute ones, and `..`',
    safer: 'use a path inside the repository, relative to it',
    severity: 'critical',
    find: ({file: {path}}) =>
      /^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)/.test(path) ? [{value: path}] : [],
  },
  {
    id: 'protected-file',
    refuses:
      'changes of hooks, CI, editor, MCP and rc files, of who must review what, and of this program’s configuration, unless the focus names the file',
    safer: 'have a person look at it, or name the file in the focus',
    severity: 'major',
    find: ({file, focus}) =>
      protectedKind(file.path) !== undefined && !isInFocus(file.path, focus)
        ? [{value: file.path}]
        : [],
  },
  {
    id: 'install-script',
    refuses:
      'scripts that package managers run by themselves (`preinstall`, `install`, `postinstall`, `prepare`), unless the focus names them',
    safer: 'use a script that somebody has to start by its name',
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

/** A key that stood there before is no new script: its text was changed. */
function installScripts({file, added, focus}: DiffLook): Finding[] {
  if (!/(?:^|\/)package\.json$/.test(file.path)) return [];
  return added.flatMap(({line, text}) => {
    const names = [...text.matchAll(runsByItself)].map(([, name = '']) => name);
    return names.some((name) => !focus.includes(name)) ? [{line, value: text.trim()}] : [];
  });
}
