import { createHash } from 'node:crypto'
import { admit } from '../../src/surfaces/http/authenticate.ts'
import { insertRow } from '../../src/store/rows.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { type Figure, median } from './figures.ts'

/** The cost of authorising a request, relative to one SHA-256, and of a page of 10,000 users, relative to 100. */
export async function measureIdentity(isShort: boolean): Promise<readonly Figure[]> {
  const panel = await openTestPanel({ isMeasured: true })
  try {
    const rounds = isShort ? 11 : 31
    return [await authorisation(panel, rounds), await userPages(panel, rounds)]
  } finally {
    await panel.close()
  }
}

const requests = 50_000

async function authorisation(panel: TestPanel, rounds: number): Promise<Figure> {
  const { token } = await panel.person({ permissions: ['websites_management'] })
  const route = panel.routes.find(({ name }) => name === 'listWebsites')
  if (route === undefined) throw new Error('there is no route listWebsites')
  const request = { headers: { authorization: `Bearer ${token}` }, query: {} } as never
  const visitor = { ip: '192.0.2.1', userAgent: 'bench', requestId: 'bench-1' }
  await admit(route, request, visitor, panel.gates) // from now on, the caller is remembered
  const pairs = Array.from({ length: rounds }, () => ({
    hash: microsOf(() => createHash('sha256').update(token).digest('base64url')),
    admit: microsOf(() => admit(route, request, visitor, panel.gates)),
  }))
  return {
    what: 'authorise a request / SHA-256 of its token',
    value: median(pairs.map((pair) => pair.admit / pair.hash)),
    unit: 'x',
    bound: 2,
    loose: 4,
    detail: `${median(pairs.map((pair) => pair.admit)).toFixed(2)} µs of CPU a request`,
  }
}

/** Microseconds of CPU that a call takes. */
function microsOf(call: () => unknown): number {
  const before = process.cpuUsage()
  for (let done = 0; done < requests; done++) call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requests
}

async function userPages(panel: TestPanel, rounds: number): Promise<Figure> {
  await addUsers(panel, 100)
  const few = median(await pageMs(panel, rounds))
  await addUsers(panel, 9900)
  const many = median(await pageMs(panel, rounds))
  return {
    what: 'page of 500 users of 10,000 / all of 100',
    value: many / few,
    unit: 'x',
    bound: 8,
    loose: 12,
    detail: `${many.toFixed(1)} ms a page`,
  }
}

async function pageMs(panel: TestPanel, rounds: number): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    const { status } = await panel.request('GET', '/api/users?per_page=500&sort=-email', { as: panel.admin })
    if (status !== 200) throw new Error(`the list of users answered ${status}`)
    times.push(performance.now() - startedAt)
  }
  return times
}

async function addUsers({ store }: TestPanel, count: number): Promise<void> {
  const at = new Date().toISOString()
  const rows = Array.from({ length: count }, () => {
    const id = store.nextId('users')
    return insertRow('users', {
      id,
      email: `person-${id}@bench.example`,
      time_zone: null,
      fullname: `Person ${id}`,
      username: `u${id}`,
      password_hash: '',
      is_admin: 0,
      is_suspended: 0,
      created_at: at,
      updated_at: at,
      revision: 1,
    })
  })
  for (let done = 0; done < count; done += 500)
    await store.transaction((tx) => store.write(tx, rows.slice(done, done + 500)))
}
