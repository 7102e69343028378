/** Where programs of this host reach the panel. */
export interface PanelAddress {
  readonly mcpUrl: string
  readonly isTls: boolean
}

const isLoopback = (host: string): boolean => /^(?:localhost|127\.[\d.]+|::1)$/.test(host)
const anyAddress = new Set(['', '0.0.0.0', '::'])

/** Returns the address of the panel for the assistant, from the settings that the panel was started with. */
export function panelAddress(running: Readonly<Record<string, string>>): PanelAddress {
  const { host = '127.0.0.1', port = '7070', tls = 'auto' } = running
  const isTls = tls === 'on' || (tls === 'auto' && !isLoopback(host))
  const reached = anyAddress.has(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return { mcpUrl: `${isTls ? 'https' : 'http'}://${reached}:${port}/api/mcp`, isTls }
}
