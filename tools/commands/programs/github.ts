/** gh and glab: what looks, and what changes what others see. */

import type {Arguments, Invocation, Program, Reading} from '../program.ts';
import {wordOf} from '../word.ts';
import {reaching} from './data.ts';
import {valuesOf} from './given.ts';
import {act, has, knownOperands, withActs, withUnknown} from './refine.ts';

type Subcommands = NonNullable<Program['subcommands']>;
type Entry = Omit<Program, 'name'>;

const lookOptions =
  '-R|--repo=text -L|--limit|-P|--per-page=text -s|--state=text -l|--label=text -a|--author|--assignee=text -A=text -S|--search=text -B|--base|-H|--head=text -b|--branch=text -w|--workflow=text -u|--user=text -e|--event=text -c|--comments --commit=text --json=local -q|--jq=local -t|--template=local --name-only --patch --color=text --log --log-failed --exit-status -v|--verbose -j|--job=text --required --watch -i|--interval=text --milestone|-m=text --owner=text --language=text --filename=text --match=text --sort|--order=text --archived --visibility=text --topic=text --yaml -y --ref|-r=text --draft|-d --app=text --mine --all --created=text --updated=text --output|-F=text';

/** What is asked must be known; a filter of what comes back sees the environment, too. */
const known: NonNullable<Program['refine']> = (reading, call, given) => {
  const told = knownOperands('is told to the server')(reading, call, given);
  const filters = valuesOf(given, '-q --jq -t --template').filter(
    ({text, known: isKnown}) => !isKnown || reaching.test(text),
  );
  return filters.length > 0 ? withActs(told, act('reveals', 'the environment')) : told;
};

function looks(host: string): Entry {
  return {options: lookOptions, operands: 'text*', does: `fetches=${host}`, refine: known};
}

function changes(role: string): Entry {
  return {options: '*', operands: 'text*', does: role};
}

const hub = looks('github.com');
const lab = looks('gitlab.com');
const change = changes('alters=what_others_see');

const checkout: Entry = {
  options: '*',
  operands: 'text*',
  does: 'unjudged=a_branch_of_anybody',
};

const clone: Entry = {
  options: '-u=text',
  operands: 'text creates?',
  does: 'fetches=github.com installs=a_repository',
  refine: known,
};

const ofHub: Subcommands = {
  '': {},
  pr: {
    subcommands: {
      'list ls view diff checks status': hub,
      checkout,
      'create new': changes('publishes=a_pull_request'),
      'merge close reopen edit comment review ready lock unlock update-branch revert': change,
    },
  },
  issue: {
    subcommands: {
      'list ls view status': hub,
      'create new close reopen edit comment delete transfer pin unpin lock unlock develop': change,
    },
  },
  run: {
    subcommands: {
      'list ls view watch': hub,
      download: {
        options: '-R|--repo=text -n|--name=text -p|--pattern=text -D|--dir=writes-tree',
        operands: 'text?',
        does: 'fetches=github.com writes-tree=.',
        when: {'-D --dir': {operands: 'text?', does: 'fetches=github.com'}},
      },
      'rerun cancel delete': change,
    },
  },
  workflow: {subcommands: {'list ls view': hub, 'run enable disable': change}},
  release: {
    subcommands: {
      'list ls view': hub,
      'create edit upload delete delete-asset': changes('publishes=a_release'),
      download: {
        options: '-R|--repo=text -p|--pattern=text -D|--dir=writes-tree -O|--output=writes',
        operands: 'text?',
        does: 'fetches=github.com writes-tree=.',
        when: {'-D --dir -O --output': {operands: 'text?', does: 'fetches=github.com'}},
      },
    },
  },
  repo: {
    subcommands: {
      'view list ls license gitignore': hub,
      clone,
      'create fork edit delete archive unarchive rename sync deploy-key autolink':
        changes('publishes=a_repository'),
      'set-default': change,
    },
  },
  label: {subcommands: {'list ls': hub, 'create edit delete clone': change}},
  'secret variable': {subcommands: {'list ls get': hub, 'set delete remove': change}},
  gist: {
    subcommands: {
      'list ls view': hub,
      'create edit delete rename': changes('sends=gist.github.com'),
    },
  },
  search: {subcommands: {'repos issues prs commits code': hub}},
  'cache ruleset project attestation': {
    subcommands: {
      'list ls view check verify item-list field-list': hub,
      'delete create edit close copy item-add item-edit item-delete': change,
    },
  },
  status: hub,
  auth: {
    options: '',
    subcommands: {
      status: {
        options: '-h|--hostname=text -a|--active -t|--show-token',
        when: {'-t --show-token': {does: 'reveals=a_token'}},
      },
      'token git-credential': changes('reveals=a_token'),
      'login logout refresh setup-git switch': changes('alters=the_account'),
    },
  },
  config: {
    subcommands: {
      'get list ls': {options: '-h|--host=text', operands: 'text*'},
      'set clear-cache': changes('alters=gh_for_this_user'),
    },
  },
  'help version': {operands: 'text*'},
  api: {
    options:
      '-X|--method=text --jq|-q=local -t|--template=local --paginate --slurp -i|--include --silent -H|--header=text --cache=text --hostname=text -p|--preview=text --verbose -f|--raw-field=text -F|--field=text --input=reads',
    operands: 'text',
    does: 'fetches=github.com',
    refine: asks,
  },
};

const ofLab: Subcommands = {
  '': {},
  mr: {
    subcommands: {
      'list ls view show diff issues approvers': lab,
      checkout,
      'create new': changes('publishes=a_merge_request'),
      'merge accept close reopen update note approve revoke rebase delete': change,
    },
  },
  issue: {
    subcommands: {'list ls view show': lab, 'create new close reopen update note delete': change},
  },
  'ci pipeline': {
    subcommands: {
      'list ls status view trace get lint': lab,
      'run retry delete cancel trigger': change,
    },
  },
  release: {
    subcommands: {'list ls view': lab, 'create upload delete': changes('publishes=a_release')},
  },
  repo: {
    subcommands: {
      'view list search': lab,
      clone,
      'create fork delete archive transfer': changes('publishes=a_repository'),
    },
  },
  'label variable': {subcommands: {'list ls': lab, 'create set update delete': change}},
  auth: {subcommands: {status: {}, 'login logout': changes('alters=the_account')}},
  'help version check-update': {operands: 'text*'},
};

export const github: readonly Program[] = [
  {name: 'gh', options: '--version --help -R|--repo=text', subcommands: ofHub},
  {name: 'glab', options: '--version --help -v -h -R|--repo=text', subcommands: ofLab},
];

/** `gh api PATH`: a plain GET. */
function asks(reading: Reading, call: Invocation, given: Arguments): Reading {
  const told = known(reading, call, given);
  const [method] = valuesOf(given, '-X --method');
  if (method && !/^GET$/i.test(method.text))
    return withActs(told, act('alters', 'what others see'));
  const [path = wordOf('')] = given.operands;
  const tells = has(given, '-f --raw-field -F --field --input -H --header --hostname');
  return tells || /^graphql$|:\/\//.test(path.text)
    ? withUnknown(told, path.text, 'may change what others see')
    : told;
}
