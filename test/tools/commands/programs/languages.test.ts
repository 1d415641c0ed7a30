/** What is understood of the JVM, .NET, Ruby, Perl, PHP and others, and what must not be. */

import {expect, test} from 'vitest';

import {readingOf, told} from '../reading.ts';

const maven = 'installs declared, runs the build, loads .mvn/jvm.config, loads .mvn/extensions.xml';

test.each([
  ['mvn -q test', maven],
  ['mvn clean verify -DskipTests', maven],
  ['mvn --version', 'loads .mvn/jvm.config, loads .mvn/extensions.xml'],
  ['gradle build', 'installs declared, runs the build'],
  ['gradlew :app:test --tests=A', 'installs declared, runs the build'],
  ['gradle spotlessApply', 'installs declared, runs the build, edits-tree .'],
  ['javac -d out src/A.java', 'writes-tree out, reads src/A.java'],
  ['java -jar app.jar', 'code app.jar'],
  ['dotnet test --no-build', 'installs declared, runs the tests'],
  ['dotnet format --verify-no-changes', 'runs the build'],
  ['dotnet add package X', 'installs X'],
  ['swift build', 'installs declared, runs the build'],
  ['flutter test', 'runs the tests'],
  ['ruby a.rb', 'code a.rb'],
  ['ruby -c a.rb', 'reads a.rb'],
  ['bundle exec rspec', 'command rspec'],
  ['bundle install', 'installs declared'],
  ['bundle add rails', 'installs rails'],
  ['rake test', 'runs rake, loads Rakefile, loads rakefile, loads Rakefile.rb'],
  [
    'rake db:drop',
    'runs rake, loads Rakefile, loads rakefile, loads Rakefile.rb, alters a database',
  ],
  ['rails test', 'runs rails'],
  ['rspec spec/a_spec.rb:12', 'runs the tests, lists spec/a_spec.rb'],
  ['rspec evil', 'runs the tests, code evil'],
  ['ruby -Ievil a.rb', 'code evil, code a.rb'],
  ['dotnet run --project evil', 'code evil, installs declared, runs the program'],
  ['gradle -p evil test', 'installs declared in evil, runs the build in evil, code evil'],
  ['rubocop -A', 'runs a linter, edits-tree .'],
  ['gem push x.gem', 'publishes packages'],
  ['gem i evil', 'alters gems of this machine, installs evil'],
  ['perl a.pl x', 'code a.pl'],
  ['perl -v', ''],
  ['php -l a.php', 'reads a.php'],
  ['php artisan test', 'code artisan'],
  ['composer install', 'installs declared, loads composer.json'],
  ['composer require x/y', 'installs x/y'],
  ['phpunit --filter=A', 'runs the tests'],
  ['php-cs-fixer fix --dry-run src', 'runs a linter'],
  ['pint', 'runs a linter, edits-tree .'],
  ['lua a.lua', 'code a.lua'],
  ['mix test --trace', 'runs the tests'],
  ['mix format --check-formatted', ''],
  ['mix deps.get', 'installs declared'],
  ['mix ecto.drop', 'alters a database'],
])('%s is understood', (command, acts) => {
  expect(told(readingOf(command))).toBe(acts);
});

test.each(['mvn test', 'gradle check', 'rake spec', 'rails test', 'rspec', 'phpunit', 'mix test'])(
  '%s counts as running the tests',
  (command) => expect(readingOf(command).isTest).toBe(true),
);

test.each([
  'mvn deploy',
  'mvn exec:exec -Dexec.executable=rm',
  'mvn -s evil.xml test',
  'gradle publish',
  'gradle -I evil.gradle build',
  'gradle --scan build',
  'gradle -b evil.gradle build',
  'sbt publish',
  'javac src/A.java',
  'javac -d out @evil',
  'javac -processor Evil -d out A.java',
  'java -javaagent:evil.jar -jar a.jar',
  'dotnet nuget add x',
  'dotnet build -p:X=Y',
  'ruby',
  "ruby -e 'x'",
  'perl',
  "perl -e 'unlink'",
  "perl -ne 'unlink' a",
  "perl -pi -e 'print' a",
  'perl -MEvil a.pl',
  "php -r 'x'",
  'php -d auto_prepend_file=evil a.php',
  'php artisan migrate:fresh',
  'php artisan tinker',
  'php -S 0.0.0.0:80',
  'rails runner x',
  'rails console',
  'rake deploy',
  "rake 'a;b'",
  'bundle config set path x',
  'composer config x y',
  "lua -e 'x'",
  "Rscript -e 'x'",
  "elixir -e 'x'",
  'mix evil',
])('%s is not understood', (command) => {
  expect(told(readingOf(command))).toMatch(/^\? /);
});
