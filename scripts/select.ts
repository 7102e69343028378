import { describeSelection, isSelected } from './selection.ts'

// node scripts/run.mjs scripts/select.ts: prints which suites and parts the gate runs for this commit, and why.
// node scripts/run.mjs scripts/select.ts --part mutate|generators: exits with 3 if the part may be left out.
// Another exit code selects it, so that an error here leaves nothing out.
const [option, part] = process.argv.slice(2)
if (option === undefined) process.stdout.write(`${describeSelection()}\n`)
else if (option === '--part' && (part === 'mutate' || part === 'generators'))
  process.exitCode = isSelected(part) ? 0 : 3
else process.exitCode = 2
