import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../../../test/support/until.ts'
import { run, type RunResult } from '../run.ts'
import { openStepPrograms } from '../step-programs.ts'
import { type Detached, openDetached } from './index.ts'

const programs = openStepPrograms()

function openClocks(t: TestContext) {
  const root = mkdtempSync('/tmp/hostreeve-detached-')
  const clocks = openDetached({ directory: `${root}/clocks`, run, programs, isUnit: false })
  t.after(async () => {
    for (const name of await clocks.names()) await clocks.remove(name)
    rmSync(root, { recursive: true, force: true })
  })
  /** Appends a word to the file of the test. */
  const says = (word: string): readonly [string, ...string[]] => [
    process.execPath,
    '-e',
    'fs.appendFileSync(process.argv[1], process.argv[2])',
    `${root}/said`,
    `${word} `,
  ]
  const said = () => (existsSync(`${root}/said`) ? readFileSync(`${root}/said`, 'utf8').trim() : '')
  return { root, clocks, says, said }
}

const inMs = (ms: number): Date => new Date(Date.now() + ms)
/** Each test has its own clocks, but they share the processes of the machine. */
let count = 0
const fresh = (): string => `test-${process.pid}-${++count}`

type Argv = readonly [string, ...string[]]
type Commands = (name: string) => Readonly<Record<number, Argv>>

/** Starts a clock with its commands; a machine too busy for the delay gets twice as much. */
async function startArmed(clocks: Detached, delayMs: number, commands: Commands) {
  const name = fresh()
  const deadline = inMs(delayMs)
  await clocks.start(name, deadline)
  for (const [index, argv] of Object.entries(commands(name)))
    if (!(await clocks.arm(name, Number(index), argv))) {
      await until(async () => (await clocks.state(name)) === 'done')
      await clocks.remove(name)
      return startArmed(clocks, 2 * delayMs, commands)
    }
  return { name, deadline }
}

describe('a clock', { timeout: 300_000 }, () => {
  it('runs its commands at the deadline, the latest first, also after one that fails', async (t) => {
    const { clocks, says, said } = openClocks(t)
    const { name } = await startArmed(clocks, 400, (own) => ({
      2: says(`first of ${own}`),
      9: ['no-such-program-here'],
      10: says(`tenth; $(exit) of ${own}`),
    }))
    await until(async () => (await clocks.state(name)) === 'done')
    assert.equal(said().endsWith(`tenth; $(exit) of ${name} first of ${name}`), true, said())
    assert.equal(await clocks.arm(name, 11, says('late')), false)
    assert.equal(await clocks.disarm(name, 'confirmed'), false)
    await until(async () => !(await clocks.isRunning(name)))
    await clocks.remove(name)
    assert.deepEqual(await clocks.names(), [])
  })

  it('that is disarmed runs nothing, and ends when it is removed', async (t) => {
    const { clocks, says, said } = openClocks(t)
    const { name } = await startArmed(clocks, 60_000, () => ({ 0: says('struck') }))
    assert.deepEqual([await clocks.state(name), await clocks.isRunning(name)], ['armed', true])
    assert.equal(await clocks.disarm(name, 'confirmed'), true)
    assert.equal(await clocks.disarm(name, 'cancelled'), false)
    assert.deepEqual([await clocks.state(name), said()], ['confirmed', ''])
    await clocks.remove(name)
    await until(async () => !(await clocks.isRunning(name)))
  })

  it('is won by exactly one side', async (t) => {
    const { clocks, says, said } = openClocks(t)
    for (let round = 0; round < 6; round++) {
      const { name, deadline } = await startArmed(clocks, 400, (own) => ({ 0: says(own) }))
      await until(() => Date.now() >= deadline.getTime() - (round % 3), { everyMs: 1 })
      const isFirst = await clocks.disarm(name, 'confirmed')
      await until(async () => !(await clocks.isRunning(name)))
      assert.equal(await clocks.state(name), isFirst ? 'confirmed' : 'done')
      assert.equal(said().includes(name), !isFirst)
    }
  })

  it('strikes although the process that started it was killed', async (t) => {
    const { root, clocks, says, said } = openClocks(t)
    const name = fresh()
    const source = `
      import { openDetached } from ${JSON.stringify(fileURLToPath(new URL('./index.ts', import.meta.url)))}
      import { openStepPrograms } from ${JSON.stringify(fileURLToPath(new URL('../step-programs.ts', import.meta.url)))}
      const directory = ${JSON.stringify(`${root}/clocks`)}
      const clocks = openDetached({ directory, run: undefined, programs: openStepPrograms(), isUnit: false })
      await clocks.start(${JSON.stringify(name)}, new Date(Date.now() + 10_000))
      await clocks.arm(${JSON.stringify(name)}, 0, ${JSON.stringify(says('alone'))})
      process.kill(process.pid, 'SIGKILL')`
    const panel = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'inherit' })
    assert.deepEqual(await once(panel, 'exit'), [null, 'SIGKILL'])
    assert.deepEqual([await clocks.state(name), said()], ['armed', ''])
    await until(async () => (await clocks.state(name)) === 'done')
    assert.equal(said(), 'alone')
  })

  it('is readable by root alone', async (t) => {
    const { root, clocks, says } = openClocks(t)
    await startArmed(clocks, 60_000, () => ({ 0: says('secret') }))
    const listed = await run(['sh', '-c', 'find "$1" -printf "%M %P\\n" | sort', 'sh', `${root}/clocks`])
    const modes = listed.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0])
    assert.deepEqual(modes, ['-rw-------', 'drwx------', 'drwx------'])
  })
})

describe('a clock of systemd', () => {
  const openUnits = (t: TestContext, result: Partial<RunResult>) => {
    const directory = mkdtempSync('/tmp/hostreeve-detached-')
    t.after(() => rmSync(directory, { recursive: true }))
    const ran: (readonly string[])[] = []
    const scripted = async (argv: readonly string[]): Promise<RunResult> => {
      ran.push(argv)
      return { code: 0, stdout: '', stderr: '', isCut: false, durationMs: 1, ...result }
    }
    return { directory, ran, clocks: openDetached({ directory, run: scripted, programs, isUnit: true }) }
  }

  it('that systemd refuses is not armed, and its reason is told', async (t) => {
    const { directory, ran, clocks } = openUnits(t, { code: 1, stderr: 'Unit is masked\n' })
    await assert.rejects(clocks.start('change-7', new Date(5000)), /change-7 did not start: Unit is masked/)
    assert.deepEqual(readdirSync(directory), ['change-7.undone'])
    const [argv = []] = ran
    assert.deepEqual(argv.slice(0, 4), ['systemd-run', '--quiet', '--collect', '--property=Type=exec'])
    assert.match(argv[4] ?? '', /^--unit=hostreeve-clock-[0-9a-f]{8}-change-7$/)
    assert.ok(argv.includes(`--setenv=HOSTREEVE_STEP=clock:${directory}/change-7`))
    const command = argv.slice(argv.indexOf('--') + 1)
    assert.deepEqual([command[0], ...command.slice(2)], [process.execPath, `${directory}/change-7`, '5000'])
  })
})
