import assert from 'node:assert/strict'
import type { SignedIn } from './signed-in.ts'

/** A change of a user as both panels know it: by the order in which the users were made. */
export type UserChange = readonly [method: string, user: number, text: string]

interface Made {
  readonly id: number
  readonly number: number
}

/** Creates, changes and deletes users of a panel at random, the same way for one seed, and keeps what was done. */
export class RandomChanges {
  readonly done: UserChange[] = []
  #made = 0
  #left: readonly Made[] = []
  readonly #draw: () => number

  constructor(seed: number) {
    this.#draw = randomOf(seed)
  }

  /** Makes one change. */
  async make(admin: SignedIn): Promise<void> {
    const dice = this.#draw()
    const chosen = this.#left[Math.floor(this.#draw() * this.#left.length)]
    if (chosen === undefined || dice < 0.4) return this.#create(admin)
    if (dice < 0.85) return this.#edit(admin, chosen)
    await admin.must('DELETE', `/api/users/${chosen.id}`)
    this.#left = this.#left.filter((each) => each !== chosen)
    this.done.push(['DELETE', chosen.number, ''])
  }

  async #create(admin: SignedIn): Promise<void> {
    const email = this.#nextEmail()
    const { id } = await admin.must('POST', '/api/users', {
      ...{ email, fullname: `User ${this.#made}`, password: 'a password of a round' },
    })
    this.#left = [...this.#left, { id, number: this.#made }]
    this.done.push(['POST', this.#made, email])
    this.#made++
  }

  /** The address too, by which the other panel finds the user. */
  async #edit(admin: SignedIn, { id, number }: Made): Promise<void> {
    const email = this.#nextEmail()
    const body = this.#draw() < 0.3 ? { email } : { fullname: `Change ${this.done.length}` }
    await admin.must('PATCH', `/api/users/${id}`, body)
    this.done.push(['PATCH', number, Object.values(body).join()])
  }

  readonly #nextEmail = () => `round-${this.done.length}@example.com`
}

/** The changes of users in the activity of a panel after an entry, in their order; without a source, its own. */
export async function changesAfter(on: SignedIn, after: number, source?: string): Promise<UserChange[]> {
  const entries = (await activityAfter(on, after)).filter(
    ({ request, status, path }) =>
      request.source === source && status === 'ok' && /^\/api\/users(\/\d+)?$/.test(path),
  )
  // a panel numbers its users in the order in which they are made
  const left = (await usersOf(on)).map(({ id }) => id)
  const ended = entries.filter(({ method }) => method === 'DELETE').map(({ path }) => idIn(path))
  const numbers = [...left, ...ended].toSorted((one, other) => one - other)
  let made = 0
  return entries.map(({ method, path, request: { body = {} } }) => {
    if (method === 'POST') return [method, made++, body.email]
    const text = method === 'PATCH' ? (body.email ?? body.fullname) : ''
    return [method, numbers.indexOf(idIn(path)), text]
  })
}

const idIn = (path: string): number => Number(path.split('/').at(-1))

/** The id of the newest entry of the activity. */
export async function newestEntry(on: SignedIn): Promise<number> {
  return (await on.must('GET', '/api/activity?limit=1')).items[0]?.id ?? 0
}

/** All entries of the activity after one, the oldest first. */
export async function activityAfter(on: SignedIn, after: number): Promise<any[]> {
  const found: any[] = []
  for (let cursor = ''; ;) {
    const { items, next_cursor } = await on.must('GET', `/api/activity?limit=100${cursor}`)
    found.push(...items)
    if (next_cursor === null || next_cursor <= after) break
    cursor = `&cursor=${next_cursor}`
  }
  return found.filter(({ id }) => id > after).toReversed()
}

/** The users that were made at random and are left. */
export async function usersOf(on: SignedIn): Promise<{ id: number; email: string; fullname: string }[]> {
  const { items, total } = await on.must('GET', '/api/users?per_page=200&sort=id&search=round-')
  assert.equal(items.length, total)
  return items
}

/** Numbers from 0 to 1, the same for one seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
