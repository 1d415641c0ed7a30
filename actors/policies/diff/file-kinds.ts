/** Classifies files by path, for rules about diffs. */

/** True for text for people, in which code is an example. */
export function isProse(path: string): boolean {
  return /\.(?:md|mdx|markdown|txt|rst|adoc|org|tex|html?|svg|po)$/i.test(path);
}

/** True for files whose lines are or contain commands: scripts, CI, Makefiles, Dockerfiles, manifests. */
export function isCommandFile(path: string): boolean {
  return /\.(?:sh|bash|zsh|ksh|fish|ps1|bat|cmd|mk|ya?ml)$|(?:^|\/)(?:package\.json|[Mm]akefile|GNUmakefile|[Jj]ustfile|(?:[\w.-]+\.)?[Dd]ockerfile(?:\.[\w-]+)?|Containerfile|Jenkinsfile|Procfile|Vagrantfile|\.husky\/[\w-]+|\.githooks\/[\w-]+)$/.test(
    path,
  );
}

export function isTest(path: string): boolean {
  return /(?:^|[/._-])(?:tests?|specs?|__tests__|e2e)(?:[/._-]|$)|(?:^|\/)test_\w+\.py$|_test\.\w+$|Tests?\.(?:java|kt|cs|swift)$/.test(
    path,
  );
}

/** The language of the file, if rules know its tests or debuggers. */
export function languageOf(
  path: string,
): 'js' | 'python' | 'ruby' | 'rust' | 'go' | 'php' | 'jvm' | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(path) ?? [];
  if (/^(?:[cm]?[jt]sx?|vue|svelte|astro)$/.test(ending)) return 'js';
  if (/^pyi?$/.test(ending)) return 'python';
  if (/^(?:rb|rake)$/.test(ending)) return 'ruby';
  if (/^(?:java|kt|kts|scala|groovy)$/.test(ending)) return 'jvm';
  return (['go', 'php', 'rust'] as const).find(
    (language) => language === ending || (language === 'rust' && ending === 'rs'),
  );
}
