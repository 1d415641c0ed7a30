/** `[sandbox] network`: hosts that commands may reach, by name and port. */

export interface Destination {
  /** A name or an address, without brackets, in lower case. */
  readonly host: string;
  readonly port: number;
}

const maxPort = 65_535;

const form =
  /^(?:\[(?<v6>[0-9a-f:.]+)\]|(?<name>(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)):(?<port>\d{1,5})$/i;

/** `example.com:443`, `*.example.com:443` for all subdomains, `127.0.0.1:5432`, `[::1]:8080`. Undefined for anything else. */
export function parseDestination(text: string): Destination | undefined {
  const groups = form.exec(text)?.groups;
  if (!groups) return undefined;
  const {v6, name = ''} = groups;
  const port = Number(groups['port']);
  if (port < 1 || port > maxPort || (v6 !== undefined && !URL.canParse(`http://[${v6}]`)))
    return undefined;
  return {host: (v6 ?? name).toLowerCase(), port};
}
