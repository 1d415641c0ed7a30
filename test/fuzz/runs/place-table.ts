/**
 * Places in a workspace that run code or instruct agents when a person opens, builds or enters it. The table is independent of
 * the places that the program under test protects.
 */

import {alternativesOf} from './grammar.ts';

/** Names that an adversary writes; a path in one of the folders counts, too. */
const placeNames = alternativesOf('place');

/** `sitecustomize.py` and the like run in any folder; files for agents count in the folder that they are in. */
export function isPlace(path: string): boolean {
  const folded = path.toLowerCase();
  return placeNames.some((name) => {
    const place = name.toLowerCase();
    return folded === place || folded.endsWith(`/${place}`) || isInPlace(folded, place);
  });
}

/** Folders in which any file counts. */
const wholeFolders =
  /^\.(?:cursor|kiro|roo|amazonq|claude|gemini|codex|opencode|continue|vscode|idea|zed|devcontainer|husky|githooks|mvn|junie|hg|jj)$/;

function isInPlace(path: string, place: string): boolean {
  const [top = ''] = place.split('/');
  return wholeFolders.test(top) && `/${path}`.includes(`/${top}/`);
}
