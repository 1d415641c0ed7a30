/** What developers and their agents use: version control, packages, languages, tests, builds, services. By file. */

import type {Program} from '../program.ts';
import {bundlers} from './bundlers.ts';
import {checkers} from './checkers.ts';
import {compilers} from './compilers.ts';
import {containers} from './containers.ts';
import {databases} from './databases.ts';
import {git} from './git.ts';
import {github} from './github.ts';
import {golang} from './golang.ts';
import {infrastructure} from './infrastructure.ts';
import {jvmDotnet} from './jvm-dotnet.ts';
import {nativeBuilds} from './native-builds.ts';
import {node} from './node.ts';
import {npm} from './npm.ts';
import {otherBuilds} from './other-builds.ts';
import {own} from './own.ts';
import {packageManagers} from './package-managers.ts';
import {pythonCheckers} from './python-checkers.ts';
import {pythonPackages} from './python-packages.ts';
import {python} from './python.ts';
import {ruby} from './ruby.ts';
import {rust} from './rust.ts';
import {scripting} from './scripting.ts';
import {taskRunners} from './task-runners.ts';
import {testRunners} from './test-runners.ts';

export const development: Readonly<Record<string, readonly Program[]>> = {
  otherBuilds,
  own,
  infrastructure,
  github,
  databases,
  containers,
  bundlers,
  checkers,
  compilers,
  git,
  golang,
  jvmDotnet,
  nativeBuilds,
  node,
  npm,
  packageManagers,
  python,
  pythonCheckers,
  pythonPackages,
  ruby,
  rust,
  scripting,
  taskRunners,
  testRunners,
};
