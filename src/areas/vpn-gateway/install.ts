import Type, { type Static } from 'typebox'
import { type Change, change, type Step, step } from '../../core/change.ts'
import { Forbidden } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import { Id } from '../../core/schemas.ts'
import { schedule, scheduleNamed } from '../../jobs/schedules.ts'
import { apiPort, ForeignFiles, headscaleVersion } from '../../tools/headscale/index.ts'
import { type VpnGateway, work } from './context.ts'
import { meshLock } from './locks.ts'
import { VpnInstalled } from './model.ts'
import { findLocalNode } from './nodes.ts'
import { DomainMissing } from './problems.ts'
import { needsKey, renewing } from './renew-key.ts'
import { configurationOf } from './settings.ts'
import { deletedWebsite, findWebsite, madeWebsite } from './website.ts'
import { firstUser } from './users.ts'

const Installation = Type.Object({ website_id: Id })

const joinMinutes = 10

/** Installs the control server, serves it, and joins this host to the mesh; what is there already stays. */
export const installing = work({
  kind: 'vpn-gateway.install',
  input: Installation,
  reply: VpnInstalled,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: async ({ input, caller, now, signal, vpn }) => {
    if (caller === null) throw Forbidden()
    return install(vpn, { ...input, caller, now, signal })
  },
})

async function install(
  on: VpnGateway,
  making: Parameters<typeof madeWebsite>[2],
): Promise<Change<Static<typeof VpnInstalled>>> {
  const settings = await on.queries.settings()
  const { domain } = settings
  if (domain === null)
    throw DomainMissing('domain: set the name by which nodes reach this host first, such as vpn.example.com')
  const isServed = (await findWebsite(on, settings)) !== undefined
  const website = isServed ? undefined : await madeWebsite(on, { ...settings, domain }, making)
  return change({
    summary: 'Install the VPN gateway',
    locks: [meshLock, ...(website?.locks ?? [])],
    steps: [
      ...(await programSteps(on)),
      ...(website?.steps ?? []),
      ...(await serverSteps(on, configurationOf(settings), making.now)),
      ...(await nodeSteps(on, making.now)),
    ],
    rows: [
      ...(website?.rows ?? []),
      await on.queries.changed(website ? { website_id: making.website_id } : {}),
      await renewals(on, true),
    ],
    jobs: website?.jobs ?? [],
    reply: {
      success: true,
      message: website
        ? `The control server runs: nodes join at https://${domain} once its website has a certificate`
        : `The control server runs: nodes join at https://${domain}`,
    },
  })
}

/** Both programs are downloaded before anything else, which may fail, begins. */
async function programSteps({
  server,
  client,
  serverBases,
  clientBases,
}: VpnGateway): Promise<readonly Step[]> {
  const hasServer = (await server.installedVersion()) === headscaleVersion
  const hasClient = await client.isUnpacked()
  const [release, archive] = await Promise.all([
    hasServer ? undefined : server.readRelease(serverBases),
    hasClient ? undefined : client.readRelease(clientBases),
  ])
  return [
    ...(release ? [step(server.steps.installProgram, { ...release, bases: serverBases })] : []),
    ...(archive ? [step(client.steps.unpack, { ...archive, bases: clientBases })] : []),
  ]
}

async function serverSteps(
  { server }: VpnGateway,
  configuration: string,
  now: Date,
): Promise<readonly Step[]> {
  const { steps } = server
  return [
    step(steps.writeFiles, { configuration }),
    step(steps.switchProgram, { verb: 'enable' }),
    step(steps.switchProgram, { verb: 'start' }),
    step(steps.awaitAnswer, null),
    ...(needsKey(await server.readStoredKey(), now) ? [step(steps.makePanelKey, null)] : []),
  ]
}

async function nodeSteps(on: VpnGateway, now: Date): Promise<readonly Step[]> {
  const { server, client, nodeName } = on
  const isJoined = await Promise.all([client.readLocalNode(), findLocalNode(on)]).then(
    ([{ state }, node]) => state === 'Running' && node !== undefined, // a deleted node may go on running
    () => false,
  )
  const user = step(server.steps.createUser, { name: firstUser })
  const key = step(server.steps.createPreAuthKey, {
    ...{ user_id: from(user, 'id'), reusable: false, ephemeral: false, tags: [] },
    expires_at: new Date(now.getTime() + joinMinutes * 60_000).toISOString(),
  })
  return [
    user,
    step(client.steps.writeFiles, null),
    step(client.steps.switchProgram, { verb: 'enable' }),
    step(client.steps.switchProgram, { verb: 'start' }),
    step(client.steps.awaitAnswer, null),
    ...(isJoined
      ? []
      : [
          key,
          step(client.steps.join, {
            ...{ server: `http://127.0.0.1:${apiPort}`, hostname: nodeName, key: from(key, 'key') },
          }),
        ]),
  ]
}

/** Nobody's: it goes on when the user who installed the gateway is deleted. */
async function renewals({ store }: VpnGateway, enabled: boolean) {
  const draft = {
    kind: renewing,
    input: {},
    title: 'Renew the API key of the control server',
    cron: '17 3 * * *',
    zone: 'UTC',
    owner: null,
    enabled,
  }
  return schedule(store, renewing.kind, draft, await scheduleNamed(store, renewing.kind))
}

/** Removes both programs with their data, and the website; the settings stay. */
export const uninstalling = work({
  kind: 'vpn-gateway.uninstall',
  input: Type.Object({}),
  reply: VpnInstalled,
  timeoutMs: 600_000,
  attempts: 1,
  resumes: false,
  decide: ({ vpn }) => uninstall(vpn),
})

async function uninstall(on: VpnGateway): Promise<Change<Static<typeof VpnInstalled>>> {
  const { server, client } = on
  const foreign = await server.findForeign()
  if (foreign !== undefined)
    throw ForeignFiles(`${foreign} is not of the panel, which removes only what it has installed`)
  const settings = await on.queries.settings()
  const website = await deletedWebsite(on, settings)
  return change({
    summary: 'Uninstall the VPN gateway',
    locks: [meshLock, ...website.locks],
    steps: [
      ...((await client.hasService()) ? stopped(client.steps.switchProgram) : []),
      ...((await server.hasService()) ? stopped(server.steps.switchProgram) : []),
      ...website.steps,
      step(client.steps.remove, null),
      step(server.steps.remove, null),
    ],
    rows: [...website.rows, await on.queries.changed({ website_id: null }), await renewals(on, false)],
    jobs: website.jobs,
    reply: { success: true, message: 'The mesh, its nodes, keys and policy are gone' },
  })
}

const stopped = (
  kind: VpnGateway['server']['steps']['switchProgram'] | VpnGateway['client']['steps']['switchProgram'],
): readonly Step[] => [step(kind, { verb: 'disable' }), step(kind, { verb: 'stop' })]
