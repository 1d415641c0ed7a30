/** bubblewrap, on Linux. */

import {confine} from './bubblewrap-arguments.ts';
import type {Confiner} from './confiner.ts';
import {enclosingRepository} from './enclosing.ts';
import {gitIdentity} from './git-identity.ts';
import {holdPlaces} from './held-places.ts';
import type {Destination} from './network-rules.ts';
import {notePlaces} from './put-back.ts';
import {openWayOut} from './way-out.ts';
import {guardWorkspace} from './workspace.ts';

/** In a home that is empty, git would not know who commits. */
const withIdentity = 'printf %s "$1" >"$HOME/.gitconfig"; shift; exec "$@"';

const unconfinable = /^\/(?:$|(?:proc|sys|dev(?!\/shm\/))(?:\/|$))/;

export function createBubblewrap(file: string, rules: readonly Destination[]): Confiner {
  return {
    by: 'bubblewrap',
    problemWith: (workspace) =>
      unconfinable.test(workspace)
        ? `nothing can be kept from commands whose workspace is ${workspace}`
        : undefined,
    confine: async (argv, {workspace, folder, env, isTrial = false}) => {
      const [guard, identity, way] = await Promise.all([
        guardWorkspace(workspace, env['HOME']),
        gitIdentity(env),
        openWayOut(rules),
      ]);
      const shown = enclosingRepository(workspace, env['HOME']);
      const places = isTrial ? guard.places.filter((one) => !one.held) : guard.places;
      const held = holdPlaces(places, workspace);
      const putBack = notePlaces(workspace, guard.links, held.paths);
      const args = confine({
        workspace,
        folder,
        env,
        places: held.places,
        shown,
        more: way.mounts,
      });
      const inner =
        identity === '' ? argv : ['/bin/sh', '-c', withIdentity, 'sh', identity, ...argv];
      return {
        file,
        args: [...args, '--', ...way.before, ...inner],
        env: {...env, ...way.env},
        release: async () => {
          await way.close();
          held.release();
          return putBack();
        },
      };
    },
  };
}
