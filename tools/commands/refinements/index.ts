/** The refinements to which the text files of `programs/` refer. */

import type {Refinements} from '../program.ts';
import {archives} from './archives.ts';
import {awk} from './awk.ts';
import {builtins} from './builtins.ts';
import {bundlers} from './bundlers.ts';
import {checkers} from './checkers.ts';
import {compilers} from './compilers.ts';
import {conditions} from './conditions.ts';
import {containers} from './containers.ts';
import {data} from './data.ts';
import {databases} from './databases.ts';
import {downloads} from './downloads.ts';
import {files} from './files.ts';
import {find} from './find.ts';
import {gitLook} from './git-look.ts';
import {gitRecord} from './git-record.ts';
import {gitRemote} from './git-remote.ts';
import {git} from './git.ts';
import {github} from './github.ts';
import {golang} from './golang.ts';
import {infrastructure} from './infrastructure.ts';
import {jvmDotnet} from './jvm-dotnet.ts';
import {lookers} from './lookers.ts';
import {nativeBuilds} from './native-builds.ts';
import {network} from './network.ts';
import {node} from './node.ts';
import {npm} from './npm.ts';
import {otherBuilds} from './other-builds.ts';
import {own} from './own.ts';
import {packageManagers} from './package-managers.ts';
import {prefixes} from './prefixes.ts';
import {pythonCheckers} from './python-checkers.ts';
import {pythonPackages} from './python-packages.ts';
import {python} from './python.ts';
import {ruby} from './ruby.ts';
import {rust} from './rust.ts';
import {scripting} from './scripting.ts';
import {search} from './search.ts';
import {sed} from './sed.ts';
import {shared} from './shared.ts';
import {shells} from './shells.ts';
import {system} from './system.ts';
import {tar} from './tar.ts';
import {taskRunners} from './task-runners.ts';
import {testRunners} from './test-runners.ts';
import {text} from './text.ts';
import {viewers} from './viewers.ts';

/** By topic. Each name is in exactly one of them. */
export const topics: readonly Refinements[] = [
  archives,
  awk,
  builtins,
  bundlers,
  checkers,
  compilers,
  conditions,
  containers,
  data,
  databases,
  downloads,
  files,
  find,
  gitLook,
  gitRecord,
  gitRemote,
  git,
  github,
  golang,
  infrastructure,
  jvmDotnet,
  lookers,
  nativeBuilds,
  network,
  node,
  npm,
  otherBuilds,
  own,
  packageManagers,
  prefixes,
  pythonCheckers,
  pythonPackages,
  python,
  ruby,
  rust,
  scripting,
  search,
  sed,
  shared,
  shells,
  system,
  tar,
  taskRunners,
  testRunners,
  text,
  viewers,
];

export const refinements: Refinements = Object.fromEntries(
  topics.flatMap(Object.entries<Refinements[string]>),
);
