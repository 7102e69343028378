import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../../test/support/until.ts'
import { inUnit } from './lasting.ts'
import { run } from './run.ts'

test('a lasting command returns its status and output, up to the limit', async () => {
  const script = 'echo out; echo err >&2; exit 3'
  const { code, stdout, stderr, isCut } = await run(['sh', '-c', script], { isLasting: true })
  assert.deepEqual([code, stdout, stderr, isCut], [3, 'out\n', 'err\n', false])
  const cut = await run(['sh', '-c', script], { isLasting: true, maxBytes: 2 })
  assert.deepEqual([cut.stdout, cut.isCut], ['ou', true])
  assert.equal((await run(['no-such-program-here'], { isLasting: true })).code, 127)
  assert.equal((await run(['sleep', '60'], { isLasting: true, timeoutMs: 20 })).code, 124)
})

test(
  'a lasting command passes on its lines while it runs, up to the limit',
  { timeout: 300_000 },
  async (t) => {
    const directory = mkdtempSync('/tmp/hostreeve-lasting-')
    t.after(() => rmSync(directory, { recursive: true }))
    const script =
      'cd "$1"; printf "5%%\\r100%%\\nunfinished"; echo warning >&2; until [ -e go ]; do sleep 0.02; done; echo " line"'
    const lines: string[] = []
    const argv = ['sh', '-c', script, 'sh', directory] as const
    const ended = run(argv, { isLasting: true, onLine: (line) => lines.push(line) })
    await until(() => lines.includes('warning'))
    assert.deepEqual(lines, ['100%', 'warning'])
    writeFileSync(`${directory}/go`, '')
    assert.equal((await ended).stdout, '5%\r100%\nunfinished line\n')
    assert.deepEqual(lines, ['100%', 'warning', 'unfinished line'])
    const cut: string[] = []
    await run(['sh', '-c', 'echo 1; echo 2; echo 345'], {
      isLasting: true,
      maxBytes: 5,
      onLine: (line) => cut.push(line),
    })
    assert.deepEqual(cut, ['1', '2', '3'])
  },
)

test('a lasting command goes on, and writes on, when the process that runs it is killed', async (t) => {
  const directory = mkdtempSync('/tmp/hostreeve-lasting-')
  t.after(() => rmSync(directory, { recursive: true }))
  const script = `cd "$1"; echo > started; until [ -e go ]; do sleep 0.02; done; echo a line && echo > done`
  const module = fileURLToPath(new URL('./run.ts', import.meta.url))
  const source = `import { run } from ${JSON.stringify(module)}
    await run(['sh', '-c', ${JSON.stringify(script)}, 'sh', ${JSON.stringify(directory)}], { isLasting: true })`
  const panel = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'ignore' })
  await until(() => existsSync(`${directory}/started`))
  panel.kill('SIGKILL')
  await once(panel, 'exit')
  writeFileSync(`${directory}/go`, '')
  assert.equal(await until(() => existsSync(`${directory}/done`)), true)
})

test('a unit has the environment and the limit of its command, and values never become options', () => {
  const argv = inUnit(['apt-get', 'install', '--', 'nginx'], {
    env: { LC_ALL: 'C', HOSTREEVE_STEP: '7:0' },
    unit: 'hostreeve-step-7-0-a',
    timeoutMs: 1500,
  })
  assert.deepEqual(argv.slice(5), [
    '--unit=hostreeve-step-7-0-a',
    '--property=RuntimeMaxSec=2',
    '--setenv=LC_ALL=C',
    '--setenv=HOSTREEVE_STEP=7:0',
    '--',
    'apt-get',
    'install',
    '--',
    'nginx',
  ])
})
