/** What policy/safety refuses because it leaks: sending things out, reading credentials, writing secrets down. */

import {
  credentialFiles,
  credentialFolders,
  isCredentialPlace,
} from '../../machines/domain/places.ts';
import {namesSecret, secretIn} from '../../machines/domain/secrets.ts';
import {compileGlob} from '../../tools/read/glob.ts';
import {gitLine, hasOption, line, type LineTable, looksLike} from './command-facts.ts';
import {type Call, callRule, commandRule, type Look, type Rule} from './rule.ts';
import type {Command} from './shell-commands.ts';
import type {Word} from './shell-reader.ts';

export const leakRules: readonly Rule[] = [
  commandRule({
    id: 'send-out',
    refuses:
      'sending files, output or environment to another machine: `curl -d`, `curl -T`, `wget --post-file`, `scp`, `rsync` to a host, `nc`, `ssh`, `/dev/tcp`, `ping $(…)`',
    safer:
      'keep the data in the workspace and let a person send it; this machine (localhost) may be called',
    when: (command) => isSending(command) && !isLocal(command),
  }),
  {
    id: 'read-credentials',
    refuses:
      'reading credentials: `~/.ssh`, private keys, `.env`, `.netrc`, `.aws/credentials`, `/etc/shadow`, `/proc/*/environ`, the environment (`env`, `printenv`, `echo $API_KEY`)',
    safer:
      'name the one setting that is needed and let a person provide it; read `.env.example` for the names',
    find: credentialsRead,
  },
  callRule({
    id: 'secret-content',
    refuses:
      'writing what looks like a secret: private keys, `AKIA…`, `sk-…`, `ghp_…`, `xox…`, `AIza…`, tokens in a URL',
    safer: 'read the secret from an environment variable at run time',
    of: writtenSecret,
  }),
];

const senders =
  /^(?:scp|sftp|ftp|tftp|lftp|nc|ncat|netcat|socat|telnet|ssh|mail|mailx|mutt|sendmail|msmtp|rclone|croc|wormhole|ngrok|cloudflared|bore|s3cmd|mosquitto_pub)$/;
const uploads =
  /^(?:aws s3 (?:cp|mv|sync)|gsutil (?:cp|mv|rsync)|gcloud storage cp|az storage blob upload|gh (?:gist create|api .*-(?:f|F|X)\b|release upload)|git (?:send-email|credential)|docker push|podman push)\b/;
const netTools =
  /^(?:curl|wget|wget2|http|https|xh|httpie|ping|dig|nslookup|host|whois|traceroute|aria2c|lynx|links|w3m|openssl)$/;

const sendingLines: LineTable = [
  [/^rsync$/, /\s(?:[\w.-]+@)?[\w.-]+::?\S*|\srsync:/],
  [/^wget2?$/, /\s--(?:post|body|method)/],
  [/^(?:http|https|xh|httpie)$/, /\s(?:post|put|patch|delete)\s|\s\w\S*(?:=|@)\S+/i],
  [/^openssl$/, /^openssl s_client/],
];

