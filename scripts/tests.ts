import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const limitMs = 170_000
const testLimitMs = 30_000

/** What `npm test` leaves out, and how to run it. */
const leftOut = [
  ['test/hosts', 'the real programs on throw-away hosts (root, Debian)', 'npm run test:hosts'],
  ['test/browser', 'the panel in Chromium', 'npm run test:browser'],
  ['test/bench', 'costs as ratios', 'npm run bench'],
  ['test/hosts', 'the same with thousands of rounds and a minute of load', 'npm run test:long'],
] as const

/** Runs the unit and policy tests, all or those whose paths hold one of the filters; answers the exit code. */
export async function runTests(filters: readonly string[]): Promise<number> {
  const files = testFiles().filter(
    (file) => filters.length === 0 || filters.some((filter) => file.includes(filter)),
  )
  if (files.length === 0) return refuse(filters)
  const codes = await Promise.all(sharesOf(files).map(runShare))
  process.stdout.write(
    `\nLeft out here:\n${leftOut
      .filter(([folder]) => existsSync(`${root}${folder}`))
      .map(([folder, what, how]) => `  ${folder.padEnd(14)}${what.padEnd(54)}${how}\n`)
      .join('')}`,
  )
  return codes.find((code) => code !== 0) ?? 0
}

/** Which tests run together, by their paths; the others make one more share. Each takes about as long. */
const shares = [
  /^src\/(areas\/filemanager\/(vcs|placing|steps)|host\/owner\/git)\//,
  /^src\/(host\/|tools\/haproxy\/|areas\/filemanager\/[^/]+$)/,
]

// Most of the time goes by waiting for programs that the tests start: three processes need little more than a third of it.
function sharesOf(files: readonly string[]): readonly (readonly string[])[] {
  if (files.length < 20) return [files]
  const shareOf = (file: string) => shares.findIndex((paths) => paths.test(file))
  // a share without files would make the runner look for tests by itself
  return [0, 1, -1]
    .map((share) => files.filter((file) => shareOf(file) === share))
    .filter((share) => share.length > 0)
}

async function runShare(
  files: readonly string[],
  at: number,
  all: readonly (readonly string[])[],
): Promise<number> {
  const options = ['--test', '--test-isolation=none', `--test-timeout=${testLimitMs}`, '--test-reporter=spec']
  const isLast = at === all.length - 1
  const runner = spawn(process.execPath, [...options, ...files], {
    cwd: root,
    stdio: ['ignore', isLast ? 'inherit' : 'pipe', 'inherit'],
  })
  const late = setTimeout(() => {
    process.stderr.write(
      `The tests did not end within ${limitMs / 1000} s: something keeps the process alive\n`,
    )
    runner.kill('SIGKILL')
  }, limitMs)
  const said = runner.stdout === null ? undefined : buffer(runner.stdout)
  const [code] = (await once(runner, 'exit')) as [number | null]
  clearTimeout(late)
  process.stdout.write((await said) ?? '')
  return code ?? 1
}

function testFiles(): readonly string[] {
  const all = globSync('{src,test,scripts}/**/*.test.ts', { cwd: root })
  return all.filter((file) => !leftOut.some(([folder]) => file.startsWith(`${folder}/`))).toSorted()
}

function refuse(filters: readonly string[]): number {
  process.stderr.write(`no test file's path holds ${filters.join(' or ')}\n`)
  return 2
}
