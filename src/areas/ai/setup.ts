import { randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { Caller } from '../../core/caller.ts'
import { type Change, change, type Step, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import { Id, Secret, Text } from '../../core/schemas.ts'
import {
  accountName,
  type Config,
  defaultVersion,
  isVersion,
  renderConfig,
  renderEnvironment,
} from '../../tools/openclaw/index.ts'
import { drawToken } from '../mcp/index.ts'
import { findUserByUsername } from '../users/index.ts'
import { type Assistant, assistantLock, work } from './context.ts'
import { hiveKey, withPanelKey } from './hive.ts'
import { Done, SetupDraft } from './model.ts'
import { gatewayConfig, withPanel } from './owned.ts'
import { ownerOf } from './owner.ts'
import {
  AccountInUse,
  AlreadySetUp,
  ProviderIncomplete,
  SettingUpAlready,
  VersionInvalid,
} from './problems.ts'
import { assertKey, storedOr, withCustomUrl, withKeys, withModel } from './providers.ts'
import { assistant, assistantId } from './store.ts'

const SettingUp = Type.Object({
  ...SetupDraft.properties,
  version: Text(40),
  owner: Id,
  gateway_token: Secret({ maxLength: 200 }),
  hive_token: Secret({ maxLength: 200 }),
})

/** Checks a request, and draws the tokens of the setup once for it. */
export async function draftSetup(
  on: Assistant,
  draft: SetupDraft,
  caller: Pick<Caller, 'user'>,
): Promise<Static<typeof SettingUp>> {
  const { version = defaultVersion, provider, base_url, api_key } = draft
  if (!isVersion(version)) throw VersionInvalid(`version: must be a version such as ${defaultVersion}`)
  assertKey('api_key', storedOr('api_key', api_key, undefined))
  if (provider === 'custom' && (base_url === undefined || base_url === ''))
    throw ProviderIncomplete('base_url: must be the address of the custom provider')
  return {
    ...draft,
    version,
    owner: await ownerOf(on, caller, draft.owner),
    gateway_token: randomBytes(32).toString('base64url'),
    hive_token: drawToken(),
  }
}

export const settingUpKind = 'ai.setup'

/** Installs OpenClaw, makes its account, service and settings, gives it a key of the panel, and starts it. */
export const settingUp = work({
  kind: settingUpKind,
  input: SettingUp,
  reply: Done,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  single: SettingUpAlready,
  decide: ({ input, now, ai }) => setUp(ai, input, now),
})

async function setUp(
  on: Assistant,
  input: Static<typeof SettingUp>,
  now: Date,
): Promise<Change<Static<typeof Done>>> {
  if ((await on.queries.find()) !== undefined) throw AlreadySetUp('The assistant is set up: destroy it first')
  const owner = await findUserByUsername(on.users, accountName)
  if (owner !== undefined) throw AccountInUse(`The Linux account ${accountName} belongs to ${owner.email}`)
  const { version, api_key, provider, hive_token } = input
  const key = hiveKey(on, input, { ownerId: input.owner, token: hive_token, now })
  const config = withPanel(firstConfig(on, input), on)
  const variables = withPanelKey(withKeys({}, { [provider]: api_key }), hive_token)
  const { steps } = on.tool
  return change({
    summary: `Set up the assistant with OpenClaw ${version}`,
    locks: [assistantLock],
    steps: [
      ...(await installationSteps(on, version)),
      step(steps.makeAccount, null),
      step(steps.writeSettings, { file: 'environment', content: renderEnvironment(variables) }),
      ...(await certificateSteps(on)),
      step(steps.writeUnit, { version }),
      step(steps.writeConfig, { content: renderConfig(config) }),
      step(steps.switchProgram, { verb: 'enable' }),
      step(steps.switchProgram, { verb: 'start' }),
      step(steps.awaitReady, null),
    ],
    rows: [key.row, assistant.insert(assistant.row({ id: assistantId, mcp_key_id: key.id }))],
    reply: { message: `The assistant runs with OpenClaw ${version}` },
  })
}

/** The steps that install npm and a version, where they are missing. */
export async function installationSteps(
  { tool, programSteps }: Assistant,
  version: string,
): Promise<readonly Step[]> {
  if (await tool.isInstalled(version)) return []
  const { present, reason } = await tool.detect()
  const { packages = [], dataDirectories = [] } = tool.installation ?? {}
  if (!present && packages.length === 0) throw Unavailable(reason ?? undefined)
  return [
    ...(present ? [] : [step(programSteps.installPackages, { packages, dataDirectories })]),
    step(tool.steps.installRelease, { version }),
  ]
}

/** The step that gives the assistant the certificate by which it knows the panel, where that serves HTTPS. */
export async function certificateSteps({
  panel,
  files,
  certificate,
  tool,
}: Assistant): Promise<readonly Step[]> {
  const content = panel.isTls ? await files.read(certificate.cert) : undefined
  return content === undefined ? [] : [step(tool.steps.writeSettings, { file: 'certificate', content })]
}

type First = Pick<Static<typeof SettingUp>, 'provider' | 'model' | 'base_url' | 'gateway_token'>

/** The first configuration: on loopback, with a token, and without what costs money or asks other hosts by itself. */
export function firstConfig(on: Pick<Assistant, 'tool'>, draft: First): Config {
  const { provider, model, base_url: url, gateway_token: token } = draft
  const plain: Config = { ...gatewayConfig(on, token), channels: {} }
  const addressed = provider === 'custom' && url !== undefined ? withCustomUrl(plain, url, 'base_url') : plain
  return withModel(addressed, provider, model)
}
