/** Paths outside the workspace: which may be read or listed, and which may be created. */

import {plain} from '../../machines/domain/plain-text.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
import type {Effect} from '../../tools/commands/effect.ts';

/** Harmless devices: they store no data and forward none. */
export function isDevice(path: string): boolean {
  return /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|fd\/\d+)$/.test(path);
}

/** Facts about the machine, and public files of installed programs. */
const known =
  /^\/(?:proc\/(?:cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|self\/status)|etc\/(?:os-release|lsb-release|debian_version|alpine-release|timezone|localtime|mime\.types|shells)|usr\/(?:share|include|lib\/os-release)(?:\/.*)?|sys\/(?:devices\/system\/cpu|fs\/cgroup)(?:\/.*)?)$/;
const listed = /^\/(?:usr|bin|lib|opt)(?:\/.*)?$/;
const temporary = /^\/tmp\/./;

/**
 * True for a path in `/tmp`. A workspace in `/tmp` has neighbours there: for a workspace directly in `/tmp`, no path counts;
 * for a deeper one, only scratch files count.
 */
export function isTemporary(effect: Effect, workspace: string): boolean {
  if (temporary.test(workspace) && folderOf(workspace) === '/tmp') return false;
  const isThere = temporary.test(effect.place?.path ?? '');
  return isThere && (!temporary.test(workspace) || isScratch(effect));
}

/** True if the effect is outside the workspace. Exempt: public places, readable places nearby, and new files in `/tmp`. */
export function isOutside(effect: Effect, workspace: string): boolean {
  const {kind, place} = effect;
  if (!place || place.inside || isDevice(place.path)) return false;
  if (kind === 'reads') return !known.test(place.path) && !isReadable(effect, workspace);
  if (kind === 'lists') {
    return ![known, listed].some((form) => form.test(place.path)) && !isListable(effect, workspace);
  }
  return kind !== 'creates' || !temporary.test(place.path);
}

/** True for a link that the request asks for: it names the target, from the root or from the home folder. */
export function isLinkAskedFor({isLink, place}: Effect, request: string): boolean {
  if (!isLink || !place) return false;
  const {path} = place;
  const names = new Set([path, path.replace(/^\/(?:home|Users)\/[^/]+(?=\/)/, '~')]);
  const words = plain(request).split(/[\s`"'“”「」,;:()<>|&=]+|\.(?:\s|$)/);
  return words.some((word) => names.has(word.replace(/(?<=.)\/$/, '')));
}

/** True for listing the parent folder of the workspace, or `/tmp`, but not recursively. */
function isListable({place, wide, by}: Effect, workspace: string): boolean {
  const path = place?.path ?? '';
  if (wide || !lookers.test(by) || deep.test(by)) return false;
  const parent = folderOf(workspace);
  return isNear(path, parent) || path === parent || path === '/tmp';
}

/** Programs that only show their input. */
const lookers =
  /^(?:ls|dir|cat|tac|bat|head|tail|less|more|wc|stat|file|test|\[{1,2}|cd|grep|egrep|fgrep|sed|g?awk|jq|yq|diff|cmp|comm|cut|sort|uniq|tr|nl|od|xxd|hexdump|strings|column|readlink|realpath|md5sum|sha\d+sum|cksum|while|for)(?:\s|$)/;
/** Options that list a folder recursively. */
const deep = /\s-[a-zA-Z]*R|\s--recursive/;

/** True for reading a file in these folders whose name suggests text and nothing private. */
function isReadable({place, wide, by}: Effect, workspace: string): boolean {
  if (!place || wide || place.isFolder || isCredentialPlace(place.path)) return false;
  if (!lookers.test(by)) return false;
  if (place.isMade) return isNear(place.path, '/tmp');
  const name = place.path.slice(place.path.lastIndexOf('/') + 1);
  return isNear(place.path, folderOf(workspace)) && plainName.test(name);
}

/** True for a path directly in the folder or in `/tmp`, or one level deeper in `/tmp`, where programs have folders. */
function isNear(path: string, parent: string): boolean {
  const folder = folderOf(path);
  return folder === parent || folder === '/tmp' || folderOf(folder) === '/tmp';
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}

/** With an extension, and not hidden. Private files of tools, such as `krb5cc_1000`, do not match. */
const plainName = /^[^.][^/]*\.[a-z]\w{0,7}$/i;

/** True for a new file in `/tmp` that is neither code nor configuration. */
function isScratch({place, wide}: Effect): boolean {
  const isNew = place?.state === 'absent' || place?.isMade === true;
  return isNew && !wide && scratch.test(place?.path ?? '');
}

const scratch =
  /^\/tmp\/(?![\w-]*(?:package|config)\b)[\w-]+(?:\.[\w-]+)*\.(?:txt|log|out|err|md|csv|tsv|json|tap|xml|html|lcov|patch|diff|tgz|tar\.gz|zip|png|svg|pid|\d+)$/;
