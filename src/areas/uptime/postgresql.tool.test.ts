import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'kysely'
import { type PostgresServer, startPostgresServer } from '../../../test/support/postgresql-server.ts'
import { openStore } from '../../store/store.ts'
import { createUptime } from './migrations/202611280010-uptime.ts'
import { uptimeQueries } from './store.ts'

let server: PostgresServer
before(async () => {
  server = await startPostgresServer()
})
after(() => server.remove())

it('a monitor that was never checked is due before the others, on both stores', async () => {
  await server.query('postgres', 'create database uptime template template0')
  for (const databaseUrl of [undefined, `${server.url}/uptime`]) {
    const store = await openStore({
      migrations: [createUptime],
      now: new Date(),
      ...(databaseUrl && { databaseUrl }),
    })
    for (const id of [1, 2])
      await sql`insert into uptime_monitors values (${id}, 'm', 'http', '', '', '', '', 0, 60, 5, '', '', 0, 0, 1, 0, '', '', '', '', '', '', 1)`.execute(
        store.db,
      )
    await sql`insert into uptime_states (monitor_id, state, is_down, last_check, last_status, last_response_time, last_error, fail_count, total_checks, next_check)
      values (1, 'up', 0, '', 200, 1, '', 0, 1, '2026-01-01T00:00:00.000Z')`.execute(store.db)
    const due = await uptimeQueries(store).due(new Date('2026-01-02T00:00:00Z'), 1, new Set())
    assert.deepEqual(
      due.map(({ id }) => id),
      [2],
    )
    await store.close()
  }
})
