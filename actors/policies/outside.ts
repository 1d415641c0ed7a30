/** What lies outside the workspace: who may look at it, and what may be made there. */

import {plain} from '../../machines/domain/plain-text.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
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
export function isTemporary(effect: Effect, workspace: string): boolean {
  if (temporary.test(workspace) && folderOf(workspace) === '/tmp') return false;
  const isThere = temporary.test(effect.place?.path ?? '');
  return isThere && (!temporary.test(workspace) || isScratch(effect));
}

/** Touches a place outside the workspace that is not everybody's, nor one beside it that may be looked at. */
export function isOutside(effect: Effect, workspace: string): boolean {
  const {kind, place} = effect;
  if (!place || place.inside || isDevice(place.path)) return false;
  if (kind === 'reads') return !known.test(place.path) && !isReadable(effect, workspace);
  if (kind === 'lists') {
    return ![known, listed].some((form) => form.test(place.path)) && !isListable(effect, workspace);
  }
  return kind !== 'creates' || !temporary.test(place.path);
}

/** A link that the request asks for: it names where the link leads, from the root or from the home folder. */
export function isLinkAskedFor({isLink, place}: Effect, request: string): boolean {
  if (!isLink || !place) return false;
  const {path} = place;
  const names = new Set([path, path.replace(/^\/(?:home|Users)\/[^/]+(?=\/)/, '~')]);
  const words = plain(request).split(/[\s`"'“”「」,;:()<>|&=]+|\.(?:\s|$)/);
  return words.some((word) => names.has(word.replace(/(?<=.)\/$/, '')));
}

/** The names in the folder around the workspace, and in `/tmp`; not all below them. */
function isListable({place, wide, by}: Effect, workspace: string): boolean {
  const path = place?.path ?? '';
  if (wide || !lookers.test(by) || deep.test(by)) return false;
  const parent = folderOf(workspace);
  return isNear(path, parent) || path === parent || path === '/tmp';
}

/** Programs that show what they are given and do nothing else with it. */
const lookers =
  /^(?:ls|dir|cat|tac|bat|head|tail|less|more|wc|stat|file|test|\[{1,2}|cd|grep|egrep|fgrep|sed|g?awk|jq|yq|diff|cmp|comm|cut|sort|uniq|tr|nl|od|xxd|hexdump|strings|column|readlink|realpath|md5sum|sha\d+sum|cksum|while|for)(?:\s|$)/;
/** Options that list all below a folder. */
const deep = /\s-[a-zA-Z]*R|\s--recursive/;

/** A file there whose name says that it is text, and nothing private. */
function isReadable({place, wide, by}: Effect, workspace: string): boolean {
  if (!place || wide || place.isFolder || isCredentialPlace(place.path)) return false;
  if (!lookers.test(by)) return false;
  if (place.isMade) return isNear(place.path, '/tmp');
  const name = place.path.slice(place.path.lastIndexOf('/') + 1);
  return isNear(place.path, folderOf(workspace)) && plainName.test(name);
}

/** Directly in the folder, or, as programs keep what is theirs in folders of `/tmp`, one deeper there. */
function isNear(path: string, parent: string): boolean {
  const folder = folderOf(path);
  return folder === parent || folder === '/tmp' || folderOf(folder) === '/tmp';
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}

/** With an ending, and not hidden: what tools keep there for themselves (`krb5cc_1000`) has neither. */
const plainName = /^[^.][^/]*\.[a-z]\w{0,7}$/i;

/** A new file in `/tmp` that nothing runs or obeys. */
function isScratch({place, wide}: Effect): boolean {
  const isNew = place?.state === 'absent' || place?.isMade === true;
  return isNew && !wide && scratch.test(place?.path ?? '');
}

const scratch =
  /^\/tmp\/(?![\w-]*(?:package|config)\b)[\w-]+(?:\.[\w-]+)*\.(?:txt|log|out|err|md|csv|tsv|json|tap|xml|html|lcov|patch|diff|tgz|tar\.gz|zip|png|svg|pid|\d+)$/;
