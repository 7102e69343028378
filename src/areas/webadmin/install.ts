import { randomBytes, randomInt } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { Secret } from '../../core/schemas.ts'
import { schedule, scheduleNamed } from '../../jobs/schedules.ts'
import { type WebadminArea, work } from './context.ts'
import { WebadminInstalled } from './model.ts'
import { choosePhp, runningSteps, servingStep, webadminLock } from './serving.ts'
import { type ServedWebadmin, webadmin } from './store.ts'
import { updating } from './update.ts'

const aliasLength = 14
const aliasCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789'

const Installation = Type.Object({
  alias: Type.String({ pattern: '^[a-z0-9]{14}$' }),
  secret: Secret({ maxLength: 32 }),
})

/** Returns the input of an installation: the alias and the secret are drawn once for each request. */
export const draftInstallation = (): Static<typeof Installation> => ({
  alias: Array.from({ length: aliasLength }, () => aliasCharacters[randomInt(aliasCharacters.length)]).join(
    '',
  ),
  secret: randomBytes(24).toString('base64url'), // 32 characters
})

/** Downloads, configures and serves phpMyAdmin, and updates it every month; one that is installed keeps its version, alias and configuration. */
export const installing = work({
  kind: 'webadmin.install',
  input: Installation,
  reply: WebadminInstalled,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: ({ input, webadmin }) => install(webadmin, input),
})

async function install(
  on: WebadminArea,
  { alias, secret }: Static<typeof Installation>,
): Promise<Change<Static<typeof WebadminInstalled>>> {
  const { queries, tool, port, bases } = on
  const [was, versions] = [await queries.served(), await tool.versions()]
  const php_version = await choosePhp(on, was?.php_version)
  const server = await on.serving()
  await server.tool.assertAvailable()
  const kept = versions.find((version) => version === was?.version) ?? versions[0]
  const release = kept === undefined ? await tool.newest(bases) : undefined
  const version = kept ?? release!.version
  const served = { alias: was?.alias ?? alias, version, php_version, port }
  return change({
    summary: 'Install phpMyAdmin',
    locks: [webadminLock],
    steps: [
      ...(release === undefined ? [] : [step(tool.steps.unpack, { ...release, bases })]),
      ...(await runningSteps(on, php_version, secret)),
      servingStep(on, server, served),
    ],
    rows: [rowOf(was, served), await monthly(on)],
    reply: {
      success: true,
      message: release
        ? `phpMyAdmin ${version} is installed`
        : `phpMyAdmin ${version} was installed before: its alias and its configuration were kept`,
    },
  })
}

const rowOf = (was: ServedWebadmin | undefined, served: Omit<ServedWebadmin, 'id' | 'revision'>) =>
  was === undefined ? webadmin.insert(webadmin.row({ id: 1, ...served })) : webadmin.update(was, served)

/** Nobody's: it goes on when the user who installed it is deleted. */
async function monthly({ store }: WebadminArea) {
  const draft = {
    kind: updating,
    input: {},
    title: 'Update phpMyAdmin',
    cron: '23 4 1 * *',
    zone: 'UTC',
    owner: null,
    enabled: true,
  }
  return schedule(store, updating.kind, draft, await scheduleNamed(store, updating.kind))
}
