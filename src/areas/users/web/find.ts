import type { FindObjects } from '../../../web/area-pages.ts'
import { run } from '../../../web/client.ts'
import { users } from './api.ts'

/** Finds panel users by a part of their e-mail address, name or Linux account. */
export const findUsers: FindObjects = async (search, signal) => {
  const page = await run(users.listUsers({ query: { search, per_page: 5, sort: 'email' } }), signal)
  return page.items.map(({ id, email, fullname }) => ({ title: email, note: fullname, to: `/users/${id}` }))
}
