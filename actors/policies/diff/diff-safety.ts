/** The rules of policy/safety for diffs: secrets, hidden text, destructive commands, and code that nobody has read. */

import {isCredentialPlace} from '../../../machines/places/places.ts';
import {secretIn} from '../../../machines/places/secrets.ts';
import {lockFileRule} from './diff-locks.ts';
import {type DiffLook, type DiffRule, type Finding, lineRule} from './diff-rule.ts';
import {isCommandFile, isProse} from './file-kinds.ts';

export const safetyDiffRules: readonly DiffRule[] = [
  lineRule({
    id: 'committed-secret',
    refuses:
      'a secret in the added lines: private keys, `AKIA…`, `sk-…`, `ghp_…`, `xox…`, `AIza…`, tokens in a URL',
    safer: 'read it from the environment, and revoke this secret: it is exposed',
    severity: 'critical',
    test: () => (text) => {
      const secret = secretIn(text);
      return secret && `${secret.slice(0, 6)}… (${secret.length} characters)`;
    },
  }),
  {
    id: 'credential-file',
    refuses: 'files whose names suggest credentials: `.env`, `id_rsa`, `*.pem`, `.netrc`',
    safer: 'keep it out of the repository, and commit an example without values',
    severity: 'critical',
    find: ({file}) =>
      file.did !== 'deleted' && isCredentialPlace(file.path) ? [{value: file.path}] : [],
  },
  lineRule({
    id: 'hidden-text',
    refuses:
      'characters that reorder or hide text from a reader: bidirectional controls, zero-width characters',
    safer: 'use visible characters, or an escape sequence',
    severity: 'critical',
    test: () => hiddenIn,
  }),
  lineRule({
    id: 'asks-for-vote',
    refuses:
      'text that addresses reviewers and asks for their vote, or asks them to ignore their instructions',
    safer: 'remove it: reviewers judge the change itself',
    severity: 'critical',
    test: () => (text) => asksForVote.map((pattern) => pattern.exec(text)?.[0]).find(Boolean),
  }),
  lineRule({
    id: 'dangerous-command',
    refuses:
      'in scripts, CI, Makefiles, Dockerfiles and manifests: running downloads (`curl … | sh`), deleting from the root or a home folder, writing to devices, opening files to everybody, fork bombs, disabling certificate checks',
    safer: 'download, verify a hash, then run; name the deleted paths exactly',
    severity: 'critical',
    test: (path) => (isCommandFile(path) ? dangerIn : undefined),
  }),
  lineRule({
    id: 'run-of-decoded-code',
    refuses: 'code that runs what it decodes: `eval(atob(…))`, `exec(base64.b64decode(…))`',
    safer: 'write the decoded code itself',
    severity: 'critical',
    test: (path) => (isProse(path) ? undefined : (text) => decodedCode.exec(text)?.[0]),
  }),
  {
    id: 'binary-file',
    refuses:
      'binary files that nobody can read: programs, libraries, archives, and all types except pictures, fonts, audio, video and documents',
    safer: 'build it from its sources, or download it and verify its hash',
    severity: 'major',
    find: ({file: {path, isBinary, did}}) =>
      isBinary && did !== 'deleted' && !harmlessBinary.test(path) ? [{value: path}] : [],
  },
  lockFileRule,
  {
    id: 'made-executable',
    refuses: 'execute permission for a file that is not a script',
    safer: 'leave the permissions as they are',
    severity: 'major',
    find: ({file: {path, mode}}) =>
      mode?.endsWith('755') === true &&
      /\.(?:md|txt|json|ya?ml|toml|csv|png|jpe?g|svg|html?|css)$/i.test(path)
        ? [{value: `${path} (${mode})`}]
        : [],
  },
  {
    id: 'link-outside',
    refuses: 'symbolic links that lead out of the repository',
    safer: 'link within the repository, relative to the link',
    severity: 'critical',
    find: linksOutside,
  },
];

const asksForVote: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget)\s{1,3}(?:all\s{1,3}|any\s{1,3})?(?:of\s)?(?:the\s|your\s)?(?:previous|prior|above|earlier)\s{1,3}(?:instructions?|prompts?|rules|messages)\b/i,
  /\b(?:reviewers?|ais?|llms?|models?|assistants?|agents?|bots?)\b[\s:,]{1,5}(?:(?:must|should|shall|please|always|to)\s{1,3}){0,3}(?:approve|vote\s{1,3}(?:to\s)?approve|cast)\b/i,
  /\bcast_ballot\b.{0,80}\bapprove/i,
  /(?:レビュアー|審査員|査読者|AI|モデル).{0,20}(?:承認して|賛成して)/,
];

const hidden = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\u{e0000}-\u{e007f}]/u;

function hiddenIn(text: string): string | undefined {
  const match = hidden.exec(text);
  if (!match) return undefined;
  const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${code} at column ${match.index + 1}`;
}

/** Each pattern starts with a literal, such as the name of a command, so that no line takes long. */
const dangerous: readonly RegExp[] = [
  /\b(?:curl|wget)\b[^|;&\n]{0,300}\|\s{0,5}(?:sudo\s{1,5})?(?:ba|z|da|k)?sh\b/,
  /\b(?:ba|z)?sh\s{1,5}(?:-c\s{1,5})?["']?(?:<\(|\$\()\s{0,5}(?:curl|wget)\b/,
  /\brm\s{1,5}(?:-\w{1,10}\s{1,5}){1,4}["']?(?:\/(?:\*|["'\s]|$|(?:etc|usr|var|home|bin|lib|boot|root)\b)|~(?:\/|\s|$)|\$\{?HOME\b)/,
  /\brm\s{1,5}-\w{0,5}r\w{0,5}\s{1,5}["']?\$\{?\w{1,40}\}?["']?\/["']?\*?["']?(?:\s|$)/,
  /\bdd\s[^\n]{0,200}\bof=\/dev\/\w|\bmkfs(?:\.\w{1,10})?\s|>\s{0,3}\/dev\/(?:sd|nvme|disk)/,
  /\bchmod\s{1,5}(?:-R\s{1,5})?(?:0?777|a\+rwx)\b/,
  /:\(\)\s{0,3}\{\s{0,3}:\|:&\s{0,3}\};:/,
  /\bNODE_TLS_REJECT_UNAUTHORIZED\b\W{1,5}0|\bstrict-ssl\W{1,3}false\b|\bhttp\.sslVerify\W{1,3}false\b/,
];

function dangerIn(text: string): string | undefined {
  return dangerous.map((pattern) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
}

const decodedCode =
  /\b(?:eval|exec|Function)\s{0,3}\(\s{0,3}(?:atob|Buffer\.from|base64\.b64decode|b64decode|codecs\.decode|unescape)\b/;

const harmlessBinary =
  /\.(?:png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|svgz?|woff2?|ttf|otf|eot|mp3|mp4|m4a|ogg|oga|wav|webm|mov|pdf|psd|sketch|fig)$/i;

/** The content of a symbolic link is its target, in one line. */
function linksOutside({file}: DiffLook): Finding[] {
  if (file.mode !== '120000') return [];
  const target = file.hunks[0]?.lines.find((text) => text.startsWith('+'))?.slice(1) ?? '';
  const depth = file.path.split('/').length - 1;
  const ups = /^(?:\.\.\/){1,50}/.exec(`${target}/`)?.[0].length ?? 0;
  return target.startsWith('/') || ups / 3 > depth ? [{line: 1, value: target}] : [];
}
