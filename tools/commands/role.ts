/** The roles that an entry of the table may name. */

import type {Role} from './program.ts';

const roles: Readonly<Record<Role, true>> = {
  reads: true,
  lists: true,
  creates: true,
  appends: true,
  edits: true,
  writes: true,
  empties: true,
  moves: true,
  deletes: true,
  fetches: true,
  sends: true,
  runs: true,
  installs: true,
  publishes: true,
  records: true,
  discards: true,
  signals: true,
  reveals: true,
  alters: true,
  'reads-tree': true,
  'deletes-tree': true,
  'edits-tree': true,
  'writes-tree': true,
  'moves-tree': true,
  text: true,
  local: true,
  command: true,
  shell: true,
  script: true,
  code: true,
  loads: true,
  modules: true,
  links: true,
  'package-script': true,
  'package-command': true,
  'make-targets': true,
  restores: true,
  amends: true,
  repository: true,
  unjudged: true,
};

export const roleNames: readonly string[] = Object.keys(roles);

export function isRole(text: string): text is Role {
  return Object.hasOwn(roles, text);
}
