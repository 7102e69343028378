import { run } from 'node:test'

// Runs test files in this process and ends with the title of the first test that fails: exit code 1; 0 when all pass, 3 when a file
// cannot be loaded.
const files = process.argv.slice(2)
process.on('uncaughtException', (error) => end(3, String(error)))
const tests = run({ files, isolation: 'none', concurrency: 1, timeout: 180_000 })
tests.on('test:fail', ({ name, details }) => {
  const { failureType } = details.error as { failureType?: string }
  const isFile = files.some((file) => name.endsWith(file))
  if (failureType !== 'subtestsFailed') end(isFile ? 3 : 1, name)
})
tests.on('end', () => end(0, ''))
tests.resume()

let isOver = false
function end(code: number, text: string): void {
  if (isOver) return
  isOver = true
  process.stdout.write(`${text}\n`, () => process.exit(code))
}
