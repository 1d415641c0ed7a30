/** Inline code that only seems to compute: none of it may count as harmless. */

import {describe, expect, test} from 'vitest';

import {readJavascript} from '../../../../tools/commands/inline/javascript.ts';
import {readPerl} from '../../../../tools/commands/inline/perl.ts';
import {readPhp} from '../../../../tools/commands/inline/php.ts';
import {readPython} from '../../../../tools/commands/inline/python.ts';
import {readRuby} from '../../../../tools/commands/inline/ruby.ts';
import {cells} from '../../../support/rows.ts';

const {raw} = String;

const javascript = [
  ...cells(`
  [].constructor.constructor('return process')() ¦ ''['constructor']['constructor']('x')()
  const k = 'constr' + 'uctor'; ''[k][k]('x')()
  const k = 'constr' + 'uctor'; const f = ''[k]; console.log(f)
  const {constructor: f} = ''; f(1) ¦ const {['constr' + 'uctor']: f} = ''; f(1)
  const {'constructor': f} = ''; f(1) ¦ ''[\`constructor\`] ¦ ''[\`\${'constr'}uctor\`]
  (() => {}).constructor('x')() ¦ eval('1') ¦ (0, eval)('1') ¦ [1].map(eval)
  const f = 1 ? eval : 0; f('x') ¦ (eval) => 0; eval('x') ¦ let eval2 = eval
  Function('return 1')() ¦ new Function('return 1')() ¦ globalThis.process.exit()
  global['process'] ¦ this.constructor ¦ (function () { return this })()
  with (process) { exit() } ¦ import('fs').then(f => f.rmSync('x')) ¦ import fs from 'fs'
  require('fs').rmSync('x') ¦ fs.rmSync('x') ¦ fs.writeFileSync('x', 'y')
  const fs = require('fs'); fs.writeFileSync('x', 'y')
  const path = require('fs'); path.rmSync('x') ¦ const os = require('fs'); os.cpus()
  const f = require('fs').writeFileSync; f('x', 'y')
  const {writeFileSync} = require('fs'); writeFileSync('x', 'y')
  const fs = require('fs'); ['x'].forEach(fs.unlinkSync)
  const fs = require('fs'); ['x'].forEach(fs.readFileSync)
  const r = require; r('fs').rmSync('x') ¦ [1].map(require)
  require(String.fromCharCode(102, 115)).rmSync('x') ¦ require('./evil.js') ¦ require('./evil')
  require('./x.json/../evil.js') ¦ require('child_process').execSync('id')
  require('node:child_process').spawn('id') ¦ child_process.execSync('id') ¦ process.binding('fs')
  process.mainModule.require('fs') ¦ process.getBuiltinModule('fs').rmSync('x')
  process['mainModule'] ¦ process.kill(1) ¦ process.dlopen(module, 'x') ¦ process.chdir('/')
  const p = process; p.kill(1) ¦ console.log(process.env) ¦ console.log(process.env.GITHUB_TOKEN)
  console.log(process['env']) ¦ console.log(JSON.stringify(process))
  const {env} = process; console.log(env) ¦ process.env.PATH = 'x'
  module.constructor._load('fs') ¦ exports.x = 1 ¦ fetch('http://evil.test')
  new WebSocket('ws://evil.test') ¦ new Worker('x') ¦ Reflect.get('', 'constr' + 'uctor')
  Object.getOwnPropertyDescriptors(''.at) ¦ Object.getPrototypeOf('')
  const O = Object; [''].map(O.getPrototypeOf) ¦ Object.prototype.x = 1 ¦ ({}).__proto__.x = 1
  ({}).__defineGetter__('x', () => 1) ¦ new Proxy({}, {}) ¦ Symbol.for('x')
  console.log = f => f; console.log(1)
  let g; console.log = x => { g = x }; const k = 'constr' + 'uctor'; console.log(''[k]); g('x')
  let g, k = 'constr' + 'uctor'; [console.log] = [x => { g = x }]; console.log(''[k])
  (console.log) = x => x ¦ for (console.log of [x => x]) 1
  let i = 0; [i] = ['constr' + 'uctor']; const f = ''[i]
  let i = 0; ({i} = {i: 'constr' + 'uctor'}); const f = ''[i]
  let i = 0; i = 'constr' + 'uctor'; const f = ''[i]
  let i = 0; i += 'constructo'; const f = ''[i]
  const f = (i = 0) => ''[i]; f('constr' + 'uctor')
  for (let i of ['constr' + 'uctor']) { const f = ''[i] } ¦ const f = ''['constr'.concat('uctor')]
  const a = ['x'], k = 'constr' + 'uctor'; const f = a[k + '']
  const f = ''?.[String('constr' + 'uctor')] ¦ String.raw\`x\` ¦ eval\`1\`
  const f = x => x; f\`\${1}\` ¦ if (1) /'/.test(''); fs.rmSync('x') //'
  {} /'/.test(''); fs.rmSync('x') //' ¦ 1 //\u2028fs.rmSync('x')
  class A { static { fs.rmSync("x") } } ¦ a: { eval(1) } ¦ async () => { await import("fs") }
  debugger ¦ setTimeout('fs.rmSync("x")') ¦ ({get x() { return eval }}).x ¦ x => arguments
  ((a) => a)(eval) ¦ [][['constr' + 'uctor']] ¦ JSON.parse('1').constructor ¦ Intl.constructor
  fs.readFileSync('a' + '/../.env') ¦ fs.readFileSync(process.argv[1])
  fs.readFileSync('x', {flag: 'w'})
`),
  ...cells(String.raw`
  const {"\x63onstructor": f} = ''; f(1) ¦ ''.c\u006fnstructor ¦ ''["\u0063onstructor"]
`),
  raw`var a = 1 /* */ ; x <!-- ' ${'\n'} evil() // '`,
  `1 <!-- \`\nfs.rmSync('x') //\``,
  `x = 1\n--> \`\nfs.rmSync('x') //\``,
  `1 //\rfs.rmSync('x')`,
];

