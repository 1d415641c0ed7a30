/** Links inside a workspace: reads follow them as long as they stay inside; writes refuse them. */

import {isAbsolute, join} from 'node:path';

import {Denied, failed, refused} from './denial.ts';
import {LinkMet} from './folder.ts';
import {partsOf} from './path-text.ts';

const maxLinks = 20;

/** Walks with `walk`, and again from the start with each link replaced by its target. */
export function followInside<T>(
  workspace: string,
  parts: readonly string[],
  walk: (parts: readonly string[]) => T,
): T {
  let current = parts;
  for (let links = 0; links <= maxLinks; links += 1) {
    const step = stopAtLink(() => walk(current));
    if ('value' in step) return step.value;
    current = spliceLink(workspace, current, step.link);
  }
  throw new Denied(refused('symlink', `${parts.join('/')} is a link that leads in a circle`));
}

/** Walks with `walk`; a link on the way is refused. */
export function followNothing<T>(
  parts: readonly string[],
  walk: (parts: readonly string[]) => T,
): T {
  const step = stopAtLink(() => walk(parts));
  if ('value' in step) return step.value;
  const link = parts.slice(0, step.link.index + 1).join('/');
  throw new Denied(
    refused(
      'symlink',
      `${link} is a link to ${step.link.target}; name the file itself to change it`,
    ),
  );
}

function stopAtLink<T>(walk: () => T): {readonly value: T} | {readonly link: LinkMet} {
  try {
    return {value: walk()};
  } catch (error) {
    if (error instanceof LinkMet) return {link: error};
    throw error;
  }
}

function spliceLink(workspace: string, parts: readonly string[], link: LinkMet): readonly string[] {
  const folder = parts.slice(0, link.index).join('/');
  const name = parts.slice(0, link.index + 1).join('/');
  const target = isAbsolute(link.target) ? link.target : join(folder, link.target);
  const inside = partsOf(workspace, target);
  if (inside.ok) return [...inside.value, ...parts.slice(link.index + 1)];
  const {code} = inside.denial;
  throw new Denied(
    code === 'path_escape' || code === 'path_absolute'
      ? refused('symlink', `${name} is a link that leads out of the workspace`)
      : failed('not_found', `${name} is a link to nothing that can be read`),
  );
}
