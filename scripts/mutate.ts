import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Mutation, mutations } from './mutations.ts'

// npm run mutate [-- WORD ...]: applies each mutation to a copy of the tree and runs the policies with the
// area's own tests. Prints what caught it, or SURVIVED; exits with 1 when one survives. Snapshots are not
// run: they are rewritten with the code.
const root = fileURLToPath(new URL('..', import.meta.url))
const limitMs = 300_000
const lanes = 2
const copied = [
  'src',
  'scripts',
  'test/forms',
  'test/hosts',
  'test/policies',
  'test/support',
  'package.json',
  'tsconfig.json',
]

interface Ran {
  /** null: killed at the limit. */
  readonly code: number | null
  readonly text: string
}

interface Outcome {
  readonly isCaught: boolean
  readonly text: string
  readonly ms: number
}

const filters = process.argv.slice(2)
const chosen = mutations.filter(
  ({ title }) => filters.length === 0 || filters.some((word) => title.includes(word)),
)
// the rules about sources are slower than those about declarations: a mutation that they must notice names
// them
const policies = globSync('test/policies/{contract,failure-tests,route-policies,steps}.test.ts', {
  cwd: root,
})
const copies = Array.from({ length: lanes }, copyTree)
try {
  process.exitCode = (await main()) ? 0 : 1
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
}

async function main(): Promise<boolean> {
  const tests = [...new Set(chosen.flatMap((mutation) => mutation.tests))]
  const { code, text } = await runTests(copies[0] as string, [...policies, ...tests])
  if (code !== 0) {
    process.stdout.write(`the tests fail without a mutation: ${text}\n`)
    return false
  }
  const waiting = [...chosen]
  const outcomes: Outcome[] = []
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const outcome = await attempt(copy, next)
        outcomes.push(outcome)
        process.stdout.write(lineOf(next, outcome))
      }
    }),
  )
  const caught = outcomes.filter(({ isCaught }) => isCaught).length
  process.stdout.write(`\n${caught} of ${chosen.length} mutations are caught\n`)
  return caught === chosen.length && chosen.length > 0
}

function lineOf({ title }: Mutation, { isCaught, text, ms }: Outcome): string {
  const verdict = isCaught ? 'caught  ' : 'SURVIVED'
  return `${verdict} ${title.padEnd(52)} ${(ms / 1000).toFixed(1)} s  ${text}\n`
}

async function attempt(copy: string, { file, from, to, tests }: Mutation): Promise<Outcome> {
  const startedAt = performance.now()
  const path = join(copy, file)
  const original = readFileSync(path, 'utf8')
  if (original.split(from).length !== 2)
    return { isCaught: false, text: `${file} does not contain it once`, ms: 0 }
  writeFileSync(
    path,
    original.replace(from, () => to),
  )
  try {
    const { code, text } = await runTests(copy, [...policies, ...tests])
    return { isCaught: code === 1, text: text || file, ms: performance.now() - startedAt }
  } finally {
    writeFileSync(path, original)
  }
}

/** Runs test files of a copy: exit code 1 with the title of the first test that fails, 0 when all pass, others when they did not run. */
async function runTests(copy: string, files: readonly string[]): Promise<Ran> {
  const runner = spawn(process.execPath, [join(copy, 'scripts/first-failure.ts'), ...files], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  })
  const said = buffer(runner.stdout)
  const [code] = (await once(runner, 'exit')) as [number | null]
  return { code, text: (await said).toString().trim() }
}

function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'hostreeve-mutate-'))
  for (const path of copied) cpSync(join(root, path), join(copy, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
