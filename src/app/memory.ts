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

// The start is one long turn of promises. In about half of the starts V8 replaced the loop of Node that runs them while it ran, which maps
// 5 MB of the optimising compiler for a loop that does not return. Later, loops are replaced as usual.
const startMs = 5000
setFlagsFromString('--no-use-osr')
setTimeout(() => setFlagsFromString('--use-osr'), startMs).unref()

// V8 collects when memory is asked for: a panel that has come to rest would keep the garbage of its last work. It is collected once, when next to
// no time of the processor was used for some seconds after real work. After load the panel keeps 7 MB less for that.
const restMs = 5000
const busyMs = 500
const idleMs = 100
setFlagsFromString('--expose-gc')
const collect: (options: object) => unknown = runInNewContext('gc')
setFlagsFromString('--no-expose-gc')
const used = () => process.cpuUsage().user / 1000
let before = 0
let collectedAt = 0
setInterval(() => {
  const now = used()
  if (now - before < idleMs && now - collectedAt > busyMs) {
    collect({ type: 'major', execution: 'async', flavor: 'last-resort' })
    collectedAt = used()
  }
  before = now
}, restMs).unref()
