/** Resolves paths as text, relative to the workspace. Tools handle links. */

/**
 * A path relative to the workspace, without `.` and `..`; undefined when it leaves the workspace.
 * `from` is the folder it starts in, relative to the workspace.
 */
export function insidePath(path: string, workspace: string, from = ''): string | undefined {
  if (/^~|^[A-Za-z]:[\\/]|^\\\\|^file:|\0/.test(path)) return undefined;
  const root = workspace.replace(/\/+$/, '');
  if (path.startsWith('/')) {
    const resolved = joinPath('', path);
    if (root === '' || resolved === undefined) return undefined;
    if (`/${resolved}` === root) return '';
    return `/${resolved}`.startsWith(`${root}/`) ? resolved.slice(root.length) : undefined;
  }
  return joinPath(from, path);
}

function joinPath(from: string, path: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${from}/${path.replaceAll('\\', '/')}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
