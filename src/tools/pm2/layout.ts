/** The Linux account that runs the gateway, and nothing else. */
export const accountName = 'hostreeve-partner'

/** The directory of everything that belongs to the gateway; root owns it. */
export const directory = '/var/lib/hostreeve-partner'

/** The home of the account, in which PM2 keeps its sockets and logs. */
export const homeDirectory = `${directory}/home`

/** The program of the gateway, which its account may only read. */
export const programPath = `${directory}/gateway.mjs`

/** The token of the gateway, which only its account reads. */
export const tokenPath = `${directory}/token`

/** What PM2 starts. */
export const appsPath = `${directory}/apps.json`

/** The service that starts PM2, so that it outlives the panel. */
export const serviceName = 'hostreeve-partner'
export const unitPath = `/etc/systemd/system/${serviceName}.service`

/** The name of the gateway at PM2. */
export const processName = 'partner-gateway'

/** The folders of global packages of npm: of Node.js from nodejs.org, and of a package of the distribution. */
export const prefixes = ['/usr/local', '/usr'] as const
