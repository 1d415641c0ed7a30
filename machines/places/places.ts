/** Places that tools, policies and the sandbox guard alike: what runs or rules later, and what holds credentials. */

import {type ProtectedPlaces, protectedPlaces} from './protected-places.ts';

/** What only a person may change: it runs later without being asked, or sets the rules. */
export type ProtectedKind = Pick<ProtectedPlaces, 'id' | 'what'>;

/** Each alternative that a pattern of the table stands for: `{a,b}` is either. */
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

/** What kind of protected place a path (relative to the workspace) leads to, if it does. */
export function protectedKind(path: string): ProtectedKind | undefined {
  const folded = fold(path);
  return matchers.find(({test}) => test.test(folded))?.kind;
}

/** Protected places that are held while a command runs, though there be nothing. */
export const heldPlaces: readonly string[] = protectedPlaces.flatMap(({held = []}) => held);

/** Folders of a workspace that are not protected themselves, but may hold what is: an outer one before its inner ones. */
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
  /** What holds the place where there is nothing: an empty folder, or a file of this text, which changes nothing. */
  readonly held?: 'folder' | {readonly text: string};
  /** Held only where the repository's configuration speaks of it: nobody obeys it else. */
  readonly if?: RegExp;
}

/**
 * The folders in which version control keeps its own files, by name. Commands must be able to write there for what it is
 * there for, such as committing: of these only the named places are protected from them.
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

/** Whether a path leads to credentials, as far as its names tell. */
export function isCredentialPlace(path: string): boolean {
  return credentialPath.test(
    path
      .replaceAll('\\', '/')
      .replaceAll(/\/(?:\.?\/)+/g, '/')
      .replace(/\/+$/, ''),
  );
}

/** Whether what was reached holds credentials, as far as names tell, and what was named does not. */
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
