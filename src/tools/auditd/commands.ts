import type { Host } from '../../host/index.ts'
import { readNames } from '../../host/passwd.ts'
import { logPath, ruleKey } from './layout.ts'

/** A command that the audit has recorded. */
export interface RecordedCommand {
  readonly at: string
  /** The account that signed in. */
  readonly user: string
  /** Where its session came from; empty if the log does not reach back to its sign-in. */
  readonly source: string
  readonly command: string
}

const mostBytes = 4 * 1024 * 1024

/** Reads the latest commands of sessions from the end of the log of the audit, the latest first. */
export async function readCommands({
  run,
  files,
}: Pick<Host, 'run' | 'files'>): Promise<readonly RecordedCommand[]> {
  const tail = await run(['tail', '-c', String(mostBytes), '--', logPath], {
    timeoutMs: 10_000,
    maxBytes: mostBytes + 1024,
  })
  if (tail.code !== 0) return []
  const names = await readNames(files)
  return commandsIn(tail.stdout, (uid) => names.get(uid) ?? String(uid))
}

interface Event {
  readonly seconds: number
  auid?: number
  session?: string
  command?: string
}

/** Finds the commands in the text of a log, the latest first; records of one event share its number (auditd(8)). */
export function commandsIn(text: string, nameOf: (uid: number) => string): readonly RecordedCommand[] {
  const events = new Map<string, Event>()
  const sources = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, type, time = '', serial = '', rest = ''] = record.exec(line) ?? []
    const fields = rest.split('\u001d', 1)[0] ?? '' // what follows repeats the values for people
    if (type === 'USER_LOGIN') noteSource(sources, fields)
    if (type !== 'SYSCALL' && type !== 'EXECVE') continue
    const event: Event = events.get(serial) ?? { seconds: Number(time) }
    events.set(serial, event)
    if (type === 'EXECVE') event.command = argumentsIn(fields)
    else if (fields.includes(`key="${ruleKey}"`)) {
      event.auid = Number(/ auid=(\d+)/.exec(fields)?.[1])
      event.session = / ses=(\d+)/.exec(fields)?.[1] ?? ''
    }
  }
  return [...events.values()]
    .flatMap(({ seconds, auid, session = '', command }) =>
      auid === undefined || command === undefined
        ? []
        : [
            {
              at: new Date(seconds * 1000).toISOString(),
              user: nameOf(auid),
              source: sources.get(session) ?? '',
              command,
            },
          ],
    )
    .toReversed()
}

const record = /^(?:node=\S+ )?type=(\S+) msg=audit\((\d+\.\d+):(\d+)\): ?(.*)$/s

function noteSource(sources: Map<string, string>, fields: string): void {
  const session = / ses=(\d+)/.exec(fields)?.[1]
  const address = / addr=([0-9A-Fa-f.:]+)/.exec(fields)?.[1]
  if (session !== undefined && address !== undefined) sources.set(session, address)
}

/** `a0="ls" a1=2D6C`: an argument with spaces or quotes is in hexadecimal digits. */
function argumentsIn(fields: string): string {
  const found = [...fields.matchAll(/ a\d+(?:\[\d+\])?=(?:"([^"]*)"|([0-9A-F]+))/g)]
  return found
    .map(([, plain, hex = '']) => plain ?? Buffer.from(hex, 'hex').toString())
    .join(' ')
    .replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
    .slice(0, 2000)
}
