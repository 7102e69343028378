import { setFlagsFromString } from 'node:v8'

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
