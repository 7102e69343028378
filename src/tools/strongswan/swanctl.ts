import type { Host } from '../../host/index.ts'

/** What the functions of this tool need of the host. */
export type CharonHost = Pick<Host, 'run' | 'files' | 'services' | 'packages'>

export const charonUnit = 'strongswan'

const limits = { timeoutMs: 45_000, maxBytes: 4 * 1024 * 1024 }

/** Runs swanctl(8). */
export const swanctl = ({ run }: Pick<Host, 'run'>, ...args: readonly string[]) =>
  run(['swanctl', ...args], limits)

/** Returns the version of the daemon; undefined if it is not installed. */
export async function charonVersion({ packages }: Pick<Host, 'packages'>): Promise<string | undefined> {
  const version = await packages.version('charon-systemd')
  return version?.replace(/^\d+:/, '').replace(/-[^-]*$/, '')
}

/** Returns whether the daemon runs. */
export async function isCharonRunning(host: Pick<Host, 'packages' | 'services'>): Promise<boolean> {
  if ((await charonVersion(host)) === undefined) return false
  return (await host.services.status(charonUnit)).active
}
