import Type from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { Secret } from '../../core/schemas.ts'
import { type Partner, work } from './context.ts'
import { isSameHost } from './partner-api.ts'
import { AlreadyInstalled } from './problems.ts'
import { gateways } from './store.ts'

/** Held by whatever changes the installed gateway. */
export const gatewayLock = singleLock('aipartner-gateway')

const Installation = Type.Object({
  token: Secret({ maxLength: 1000 }),
  version: Type.String({ maxLength: 50 }),
  url: Type.String({ maxLength: 2000 }),
  sha256: Type.String({ maxLength: 64 }),
})

const Installed = Type.Object({ installed: Type.Literal(true) })

/** Downloads the gateway and has PM2 run it. The partner's answer to the request is its input: it may have waited. */
export const installing = work({
  kind: 'aipartner.install',
  lane: 'network',
  input: Installation,
  reply: Installed,
  timeoutMs: 600_000,
  attempts: 1,
  resumes: false,
  decide: ({ input, now, aipartner }) => install(aipartner, input, now),
})

interface Input {
  readonly token: string
  readonly version: string
  readonly url: string
  readonly sha256: string
}

async function install(
  { store, queries, server, pm2 }: Partner,
  { token, version, url, sha256 }: Input,
  now: Date,
): Promise<Change<{ installed: true }>> {
  if ((await queries.gateway()) !== undefined) throw AlreadyInstalled()
  const { makeAccount, placeProgram, switchService } = pm2.steps
  const may_be_internal = isSameHost(url, server.url)
  const row = gateways.row({
    id: 1,
    sealed_token: store.seal(token),
    version,
    installed_at: now.toISOString(),
  })
  return change({
    summary: `Install the gateway ${version} of the AI partner`,
    locks: [gatewayLock],
    steps: [
      step(makeAccount, null),
      step(placeProgram, { token, version, url, sha256, may_be_internal, api_url: server.url }),
      step(switchService, { verb: 'enable' }),
      step(switchService, { verb: 'start' }),
    ],
    rows: [gateways.insert(row)],
    reply: { installed: true as const },
  })
}
