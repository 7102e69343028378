import { accessSync, constants } from 'node:fs'
import { poll } from '../../core/poll.ts'
import { CallLimit } from './call-limit.ts'
import { confinedProgram, homeIdentity, type Account, type Confined } from './confinement.ts'
import { start, type Running } from './keeper.ts'
import { Owner } from './owner.ts'
import { HelperFailed, OwnerUnavailable } from './problems.ts'

export interface OwnersOptions {
  readonly helperPath?: string
  readonly nodePath?: string
  readonly maxHelpers?: number
  /** The number of concurrent calls of one account; `maxQueued` more may wait. */
  readonly maxCalls?: number
  readonly maxQueued?: number
  /** The number of them that may need much memory, such as packing and unpacking, or start programs. */
  readonly maxLargeCalls?: number
  readonly idleMs?: number
  /** The time that a call waits for a free slot. */
  readonly waitMs?: number
  /** The time without progress after which a call counts as stuck. */
  readonly stallMs?: number
  readonly log?: (event: { readonly account: string; readonly reason: string; readonly why: string }) => void
}

export interface OwnersCounts {
  readonly alive: number
  readonly idle: number
  readonly abandoned: number
  readonly refused: number
}

interface Place {
  readonly key: string
  readonly running: Running
  calls: number
  usedAt: number
  timer: NodeJS.Timeout | undefined
}

interface BadEnd {
  readonly reason: 'stuck' | 'hostile'
  readonly at: number
}

const defaults = {
  maxHelpers: 40,
  maxCalls: 64,
  maxLargeCalls: 4,
  maxQueued: 256,
  idleMs: 30_000,
  waitMs: 10_000,
  stallMs: 60_000,
  log: () => {},
}
const maxWaiting = 200
const exitMs = 1000
const forgiveMs = 600_000
/** Failures of an owner's helper after which none is started for a while: each stuck process stays, and each refused reply was read. */
const mostEnds = {
  stuck: { most: 3, why: 'earlier calls are stuck in the kernel' },
  hostile: { most: 10, why: 'earlier helpers violated the protocol' },
} as const

/** Opens access to the homes of hosting users; close it to end every helper. */
export function openOwners(options: OwnersOptions = {}): Owners {
  return new Owners(options)
}

/** The helpers, at most one per account, kept warm. */
export class Owners {
  readonly #confined: Confined
  readonly #options: Required<Omit<OwnersOptions, 'helperPath' | 'nodePath'>>
  readonly #callLimit: CallLimit
  readonly #largeCallLimit: CallLimit
  readonly #nestedCallLimit: CallLimit
  readonly #places = new Map<string, Place>()
  readonly #living = new Set<Running>()
  readonly #badEnds = new Map<string, readonly BadEnd[]>()
  readonly #waiting: (() => void)[] = []
  #abandoned = 0
  #refused = 0
  #isClosed = false

  constructor(options: OwnersOptions) {
    const { helperPath = confinedProgram(), nodePath = process.execPath, ...rest } = options
    this.#confined = { program: helperPath, nodePath }
    const all = { ...defaults, ...rest }
    this.#options = all
    this.#callLimit = new CallLimit(all)
    this.#largeCallLimit = new CallLimit({ ...all, maxCalls: all.maxLargeCalls })
    this.#nestedCallLimit = new CallLimit(all)
  }

