/** Places that tools, policies and the sandbox guard: files that run or set rules later, and files with credentials. */

import {type ProtectedPlaces, protectedPlaces} from './protected-places.ts';

/** A kind of place that only a person may change: its files run later without a command, or set rules. */
export type ProtectedKind = Pick<ProtectedPlaces, 'id' | 'what'>;

/** All alternatives of a pattern of the table: `{a,b}` is either. */
function alternativesOf(pattern: string): readonly string[] {
  const [whole, ...parts] = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  const [before = '', names = '', after = ''] = parts;
  return names.split(',').flatMap((name) => alternativesOf(`${before}${name}${after}`));
}

const patternsByKind = protectedPlaces.map((kind) => ({
  kind,
  patterns: Object.keys(kind.places).flatMap(alternativesOf),
}));

const matchers = patternsByKind.map(({kind, patterns}) => ({
  kind,
  test: new RegExp(
    `(?:^|/)(?:${patterns.map((one) => literal(one).replaceAll('*', '[^/]*')).join('|')})(?:/|$)`,
  ),
}));

/** The kind of protected place that a path (relative to the workspace) is in, if any. */
export function protectedKind(path: string): ProtectedKind | undefined {
  const folded = fold(path);
  return matchers.find(({test}) => test.test(folded))?.kind;
}

/** Protected places that are reserved while a command runs, even if they do not exist. */
export const reservedPaths: readonly string[] = protectedPlaces.flatMap(({held = []}) => held);

/** Folders of a workspace that are not protected, but may contain protected places: an outer folder before its inner ones. */
export const mayHoldProtected: readonly string[] = [
  ...new Set(
    patternsByKind.flatMap(({patterns}) =>
      patterns.flatMap((pattern) =>
        pattern
          .split('/')
          .flatMap((_, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join('/')])),
      ),
    ),
  ),
];

export interface RepositoryPlace {
  /** Relative to the repository's own folder. */
  readonly path: string;
  /** Reserves the place if it does not exist: an empty folder, or a file with this text, which has no effect. */
  readonly held?: 'folder' | {readonly text: string};
  /** Reserved only if the repository's configuration matches: otherwise no program uses it. */
  readonly if?: RegExp;
}

/**
 * The folders of version control, by name. Commands must be able to write there, for instance to commit: only the named
 * places are protected from them.
 */
export const repositories: Readonly<Record<string, readonly RepositoryPlace[]>> = {
  '.git': [
    {path: 'hooks', held: 'folder'},
    {path: 'info', held: 'folder'},
    {path: 'modules', held: 'folder'},
    {path: 'worktrees', held: 'folder'},
    {path: 'config', held: {text: ''}},
    {path: 'config.worktree', held: {text: ''}, if: /worktreeconfig/i},
    {path: 'gitdir'},
    {path: 'commondir', held: {text: '.\n'}},
    {path: 'objects/info/alternates', held: {text: ''}},
  ],
  '.hg': [{path: 'hgrc', held: {text: ''}}, {path: 'sharedpath'}],
  '.svn': [],
};

/** Folders that hold credentials, mostly in a home folder. */
export const credentialFolders: readonly string[] = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.gcloud',
  '.mozilla',
  '.password-store',
  '.config/gcloud',
  '.config/gh',
  '.config/op',
  '.config/rclone',
  '.config/quorate',
  '.local/share/quorate',
  '.local/share/keyrings',
];

/** Files that hold credentials, mostly in a home folder. */
export const credentialFiles: readonly string[] = [
  '.netrc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.pypirc',
  '.npmrc',
  '.dockercfg',
  '.htpasswd',
  '.vault-token',
];

/** Files that hold credentials wherever they are, by their names. */
const credentialPatterns = [
  '(?:^|/)id_(?:rsa|dsa|ecdsa|ed25519)(?:_\\w+)?$',
  '(?:^|/)\\.env(?:rc)?(?:\\.(?!(?:[\\w.-]+\\.)?(?:example|sample|template|dist|defaults?)$)[\\w.-]+)?$',
  '(?:^|/)\\.env(?:[~_-]|s/)[\\w.-]*$',
  '(?:^|/)(?:prod|production|staging|live|secrets?)\\.env$',
  '(?:^|/)env\\.(?:prod|production|staging|live|local)$',
  '(?:^|/)(?:secrets?|credentials?)(?:\\.(?:json|ya?ml|toml|env|txt|enc|ini))?$',
  '\\.(?:pem|p12|pfx|key|jks|keystore|kdbx)(?:~|\\.(?:bak|old|orig))?$',
  '\\.tfstate(?:\\.backup)?$',
  '(?:^|/)(?:kubeconfig|\\.s3cfg|\\.boto|\\.mylogin\\.cnf|\\.dev\\.vars|\\.vault_pass\\w*|client_secret[\\w.-]*\\.json)$',
  '(?:^|/)(?:shadow|gshadow|sudoers|master\\.passwd)$',
  '^/proc/(?:self|\\d+|\\*|[^/]*)/(?:environ|mem|cmdline|fd)\\b',
  '(?:^|/)(?:login\\.keychain(?:-db)?|service[-_]account[\\w-]*\\.json)$',
];

const credentialPath = new RegExp(
  [
    `(?:^|/)(?:${credentialFolders.map(literal).join('|')})(?:/|$)`,
    `(?:^|/)(?:${credentialFiles.map(literal).join('|')})$`,
    ...credentialPatterns,
  ].join('|'),
  'i',
);

/** True if a path leads to credentials, judged by its names. */
export function isCredentialPlace(path: string): boolean {
  return credentialPath.test(
    path
      .replaceAll('\\', '/')
      .replaceAll(/\/(?:\.?\/)+/g, '/')
      .replace(/\/+$/, ''),
  );
}

/** True if the resolved path leads to credentials, judged by its names, and the given path does not. */
export function leadsToCredentials(named: string, reached: string): boolean {
  return isCredentialPlace(reached) && !isCredentialPlace(named);
}

function literal(text: string): string {
  return text.replaceAll('.', String.raw`\.`);
}

/** File systems that ignore case also fold look-alikes such as U+017F, the long s. */
function fold(path: string): string {
  return path.normalize('NFKC').toLowerCase();
}
