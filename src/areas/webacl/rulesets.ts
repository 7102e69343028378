import type { AccessReport } from '../../tools/nginx/index.ts'
import { checkedOptions } from './action-options.ts'
import type { AccessConfig, StoredRuleset } from './config/model.ts'
import type { Webacl } from './context.ts'
import { limits, type Ruleset, type RulesetDraft, type RulesetEdit } from './model.ts'
import { editRules, loadOwner, type Owner, type OwnerRequest } from './owner.ts'
import { hasNotLoaded, isPending } from './pending.ts'
import { resolved } from './resolved.ts'
import { assertDistinct, hitsOf, idsOf, inOrder, rulesetOf, withRuleset } from './parts.ts'
import { OptionInvalid, TooMany } from './problems.ts'
import { madeRule } from './library-rules.ts'

/** Lists the rulesets of an owner in the order in which they are evaluated. */
export async function listRulesets(on: Webacl, request: OwnerRequest): Promise<{ rulesets: Ruleset[] }> {
  const owner = await loadOwner(on, request)
  const [config, applied, library] = await Promise.all([
    on.configs.read(owner.id),
    on.configs.readApplied(owner.id),
    on.configs.readLibrary(),
  ])
  const report = await on.nginx.accessReport(owner.id)
  const show = showing(config, report)
  const current = resolved(config, library)
  return {
    rulesets: config.rulesets.map(({ id }) =>
      show(id, hasNotLoaded(report) || isPending(id, current, applied)),
    ),
  }
}

/** Adds a ruleset after the others. */
export function createRuleset(on: Webacl, request: OwnerRequest, draft: RulesetDraft) {
  return editRules(on, request, async ({ owner, config, library, countries }) => {
    if (config.rulesets.length >= limits.rulesets)
      throw TooMany(`An owner has at most ${limits.rulesets} rulesets`)
    const { name, action, description = '', combine = 'any', enabled = true, website_ids = null } = draft
    const taken = idsOf(owner, config)
    const ruleset: StoredRuleset = {
      id: taken('s'),
      name,
      description,
      action,
      action_options: checkedOptions(action, draft.action_options ?? {}),
      combine,
      enabled,
      website_ids: await checkedWebsites(on, owner, website_ids),
      rules: (draft.rules ?? []).map((rule, index) =>
        madeRule(rule, { config, library, countries, id: () => taken('r') }, `rules.${index}.`),
      ),
    }
    assertDistinct(ruleset)
    const next = { ...config, next_id: taken.next(), rulesets: [...config.rulesets, ruleset] }
    return {
      config: next,
      summary: `Add the ruleset ${name} to the access rules of ${owner.username}`,
      reply: showing(next, undefined)(ruleset.id, true),
    }
  })
}

/** Changes the given fields of a ruleset. */
export function editRuleset(on: Webacl, request: OwnerRequest & { readonly id: string }, edit: RulesetEdit) {
  return editRules(on, request, async ({ owner, config }) => {
    const ruleset = rulesetOf(config, request.id)
    const { website_id: _, action_options, website_ids, ...given } = edit
    const action = edit.action ?? ruleset.action
    const options = action_options ?? (action === ruleset.action ? ruleset.action_options : {})
    const changed: StoredRuleset = {
      ...ruleset,
      ...given,
      action_options: checkedOptions(action, options),
      ...(website_ids !== undefined && {
        website_ids: await checkedWebsites(on, owner, website_ids, ruleset.website_ids),
      }),
    }
    const next = withRuleset(config, changed)
    return {
      config: next,
      summary: `Change the ruleset ${changed.name} of ${owner.username}`,
      reply: showing(next, undefined)(changed.id, true),
    }
  })
}

/** Deletes a ruleset with its rules. */
export function deleteRuleset(on: Webacl, request: OwnerRequest & { readonly id: string }) {
  return editRules(on, request, ({ owner, config }) => {
    const ruleset = rulesetOf(config, request.id)
    return {
      config: { ...config, rulesets: config.rulesets.filter((each) => each !== ruleset) },
      summary: `Delete the ruleset ${ruleset.name} of ${owner.username}`,
      reply: { success: true as const },
    }
  })
}

/** Sets the order of all rulesets. */
export function reorderRulesets(on: Webacl, request: OwnerRequest, ids: readonly string[]) {
  return editRules(on, request, ({ owner, config }) => ({
    config: { ...config, rulesets: inOrder(config.rulesets, ids) },
    summary: `Reorder the rulesets of ${owner.username}`,
    reply: { success: true as const },
  }))
}

const showing =
  ({ rulesets }: AccessConfig, report: AccessReport | undefined) =>
  (id: string, pending: boolean): Ruleset => {
    const position = rulesets.findIndex((each) => each.id === id)
    const { rules, ...shown } = rulesets[position]!
    return { ...shown, position, pending, rules: rules.length, hits: hitsOf(report, id) }
  }

/** Returns the owner's websites; those that a ruleset had, and that are deleted since, are left out. */
async function checkedWebsites(
  { websites }: Webacl,
  owner: Owner,
  ids: readonly number[] | null,
  former: readonly number[] | null = null,
) {
  if (ids === null) return null
  const own = new Set(
    (await websites.queries.all()).filter((site) => site.user_id === owner.id).map(({ id }) => id),
  )
  const foreign = ids.find((id) => !own.has(id) && !former?.includes(id))
  if (foreign !== undefined) throw OptionInvalid(`website_ids: ${owner.username} has no website ${foreign}`)
  return [...new Set(ids)].filter((id) => own.has(id))
}
