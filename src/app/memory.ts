import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Imported before the panel is read, as it acts on what is allocated from then on.
//
// Every 64 KiB that a socket reads is a buffer outside of the heap, freed by the next collection of the young generation. V8 counts them with
// the old generation, and collects the whole heap when what came since the last time exceeds what the heap may grow by: by itself 8 MiB, less
// than a young generation holds of buffers. So each transfer was an endless row of such collections, which took three quarters of its time.
// Here the young generation keeps its first size, 1 MiB with some 12 MiB of buffers, and the heap may grow by 60 % of its size, some 18 MiB.
// By 50 % it collects too often again, and downloads take half as long again; by 70 % the panel keeps 2 MB more after load, by 100 % 6 MB.
for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=60']) setFlagsFromString(flag)

// The optimising compilers of V8 take 12 MB from their first run on: their pages of Node, what they allocate, and the code that they make. A start
// runs most of its code once, and a panel at rest next to none: they wait for work that lasts. Replacing a running loop waits with them.
const startMs = 5000
const workMs = 300
const lookMs = 1000
const compilers = ['opt', 'maglev', 'use-osr']

let isInWork = false

/** Has V8 optimise what runs often. */
export function asInWork(): void {
  isInWork = true
  for (const flag of compilers) setFlagsFromString(`--${flag}`)
}

function asAtStart(): void {
  for (const flag of compilers) setFlagsFromString(`--no-${flag}`)
}

/** Runs what keeps the code of a start: V8 takes it again only with the flags that were set then. */
export function withFlagsOfStart(keep: () => void): void {
  asAtStart()
  keep()
  if (isInWork) asInWork()
}

asAtStart()
setTimeout(() => {
  let before = used()
  const looking = setInterval(() => {
    const now = used()
    if (now - before > workMs) {
      asInWork()
      clearInterval(looking)
    }
    before = now
  }, lookMs).unref()
}, startMs).unref()

// V8 collects when memory is asked for: a panel that has come to rest would keep the garbage of its last work. It is collected once, when next to
// no time of the processor was used for some seconds after real work. After load the panel keeps 7 MB less for that. The first time, code that has
// not run since goes too: what declares all endpoints runs once.
const restMs = 3000
const busyMs = 500
const idleMs = 60
const idleAfterStartMs = 300
setFlagsFromString('--expose-gc')
const collect: (options: object) => Promise<unknown> = runInNewContext('gc')
setFlagsFromString('--no-expose-gc')
let before = 0
let collectedAt = 0
const beforeFirst: (() => void)[] = []

/** Has something done while all code of the start is still there. */
export function beforeFirstCollection(run: () => void): void {
  beforeFirst.push(run)
}

setInterval(() => {
  const now = used()
  const isFirst = collectedAt === 0
  const isDue = isFirst
    ? now - before < idleAfterStartMs
    : now - before < idleMs && now - collectedAt > busyMs
  if (isDue) void collectAll(isFirst)
  before = now
}, restMs).unref()

async function collectAll(isFirst: boolean): Promise<void> {
  if (isFirst) for (const run of beforeFirst.splice(0)) run()
  if (isFirst) setFlagsFromString('--bytecode-old-age=1')
  await collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
  if (isFirst) setFlagsFromString('--bytecode-old-age=6')
  collectedAt = used()
}

function used(): number {
  return process.cpuUsage().user / 1000
}
