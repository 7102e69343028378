import { setFlagsFromString } from 'node:v8'

// Imported before the panel is read, as it acts on what is allocated from then on.
//
// Every 64 KiB that a socket reads is a buffer outside of the heap, freed by the next collection of the young generation. Left to itself,
// V8 lets that generation grow, so that such collections are rare, and answers more than 64 MB of memory outside with collections of the
// whole heap, without end while a transfer lasts: two thirds of its time went there. So the young generation keeps its first size, 1 MB, and
// memory outside counts as a part of the heap, whose limit follows what is used.
for (const flag of ['--semi-space-growth-factor=1', '--external-memory-accounted-in-global-limit', '--external-memory-max-growing-factor=16'])
  setFlagsFromString(flag)