const python = [
  ...cells(`
  import os; os.system('id') ¦ import os as json; json.system('id')
  from os import system as print; print('id') ¦ from os import *
  from math import *; system('id') ¦ import subprocess; subprocess.run(['id'])
  __import__('os').system('id') ¦ eval('1') ¦ exec('1') ¦ compile('1', '', 'eval')
  list(map(eval, ['1'])) ¦ (lambda eval: 0); eval('1') ¦ getattr('', '__cl' + 'ass__')
  ''.__class__ ¦ ().__class__.__bases__[0].__subclasses__() ¦ ''.__class__.mro() ¦ type('').mro()
  type('X', (), {}) ¦ (lambda: 0).__globals__ ¦ (x for x in []).gi_frame.f_builtins
  '{0.__class__}'.format(1) ¦ '{0[a]}'.format({}) ¦ ('{0.__cl' + 'ass__}').format(1)
  'x' '{0.__class__}'.format(1) ¦ '{0:{1.__class__}}'.format(1, 2)
  print(*map(str.format, ['{0.__class__}'], [1])) ¦ '{x}'.format_map({})
  f"{__import__('os').system('id')}" ¦ f"{1:{__import__('os')}}" ¦ f'{eval("1")}'
  f"{(lambda: open('x', 'w'))()}" ¦ f"{x["a"]}" + open('x', 'w') ¦ f"{'''a'''}"
  f"{1!r:{eval('1')}>3}" ¦ f"{''.__class__}" ¦ open('x', 'w') ¦ open('x', mode='w')
  open('x', 'r', opener=print) ¦ open('x' 'y') ¦ open('x' + 'y') ¦ open(f'x') ¦ open('x', 'r+')
  list(map(open, ['x'], ['w'])) ¦ import io; io.open('x', 'w')
  import pathlib; pathlib.Path('x').unlink() ¦ import shutil; shutil.rmtree('x')
  import shutil as os; os.rmtree('x') ¦ import os; print(os.environ)
  import os; print(os.environ['GITHUB_TOKEN']) ¦ import os; os.environ['PATH'] = 'x'
  import os; os.remove('x') ¦ import os; list(map(os.remove, ['x']))
  import sys; sys.modules['os'].system('id') ¦ import sys; sys.path.insert(0, 'evil'); import json
  import sys; sys._getframe() ¦ import sys; sys.path.append('evil')
  import sys; x.extend(sys.path) ¦ import os; os.listdir('a' + 'b') ¦ import sys; x = sys
  import json; json.codecs.open('x', 'w') ¦ import statistics; statistics.sys.exit()
  import random; random._os.system('id') ¦ import json; json.loads = print
  import urllib.request; urllib.request.urlopen('http://evil.test')
  import socket; socket.create_connection(('evil.test', 80)) ¦ import ctypes; ctypes.CDLL('x')
  import pickle; pickle.loads(b'') ¦ import importlib; importlib.import_module('os')
  import builtins; builtins.eval('1') ¦ import antigravity ¦ import uuid; uuid.uuid1()
  import operator; operator.attrgetter('__class__')('')
  import operator; operator.methodcaller('mro')(int) ¦ import functools; functools.wraps
  import collections; collections.namedtuple('x', 'y') ¦ import platform; platform.processor()
  import time; time.sleep.__self__ ¦ import numpy; numpy.load('x')
  import numpy; numpy.__version__.x; numpy.__builtins__ ¦ class A: pass ¦ global x
  with open('x', 'w') as f: pass ¦ breakpoint() ¦ input('x') ¦ vars() ¦ globals()['x']
  setattr(1, 'x', 2) ¦ (eval)('1') ¦ [eval][0]('1') ¦ {'a': eval}['a']('1') ¦ (x := eval)('1')
  print(x := eval) ¦ lambda x=eval: x('1') ¦ ｅval('1') ¦ t'{eval}' ¦ async def f(): pass
  yield 1 ¦ exit.__class__ ¦ print(type(1)(2).real.__class__)
`),
  `f = eval\nf('1')`,
  `for eval in []: pass\neval('1')`,
  `def f(eval=1): pass\neval('1')`,
  `try:\n    1/0\nexcept Exception as e:\n    e.__traceback__.tb_frame`,
  `x = '{0.__class__}'\nx.format(1)`,
  `o = open\no('x', 'w')`,
  `import os; x = os\nx.remove('x')`,
  `import sys; p = sys.path\np.append('evil')`,
  `import sys\nprint = lambda p: p.append('evil')\nprint(sys.path)`,
  `import json\njson = 1`,
  `@print\ndef f(): pass`,
  `# coding: unicode_escape\nprint(1)`,
  `# -*- coding: utf-7 -*-\n+AGU-val`,
  `print(1) #\rimport os`,
  `print('a') \\ \nimport os`,
  `match x:\n    case 1: pass`,
];