function isSending(command: Command): boolean {
  const {name, args, redirects} = command;
  if (redirects.some(({target}) => /^\/dev\/(?:tcp|udp)\//.test(target.text))) return true;
  if (senders.test(name) || uploads.test(line(command))) return true;
  if (looksLike(command, sendingLines) || curlSends(command)) return true;
  if (/^push\s+(?:\S+\s+)*(?:https?:|ssh:|git@|\/|file:)/.test(gitLine(command))) return true;
  return netTools.test(name) && args.some((word) => word.substituted || showsSecret(word));
}

function curlSends(command: Command): boolean {
  if (command.name !== 'curl') return false;
  const isChanging = command.args.some(({text}, at) => {
    const method = /^(?:-X|--request)=?(\w*)$/.exec(text);
    return (
      method !== null &&
      !/^(?:GET|HEAD|OPTIONS)$/i.test(method[1] || command.args[at + 1]?.text || 'GET')
    );
  });
  const sends = command.args.some(({text}) =>
    /^-[a-zA-Z]*[dFT]|^--(?:data|form|upload|json|url-query)/.test(text),
  );
  return (
    isChanging ||
    sends ||
    command.args.some((word) => word.substituted || showsSecret(word)) ||
    hasOption(command, 'K', '--config')
  );
}

const localHost = /^(?:\w+:\/\/)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:[/?#]|$)/i;
const looksLikeHost = /^(?:\w+:\/\/|[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)|localhost\b|\[)/i;

/** Every host that is named is this machine, and no part of the words is computed. */
function isLocal({args, redirects, name}: Command): boolean {
  if (!/^(?:curl|wget2?|http|https|xh|httpie|nc|ncat|netcat|telnet)$/.test(name)) return false;
  if (redirects.some(({target}) => target.text.startsWith('/dev/'))) return false;
  const hosts = args.filter(({text}, at) => looksLikeHost.test(text) && isUrlWord(args, at));
  return (
    hosts.length > 0 &&
    hosts.every(({text, substituted}) => localHost.test(text) && !substituted) &&
    !args.some(({text}) => /^(?:-x|--proxy|--connect-to|--resolve|-K|--config)/.test(text))
  );
}

/** Not the value of an option that takes a file, a header or data. */
function isUrlWord(args: readonly Word[], at: number): boolean {
  return !/^-(?:d|H|o|F|T|A|b|c|u|-data\S*|-header|-output|-form|-upload-file|-json)$/.test(
    args[at - 1]?.text ?? '',
  );
}

function showsSecret({text, computed}: Word): boolean {
  return computed && [...text.matchAll(/\$\{?(\w+)/g)].some(([, name = '']) => namesSecret(name));
}

/** Beginnings of names that a wildcard may stand for. */
const credentialNames = [
  '.env',
  'id_rsa',
  'id_ed25519',
  'shadow',
  ...credentialFolders,
  ...credentialFiles,
];

function credentialsRead(look: Look): readonly string[] {
  return look.calls.flatMap((call) => [
    ...call.looksAt.filter(isCredentialPlace),
    ...(call.isWritten
      ? []
      : (call.script?.commands ?? []).filter(readsCredentials).map(({text}) => text)),
  ]);
}

function readsCredentials(command: Command): boolean {
  const {name, args, redirects} = command;
  if (dumpsEnvironment(command)) return true;
  if (/^(?:echo|printf|cat|tee|print)$/.test(name) && args.some(showsSecret)) return true;
  if (/^(?:touch|mkdir|test|\[|git)$/.test(name)) return false;
  const inputs = redirects
    .filter(({operator}) => operator.startsWith('<'))
    .map(({target}) => target);
  return [...args, ...inputs].some((word) => isCredential(word));
}

function dumpsEnvironment(command: Command): boolean {
  const {name, args} = command;
  const texts = args.map(({text}) => text);
  if (name === 'printenv') return texts.length === 0 || texts.some(namesSecret);
  if (name === 'env')
    return texts.every(
      (text) => text.startsWith('-') && !text.startsWith('-S') && !text.startsWith('--split'),
    );
  if (name === 'set') return texts.length === 0;
  if (/^(?:export|declare|typeset|readonly)$/.test(name))
    return texts.length === 0 || (/^-[a-z]*[px]/.test(texts[0] ?? '') && texts.length === 1);
  return /^security find-|^gh auth token|^(?:aws|gcloud) .*(?:get-secret|print-access-token|get-session-token)|^(?:op|pass|vault) /.test(
    line(command),
  );
}

function isCredential({text, pattern, computed}: Word): boolean {
  if (text.startsWith('--env-file')) return false;
  if ([text, ...text.split(/[=@:,]/).slice(1)].some(isCredentialPlace)) return true;
  return pattern && !computed && globMatchesCredential(text);
}

/** An unquoted wildcard such as `.e*` or `id_*`; a wildcard alone does not count. */
function globMatchesCredential(text: string): boolean {
  const base = text.slice(text.lastIndexOf('/') + 1);
  if (!/^[.\w-]/.test(base) || !/[*?[]/.test(base)) return false;
  const glob = compileGlob(base, {hidden: true});
  return glob.ok && credentialNames.some((name) => glob.value.matches(name));
}

function writtenSecret(call: Call): string | undefined {
  const texts = Object.entries(call.args)
    .filter(([name]) => name !== call.facts.replaces)
    .map(([, value]) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));
  const match = texts.map(secretIn).find((found) => found !== undefined);
  if (match === undefined) return undefined;
  return `${match.slice(0, 6)}… (${match.length} characters) in ${[call.tool, ...call.writes].join(' ')}`;
}
