/** What lies outside the workspace: who may look at it, and what may be made there. */

import type {Effect} from '../../tools/commands/effect.ts';

/** Devices that hold nothing and pass nothing on. */
export function isDevice(path: string): boolean {
  return /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|fd\/\d+)$/.test(path);
}

/** Facts on the machine, and what programs bring with them for everybody to read. */
const known =
  /^\/(?:proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|self\/status)|etc\/(?:os-release|lsb-release|debian_version|alpine-release|timezone|localtime|mime\.types|shells)|usr\/(?:share|include|lib\/os-release)(?:\/.*)?|sys\/(?:devices\/system\/cpu|fs\/cgroup)(?:\/.*)?)$/;
const listed = /^\/(?:usr|bin|lib|opt)(?:\/.*)?$/;
const temporary = /^\/tmp\/./;

/** Where programs keep what they need for a while. Who works there has neighbours there, too. */
export function isTemporary({place}: Effect, workspace: string): boolean {
  return temporary.test(place?.path ?? '') && !temporary.test(workspace);
}

/** Touches a place outside the workspace that is not everybody's. */
export function isOutside({kind, place}: Effect): boolean {
  if (!place || place.inside || isDevice(place.path)) return false;
  if (kind === 'reads') return !known.test(place.path);
  if (kind === 'lists') return !known.test(place.path) && !listed.test(place.path);
  return kind !== 'creates' || !temporary.test(place.path);
}