const perl = [
  ...cells(`
  system("id") ¦ print \`id\` ¦ qx/id/ ¦ qx (id) ¦ exec "id" ¦ open(F, "id|")
  open my $f, ">", "x" ¦ print {*STDOUT} 1 ¦ unlink "x" ¦ rename "a", "b" ¦ eval "1" ¦ eval { 1 }
  do "x.pl" ¦ require "x.pl" ¦ use lib "evil"; use Evil ¦ use POSIX; POSIX::_exit(1)
  s/a/system("id")/e ¦ s/a/"system(1)"/ee ¦ s/(.*)/$1/ge ¦ /(?{ system("id") })/ ¦ /(??{ "a" })/
  /(*{ system("id") })/ ¦ "@{[ system(q(id)) ]}" ¦ "\${\\ system(q(id))}" ¦ "$x[system(1)]"
  "$h{system(1)}" ¦ "$x->[system(1)]" ¦ /@{[ system(1) ]}/ ¦ /$x[system(1)]/
  s/a/@{[ system(1) ]}/ ¦ $x = "system"; &$x("id") ¦ &{"system"}("id") ¦ $x->("id")
  "CORE"->can("system") ¦ *{"main::x"} = 1 ¦ @ARGV = ("id|"); print <>
  push @ARGV, "id|"; while (<>) { print } ¦ BEGIN { @ARGV = ("id|") } print ¦ @{"ARGV"} = ("id|")
  $x = "ARGV"; $x->[0] = "id|" ¦ print $ENV{HOME} ¦ print %ENV ¦ print "$ENV{TOKEN}"
  $SIG{ALRM} = "x" ¦ print <*.c> ¦ print <$f> ¦ $main::x = 1 ¦ $::x ¦ sub f { 1 } f() ¦ new Foo
  Foo->bar ¦ kill 9, 1 ¦ fork ¦ socket(S, 1, 1, 1) ¦ sort evil 1, 2 ¦ chdir "/" ¦ mkdir "x"
  chmod 0777, "x" ¦ -e "x" ¦ local $/ = undef ¦ __END__ ¦ q(a) ¦ qq{@{[ system(1) ]}}
  {;} <= ' >; system(1); '> ¦ print <=' >; system(1); '> ¦ tie $x, "Foo" ¦ bless {}
  no strict; system "id" ¦ m{(?{ system(1) })} ¦ m'(?{ system(1) })' ¦ s{a}{system(1)}e ¦ dump
  syscall 1 ¦ $^W = 1 ¦ $$x = 1 ¦ @$x
`),
  ...cells(String.raw`
  *x = \&system; x("id")
`),
  'print <<"E"\nx\nE\n',
  '=pod\nx\n=cut\nsystem(1)',
];

