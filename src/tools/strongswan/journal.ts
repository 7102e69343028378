import type { Host } from '../../host/index.ts'
import { connectionOf } from './configuration.ts'
import { charonUnit } from './swanctl.ts'

/** A line of charon's log. */
export interface CharonLine {
  readonly message: string
  /** Which negotiation it is about; empty for none. */
  readonly negotiation: string
  /** The connection, once it is known. */
  readonly connection: string
}

const linesRead = 2000

/** Reads the end of charon's log. Its lines name the negotiation they are about (strongswan.conf(5), `charon-systemd.journal`). */
export async function readCharonLog({ run }: Pick<Host, 'run'>): Promise<readonly CharonLine[]> {
  const { code, stdout } = await run(
    [
      'journalctl',
      '--output=json',
      '--output-fields=MESSAGE,IKE_SA_UNIQUE_ID,IKE_SA_NAME,_PID',
      '--no-pager',
      '--quiet',
      `--unit=${charonUnit}.service`,
      `--lines=${linesRead}`,
    ],
    { timeoutMs: 20_000, maxBytes: 8 * 1024 * 1024 },
  )
  return code === 0 ? stdout.split('\n').flatMap(parseLine) : []
}

function parseLine(text: string): readonly CharonLine[] {
  try {
    const entry: Readonly<Record<string, unknown>> = JSON.parse(text)
    const unique = String(entry['IKE_SA_UNIQUE_ID'] ?? '')
    return [
      {
        message: String(entry['MESSAGE'] ?? ''),
        negotiation: unique === '' ? '' : `${String(entry['_PID'])} ${unique}`,
        connection: String(entry['IKE_SA_NAME'] ?? ''),
      },
    ]
  } catch {
    return []
  }
}

/** The messages about a tunnel: of its negotiations, and of those that its gateway began before it was known whose they are. */
export function messagesAbout(
  lines: readonly CharonLine[],
  { id, remoteAddress }: { readonly id: number; readonly remoteAddress: string },
): readonly string[] {
  const name = connectionOf(id)
  const named = new Map<string, string>()
  const addressed = new Set<string>()
  for (const { negotiation, connection, message } of lines) {
    if (connection !== '') named.set(negotiation, connection)
    if (message.split(/[\s[\]]+/).includes(remoteAddress)) addressed.add(negotiation)
  }
  return lines
    .filter(({ negotiation }) => {
      if (negotiation === '') return false
      const known = named.get(negotiation)
      return known === undefined ? addressed.has(negotiation) : known === name
    })
    .map(({ message }) => message)
}
