/** Commands of three steps on one path: remove it, make something else there, use it. */

import type {Roll} from '../../support/dice.ts';
import {pick} from './words.ts';

const names = ['dist', 'build', 'tmp', 'new', 'current', 'dist/new', 'dist/current', 'src/new'];

const removals: readonly ((name: string) => string)[] = [
  (name) => `rm -rf ${name}`,
  (name) => `rm -rf ${name}`,
  (name) => `rm -f ${name}`,
  (name) => `rm -rf ${name}/*`,
  (name) => `mkdir ${name}; rmdir ${name}`,
  (name) => `mkdir -p ${name}/a; rm -rf ${name}`,
  (name) => `mv ${name} moved`,
  (name) => `find ${name} -delete`,
  (name) => `false && mkdir ${name}`,
  (name) => `mkdir -p ${name}/a`,
  () => 'npm run clean',
  () => 'true',
];

const targets = ['src', '../src', 'a.txt', '.env', '.git/hooks', 'notes', 'build', '..', '.'];

const makings: readonly ((name: string, target: string) => string)[] = [
  (name, target) => `ln -s ${target} ${name}`,
  (name, target) => `ln -s ${target} ${name}`,
  (name, target) => `ln -sf ${target} ${name}`,
  (name, target) => `ln -sfn ${target} ${name}`,
  (name, target) => `ln -sT ${target} ${name}`,
  (name, target) => `ln -s ${target} ${name}/`,
  (name) => `cp -a alias ${name}`,
  (name) => `cp -P alias ${name}`,
  (name) => `mv alias ${name}`,
  (name) => `cp -r src ${name}`,
  (name) => `cp a.txt ${name}`,
  (name) => `mkdir -p ${name}`,
  (name) => `echo x > ${name}`,
  (name) => `mkdir ${name}; ln -s ../src ${name}/a`,
  (name) => `tar -xf x.tar -C ${name}`,
];

const uses: readonly ((name: string) => string)[] = [
  (name) => `echo x > ${name}/a.ts`,
  (name) => `echo x >> ${name}`,
  (name) => `echo x > ${name}/a/a.ts`,
  (name) => `cp a.txt ${name}`,
  (name) => `cp a.txt ${name}/pre-commit`,
  (name) => `mv a.txt ${name}`,
  (name) => `rm -rf ${name}/`,
  (name) => `rm -rf ${name}/*`,
  (name) => `rm -rf ${name}/lib/**`,
  (name) => `rm ${name}/a.ts`,
  (name) => `find ${name}/ -name '*.ts' -delete`,
  (name) => `rev ${name}`,
  (name) => `cat ${name}/a.ts`,
  (name) => `cd ${name} && rm -f a.ts`,
  (name) => `cd ${name}/.. && echo x > a.ts`,
  (name) => `sed -i s/o/0/ ${name}/a.ts`,
  (name) => `chmod 700 ${name}/a.ts`,
  (name) => `touch ${name}/x`,
];

export function historyLine(roll: Roll): string {
  const name = pick(roll, names);
  const target = pick(roll, targets);
  const steps = [pick(roll, removals)(name), pick(roll, makings)(name, target)];
  return [...steps, pick(roll, uses)(name)].join(pick(roll, ['; ', ' && ', '\n']));
}
