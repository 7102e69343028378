/** A panel that carries out a change of each kind at one moment and kills itself: `node killed-panel.fixture.ts DIRECTORY WRITE`. */
import { openFaultBench } from './bench.ts'
import { changeKinds } from './kinds.ts'

const [, , directory, lastWrite] = process.argv as string[]
const bench = await openFaultBench(directory!)
for (const kind of changeKinds) await kind.prepare?.(bench, 0)
let written = 0
bench.writes.intercept = (_sql, carryOut) => {
  if (++written > Number(lastWrite)) process.kill(process.pid, 'SIGKILL')
  carryOut()
}
await Promise.all(changeKinds.map((kind, at) => kind.ask(bench, kind.prepare ? 0 : 1, `key-${at}`)))
