import { readFileSync } from 'node:fs'

// Preloaded into a panel under test: moves its time of day by the milliseconds that a file says, while it runs.
const Real = Date
const path = process.env['MOVED_CLOCK_FILE'] as string
const read = () => Number(readFileSync(path, 'utf8'))
let offsetMs = read()
setInterval(() => void (offsetMs = read()), 20).unref()

globalThis.Date = class extends Real {
  constructor(...given: readonly unknown[]) {
    super(...((given.length === 0 ? [Real.now() + offsetMs] : given) as [number]))
  }

  static override now = () => Real.now() + offsetMs
} as DateConstructor
