/** The map of the system as a picture. */

import {drawing} from '../drawing/svg.ts';
import {placeGraph} from '../layout/place.ts';
import {mapGraph} from './map-graph.ts';
import type {SystemMap} from './system-map.ts';

/** Loads the layout engine. */
export async function mapSvg(map: SystemMap): Promise<string> {
  return drawing(await placeGraph(mapGraph(map)), {
    title: 'The machines of Quorate',
    description: `${map.machines.length} machines, and which of them invokes which.`,
    key: [
      {colour: 'actor', text: 'has effects performed', isIn: ({tone}) => tone === 'actor'},
      {colour: 'person', text: 'asks a person', isIn: ({tone}) => tone === 'person'},
    ],
  });
}
