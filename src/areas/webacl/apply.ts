import { randomBytes } from 'node:crypto'
import { type Change, change, type Step, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { accessLua, luaFile, renderRules, rulesFile } from '../../tools/nginx/index.ts'
import { ruledOwners, sitesUnderRules } from '../websites/index.ts'
import { assertSetUp } from './available.ts'
import { rulesFor } from './compiled.ts'
import { appliedFile, readableBytes } from './config/files.ts'
import type { AppliedConfig } from './config/model.ts'
import { countriesIn } from './countries.ts'
import type { Webacl } from './context.ts'
import { loadOwner, type Owner, type OwnerRequest, rulesLock } from './owner.ts'
import { countriesOf } from './pending.ts'
import { missingGroups, type Resolved, resolved } from './resolved.ts'
import { NotAppliable, RulesetNotFound } from './problems.ts'
import { assertExpressions } from './expressions.ts'

/** The file of nginx that names the rules of all owners. */
export const nginxLock = singleLock('access rules in nginx')

type Request = OwnerRequest & { readonly id: string; readonly overwrite: boolean }

/**
 * Makes nginx evaluate an owner's rules as they are now. The rules are compiled to a new file, which nginx loads with one
 * check and one reload together with the files of the websites; a deleted ruleset is applied by its former id.
 */
export async function applyRules(
  on: Webacl,
  request: Request,
  at: Date,
): Promise<Change<{ rulesets: number; websites: number }>> {
  const owner = await loadOwner(on, request)
  const [config, applied, library] = await Promise.all([
    on.configs.read(owner.id),
    on.configs.readApplied(owner.id),
    on.configs.readLibrary(),
  ])
  if (![...config.rulesets, ...(applied?.rulesets ?? [])].some(({ id }) => id === request.id))
    throw RulesetNotFound(`There is no ruleset ${request.id}`)
  const now = resolved(config, library)
  const [missing] = missingGroups(now)
  if (missing !== undefined) throw NotAppliable(missing)
  await assertSetUp(on)
  const key = await challengeKey(on, owner.id, applied)
  const countries = await on.countries.rangesOf(countriesIn(now))
  const rules = rulesFor(owner.id, key, now, countries)
  await checkExpressions(on, owner, rules, now)
  const compiled = rules.rulesets.length === 0 ? undefined : renderRules(rules)
  const former = (await ruledOwners(on.websites)).find((each) => each.owner === owner.id)
  const told = { version: 1, challenge_key: key, ...now, ...(await countriesOf(on, now, at)) } as const
  const remembered = appliedFile(owner.id, told)
  assertReadable(compiled?.content, remembered.content)
  const under = await sitesUnderRules(
    on.websites,
    owner.id,
    compiled && { digest: compiled.digest, isClosed: isClosed(now) },
  )
  const { writeAccessFile, writeAccess } = on.nginx.steps
  return change({
    summary: `Apply the access rules of ${owner.username}`,
    locks: [rulesLock(owner.id), nginxLock, ...under.locks],
    steps: [
      step(writeAccessFile, { name: luaFile, content: accessLua }),
      ...(compiled
        ? [step(writeAccessFile, { name: rulesFile(owner.id, compiled.digest), content: compiled.content })]
        : []),
      step(writeAccess, { owners: under.owners, sites: under.sites, overwrite: request.overwrite }),
      ...removed(on, owner.id, former?.digest === compiled?.digest ? undefined : former?.digest),
      step(on.configs.write, remembered),
    ],
    rows: under.rows,
    reply: { rulesets: rules.rulesets.length, websites: under.sites.length },
  })
}

/**
 * Returns what signs passed challenges. Rules that nginx could not load get a new one, and with it another name: nginx
 * loads nothing while its configuration names the same file.
 */
async function challengeKey(
  { nginx }: Webacl,
  owner: number,
  applied: AppliedConfig | undefined,
): Promise<string> {
  const problem = (await nginx.accessReport(owner))?.problem
  return applied === undefined || problem !== undefined
    ? randomBytes(32).toString('hex')
    : applied.challenge_key
}

/** The next change of these files begins with reading them. */
function assertReadable(...contents: readonly (string | null | undefined)[]): void {
  const size = Math.max(...contents.map((content) => Buffer.byteLength(content ?? '')))
  if (size > readableBytes)
    throw NotAppliable(
      `Compiled, the rules take ${size} bytes, and at most ${readableBytes} can be applied: use fewer rules, entries or countries`,
    )
}

/** One ruleset that must not be passed over closes the websites of its owner. */
const isClosed = ({ rulesets }: Resolved): boolean =>
  rulesets.some(({ enabled, action_options }) => enabled && action_options.on_failure === 'closed')

/** Removes compiled rules that nginx does not load any more. */
export const removed = (
  { nginx }: Pick<Webacl, 'nginx'>,
  owner: number,
  digest: string | undefined,
): readonly Step[] =>
  digest === undefined
    ? []
    : [step(nginx.steps.writeAccessFile, { name: rulesFile(owner, digest), content: null })]

/** Only nginx knows whether it can compile an expression. */
async function checkExpressions(
  { nginx }: Webacl,
  { website }: Owner,
  rules: ReturnType<typeof rulesFor>,
  now: Resolved,
): Promise<void> {
  const found = await nginx.simulateAccess(rules, {
    method: 'GET',
    target: '/',
    host: website.domain,
    headers: {},
    address: '00000000',
    siteId: website.id,
    rate: 0,
    hasPassed: false,
  })
  if (!('refusedWith' in found)) assertExpressions(found, now)
}
