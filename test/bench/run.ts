import { writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { reportFailures } from '../runner/closing.ts'
import { type Figure, holds, table } from './figures.ts'
import { parts } from './parts.ts'
import { hereAndNow, type MeasuredPart, reportOf } from '../../scripts/benchmark.ts'

// npm run bench [-- --short] [--json=FILE] [--report=FILE] [WORD ...]: measures all parts, or those that a word names.
// npm run bench:report writes docs/benchmark.md, which is to be done on a machine that does nothing else.
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isShort = process.argv.includes('--short')
const fileOf = (option: string) =>
  process.argv.find((word) => word.startsWith(`--${option}=`))?.slice(`--${option}=`.length)

const measured: MeasuredPart[] = []
const broken = new Map<string, string>() // why parts failed; the others, which took long, count none the less
for (const [name, part] of Object.entries(parts)) {
  if (names.length > 0 && !names.includes(name)) continue
  process.stderr.write(`Measuring ${name} …\n`)
  try {
    measured.push({ name, ...part, figures: await part.measure(isShort) })
  } catch (error) {
    broken.set(name, inspect(error))
    process.stderr.write(`${name} could not be measured: ${inspect(error)}\n`)
  }
}
const figures: readonly Figure[] = measured.flatMap((part) => part.figures)
process.stdout.write(`${table(figures, isShort)}\n`)
const [jsonFile, reportFile] = [fileOf('json'), fileOf('report')]
const json = JSON.stringify(
  { isShort, node: process.version, at: new Date().toISOString(), figures },
  null,
  2,
)
if (jsonFile) writeFileSync(jsonFile, `${json}\n`)
else if (!reportFile) process.stdout.write(`${json}\n`)
if (reportFile)
  writeFileSync(reportFile, reportOf(measured, { isShort, broken: [...broken.keys()], ...hereAndNow() }))
const missed = figures.filter((figure) => !holds(figure, isShort))
reportFailures([
  ...Array.from(broken, ([name, why]) => `${name}: ${why}`),
  ...(missed.length > 0 ? [table(missed, isShort)] : []),
])
if (missed.length > 0)
  process.stderr.write(`${missed.length} of ${figures.length} figures miss their bound\n`)
process.exit(missed.length + broken.size === 0 && figures.length > 0 ? 0 : 1)
