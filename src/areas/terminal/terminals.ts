import { randomBytes } from 'node:crypto'
import type { Caller } from '../../core/caller.ts'
import type { Socket } from '../../core/reply.ts'
import type { Store } from '../../store/store.ts'
import { appendActivity } from '../../changes/activity.ts'
import type { Log } from '../../core/endpoint.ts'
import type { Terminals as Shells } from '../../host/terminal/index.ts'
import type { Credentials } from '../auth/index.ts'
import { TooManyTerminals } from './problems.ts'
import { type End, Session } from './session.ts'

/** The limits of terminals. */
export interface Limits {
  readonly perUser: number
  readonly inAll: number
  /** How long a terminal without a socket is kept, so that a page can be loaded again. */
  readonly leftMs: number
  readonly idleMs: number
}

export const usualLimits: Limits = { perUser: 10, inAll: 200, leftMs: 120_000, idleMs: 3_600_000 }

/** Whose terminal is opened, and by whom. */
export interface Wanted {
  /** The panel user whose terminal it is. */
  readonly uid: number
  /** The Linux account that is signed in. */
  readonly username: string
  /** The terminal to show again, if it is still there. */
  readonly resumed: string | undefined
  readonly caller: Caller
}

interface Open extends Omit<Wanted, 'resumed'> {
  readonly session: Session
  readonly openedAt: Date
  readonly release: () => void
}

export interface TerminalsOptions {
  readonly shells: Shells
  readonly hold: Credentials['hold']
  readonly store: Store
  readonly log: Log
  readonly limits?: Limits
  readonly now?: () => number
}

const sweptEveryMs = 5000

/** Returns why a terminal is to be ended, if it is. */
export function overdue(
  { activeAt, leftAt }: Session['quiet'],
  { leftMs, idleMs }: Limits,
  now: number,
): 'left' | 'idle' | undefined {
  if (leftAt !== undefined && now - leftAt >= leftMs) return 'left'
  return now - activeAt >= idleMs ? 'idle' : undefined
}

/** The open terminals of the panel. */
export class Terminals {
  readonly #open = new Map<string, Open>()
  readonly #limits: Limits
  readonly #now: () => number
  readonly #options: TerminalsOptions

  constructor(options: TerminalsOptions) {
    this.#options = options
    this.#limits = options.limits ?? usualLimits
    this.#now = options.now ?? (() => performance.now())
  }

  /** Returns the function that shows a terminal on a socket; throws if the caller has too many open. */
  show(wanted: Wanted): (socket: Socket) => Promise<void> {
    const known = this.#resumable(wanted)
    if (known) return (socket) => known.session.attach(socket, { isResumed: true })
    this.#assertRoom(wanted.caller)
    return (socket) => this.#begin(wanted).attach(socket, { isResumed: false })
  }

  /** Ends terminals that nobody uses, every few seconds. */
  watch(): { stop(): Promise<void> } {
    const timer = setInterval(() => this.sweep(), sweptEveryMs).unref()
    return {
      stop: async () => {
        clearInterval(timer)
        await Promise.all([...this.#open.values()].map(({ session }) => session.end('stopped')))
      },
    }
  }

  /** Ends the terminals whose socket did not return in time, and those in which nothing happens. */
  sweep(): void {
    const now = this.#now()
    for (const { session } of this.#open.values()) {
      const end = overdue(session.quiet, this.#limits, now)
      if (end) void session.end(end)
    }
  }

  /** Only the session or key that opened a terminal shows it again: the terminal ends with it. */
  #resumable({ resumed, caller, username, uid }: Wanted): Open | undefined {
    const found = resumed === undefined ? undefined : this.#open.get(resumed)
    if (found === undefined || found.username !== username || found.uid !== uid) return undefined
    const { user, sessionId, keyId } = found.caller
    const isSame = user.id === caller.user.id && sessionId === caller.sessionId && keyId === caller.keyId
    return isSame ? found : undefined
  }

  #assertRoom({ user }: Caller): void {
    const own = [...this.#open.values()].filter(({ caller }) => caller.user.id === user.id)
    if (own.length >= this.#limits.perUser)
      throw TooManyTerminals(`You have ${own.length} open terminals: close one first`)
    if (this.#open.size >= this.#limits.inAll)
      throw TooManyTerminals(`${this.#open.size} terminals are open on this host: close one first`)
  }

  #begin({ uid, username, caller }: Wanted): Session {
    this.#assertRoom(caller) // others may have been opened since the request was answered
    const { shells, hold } = this.#options
    const id = randomBytes(16).toString('base64url')
    const open: ConstructorParameters<typeof Session>[0]['open'] = (size, onOutput) =>
      shells.open(username, size, onOutput)
    const session = new Session({ id, open, now: this.#now })
    const { signal, release } = hold(caller)
    const revoke = () => void session.end('revoked')
    if (signal.aborted) revoke()
    signal.addEventListener('abort', revoke)
    const entry: Open = {
      uid,
      username,
      caller,
      session,
      openedAt: new Date(),
      release: () => {
        signal.removeEventListener('abort', revoke)
        release()
      },
    }
    this.#open.set(id, entry)
    void session.ended.then(({ end, code }) => this.#close(entry, end, code))
    return session
  }

  async #close(entry: Open, end: End, code: number): Promise<void> {
    this.#open.delete(entry.session.id)
    entry.release()
    const { store, log } = this.#options
    const now = new Date()
    await store
      .transaction((tx) => appendActivity(store, tx, closingEntry(entry, reasons[end](code), now)))
      .catch((error) => log.error({ err: error }, 'the end of a terminal was not recorded'))
  }
}

const reasons: Readonly<Record<End, (code: number) => string>> = {
  exit: (code) => `the shell ended with exit status ${code}`,
  closed: () => 'it was closed',
  revoked: () => 'the session or API key that opened it has ended',
  idle: () => 'nothing was typed or printed for an hour',
  left: () => 'its connection was lost and did not return',
  stopped: () => 'the panel stopped',
}

function closingEntry({ uid, username, caller, openedAt }: Open, reason: string, now: Date) {
  return {
    action: 'terminal_closed',
    user_id: caller.user.id,
    key_id: caller.keyId,
    ip: caller.ip,
    method: 'GET',
    path: `/api/users/${uid}/terminal`,
    request: JSON.stringify({ params: { uid }, query: { username } }),
    status: 'ok' as const,
    duration_ms: now.getTime() - openedAt.getTime(),
    request_id: caller.requestId,
    change_id: null,
    message: `Closed the terminal of ${username}: ${reason}`,
    created_at: now.toISOString(),
  }
}
