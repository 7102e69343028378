import type { WebServerName } from '../../tools/web-server.ts'

/** The names of the web servers for people. */
export const titles: Readonly<Record<WebServerName, string>> = { nginx: 'nginx', apache: 'Apache' }
