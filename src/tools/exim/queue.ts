import type { Host } from '../../host/index.ts'
import { messageLogs } from './layout.ts'
import { QueueUnreadable } from './problems.ts'

export interface QueuedMessage {
  readonly id: string
  /** When Exim received it, as its id tells. */
  readonly queued_at: string
  /** Rounded by Exim from 1,024 bytes on. */
  readonly size_bytes: number
  /** Empty for a report of a failed delivery. */
  readonly sender: string
  /** Those that have not received it yet. */
  readonly recipients: readonly string[]
  /** True if Exim does not try again by itself. */
  readonly is_frozen: boolean
  /** Why the last attempt failed; empty before the first one. */
  readonly reason: string
}

export interface Queue {
  readonly total: number
  readonly messages: readonly QueuedMessage[]
}

type QueueHost = Pick<Host, 'run' | 'files'>

const limits = { timeoutMs: 30_000, maxBytes: 1024 * 1024 }

/** Lists the messages that wait, the oldest first. */
export async function readQueue({ run, files }: QueueHost, limit: number): Promise<Queue> {
  const [counted, listed] = await Promise.all([run(['exim4', '-bpc'], limits), run(['exim4', '-bp'], limits)])
  const failed = [counted, listed].find(({ code }) => code !== 0)
  if (failed)
    throw QueueUnreadable(`exim4: ${failed.stderr.trim().slice(0, 500) || `exit status ${failed.code}`}`)
  const total = Number(counted.stdout.trim())
  if (!Number.isInteger(total)) throw QueueUnreadable(`exim4 -bpc: ${counted.stdout.trim().slice(0, 500)}`)
  const messages = parseQueue(listed.stdout).slice(0, limit)
  const reasons = await Promise.all(messages.map(({ id }) => readLog(files, id)))
  return {
    total,
    messages: messages.map((each, index) => ({ ...each, reason: lastReason(reasons[index] ?? '') })),
  }
}

/** With `split_spool_directory` the logs are in folders named by the sixth character of the id. */
const readLog = async ({ read }: QueueHost['files'], id: string): Promise<string | undefined> =>
  (await read(`${messageLogs}/${id}`)) ?? read(`${messageLogs}/${id.charAt(5)}/${id}`)

const heading = /^\s*\S+\s+([\d.]+)([KM]?)\s+(\w{6}-\w+-\w+)\s+<([^>]*)>(.*)$/
const units: Readonly<Record<string, number>> = { K: 1024, M: 1024 * 1024 }

/** Parses what `exim4 -bp` prints: a line of the message, one for each recipient (D marks those done), a blank one. */
export function parseQueue(text: string): readonly Omit<QueuedMessage, 'reason'>[] {
  return text.split(/\n\s*\n/).flatMap((block) => {
    const [first = '', ...rest] = block.split('\n').filter((line) => line.trim() !== '')
    const [, size = '', unit = '', id = '', sender = '', marks = ''] = heading.exec(first) ?? []
    if (id === '') return []
    return {
      id,
      queued_at: timeOf(id),
      size_bytes: Math.round(Number(size) * (units[unit] ?? 1)),
      sender,
      recipients: rest.flatMap((line) => /^\s+(?!D )(\S.*)$/.exec(line)?.[1] ?? []),
      is_frozen: marks.includes('frozen'),
    }
  })
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The first part of an id is the time of its message, in seconds since 1970, to the base of 62. */
function timeOf(id: string): string {
  const seconds = [...id.slice(0, 6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
  return new Date(seconds * 1000).toISOString()
}

/** The log of a message has a line for each attempt, after the time of it. */
function lastReason(text: string): string {
  const attempts = text.split('\n').filter((line) => !/^\s*$| Received from |\*\*\* Frozen/.test(line))
  const last = attempts.at(-1) ?? ''
  return last.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? (?:[+-]\d{4} )?/, '').slice(0, 1000)
}
