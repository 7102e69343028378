/** The version that the panel installs on the gateway. */
export const version = '1.102.5'

/** The directory of the programs and of the state of the node; root owns it. */
export const directory = '/var/lib/hostreeve-tailscale'
export const versionsDirectory = `${directory}/versions`
export const stateDirectory = `${directory}/state`

/** The directory in an archive that contains everything else. */
export const innerDirectory = (architecture: string): string => `tailscale_${version}_${architecture}`
export const programDirectory = (architecture: string): string =>
  `${versionsDirectory}/${version}/${innerDirectory(architecture)}`

export const unitPath = '/etc/systemd/system/hostreeve-tailscaled.service'
export const service = 'hostreeve-tailscaled'
export const socketPath = '/run/hostreeve-tailscale/tailscaled.sock'

/** Lets the kernel forward packets between networks, which the routes of a node need. */
export const forwardingPath = '/etc/sysctl.d/60-hostreeve-vpn.conf'
