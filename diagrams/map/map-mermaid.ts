/** The map of the system as a Mermaid flowchart. */

import type {SystemMap} from './system-map.ts';

/** Ends with a newline. The same map gives the same text. */
export function mapMermaid({machines, actors}: SystemMap): string {
  const rooms = Map.groupBy([...machines, ...actors], ({room}) => room);
  const nodes = [...rooms].flatMap(([room, list]) =>
    roomLines(
      room,
      list.map(({id}) => `${nodeId(id)}["${id}"]`),
    ),
  );
  const arrows = machines.flatMap(({id, invokes}) =>
    invokes.map((to) => `${nodeId(id)} --> ${nodeId(to)}`),
  );
  return ['flowchart LR', ...[...nodes, ...arrows].map((line) => `  ${line}`), ''].join('\n');
}

function roomLines(room: string, nodes: readonly string[]): readonly string[] {
  if (room === '' || nodes.length === 1) return nodes;
  return [`subgraph room_${nodeId(room)} ["${room}"]`, ...nodes.map((line) => `  ${line}`), 'end'];
}

/** A prefix, as Mermaid reserves words such as `end`. */
function nodeId(id: string): string {
  return `m_${id.replaceAll(/\W/g, '_')}`;
}
