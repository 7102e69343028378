import { parseLine } from './lines.ts'
import { recorderPath } from './recorder.ts'

/** The crontab of a website. */
export interface SiteCrontab {
  readonly siteId: number
  readonly domain: string
  readonly username: string
  /** As its owner wrote it. */
  readonly text: string
}

/** The path of the crontab of a website: cron reads no names with dots. */
export const crontabPath = (siteId: number): string => `/etc/cron.d/hostreeve-site-${siteId}`

/** Renders the file of a crontab, in which each line names the account that runs it (crontab(5), the system crontab). */
export function renderCrontab({ siteId, domain, username, text }: SiteCrontab): string {
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(username)) throw new Error(`cron cannot run as ${username}`)
  return `# Website ${siteId}, ${domain}. Written by Hostreeve: edit the crontab in the panel.
SHELL=${recorderPath}
HOSTREEVE_CRON=${siteId}
MAILTO=""
${text
  .split('\n')
  .map((line) => rendered(line, username))
  .join('\n')}
`
}

function rendered(text: string, username: string): string {
  const line = parseLine(text)
  if (line === undefined || /[\0\r]/.test(text))
    throw new Error(`cron does not accept the line ${text.slice(0, 100)}`)
  if (line.kind === 'none') return text.trim()
  if (line.kind === 'job') return `${line.schedule} ${username} ${line.command}`
  return `${line.name === 'SHELL' ? 'HOSTREEVE_SHELL' : line.name}="${line.value}"`
}
