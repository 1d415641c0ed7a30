/** Reads single folders of a workspace, with the same hidden entries as in a walk from its top. */

import type {Dirent} from 'node:fs';

import {type Folder, openFolder} from '../../containment/folder.ts';
import {isIgnored, type RuleSet} from '../../read/ignored.ts';
import {entriesOf, rulesIn, skipped, visibilityOf} from '../../read/tree.ts';

/**
 * Reads the folder `parts`, entry by entry: undefined for a hidden entry. Yields nothing for a hidden
 * folder. Throws `LinkMet` for a link, otherwise the operating system's error.
 */
export type ReadVisible = (parts: readonly string[]) => Generator<Dirent | undefined, void>;

/** For one walk: ignore files are read once. */
export function createVisibleReader(workspace: string): ReadVisible {
  const known = new Map<string, readonly RuleSet[]>();
  const open = (parts: readonly string[]): Opened | undefined => {
    const above = parts.length === 0 ? [] : rulesOf(parts.slice(0, -1));
    if (!above || isHidden(parts, above)) return undefined;
    const folder = openFolder(workspace, parts);
    const ignore = [...above, ...rulesIn(folder, parts.length)];
    known.set(parts.join('/'), ignore);
    return {folder, ignore};
  };
  const rulesOf = (parts: readonly string[]): readonly RuleSet[] | undefined => {
    const rules = known.get(parts.join('/'));
    if (rules) return rules;
    const opened = open(parts);
    opened?.folder.close();
    return opened?.ignore;
  };
  return function* read(parts) {
    const opened = open(parts);
    if (!opened) return;
    const {folder, ignore} = opened;
    try {
      for (const entry of entriesOf(folder)) {
        const isVisible = visibilityOf(folder, entry, {parts, ignore}) === 'visible';
        yield isVisible ? entry : undefined;
      }
    } finally {
      folder.close();
    }
  };
}

interface Opened {
  readonly folder: Folder;
  /** The rules of the folder and of those above it. */
  readonly ignore: readonly RuleSet[];
}

function isHidden(parts: readonly string[], above: readonly RuleSet[]): boolean {
  const name = parts.at(-1);
  return name !== undefined && (skipped.includes(name) || isIgnored(parts, true, above));
}
