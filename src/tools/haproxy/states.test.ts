import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HaproxyProgram } from './program.ts'
import { keepStates } from './states.ts'

const head = '1\n# be_id be_name srv_id srv_name srv_addr srv_op_state srv_admin_state\n'

/** A HAProxy whose processes are replaced on request, and which records the commands that set a state. */
function haproxyWith(rows: string) {
  const set: string[] = []
  let heard = Promise.withResolvers<void>()
  const command: HaproxyProgram['command'] = async (_address, line) => {
    if (line === 'show servers state') return head + rows
    set.push(line)
    heard.resolve()
    return '\n'
  }
  const replaceProcesses = () => {
    heard = Promise.withResolvers()
    return heard.promise
  }
  return { set, command, replaceProcesses }
}

const keep = ({ command }: Pick<HaproxyProgram, 'command'>) =>
  keepStates({ command } as HaproxyProgram, async () => undefined)

test('sets states in new processes before the reload is complete, and once more afterwards', async () => {
  const haproxy = haproxyWith('3 shop 1 dead 127.0.0.1 0 1\n3 shop 2 alive 127.0.0.1 2 0\n')
  const keepingStates = await keep(haproxy)
  let whileReloading = 0
  const outcome = await keepingStates(async () => {
    await haproxy.replaceProcesses()
    await haproxy.replaceProcesses()
    whileReloading = haproxy.set.length
    return 'live'
  })
  assert.equal(outcome, 'live')
  assert.ok(whileReloading >= 2)
  assert.ok(haproxy.set.length > whileReloading)
  assert.deepEqual([...new Set(haproxy.set)], ['set server shop/dead state maint'])
  const settled = haproxy.set.length
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(haproxy.set.length, settled)
})

test('sets states after a reload that threw, and passes its error on', async () => {
  const haproxy = haproxyWith('3 shop 1 slow 127.0.0.1 2 8\n')
  const keepingStates = await keep(haproxy)
  await assert.rejects(
    keepingStates(async () => {
      throw new Error('no answer')
    }),
    /no answer/,
  )
  assert.equal(haproxy.set.at(-1), 'set server shop/slow state drain')
})

test('sets nothing if no server was taken out of service', async () => {
  const haproxy = haproxyWith('3 shop 1 alive 127.0.0.1 2 0\n')
  const keepingStates = await keep(haproxy)
  assert.equal(await keepingStates(async () => 'live'), 'live')
  assert.deepEqual(haproxy.set, [])
})
