/** The state of the connection to the panel. */
export interface Connection {
  readonly isLost: boolean
  /** The time of the last response before the state changed, in milliseconds since 1970. */
  readonly answeredAt: number
}

const pausesMs = [500, 1000, 2000, 4000]
const probeMs = 5000
const quietMs = 8000
const heartbeatMs = 4000

let current: Connection = { isLost: false, answeredAt: Date.now() }
let answeredAt = Date.now()
let trying: Promise<void> | undefined
/** Ends the current attempt and the pause after it. */
let attempt = new AbortController()
const listeners = new Set<() => void>()

/** Returns the state of the connection; the same object as long as it is the same state. */
export const connection = (): Connection => current

/** Calls the listener whenever the connection is lost or is back; returns the end of that. */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Sends a request. Any response of the panel proves the connection; a network error starts the retries. */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(url, init)
    if (isOfPanel(answer)) answered()
    else doubt()
    return answer
  } catch (error) {
    if (error instanceof TypeError) doubt()
    throw error
  }
}

/** Begins the next attempt at once, also where the current one still waits for a response. */
export const tryNow = (): void => attempt.abort()

/** Loads a part of the panel; while the panel cannot be reached, waits for it. */
export async function loaded<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    if (await answers()) throw error
    doubt()
    await trying
    return load()
  }
}

/** Asks for a sign of life while a visible page has sent nothing for a while. */
export function watchConnection(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible' && Date.now() - answeredAt > quietMs) doubt()
  }, heartbeatMs)
  addEventListener('offline', doubt)
  addEventListener('online', tryNow)
  document.addEventListener('visibilitychange', tryNow)
}

function doubt(): void {
  trying ??= tryUntilAnswered().finally(() => (trying = undefined))
}

async function tryUntilAnswered(): Promise<void> {
  for (let count = 0; ; count++) {
    attempt = new AbortController()
    if (await answers(attempt.signal)) return answered()
    if (attempt.signal.aborted) continue
    if (!current.isLost) become({ isLost: true, answeredAt })
    await pause(pausesMs[Math.min(count, pausesMs.length - 1)] as number, attempt.signal)
  }
}

async function answers(end?: AbortSignal): Promise<boolean> {
  const limit = AbortSignal.timeout(probeMs)
  const signal = end ? AbortSignal.any([end, limit]) : limit
  const answer = await fetch('/healthz', { cache: 'no-store', signal }).catch(() => undefined)
  return answer !== undefined && isOfPanel(answer)
}

/** A proxy in front of a stopped panel answers in its place, and not in JSON. */
const isOfPanel = ({ status, headers }: Response): boolean =>
  ![502, 503, 504].includes(status) || Boolean(headers.get('content-type')?.startsWith('application/json'))

function answered(): void {
  answeredAt = Date.now()
  if (current.isLost) become({ isLost: false, answeredAt })
}

function become(next: Connection): void {
  current = next
  for (const listener of listeners) listener()
}

function pause(ms: number, end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    end.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
