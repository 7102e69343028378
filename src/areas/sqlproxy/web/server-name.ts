/** The host and port of a server as people write them; an IPv6 address has brackets. */
export const serverName = ({
  hostname,
  port,
}: {
  readonly hostname: string
  readonly port: number
}): string => `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
