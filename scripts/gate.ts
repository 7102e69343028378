import { spawn, spawnSync } from 'node:child_process'
import { createWriteStream, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { checkout } from '../test/runner/test-process.ts'
import { renderVerdict } from './verdict.ts'

// npm run gate: runs .ci/run of the committed HEAD in a clean clone, as CI does, and writes the verdict to
// ~/.cache/hostreeve/gate/COMMIT, the whole output to COMMIT.log beside it.
// npm run gate -- --land: then moves main to that commit, if the gate passed and that is a fast-forward.
const verdicts = join(homedir(), '.cache/hostreeve/gate')

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== '--land')) return refuse('the only option is --land')
  const commit = git('rev-parse', '--verify', 'HEAD')
  if (git('status', '--porcelain') !== '')
    process.stderr.write(`gate: what is not committed is not tested: it runs on ${commit}\n`)
  const isLanding = args.includes('--land')
  if (isLanding && !isFastForward(commit)) return refuse(`main does not lead to ${commit}: rebase first`)
  const isPassed = await runGate(commit)
  return isPassed && isLanding ? land(commit) : Number(!isPassed)
}

async function runGate(commit: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'hostreeve-gate-'))
  const startedAt = Date.now()
  try {
    clone(commit, folder)
    const { code, lines } = await runInClone(join(folder, 'main'), commit)
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    const verdict = renderVerdict(code, lines, seconds)
    writeFileSync(join(verdicts, commit), verdict)
    process.stdout.write(`\ngate: ${commit}\n${verdict}`)
    return code === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** CI has a fresh clone whose branch is main, and what several projects share beside it. */
function clone(commit: string, folder: string): void {
  git('clone', '--quiet', '--no-hardlinks', '--no-checkout', checkout, join(folder, 'main'))
  git('-C', join(folder, 'main'), 'checkout', '--quiet', '-B', 'main', commit)
  const shared = join(checkout, '../shared')
  if (existsSync(shared)) cpSync(shared, join(folder, 'shared'), { recursive: true })
}

async function runInClone(
  cwd: string,
  commit: string,
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  mkdirSync(verdicts, { recursive: true })
  const log = createWriteStream(join(verdicts, `${commit}.log`))
  const { HOSTREEVE_ALL: _all, ...environment } = process.env
  const child = spawn('bash', ['.ci/run'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, CI: 'true', PATH: pathOfMachine() },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill(signal))
  child.stderr.on('data', (bytes: Buffer) => void (log.write(bytes), process.stderr.write(bytes)))
  const ended = once(child, 'exit') as Promise<[number | null]>
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    log.write(`${line}\n`)
    process.stdout.write(`${line}\n`)
  }
  const [code] = await ended
  log.end()
  return { code: code ?? 1, lines }
}

/** Without the folders that npm puts in front, so that the clone finds its own programs. */
function pathOfMachine(): string {
  const own = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  return own.join(':')
}

function land(commit: string): number {
  if (!isFastForward(commit)) return refuse(`main moved meanwhile and does not lead to ${commit}: rebase`)
  if (git('rev-parse', '--abbrev-ref', 'HEAD') !== 'main') git('update-ref', 'refs/heads/main', commit)
  process.stdout.write(`gate: main is at ${commit}\n`)
  return 0
}

function isFastForward(commit: string): boolean {
  const { status } = spawnSync('git', ['merge-base', '--is-ancestor', 'main', commit], { cwd: checkout })
  return status === 0
}

function git(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: checkout, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

function refuse(reason: string): number {
  process.stderr.write(`gate: ${reason}\n`)
  return 2
}
