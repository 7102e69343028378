import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { connectProblems } from '../../host/connect/index.ts'
import { openLagHistory } from './lag.ts'
import { openPulse } from './pulse.ts'

/** A server with its role, and what the panel does to it. */
class Machine {
  role: 'primary' | 'replica' | undefined
  followers = 1
  /** What it follows; null for none. */
  primaryId: number | null = null
  failure: Error | undefined
  readonly done: string[] = []
  readonly warned: string[] = []
  readonly lags = openLagHistory()

  private note(what: string): void {
    if (this.failure) throw this.failure
    this.done.push(what)
  }

  /** The area over this server. */
  open() {
    const tool = {
      listFollowers: async () => {
        this.note('look')
        return Array.from({ length: this.followers })
      },
      readReplica: async () =>
        this.primaryId === null ? undefined : { primaryId: this.primaryId, lagSeconds: 4 },
      makeHeartbeatTable: async () => this.note('make'),
      readPosition: async () => ({ serverId: 21 }),
      writeHeartbeat: async ({ serverId }: { readonly serverId: number }) => this.note(`beat ${serverId}`),
      readHeartbeat: async () => {
        this.note('read')
        return undefined
      },
    }
    const queries = { role: async () => this.role && { role: this.role } }
    const log = { warn: (_fields: object, message: string) => void this.warned.push(message) }
    return { tool, queries, log, lags: this.lags } as never
  }
}

/** Opens the pulse of a server. What it returns lets so many seconds pass, and tells what was done in them. */
function begin(machine: Machine) {
  const { work, failed } = openPulse(machine.open())
  return async (seconds: number) => {
    machine.done.length = 0
    for (let second = 0; second < seconds; second += 1) await work().catch(failed)
    return machine.done.filter((each) => each !== 'make').join(', ')
  }
}

describe('the heartbeat of replication', () => {
  test('is written by a primary each second while a replica follows', async () => {
    const machine = new Machine()
    machine.role = 'primary'
    const pass = begin(machine)
    assert.equal(await pass(3), 'look, beat 21, beat 21, beat 21')
    machine.followers = 0
    assert.equal(await pass(3), 'beat 21, beat 21, look')
    assert.equal(await pass(4), '')
    machine.followers = 1
    assert.equal(await pass(2), 'look, beat 21, beat 21')
    machine.role = undefined
    assert.equal(await pass(5), '')
  })

  test('is not written where somebody has the primary follow another server', async () => {
    const machine = new Machine()
    Object.assign(machine, { role: 'primary', primaryId: 5 })
    assert.equal(await begin(machine)(6), 'look, look')
  })

  test('is read on a replica, where nothing is written, and its lag is recorded until its role ends', async () => {
    const machine = new Machine()
    Object.assign(machine, { role: 'replica', primaryId: 5 })
    const pass = begin(machine)
    assert.equal(await pass(16), 'read, read')
    assert.deepEqual(
      machine.lags.list(new Date()).map(({ seconds }) => seconds),
      [4, 4],
    )
    machine.role = undefined
    assert.equal(await pass(15), '')
    assert.deepEqual(machine.lags.list(new Date()), [])
  })

  test('is tried again after a failure, which is logged once; a server that is stopped is none', async () => {
    const machine = new Machine()
    machine.role = 'primary'
    machine.failure = new Error('refused')
    const pass = begin(machine)
    await pass(11)
    assert.equal(machine.warned.length, 1)
    machine.failure = connectProblems.NotAnswering('MariaDB cannot be reached')
    await pass(10)
    assert.equal(machine.warned.length, 1)
    machine.failure = undefined
    assert.match(await pass(5), /^look, beat 21/)
  })
})