  /** Returns the files of one account. Nothing starts before the first call. */
  of(account: Account): Owner {
    return new Owner(account, this.#options.stallMs, {
      use: (use) => this.#use(account, use),
      useLarge: (use) => taking(this.#largeCallLimit, account, () => this.#use(account, use)),
      useNested: (use) => taking(this.#nestedCallLimit, account, () => this.#inPlace(account, use)),
    })
  }

  counts(): OwnersCounts {
    const idle = [...this.#places.values()].filter((place) => place.calls === 0).length
    return { alive: this.#places.size, idle, abandoned: this.#abandoned, refused: this.#refused }
  }

  /** Ends every helper; calls in progress fail. Resolves when they have exited, after one second at most. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const place of [...this.#places.values()]) this.#end(place)
    for (const wake of this.#waiting.splice(0)) wake()
    const haveExited = async () => (this.#living.size === 0 ? true : undefined)
    await poll(haveExited, { limitMs: exitMs, everyMs: 5 })
  }

  #use<T>(account: Account, use: (running: Running) => Promise<T>): Promise<T> {
    return taking(this.#callLimit, account, () => this.#inPlace(account, use))
  }

  async #inPlace<T>(account: Account, use: (running: Running) => Promise<T>): Promise<T> {
    const place = await this.#occupy(account)
    try {
      await place.running.ready
      return await use(place.running)
    } finally {
      place.calls--
      place.usedAt = performance.now()
      if (place.calls === 0) this.#rest(place)
    }
  }

  // Counted as soon as it is found: during the preceding await, a slot without calls may have ended.
  async #occupy(account: Account): Promise<Place> {
    refuseWithoutMeans(this.#isClosed)
    const key = keyOf(account)
    const until = performance.now() + this.#options.waitMs
    for (;;) {
      const place = this.#places.get(key)
      if (place !== undefined && place.running.identity === homeIdentity(account.home)) return occupied(place)
      if (place !== undefined) this.#end(place)
      if (this.#places.size < this.#options.maxHelpers || this.#endLeastUsed())
        return occupied(this.#start(account, key))
      await this.#turn(until)
      refuseWithoutMeans(this.#isClosed)
    }
  }

  #start(account: Account, key: string): Place {
    this.#refuseRepeated(account, key)
    const running = start(account, this.#confined, {
      ended: (reason, why) => {
        this.#forget(key, running)
        if (reason === 'hostile') this.#refused++
        if (reason === 'stuck') this.#abandoned++
        if (reason === 'gone') return
        this.#badEnds.set(key, [...(this.#badEnds.get(key) ?? []), { reason, at: performance.now() }])
        this.#options.log({ account: account.name, reason, why })
      },
      exited: () => this.#living.delete(running),
    })
    const place: Place = { key, running, calls: 0, usedAt: performance.now(), timer: undefined }
    this.#places.set(key, place)
    this.#living.add(running)
    return place
  }

  #refuseRepeated({ name }: Account, key: string): void {
    const recent = (this.#badEnds.get(key) ?? []).filter(({ at }) => performance.now() - at < forgiveMs)
    if (recent.length === 0) this.#badEnds.delete(key)
    else this.#badEnds.set(key, recent)
    for (const [reason, { most, why }] of Object.entries(mostEnds))
      if (recent.filter((end) => end.reason === reason).length >= most)
        throw OwnerUnavailable(`${name}: ${why}; try again later`)
  }

  #rest(place: Place): void {
    if (this.#places.get(place.key) !== place) return
    place.timer = setTimeout(() => this.#end(place), this.#options.idleMs)
    place.timer.unref()
    this.#waiting.shift()?.()
  }

  #endLeastUsed(): boolean {
    const idle = [...this.#places.values()].filter((place) => place.calls === 0)
    const oldest = idle.sort((a, b) => a.usedAt - b.usedAt)[0]
    if (oldest !== undefined) this.#end(oldest)
    return oldest !== undefined
  }

  #end(place: Place): void {
    clearTimeout(place.timer)
    place.running.channel.end('gone', 'it was closed')
    this.#forget(place.key, place.running)
  }

  #forget(key: string, running: Running): void {
    if (this.#places.get(key)?.running !== running) return
    clearTimeout(this.#places.get(key)?.timer)
    this.#places.delete(key)
    this.#waiting.shift()?.()
  }

  #turn(until: number): Promise<void> {
    if (this.#waiting.length >= maxWaiting)
      throw OwnerUnavailable('too many calls wait for files of hosting users')
    return new Promise((resolve, reject) => {
      const wake = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(wake), 1)
          reject(OwnerUnavailable(`all ${this.#options.maxHelpers} slots for work on files are busy`))
        },
        Math.max(0, until - performance.now()),
      )
      this.#waiting.push(wake)
    })
  }
}

function occupied(place: Place): Place {
  place.calls++
  clearTimeout(place.timer)
  return place
}

async function taking<T>(limit: CallLimit, account: Account, work: () => Promise<T>): Promise<T> {
  const leave = await limit.acquire(keyOf(account), account.name)
  try {
    return await work()
  } finally {
    leave()
  }
}

function keyOf({ uid, gid, home }: Account): string {
  return `${uid}:${gid}:${home}`
}

function refuseWithoutMeans(isClosed: boolean): void {
  if (isClosed) throw HelperFailed('the panel is closing')
  if (process.getuid?.() !== 0)
    throw OwnerUnavailable(
      'the panel does not run as root, so it cannot work under the uid of a hosting user',
    )
  for (const program of ['/usr/bin/setpriv', '/usr/bin/prlimit']) {
    try {
      accessSync(program, constants.X_OK)
    } catch (error) {
      throw OwnerUnavailable(`${program} is missing`, { cause: error })
    }
  }
}