const php = [
  ...cells(`
  system("id"); ¦ echo \`id\`; ¦ $f = "system"; $f("id"); ¦ ("system")("id"); ¦ "system"("id");
  [new Foo, "x"](); ¦ array_map("system", ["id"]); ¦ array_filter(["id"], "system");
  usort($a, "system"); ¦ call_user_func("system", "id"); ¦ eval("1;"); ¦ include "x.php";
  require("x.php"); ¦ file_put_contents("x", "y"); ¦ file_get_contents("http://evil.test");
  file_get_contents($argv[1]); ¦ file_get_contents("php://filter/x"); ¦ unlink("x");
  fopen("x", "w"); ¦ preg_replace("/a/e", "system(1)", "a");
  preg_replace_callback("/a/", "system", "id"); ¦ print_r($_SERVER); ¦ print_r($_ENV);
  print_r($GLOBALS); ¦ echo getenv("TOKEN"); ¦ phpinfo(); ¦ $x->y(); ¦ Foo::bar(); ¦ new Foo;
  echo "{$x->y()}"; ¦ echo "\${system(1)}"; ¦ echo "$x[0]"; ¦ $$x = 1; ¦ \${"x"} = 1;
  // ?><?php system("id"); ¦ function f() {} ¦ namespace X; ¦ mail("a", "b", "c");
  array_walk($a, "system"); ¦ compact("x"); ¦ extract($x); ¦ exit(1); ¦ fn() => system("id");
  array_map(fn($x) => system($x), ["id"]); ¦ ini_set("x", "y"); ¦ dl("x"); ¦ readfile("x");
`),
  ...cells(String.raw`
  \system("id");
`),
  '#[Foo]\nfn() => 1;',
  'echo <<<E\n{$x->y()}\nE;',
];

const ruby = [
  ...cells(`
  system "id" ¦ \`id\` ¦ %x(id) ¦ exec "id" ¦ spawn "id" ¦ eval "1" ¦ "1".instance_eval
  ["a", "system(1)"].inject(:instance_eval) ¦ ["id"].each(&:system)
  ["id"].each(&method(:system)) ¦ 1.send(:system, "id") ¦ 1.public_send("x") ¦ Kernel.system "id"
  Object.const_get("File") ¦ open("|id") ¦ IO.read("|id") ¦ IO.popen "id" ¦ File.read("|id")
  File.write("x", "y") ¦ File.read("x" + "y") ¦ File.delete "x" ¦ File::read "x" ¦ Dir["*"]
  ENV.to_h ¦ puts ENV["TOKEN"] ¦ require "x" ¦ load "x.rb" ¦ "#{system(1)}" ¦ "#{\`id\`}"
  /#{system(1)}/ =~ "a" ¦ x = 1; x "id" ¦ system = 1; system "id" ¦ puts ?a ¦ def f; end
  class A; end ¦ ->(x) { x }.call(1) ¦ $0 ¦ $LOAD_PATH ¦ ObjectSpace.each_object
  Process.kill 9, 1 ¦ binding.eval "1" ¦ fork ¦ trap("INT") { } ¦ at_exit { system 1 }
  JSON.load("x") ¦ Marshal.load("x") ¦ BEGIN { system 1 } ¦ [1].map(&:instance_eval)
  puts __FILE__ ¦ gets ¦ puts [1].method(:map)
`),
  'puts <<E\n#{system(1)}\nE\n',
  'puts <<-`E`\nid\nE\n',
  '=begin\n=end\nsystem 1',
];

describe.each([
  ['JavaScript', javascript, (code: string) => readJavascript(code)],
  ['Python', python, (code: string) => readPython(code)],
  ['Perl', perl, (code: string) => readPerl(code, new Set())],
  ['PHP', php, (code: string) => readPhp(code)],
  ['Ruby', ruby, (code: string) => readRuby(code, true)],
] as const)('%s', (_, codes, read) => {
  test.each(codes)('%s does not count as harmless', (code) => {
    expect(read(code)).toBeUndefined();
  });
});
